// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_LAYOUT_H
#define HCCL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the chunks of a schedule lie in a vector of items: what binds a schedule to a
 * call.
 *
 * Evenly cut, chunk c of C covers the items [c*n/C, (c+1)*n/C). Cut by parts (of
 * reduce_scatter, one per rank, of any length), each part is cut evenly into C/parts
 * chunks.
 *
 * A large vector is worked through in slices, each of which has all chunks: a slice of an
 * even vector is a stretch of it; a slice by parts has a stretch of each part, so that
 * only chunks of one part are neighbours in memory (unless there is one slice only).
 */
struct hccl_layout {
    size_t items; /* of the whole vector */
    uint32_t chunks;
    uint32_t parts;      /* 0: evenly cut */
    const size_t *start; /* items before each part, parts + 1 of them */
    uint32_t slice;
    uint32_t slices;
};

/** The items of the vector before chunk `chunk` (chunks: one past the last) of the slice.
 */
size_t hccl_layout_at(const struct hccl_layout *layout, uint32_t chunk);

/** The items of one chunk. */
size_t hccl_layout_length(const struct hccl_layout *layout, uint32_t chunk);

/** The items of `count` chunks from `first`, chunk 0 following the last. */
size_t hccl_layout_range(const struct hccl_layout *layout, uint32_t first,
                         uint32_t count);

/** The most items that any slice has. */
size_t hccl_layout_slice_items(const struct hccl_layout *layout);

#endif
