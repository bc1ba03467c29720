// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_layout.h"

/* items * numerator / denominator, without overflow for anything that fits in memory. */
static size_t share(size_t items, uint64_t numerator, uint64_t denominator)
{
    return items / denominator * numerator +
           items % denominator * numerator / denominator;
}

/* Where piece `piece` of `pieces` begins in my slice of a stretch of items. */
static size_t cut(const struct hccl_layout *layout, size_t begin, size_t items,
                  uint64_t piece, uint64_t pieces)
{
    size_t from = share(items, layout->slice, layout->slices);
    size_t to = share(items, layout->slice + 1, layout->slices);
    return begin + from + share(to - from, piece, pieces);
}

size_t hccl_layout_at(const struct hccl_layout *layout, uint32_t chunk)
{
    if (layout->parts == 0) {
        return cut(layout, 0, layout->items, chunk, layout->chunks);
    }
    uint32_t pieces = layout->chunks / layout->parts;
    uint32_t part = chunk / pieces;
    if (part == layout->parts) {
        return layout->start[part];
    }
    return cut(layout, layout->start[part], layout->start[part + 1] - layout->start[part],
               chunk % pieces, pieces);
}

size_t hccl_layout_length(const struct hccl_layout *layout, uint32_t chunk)
{
    if (layout->parts == 0) {
        return hccl_layout_at(layout, chunk + 1) - hccl_layout_at(layout, chunk);
    }
    uint32_t pieces = layout->chunks / layout->parts;
    uint32_t part = chunk / pieces;
    size_t begin = layout->start[part];
    size_t items = layout->start[part + 1] - begin;
    uint32_t piece = chunk % pieces;
    return cut(layout, begin, items, piece + 1, pieces) -
           cut(layout, begin, items, piece, pieces);
}

size_t hccl_layout_range(const struct hccl_layout *layout, uint32_t first, uint32_t count)
{
    if (layout->parts == 0 || layout->slices == 1) {
        uint32_t end = first + count;
        if (end <= layout->chunks) {
            return hccl_layout_at(layout, end) - hccl_layout_at(layout, first);
        }
        return hccl_layout_at(layout, layout->chunks) - hccl_layout_at(layout, first) +
               hccl_layout_at(layout, end - layout->chunks) - hccl_layout_at(layout, 0);
    }
    size_t items = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t chunk = first + i;
        items += hccl_layout_length(
            layout, chunk < layout->chunks ? chunk : chunk - layout->chunks);
    }
    return items;
}

size_t hccl_layout_slice_items(const struct hccl_layout *layout)
{
    if (layout->parts == 0) {
        return (layout->items + layout->slices - 1) / layout->slices;
    }
    size_t items = 0;
    for (uint32_t part = 0; part < layout->parts; part++) {
        size_t length = layout->start[part + 1] - layout->start[part];
        items += (length + layout->slices - 1) / layout->slices;
    }
    return items;
}
