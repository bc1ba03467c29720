// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_reduce.h"

#include <stdint.h>

#include "core/hccl_kernels.h"

static const struct {
    size_t size;
    const char *name;
} hccl_types[HCCL_TYPE_COUNT] = {
    [HCCL_INT8] = {1, "int8"},
    [HCCL_UINT8] = {1, "uint8"},
    [HCCL_INT16] = {2, "int16"},
    [HCCL_UINT16] = {2, "uint16"},
    [HCCL_INT32] = {4, "int32"},
    [HCCL_UINT32] = {4, "uint32"},
    [HCCL_INT64] = {8, "int64"},
    [HCCL_UINT64] = {8, "uint64"},
    [HCCL_FLOAT] = {4, "float"},
    [HCCL_DOUBLE] = {8, "double"},
    [HCCL_FLOAT_COMPLEX] = {8, "float_complex"},
    [HCCL_DOUBLE_COMPLEX] = {16, "double_complex"},
    [HCCL_BOOL] = {sizeof(_Bool), "bool"},
};
_Static_assert(sizeof(_Bool) == 1, "kernels treat _Bool as a byte");

static const char *const hccl_ops[HCCL_OP_COUNT] = {
    [HCCL_SUM] = "sum",   [HCCL_PROD] = "prod", [HCCL_MIN] = "min",
    [HCCL_MAX] = "max",   [HCCL_LAND] = "land", [HCCL_LOR] = "lor",
    [HCCL_LXOR] = "lxor", [HCCL_BAND] = "band", [HCCL_BOR] = "bor",
    [HCCL_BXOR] = "bxor",
};

size_t hccl_type_size(enum hccl_type type)
{
    return (unsigned)type < HCCL_TYPE_COUNT ? hccl_types[type].size : 0;
}

const char *hccl_type_name(enum hccl_type type)
{
    return (unsigned)type < HCCL_TYPE_COUNT ? hccl_types[type].name : "unknown";
}

const char *hccl_op_name(enum hccl_op op)
{
    return (unsigned)op < HCCL_OP_COUNT ? hccl_ops[op] : "unknown";
}

hccl_reduce_fn hccl_reduce_find(enum hccl_op op, enum hccl_type type, enum hccl_isa isa)
{
    const struct hccl_kernels *kernels = hccl_kernels_get(isa);
    if (kernels == NULL || (unsigned)op >= HCCL_OP_COUNT ||
        (unsigned)type >= HCCL_TYPE_COUNT) {
        return NULL;
    }
    return kernels->reduce[op][type].reduce;
}

#define HCCL_PREFETCH_BYTES 4096      /* of all sources together */
#define HCCL_MEMORY_BYTES   (1 << 20) /* so much of each source hardly is in a cache */

/* at[k] = src[k] + offset, for the kernels that take arrays of pointers. */
static void hccl_sources_shift(const void **at, const void *const *src, int sources,
                               size_t offset)
{
    for (int k = 0; k < sources; k++) {
        at[k] = (const char *)src[k] + offset;
    }
}

size_t hccl_prefetch_reach(const void *const *src, int sources, size_t from, size_t to)
{
    uintptr_t bits = 0;
    for (int k = 0; k < sources; k++) {
        bits |= (uintptr_t)src[k] + from;
    }
    if (bits % HCCL_LINE == 0 && to - from >= HCCL_MEMORY_BYTES) {
        return 0;
    }
    return HCCL_PREFETCH_BYTES / (unsigned)sources;
}

void hccl_reduce_large(hccl_reduce_fn reduce, hccl_bulk_fn bulk, size_t size, void *dst,
                       const void *const *src, int sources, size_t bytes)
{
    const void *at[HCCL_REDUCE_MAX_SOURCES];
    size_t from = -(uintptr_t)dst % HCCL_LINE;
    if (from % size != 0) {
        from = 0;
    }
    size_t to = from + (bytes - from) / HCCL_BULK_STEP * HCCL_BULK_STEP;
    /* In this order: dst may overlap a source at a higher address. */
    reduce(dst, src, sources, from / size);
    bulk(dst, NULL, src, sources, from, to);
    hccl_sources_shift(at, src, sources, to);
    reduce((char *)dst + to, at, sources, (bytes - to) / size);
}

/*
 * One block of `count` elements at `offset` into dst. With more sources than a kernel
 * takes, the partial results stay in a block of our own until the last kernel, because
 * dst may be one of the sources that are still to be read.
 */
void hccl_reduce_block(hccl_reduce_fn reduce, void *dst, const void *const *src,
                       int sources, size_t offset, size_t count)
{
    _Alignas(64) unsigned char partial[HCCL_REDUCE_BLOCK];
    const void *at[HCCL_REDUCE_MAX_SOURCES];
    int done = sources < HCCL_REDUCE_MAX_SOURCES ? sources : HCCL_REDUCE_MAX_SOURCES;
    hccl_sources_shift(at, src, done, offset);
    if (done == sources) {
        reduce(dst, at, sources, count);
        return;
    }
    reduce(partial, at, done, count);
    at[0] = partial;
    while (done < sources) {
        int left = sources - done;
        int more =
            left < HCCL_REDUCE_MAX_SOURCES - 1 ? left : HCCL_REDUCE_MAX_SOURCES - 1;
        hccl_sources_shift(at + 1, src + done, more, offset);
        done += more;
        reduce(done == sources ? dst : partial, at, more + 1, count);
    }
}

void hccl_reduce_many(hccl_reduce_fn reduce, size_t size, void *dst,
                      const void *const *src, int sources, size_t count)
{
    const size_t block = HCCL_REDUCE_BLOCK / size;
    if (sources <= HCCL_REDUCE_MAX_SOURCES) {
        reduce(dst, src, sources, count);
        return;
    }
    for (size_t done = 0; done < count; done += block) {
        size_t left = count - done;
        size_t now = left < block ? left : block;
        hccl_reduce_block(reduce, (char *)dst + done * size, src, sources, done * size,
                          now);
    }
}
