// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_PARAM_H
#define HCCL_PARAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The parameters that users set: one table says names, defaults, what is accepted and
 * what it does. The MPI layer registers the table, documentation is printed from it, and
 * the values land in one plain structure.
 */

/* Values of all parameters. */
struct hccl_params {
    size_t priority;
    bool enable;
    size_t verbose;
    bool report;
    const char *companions;
    size_t setup_calls;
    size_t shm_max;       /* bytes */
    size_t staging;       /* bytes */
    size_t min_data_size; /* bytes */
    size_t chunk;         /* bytes */
    size_t stream_min;    /* bytes */
    size_t deterministic; /* enum hccl_deterministic */
    size_t spin_us;
    bool sleep;
    const char *backing_dir;
};

enum hccl_deterministic {
    HCCL_DETERMINISTIC_DEFAULT,
    HCCL_DETERMINISTIC_STRICT,
};

enum hccl_param_kind {
    HCCL_PARAM_SIZE,   /* bytes, with K, M or G */
    HCCL_PARAM_NUMBER, /* a number without unit */
    HCCL_PARAM_FLAG,   /* yes or no */
    HCCL_PARAM_CHOICE, /* one of several words */
    HCCL_PARAM_TEXT,   /* not empty */
};

struct hccl_param {
    const char *name;        /* coll_hccl_NAME */
    const char *environment; /* HCCL_ spelling, or NULL */
    enum hccl_param_kind kind;
    const char *initial; /* default, as text */
    size_t least;        /* SIZE, NUMBER */
    size_t most;
    const char *const *choices; /* CHOICE: words, NULL at the end */
    int level;                  /* 1 to 9: how deep in ompi_info it shows */
    size_t offset;              /* of the value in struct hccl_params */
    const char *text;           /* what it does */
};

/** The table; *count is set to its length. */
const struct hccl_param *hccl_param_table(size_t *count);

/**
 * Set one value from text.
 * @param text  must outlive the structure where the parameter is a TEXT
 * @return false when the text can't be understood or is out of range; nothing is changed
 */
bool hccl_param_set(struct hccl_params *params, const struct hccl_param *param,
                    const char *text);

/** Write what a parameter accepts, for messages, into `words` of `bytes` bytes. */
void hccl_param_accepts(const struct hccl_param *param, char *words, size_t bytes);

/** Parse a size such as 64K, 1m, 2GiB or 4096. @return false when malformed or too large
 */
bool hccl_param_parse_size(const char *text, size_t *bytes);

/** Parse yes/no, true/false, on/off, 1/0, in any case. */
bool hccl_param_parse_flag(const char *text, bool *flag);

#endif
