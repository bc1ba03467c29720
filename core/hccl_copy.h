// SPDX-License-Identifier: BSD-3-Clause
/*
 * Copies. None of them allows dst and src to overlap, and none needs alignment.
 */
#ifndef HCCL_COPY_H
#define HCCL_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/hccl_isa.h"

typedef void (*hccl_copy_fn)(void *dst, const void *src, size_t bytes);

/* 8 to 16 bytes: the first 8 and the last 8, which may share some. */
static inline void hccl_copy_short(void *dst, const void *src, size_t bytes)
{
    uint64_t first, last;
    memcpy(&first, src, 8);
    memcpy(&last, (const char *)src + bytes - 8, 8);
    memcpy(dst, &first, 8);
    memcpy((char *)dst + bytes - 8, &last, 8);
}

/**
 * Copies @p bytes through the caches. 4 to 16 bytes, the common small messages, are done
 * in place: a call of the C library would cost more than the copy.
 */
static inline void hccl_copy(void *dst, const void *src, size_t bytes)
{
    if (bytes == 4) {
        memcpy(dst, src, 4);
    } else if (bytes - 8 <= 8) {
        hccl_copy_short(dst, src, bytes);
    } else if (bytes > 0) {
        memcpy(dst, src, bytes);
    }
}

/**
 * Copies @p bytes with stores that bypass the caches, where the processor has them. It
 * saves reading the destination's lines before they are overwritten: worth it for what
 * does not fit in the last-level cache, and costly for what will be read again soon.
 * All stores are ordered before any later store of this thread (a fence is included).
 */
void hccl_copy_stream(void *dst, const void *src, size_t bytes);

/**
 * hccl_copy_stream() made for one instruction set.
 * @return NULL where this build has no kernels for @p isa
 */
hccl_copy_fn hccl_copy_stream_find(enum hccl_isa isa);

#endif
