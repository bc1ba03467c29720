// SPDX-License-Identifier: BSD-3-Clause
/*
 * Reductions of arrays: dst = src[0] op src[1] op ... op src[n - 1], always folded from
 * the left in that order, so the bits of a floating-point result depend on nothing else.
 * Every instruction set gives the same bits, save which of several NaNs a sum or product
 * keeps.
 *
 * Semantics
 * - Integers wrap around.
 * - MIN is a < b ? a : b and MAX is a > b ? a : b, where a is what has been folded so
 * far: when either is a NaN, the result is b, the operand that comes later.
 * - LAND, LOR, LXOR give 0 or 1 in the operand's type.
 * - Complex products use the textbook formula; they do not recover infinities from NaNs
 * as C's Annex G would.
 * - One source is copied as it is.
 *
 * Memory
 * - Pointers need no alignment.
 * - dst may be exactly any of the sources, and it may overlap a source that starts at a
 *   HIGHER address: each position is read from all sources before it, or any position
 *   after it, is written. All other overlaps are undefined.
 * - Nothing outside count elements is touched.
 */
#ifndef HCCL_REDUCE_H
#define HCCL_REDUCE_H

#include <stddef.h>

#include "core/hccl_isa.h"

enum hccl_type {
    HCCL_INT8,
    HCCL_UINT8,
    HCCL_INT16,
    HCCL_UINT16,
    HCCL_INT32,
    HCCL_UINT32,
    HCCL_INT64,
    HCCL_UINT64,
    HCCL_FLOAT,
    HCCL_DOUBLE,
    HCCL_FLOAT_COMPLEX,
    HCCL_DOUBLE_COMPLEX,
    HCCL_BOOL, /**< C's _Bool, of one byte; any byte but 0 counts as true */
    HCCL_TYPE_COUNT
};

enum hccl_op {
    HCCL_SUM,
    HCCL_PROD,
    HCCL_MIN,
    HCCL_MAX,
    HCCL_LAND,
    HCCL_LOR,
    HCCL_LXOR,
    HCCL_BAND,
    HCCL_BOR,
    HCCL_BXOR,
    HCCL_OP_COUNT
};

/** Most sources that one kernel call reads. */
#define HCCL_REDUCE_MAX_SOURCES 8

/**
 * A kernel: reduces @p count elements of @p sources arrays into @p dst.
 * @param sources 1 to HCCL_REDUCE_MAX_SOURCES
 */
typedef void (*hccl_reduce_fn)(void *dst, const void *const *src, int sources,
                               size_t count);

/** Size of one element in bytes; 0 when @p type is out of range. */
size_t hccl_type_size(enum hccl_type type);

/** Lower-case names, such as "sum" and "float_complex"; "unknown" when out of range. */
const char *hccl_type_name(enum hccl_type type);
const char *hccl_op_name(enum hccl_op op);

/**
 * The kernel for a pair of operation and type.
 * @return NULL where MPI does not define the pair (such as BAND on float, MIN on
 * complex), where this build has no kernels for @p isa, or an argument is out of range.
 * It does not ask whether the processor can run @p isa: see hccl_isa_detect().
 */
hccl_reduce_fn hccl_reduce_find(enum hccl_op op, enum hccl_type type, enum hccl_isa isa);

/**
 * Reduces any number of sources (at least 1), in the same order and with the same rules
 * about memory as a kernel.
 * @param reduce the kernel
 * @param size   bytes of one element: hccl_type_size()
 */
void hccl_reduce_many(hccl_reduce_fn reduce, size_t size, void *dst,
                      const void *const *src, int sources, size_t count);

#endif
