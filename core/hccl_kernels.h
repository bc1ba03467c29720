// SPDX-License-Identifier: BSD-3-Clause
/* What each instruction set provides. Private to core: use hccl_reduce.h, hccl_copy.h. */
#ifndef HCCL_KERNELS_H
#define HCCL_KERNELS_H

#include "core/hccl_copy.h"
#include "core/hccl_reduce.h"

#define HCCL_LINE 64 /* bytes of a cache line */

/* From how many bytes on a reduction is worth aligning and prefetching. */
#define HCCL_BULK_MIN 4096

/* What the bulk of a reduction is a multiple of, and the steps of all kernels divide. */
#define HCCL_BULK_STEP 128

/* How far copies prefetch. */
#define HCCL_COPY_AHEAD 1024

/* A block that stays in the first-level cache, with what it is made from. */
#define HCCL_REDUCE_BLOCK 4096

/*
 * The middle of a long reduction: bytes `from` to `to` of every array, a multiple of
 * HCCL_BULK_STEP. The result goes to stream + from with non-temporal stores unless stream
 * is NULL (stream + from must be aligned to a line, and hccl_stream_fence() must follow),
 * and to cached + from with ordinary ones unless cached is NULL.
 */
typedef void (*hccl_bulk_fn)(unsigned char *cached, unsigned char *stream,
                             const void *const *src, int sources, size_t from, size_t to);

struct hccl_kernel {
    hccl_reduce_fn reduce;
    hccl_bulk_fn bulk; /* NULL for complex sums, which are sums of reals */
};

struct hccl_kernels {
    struct hccl_kernel reduce[HCCL_OP_COUNT][HCCL_TYPE_COUNT];
    hccl_copy_fn
        copy_stream; /* needs hccl_stream_fence() before the result is published */
};

extern const struct hccl_kernels hccl_kernels_portable;
#if defined(HCCL_HAVE_AVX2)
extern const struct hccl_kernels hccl_kernels_avx2;
#endif
#if defined(HCCL_HAVE_AVX512)
extern const struct hccl_kernels hccl_kernels_avx512;
#endif

/* The kernels of an instruction set, or NULL when this build has none. */
const struct hccl_kernels *hccl_kernels_get(enum hccl_isa isa);

/*
 * How many bytes ahead the bulk of a reduction should prefetch; 0 for not at all.
 *
 * Prefetching reaches over the ends of pages, where the hardware's prefetchers stop, and
 * gets earlier what another processor has written. The more sources, the shorter its
 * reach. The hardware alone does better on what must come from memory, but only as long
 * as no vector lies across two lines.
 */
size_t hccl_prefetch_reach(const void *const *src, int sources, size_t from, size_t to);

/*
 * The long case of a kernel: `reduce` does the ends, up to the first line of dst and
 * after the last whole step, and `bulk` what is between. At least HCCL_BULK_MIN bytes.
 */
void hccl_reduce_large(hccl_reduce_fn reduce, hccl_bulk_fn bulk, size_t size, void *dst,
                       const void *const *src, int sources, size_t bytes);

/*
 * Reduces `count` elements that lie `offset` bytes into each source; any number of
 * sources, at most HCCL_REDUCE_BLOCK bytes of result.
 */
void hccl_reduce_block(hccl_reduce_fn reduce, void *dst, const void *const *src,
                       int sources, size_t offset, size_t count);

/* Orders non-temporal stores before all later stores. Only x86-64 kernels use such. */
static inline void hccl_stream_fence(void)
{
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

#endif
