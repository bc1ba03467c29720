// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_SWEEP_H
#define HCCL_TEST_SWEEP_H

#include "ops.h"
#include "options.h"

#include <stdint.h>

/** Elements of the largest call of any of the operations. */
uint64_t hccl_sweep_largest(const struct hccl_options *options, int ranks);

/**
 * Elements of the call of `op` that follows one with `count` elements (0: the first); 0
 * when that was the last. `bytes` goes through the sizes asked for, from 0 on; those that
 * come to the same number of elements are passed once.
 */
uint64_t hccl_sweep_next(const struct hccl_options *options, const struct hccl_op *op,
                         int ranks, uint64_t count, uint64_t *bytes);

/** Number of measurements in all operations, sizes and cycles; 0 when they never end. */
int hccl_sweep_length(const struct hccl_options *options, int ranks);

#endif
