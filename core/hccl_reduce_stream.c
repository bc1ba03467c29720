// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_reduce_stream.h"

#include <stdint.h>
#include <string.h>

#include "core/hccl_kernels.h"

/* One call's arguments that stay the same from piece to piece. */
struct hccl_stream {
    const struct hccl_kernels *kernels;
    hccl_reduce_fn reduce;
    size_t size;
    unsigned char *stream;
    unsigned char *cached;
    const void *const *src;
    int sources;
};

/*
 * Bytes from `from` to `to`, at most a block, by way of a block of our own: it works for
 * any alignment and any number of sources, and no source is overwritten before it is
 * read.
 */
static void hccl_stream_block(const struct hccl_stream *s, size_t from, size_t to)
{
    _Alignas(HCCL_LINE) unsigned char block[HCCL_REDUCE_BLOCK];
    size_t bytes = to - from;
    if (bytes == 0) {
        return;
    }
    hccl_reduce_block(s->reduce, block, s->src, s->sources, from, bytes / s->size);
    if (s->cached != NULL) {
        memcpy(s->cached + from, block, bytes);
    }
    s->kernels->copy_stream(s->stream + from, block, bytes);
}

/* The slow path: everything in blocks, each ending at a line of the destination. */
static void hccl_stream_blocks(const struct hccl_stream *s, size_t head, size_t bytes)
{
    size_t to;
    for (size_t from = 0; from < bytes; from = to) {
        to = from == 0 && head > 0 ? head : from + HCCL_REDUCE_BLOCK;
        if (to > bytes) {
            to = bytes;
        }
        hccl_stream_block(s, from, to);
    }
}

void hccl_reduce_stream(enum hccl_op op, enum hccl_type type, enum hccl_isa isa,
                        void *stream, void *cached, const void *const *src, int sources,
                        size_t count)
{
    const struct hccl_kernels *kernels = hccl_kernels_get(isa);
    if (op == HCCL_SUM && (type == HCCL_FLOAT_COMPLEX || type == HCCL_DOUBLE_COMPLEX)) {
        type = type == HCCL_FLOAT_COMPLEX ? HCCL_FLOAT : HCCL_DOUBLE;
        count *= 2;
    }
    const struct hccl_kernel *kernel = &kernels->reduce[op][type];
    size_t size = hccl_type_size(type);
    const struct hccl_stream s = {kernels, kernel->reduce, size, stream, cached,
                                  src,     sources};
    size_t bytes = count * size;
    size_t head = -(uintptr_t)stream % HCCL_LINE;
    if (head % size != 0 || sources > HCCL_REDUCE_MAX_SOURCES ||
        bytes < head + HCCL_BULK_STEP) {
        hccl_stream_blocks(&s, head % size == 0 ? head : 0, bytes);
    } else {
        size_t tail = head + (bytes - head) / HCCL_BULK_STEP * HCCL_BULK_STEP;
        hccl_stream_block(&s, 0, head);
        kernel->bulk(cached, stream, src, sources, head, tail);
        hccl_stream_block(&s, tail, bytes);
    }
    hccl_stream_fence();
}
