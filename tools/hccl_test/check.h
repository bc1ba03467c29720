// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_CHECK_H
#define HCCL_TEST_CHECK_H

#include "ops.h"
#include "pattern.h"

#include <stdint.h>

/** The patterns that an operation's data follows, on one rank. */
struct hccl_check {
    const struct hccl_dtype *type;
    int redop;
    int ranks;
    struct hccl_pattern own;     // this rank's contribution
    struct hccl_pattern reduced; // the reduction of all
    struct hccl_pattern other;   // another rank's, made when needed
    int other_rank;              // whose that is; -1: nobody's
};

/** Computes the patterns for ranks 0 .. ranks-1. 0, or -1 without memory. */
int hccl_check_create(struct hccl_check *check, int dtype, int redop, int rank,
                      int ranks);

/** Frees them. */
void hccl_check_destroy(struct hccl_check *check);

/** Writes this rank's input of call number `seed` where `call` will read it. */
void hccl_check_fill(const struct hccl_check *check, const struct hccl_call *call,
                     uint64_t seed);

/**
 * Before a call: writes wrong elements wherever its result will be (not where its input
 * is), and the guard after the output.
 */
void hccl_check_poison(struct hccl_check *check, const struct hccl_call *call,
                       uint64_t seed);

/**
 * After a call: number of elements of the result that are wrong on this rank, plus those
 * of an input that was changed, plus bytes of the guard that were written.
 */
uint64_t hccl_check_wrong(struct hccl_check *check, const struct hccl_call *call,
                          uint64_t seed);

#endif
