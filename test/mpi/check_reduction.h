// SPDX-License-Identifier: BSD-3-Clause
#ifndef CHECK_REDUCTION_H
#define CHECK_REDUCTION_H

#include "check_number.h"

/*
 * What the tests of the reducing operations share: the cases (operation, type, count, in
 * place or not), buffers with values in them, and the comparison with the reference.
 */

struct check_case {
    const struct check_type *type;
    const struct check_op *op;
    size_t count;  /* a suggestion: what is reduced, or what each rank gets */
    bool in_place; /* MPI_IN_PLACE */
    long number;   /* counts the cases; the same on all ranks */
};

/** Called for each case. */
typedef void (*check_case_fn)(const struct check_case *now);

/**
 * Every operation on every type it accepts, for short vectors of many lengths.
 * @param every  all lengths only for one case in so many; 1 for the whole matrix
 */
void check_short_cases(check_case_fn run, long every);

/** A few operations and types, for lengths just below, at and above powers of two. */
void check_long_cases(check_case_fn run);

/** Arm a buffer for `count` elements of the case's type; its alignment varies. */
void check_case_arm(const struct check_case *now, struct check_buffer *buffer,
                    size_t count);

/** Write what `rank` contributes at indices first to first + count - 1. */
void check_case_fill(const struct check_case *now, int rank, size_t first, size_t count,
                     void *at);

/**
 * Compare with the reference over ranks 0 to size - 1.
 * @param first   index of the element that lies at `at`
 * @param buffer  the whole buffer: gaps inside elements must have their poison still
 */
bool check_case_compare(const struct check_case *now, int size, size_t first,
                        size_t count, const struct check_buffer *buffer, const void *at);

/** Values with which rounding depends on the order: contributed by `rank` at `index`. */
double check_rounding_value(int rank, size_t index);

/** Is `value` as close to the sum over `size` ranks as rounding errors allow? */
bool check_rounding_near(double value, int size, size_t index, double epsilon);

#endif
