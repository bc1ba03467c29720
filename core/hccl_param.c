// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "hccl_param.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    KIB = 1024,
    MIB = 1024 * 1024,
};

#define AT(field) offsetof(struct hccl_params, field)

static const char *const deterministic_words[] = {"default", "strict", NULL};

static const struct hccl_param table[] = {
    {"enable", NULL, HCCL_PARAM_FLAG, "yes", 0, 0, NULL, 2, AT(enable),
     "Use shared memory for collectives inside a node; the info key hccl_enable of a "
     "communicator overrides it"},
    {"verbose", "HCCL_DEBUG", HCCL_PARAM_NUMBER, "0", 0, 100, NULL, 2, AT(verbose),
     "1: say for each communicator which path serves what, and why; 10: more"},
    {"report", NULL, HCCL_PARAM_FLAG, "no", 0, 0, NULL, 2, AT(report),
     "At MPI_Finalize, print calls, bytes and time by operation and path"},
    {"shm_max", NULL, HCCL_PARAM_SIZE, "64M", 64 * KIB, SIZE_MAX / 2, NULL, 3,
     AT(shm_max),
     "Most shared memory per node and job; communicators beyond it use other components"},
    {"deterministic", "HCCL_DETERMINISTIC", HCCL_PARAM_CHOICE, "default", 0, 0,
     deterministic_words, 3, AT(deterministic),
     "strict: every reduction inside a node is in rank order, the first calls on a "
     "communicator too"},
    {"staging", "HCCL_BUFFSIZE", HCCL_PARAM_SIZE, "1M", 64 * KIB, 1024 * MIB, NULL, 4,
     AT(staging), "Buffer of each rank for large messages, per communicator"},
    {"min_data_size", "HCCL_MIN_DATA_SIZE", HCCL_PARAM_SIZE, "16K", KIB, 16 * MIB, NULL,
     4, AT(min_data_size),
     "Messages up to this size go by flags and slots, larger ones by pipelined buffers"},
    {"backing_dir", NULL, HCCL_PARAM_TEXT, "/dev/shm", 0, 0, NULL, 4, AT(backing_dir),
     "Folder of a memory file system for the shared segments"},
    {"chunk", NULL, HCCL_PARAM_SIZE, "512K", 4 * KIB, 64 * MIB, NULL, 5, AT(chunk),
     "Most bytes that a rank reduces per step of a large reduction"},
    {"stream_min", NULL, HCCL_PARAM_SIZE, "32M", 0, SIZE_MAX / 2, NULL, 5, AT(stream_min),
     "Messages of this size and more are written past the caches"},
    {"setup_calls", NULL, HCCL_PARAM_NUMBER, "3", 0, 1000000, NULL, 6, AT(setup_calls),
     "Calls on a communicator before shared memory is set up for it"},
    {"spin_us", NULL, HCCL_PARAM_NUMBER, "1000", 0, 1000000, NULL, 6, AT(spin_us),
     "Microseconds to spin for other ranks when each has a processor of its own"},
    {"sleep", NULL, HCCL_PARAM_FLAG, "yes", 0, 0, NULL, 6, AT(sleep),
     "Sleep when others let wait for long"},
    {"priority", NULL, HCCL_PARAM_NUMBER, "45", 0, 100, NULL, 6, AT(priority),
     "Priority among the collective components (tuned has 30, han 35)"},
    {"companions", NULL, HCCL_PARAM_TEXT, "basic,libnbc,self,inter,tuned,ftagree", 0, 0,
     NULL, 9, AT(companions),
     "Components to bring in when the list given to coll leaves them out, so that hccl "
     "can "
     "be named alone; none: exactly the list given"},
};

const struct hccl_param *hccl_param_table(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

static bool parse_number(const char *text, char **end, size_t *value)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    errno = 0;
    unsigned long long parsed = strtoull(text, end, 10);
    *value = (size_t)parsed;
    return errno == 0 && parsed <= SIZE_MAX;
}

/* The factor of a unit such as K, kB or KiB: all are powers of 1024. 0: no such unit */
static size_t unit_of(const char *text)
{
    static const char letters[] = "kmg";
    if (*text == '\0' || strcasecmp(text, "b") == 0) {
        return 1;
    }
    const char *letter = strchr(letters, tolower((unsigned char)*text));
    const char *rest = text + 1;
    if (letter == NULL ||
        (*rest != '\0' && strcasecmp(rest, "b") != 0 && strcasecmp(rest, "ib") != 0)) {
        return 0;
    }
    return (size_t)1 << (10 * (letter - letters + 1));
}

bool hccl_param_parse_size(const char *text, size_t *bytes)
{
    char *end;
    size_t number;
    if (!parse_number(text, &end, &number)) {
        return false;
    }
    size_t unit = unit_of(end);
    if (unit == 0 || number > SIZE_MAX / unit) {
        return false;
    }
    *bytes = number * unit;
    return true;
}

bool hccl_param_parse_flag(const char *text, bool *flag)
{
    static const char *const yes[] = {"1", "yes", "true", "on", "enabled", "y", "t"};
    static const char *const no[] = {"0", "no", "false", "off", "disabled", "n", "f"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        if (strcasecmp(text, yes[i]) == 0 || strcasecmp(text, no[i]) == 0) {
            *flag = strcasecmp(text, yes[i]) == 0;
            return true;
        }
    }
    return false;
}

static bool parse_choice(const struct hccl_param *param, const char *text, size_t *index)
{
    for (size_t i = 0; param->choices[i] != NULL; i++) {
        if (strcasecmp(text, param->choices[i]) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool parse_quantity(const struct hccl_param *param, const char *text,
                           size_t *value)
{
    char *end = NULL;
    bool good = param->kind == HCCL_PARAM_SIZE
                    ? hccl_param_parse_size(text, value)
                    : parse_number(text, &end, value) && *end == '\0';
    return good && *value >= param->least && *value <= param->most;
}

bool hccl_param_set(struct hccl_params *params, const struct hccl_param *param,
                    const char *text)
{
    void *at = (char *)params + param->offset;
    size_t value = 0;
    bool flag = false;
    switch (param->kind) {
    case HCCL_PARAM_SIZE:
    case HCCL_PARAM_NUMBER:
        if (!parse_quantity(param, text, &value)) {
            return false;
        }
        *(size_t *)at = value;
        return true;
    case HCCL_PARAM_FLAG:
        if (!hccl_param_parse_flag(text, &flag)) {
            return false;
        }
        *(bool *)at = flag;
        return true;
    case HCCL_PARAM_CHOICE:
        if (!parse_choice(param, text, &value)) {
            return false;
        }
        *(size_t *)at = value;
        return true;
    case HCCL_PARAM_TEXT:
        if (*text == '\0') {
            return false;
        }
        *(const char **)at = text;
        return true;
    }
    return false;
}

static void list_choices(const struct hccl_param *param, char *words, size_t bytes)
{
    size_t used = 0;
    words[0] = '\0';
    for (size_t i = 0; param->choices[i] != NULL && used < bytes; i++) {
        used += (size_t)snprintf(words + used, bytes - used, "%s%s", i > 0 ? " or " : "",
                                 param->choices[i]);
    }
}

void hccl_param_accepts(const struct hccl_param *param, char *words, size_t bytes)
{
    switch (param->kind) {
    case HCCL_PARAM_SIZE:
        snprintf(words, bytes, "a size from %zu to %zu bytes; K, M and G may follow",
                 param->least, param->most);
        break;
    case HCCL_PARAM_NUMBER:
        snprintf(words, bytes, "a number from %zu to %zu", param->least, param->most);
        break;
    case HCCL_PARAM_FLAG:
        snprintf(words, bytes, "yes or no (also 1, 0, true, false, on, off)");
        break;
    case HCCL_PARAM_CHOICE:
        list_choices(param, words, bytes);
        break;
    case HCCL_PARAM_TEXT:
        snprintf(words, bytes, "any text that is not empty");
        break;
    }
}
