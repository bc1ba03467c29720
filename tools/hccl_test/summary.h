// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_SUMMARY_H
#define HCCL_TEST_SUMMARY_H

#include "result.h"

#include <stdio.h>

/** Sizes at which one side is far slower than before and after them. */
struct hccl_cliff {
    size_t first; // indices into the report's results
    size_t last;
    int side;
    double bandwidth; // GB/s, the lowest of them
    double expected;  // geometric mean of the neighbours'
};

/**
 * Finds up to `room` cliffs: runs of at most three sizes whose bandwidth is below half of
 * the geometric mean of the neighbours' on both sides. The last sizes count as
 * one as well when their bandwidth falls below a third of that of the size before.
 * Returns their number.
 */
size_t hccl_summary_cliffs(const struct hccl_report *report, struct hccl_cliff *cliffs,
                           size_t room);

/**
 * Geometric mean of stock / hccl over the sizes of `op` (NULL: all operations) measured
 * with the cores placed `place` ("near", "far", NULL: anywhere); `sizes` gets their
 * number. 0 for none.
 */
double hccl_summary_speedup(const struct hccl_report *report, const struct hccl_op *op,
                            const char *place, size_t *sizes);

/** Writes what is to be said after all results, each line after "# ". */
void hccl_summary_print(FILE *to, const struct hccl_report *report);

#endif
