// SPDX-License-Identifier: BSD-3-Clause
/* What the kernels should compute, one element at a time, and values to compute it from.
 */
#ifndef CORE_REFERENCE_H
#define CORE_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "core/hccl_reduce.h"

/** Whether MPI defines the operation on the type. */
int reference_defined(enum hccl_op op, enum hccl_type type);

/** dst = src[0] op src[1] op ..., folded from the left. dst overlaps no source. */
void reference_reduce(enum hccl_op op, enum hccl_type type, void *dst,
                      const void *const *src, int sources, size_t count);

/**
 * Whether two arrays hold the same bits; for sums and products of floating-point numbers
 * any two NaNs are the same.
 */
int reference_same(enum hccl_op op, enum hccl_type type, const void *a, const void *b,
                   size_t count);

/** Pseudo-random numbers, the same in every run. */
uint64_t reference_random(void);

/**
 * Values of a type: all bit patterns for integers with many zeros, and for floating point
 * numbers of both signs with now and then a zero of either sign, an infinity or a NaN.
 */
void reference_fill(enum hccl_type type, void *array, size_t count);

/** The pair by name, for messages; in a static buffer. */
const char *reference_label(enum hccl_op op, enum hccl_type type, enum hccl_isa isa);

#endif
