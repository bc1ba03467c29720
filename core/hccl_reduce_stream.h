// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_REDUCE_STREAM_H
#define HCCL_REDUCE_STREAM_H

#include "core/hccl_reduce.h"

/**
 * Reduces in one pass over memory and writes the result with stores that bypass the
 * caches, and to a second place through the caches as well.
 *
 * For results too large for the last-level cache: streaming saves reading the
 * destination's lines before they are overwritten.
 *
 * @param op, type, isa  a triple for which hccl_reduce_find() has a kernel
 * @param stream  where the result goes past the caches
 * @param cached  where the result goes as well, or NULL. Must not overlap @p stream
 * @param src     @p sources arrays, at least 1; beyond HCCL_REDUCE_MAX_SOURCES it is
 * slower
 * @param count   elements
 *
 * The rules about overlap in hccl_reduce.h hold for stream and for cached alike. All
 * stores are ordered before any later store of this thread (a fence is included).
 */
void hccl_reduce_stream(enum hccl_op op, enum hccl_type type, enum hccl_isa isa,
                        void *stream, void *cached, const void *const *src, int sources,
                        size_t count);

#endif
