// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PATTERN_H
#define HCCL_TEST_PATTERN_H

#include "types.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Test data. Element i of rank r holds a hash of (r, i mod HCCL_PATTERN_PERIOD), brought
 * into a range in which the reduction is exact in the type whatever the order of the
 * operands. The period is a prime: no block, page or power of two divides into it, so
 * data that is moved to a wrong place differs. One period is computed once; filling and
 * checking are then memcpy and memcmp against it. A call's `start` shifts the pattern, so
 * that a result left over from an earlier call is wrong too.
 */
enum { HCCL_PATTERN_PERIOD = 4093 };

/** One period of elements of one source; `size` is the element's, in bytes. */
struct hccl_pattern {
    unsigned char *table;
    size_t size;
};

/** Makes room for a period of `type`. 0, or -1 without memory. */
int hccl_pattern_create(struct hccl_pattern *pattern, const struct hccl_dtype *type);

/** Frees it; an empty one too. */
void hccl_pattern_destroy(struct hccl_pattern *pattern);

/** Writes what rank `rank` of `ranks` contributes to a reduction by `redop`. */
void hccl_pattern_of_rank(struct hccl_pattern *pattern, const struct hccl_dtype *type,
                          int redop, int rank, int ranks);

/** Writes the reduction by `redop` of the contributions of all `ranks`. */
void hccl_pattern_of_all(struct hccl_pattern *pattern, const struct hccl_dtype *type,
                         int redop, int ranks);

/** Writes elements start .. start+count-1 of the endless pattern to `to`. */
void hccl_pattern_fill(const struct hccl_pattern *pattern, unsigned char *to,
                       uint64_t start, size_t count);

/** The same with every bit inverted: no element of it is right. */
void hccl_pattern_poison(const struct hccl_pattern *pattern, unsigned char *to,
                         uint64_t start, size_t count);

/** How many of the `count` elements at `at` differ from the pattern. */
uint64_t hccl_pattern_wrong(const struct hccl_pattern *pattern, const unsigned char *at,
                            uint64_t start, size_t count);

#endif
