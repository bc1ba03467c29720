// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_REPORT_H
#define COLL_HCCL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * What was called, and which path served it: counted per process, shown as MPI_T
 * performance variables (coll_hccl_OPERATION_PATH_calls and _bytes) and in the report at
 * finalize. The report also has how many communicators were left to other components, by
 * reason.
 */

enum hccl_coll {
    HCCL_COLL_ALLREDUCE,
    HCCL_COLL_REDUCE_SCATTER,
    HCCL_COLL_REDUCE_SCATTER_BLOCK,
    HCCL_COLL_BCAST,
    HCCL_COLL_REDUCE,
    HCCL_COLL_ALLGATHER,
    HCCL_COLL_BARRIER,
    HCCL_COLL_COUNT,
};

enum hccl_path {
    HCCL_PATH_SLOT,     /* beside or behind a flag */
    HCCL_PATH_MID,      /* a larger slot, one exchange */
    HCCL_PATH_STAGE,    /* the ranks' buffers, in chunks */
    HCCL_PATH_PREVIOUS, /* another component */
    HCCL_PATH_COUNT,
};

struct hccl_tally {
    unsigned long long calls;
    unsigned long long bytes;
    unsigned long long ns; /* only while the report is asked for */
};

/* Written by every thread that calls a collective; lost updates between threads are
 * tolerated, as a lock on the hot path would not be. */
extern struct hccl_tally hccl_tallies[HCCL_COLL_COUNT][HCCL_PATH_COUNT];
extern bool hccl_report_wanted;

/** Names as in MPI_T: "allreduce", "slot". */
const char *hccl_coll_name(enum hccl_coll coll);
const char *hccl_path_name(enum hccl_path path);

/** Register the performance variables. */
void hccl_report_register(void);

/**
 * Note that other components serve a communicator, or the large messages of one.
 * @param why  a string that lives on; reasons are counted by their text
 */
void hccl_report_fallback(const char *why);

/** Print the report, when it was asked for. */
void hccl_report_print(void);

static inline uint64_t hccl_report_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** The time at which a call began, or 0 when nobody wants to know. */
static inline uint64_t hccl_report_start(void)
{
    return __builtin_expect(hccl_report_wanted, 0) ? hccl_report_now() : 0;
}

/** Count a call that has been served. */
static inline void hccl_report_count(enum hccl_coll coll, enum hccl_path path,
                                     size_t bytes, uint64_t start)
{
    struct hccl_tally *tally = &hccl_tallies[coll][path];
    tally->calls++;
    tally->bytes += bytes;
    if (__builtin_expect(start != 0, 0)) {
        tally->ns += hccl_report_now() - start;
    }
}

#endif
