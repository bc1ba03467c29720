// SPDX-License-Identifier: BSD-3-Clause
/*
 * Template: all kernels of one instruction set. Included by hccl_kernels_<isa>.c, which
 * defines
 *   HCCL_KERNEL_WIDTH                bytes of the widest vector: 16, 32 or 64
 *   HCCL_STREAM_STORE(to, vector)    one non-temporal store of that width, `to` aligned
 */
#include "core/hccl_kernels.h"
#include "core/hccl_vector.h"

#define HCCL_W 16
#include "core/hccl_vector.inc.h"

#if HCCL_KERNEL_WIDTH >= 32
#define HCCL_W 32
#include "core/hccl_vector.inc.h"
#endif

#if HCCL_KERNEL_WIDTH >= 64
#define HCCL_W 64
#include "core/hccl_vector.inc.h"
#endif

#define W(name) V_CAT(name, HCCL_KERNEL_WIDTH)

/* Bytes that one step of the main loops handles. */
#define HCCL_STEP sizeof(struct W(group))

V_INLINE void hccl_group_stream(unsigned char *to, struct W(group) group)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < HCCL_STEP / HCCL_KERNEL_WIDTH; i++) {
        HCCL_STREAM_STORE(to + i * HCCL_KERNEL_WIDTH, group.v[i]);
    }
}

/*
 * Pieces shorter than a vector: `size` bytes (8, 4, 2 or 1) in the low lanes of a vector
 * whose other lanes are zero. Lanes never mix, but for the two floats of a complex
 * number, which travel as 8 bytes and keep their order.
 */
V_INLINE hccl_b8_16 hccl_piece_load(const unsigned char *from, size_t size)
{
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;
    switch (size) {
    case 8:
        memcpy(&u64, from, sizeof(u64));
        return (hccl_b8_16)(hccl_b64_16){u64, 0};
    case 4:
        memcpy(&u32, from, sizeof(u32));
        return (hccl_b8_16)(hccl_b32_16){u32, 0, 0, 0};
    case 2:
        memcpy(&u16, from, sizeof(u16));
        return (hccl_b8_16)(hccl_b32_16){u16, 0, 0, 0};
    default:
        return (hccl_b8_16)(hccl_b32_16){*from, 0, 0, 0};
    }
}

V_INLINE void hccl_piece_store(unsigned char *to, hccl_b8_16 v, size_t size)
{
    uint64_t u64 = ((hccl_b64_16)v)[0];
    uint32_t u32 = ((hccl_b32_16)v)[0];
    uint16_t u16 = (uint16_t)u32;
    switch (size) {
    case 8:
        memcpy(to, &u64, sizeof(u64));
        break;
    case 4:
        memcpy(to, &u32, sizeof(u32));
        break;
    case 2:
        memcpy(to, &u16, sizeof(u16));
        break;
    default:
        *to = (unsigned char)u32;
        break;
    }
}

V_INLINE void hccl_piece_fold(enum hccl_op op, enum hccl_type type, unsigned char *dst,
                              const void *const *src, int sources, size_t at, size_t size)
{
    hccl_b8_16 sum = hccl_piece_load((const unsigned char *)src[0] + at, size);
    for (int k = 1; k < sources; k++) {
        hccl_b8_16 next = hccl_piece_load((const unsigned char *)src[k] + at, size);
        sum = hccl_apply_16(op, type, sum, next);
    }
    hccl_piece_store(dst + at, sum, size);
}

/*
 * What is shorter than 32 bytes. op, type and size are constants here and below, so that
 * a few short loops remain. All bodies go forwards and load before they store: see
 * "Memory" in hccl_reduce.h.
 */
V_INLINE void hccl_tail_body(enum hccl_op op, enum hccl_type type, size_t size,
                             unsigned char *dst, const void *const *src, int sources,
                             size_t at, size_t bytes)
{
    if (bytes - at >= 16) {
        hccl_store_16(dst + at, hccl_fold_16(op, type, src, sources, at));
        at += 16;
    }
    if (size <= 8 && bytes - at >= 8) {
        hccl_piece_fold(op, type, dst, src, sources, at, 8);
        at += 8;
    }
    if (size < 8) {
        for (; at < bytes; at += size) {
            hccl_piece_fold(op, type, dst, src, sources, at, size);
        }
    }
}

/* Up to HCCL_BULK_MIN: whole vectors without more ado. */
V_INLINE void hccl_middle_body(enum hccl_op op, enum hccl_type type, size_t size,
                               unsigned char *dst, const void *const *src, int sources,
                               size_t bytes)
{
    size_t at = 0;
    for (; bytes - at >= HCCL_STEP; at += HCCL_STEP) {
        W(group_store)(dst + at, W(group_fold)(op, type, src, sources, at));
    }
    for (; bytes - at >= HCCL_KERNEL_WIDTH; at += HCCL_KERNEL_WIDTH) {
        W(store)(dst + at, W(fold)(op, type, src, sources, at));
    }
#if HCCL_KERNEL_WIDTH >= 64
    if (bytes - at >= 32) {
        hccl_store_32(dst + at, hccl_fold_32(op, type, src, sources, at));
        at += 32;
    }
#endif
    hccl_tail_body(op, type, size, dst, src, sources, at, bytes);
}

/*
 * The bulk of a long reduction: see hccl_bulk_fn. The prefetch stays inside the range:
 * beyond it somebody else may be writing.
 */
V_INLINE void hccl_bulk_body(enum hccl_op op, enum hccl_type type, unsigned char *cached,
                             unsigned char *stream, const void *const *src, int sources,
                             size_t from, size_t to)
{
    const size_t ahead = hccl_prefetch_reach(src, sources, from, to);
    for (size_t at = from; at < to; at += HCCL_STEP) {
        size_t next = at + ahead < to ? at + ahead : at;
        struct W(group) sum = W(group_fold_long)(op, type, src, sources, at, next);
        if (stream != NULL) {
            hccl_group_stream(stream + at, sum);
        }
        if (cached != NULL) {
            W(group_store)(cached + at, sum);
        }
    }
}

V_INLINE void hccl_long_body(enum hccl_op op, enum hccl_type type, size_t size,
                             hccl_reduce_fn kernel, hccl_bulk_fn bulk, void *dst,
                             const void *const *src, int sources, size_t bytes)
{
    if (bytes >= HCCL_BULK_MIN) {
        hccl_reduce_large(kernel, bulk, size, dst, src, sources, bytes);
    } else {
        hccl_middle_body(op, type, size, dst, src, sources, bytes);
    }
}

V_INLINE void hccl_kernel_body(enum hccl_op op, enum hccl_type type, size_t size,
                               hccl_reduce_fn longer, void *dst, const void *const *src,
                               int sources, size_t count)
{
    size_t bytes = count * size;
    if (bytes < 32 && sources == 2) {
        hccl_tail_body(op, type, size, dst, src, 2, 0, bytes);
    } else {
        longer(dst, src, sources, bytes);
    }
}

/* Operations on which signedness makes no difference are made for unsigned types only. */
#define HCCL_FOR_UNSIGNED(X, op)                                                         \
    X(op, UINT8, 1)                                                                      \
    X(op, UINT16, 2)                                                                     \
    X(op, UINT32, 4)                                                                     \
    X(op, UINT64, 8)
#define HCCL_FOR_SIGNED(X, op)                                                           \
    X(op, INT8, 1)                                                                       \
    X(op, INT16, 2)                                                                      \
    X(op, INT32, 4)                                                                      \
    X(op, INT64, 8)
#define HCCL_FOR_FLOAT(X, op)                                                            \
    X(op, FLOAT, 4)                                                                      \
    X(op, DOUBLE, 8)
#define HCCL_FOR_ALL(X)                                                                  \
    HCCL_FOR_UNSIGNED(X, SUM)                                                            \
    HCCL_FOR_FLOAT(X, SUM)                                                               \
    HCCL_FOR_UNSIGNED(X, PROD)                                                           \
    HCCL_FOR_FLOAT(X, PROD)                                                              \
    X(PROD, FLOAT_COMPLEX, 8)                                                            \
    X(PROD, DOUBLE_COMPLEX, 16)                                                          \
    HCCL_FOR_UNSIGNED(X, MIN)                                                            \
    HCCL_FOR_SIGNED(X, MIN)                                                              \
    HCCL_FOR_FLOAT(X, MIN)                                                               \
    HCCL_FOR_UNSIGNED(X, MAX)                                                            \
    HCCL_FOR_SIGNED(X, MAX)                                                              \
    HCCL_FOR_FLOAT(X, MAX)                                                               \
    HCCL_FOR_UNSIGNED(X, LAND)                                                           \
    HCCL_FOR_UNSIGNED(X, LOR)                                                            \
    HCCL_FOR_UNSIGNED(X, LXOR)                                                           \
    HCCL_FOR_UNSIGNED(X, BAND)                                                           \
    HCCL_FOR_UNSIGNED(X, BOR)                                                            \
    HCCL_FOR_UNSIGNED(X, BXOR)

/*
 * The three functions of a kernel. The one that is called does the shortest arrays itself
 * and leaves the rest to another, so that it saves no registers and has no wide vectors
 * to clean up after.
 */
#define HCCL_KERNEL(op, type, size)                                                      \
    static void hccl_##op##_##type(void *dst, const void *const *src, int sources,       \
                                   size_t count);                                        \
    static void hccl_bulk_##op##_##type(unsigned char *cached, unsigned char *stream,    \
                                        const void *const *src, int sources,             \
                                        size_t from, size_t to)                          \
    {                                                                                    \
        hccl_bulk_body(HCCL_##op, HCCL_##type, cached, stream, src, sources, from, to);  \
    }                                                                                    \
    static __attribute__((noinline)) void hccl_long_##op##_##type(                       \
        void *dst, const void *const *src, int sources, size_t bytes)                    \
    {                                                                                    \
        hccl_long_body(HCCL_##op, HCCL_##type, size, hccl_##op##_##type,                 \
                       hccl_bulk_##op##_##type, dst, src, sources, bytes);               \
    }                                                                                    \
    static void hccl_##op##_##type(void *dst, const void *const *src, int sources,       \
                                   size_t count)                                         \
    {                                                                                    \
        hccl_kernel_body(HCCL_##op, HCCL_##type, size, hccl_long_##op##_##type, dst,     \
                         src, sources, count);                                           \
    }
HCCL_FOR_ALL(HCCL_KERNEL)

/* A complex sum is a sum of twice as many reals. */
static void hccl_SUM_FLOAT_COMPLEX(void *dst, const void *const *src, int sources,
                                   size_t count)
{
    hccl_SUM_FLOAT(dst, src, sources, 2 * count);
}

static void hccl_SUM_DOUBLE_COMPLEX(void *dst, const void *const *src, int sources,
                                    size_t count)
{
    hccl_SUM_DOUBLE(dst, src, sources, 2 * count);
}

#define HCCL_ENTRY_OF(op, type, as)                                                      \
    [HCCL_##op][HCCL_##type] = {hccl_##op##_##as, hccl_bulk_##op##_##as},
#define HCCL_ENTRY(op, type, size) HCCL_ENTRY_OF(op, type, type)
#define HCCL_ENTRIES_BOTH(op)                                                            \
    HCCL_FOR_UNSIGNED(HCCL_ENTRY, op)                                                    \
    HCCL_ENTRY_OF(op, INT8, UINT8)                                                       \
    HCCL_ENTRY_OF(op, INT16, UINT16)                                                     \
    HCCL_ENTRY_OF(op, INT32, UINT32)                                                     \
    HCCL_ENTRY_OF(op, INT64, UINT64)
#define HCCL_ENTRIES_LOGICAL(op)                                                         \
    HCCL_ENTRIES_BOTH(op)                                                                \
    HCCL_ENTRY_OF(op, BOOL, UINT8)
#define HCCL_ENTRIES_ORDERED(op)                                                         \
    HCCL_FOR_UNSIGNED(HCCL_ENTRY, op)                                                    \
    HCCL_FOR_SIGNED(HCCL_ENTRY, op)                                                      \
    HCCL_FOR_FLOAT(HCCL_ENTRY, op)
#define HCCL_ENTRIES_ARITHMETIC(op)                                                      \
    HCCL_ENTRIES_BOTH(op)                                                                \
    HCCL_FOR_FLOAT(HCCL_ENTRY, op)
#define HCCL_KERNEL_TABLE                                                                \
    {                                                                                    \
        HCCL_ENTRIES_ARITHMETIC(SUM)                                                     \
        [HCCL_SUM][HCCL_FLOAT_COMPLEX] = {hccl_SUM_FLOAT_COMPLEX, NULL},                 \
        [HCCL_SUM][HCCL_DOUBLE_COMPLEX] = {hccl_SUM_DOUBLE_COMPLEX, NULL},               \
        HCCL_ENTRIES_ARITHMETIC(PROD) HCCL_ENTRY(PROD, FLOAT_COMPLEX, 8)                 \
            HCCL_ENTRY(PROD, DOUBLE_COMPLEX, 16) HCCL_ENTRIES_ORDERED(MIN)               \
                HCCL_ENTRIES_ORDERED(MAX) HCCL_ENTRIES_LOGICAL(LAND)                     \
                    HCCL_ENTRIES_LOGICAL(LOR) HCCL_ENTRIES_LOGICAL(LXOR)                 \
                        HCCL_ENTRIES_BOTH(BAND) HCCL_ENTRIES_BOTH(BOR)                   \
                            HCCL_ENTRIES_BOTH(BXOR)                                      \
    }
