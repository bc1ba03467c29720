// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_VIEW_H
#define HCCL_VIEW_H

#include "core/hccl_copy_shared.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A user's buffer, seen as a stream of packed bytes.
 *
 * Contiguous data is addressed directly (`base`). Anything else goes through two
 * functions that the MPI layer provides; how a rank's own buffer is laid out is that
 * rank's affair and never changes the protocol.
 */
struct hccl_view {
    unsigned char *base; /* address of packed byte 0, or NULL: use the functions */
    void *context;
    void (*pack)(void *context, size_t offset, void *to, size_t bytes);
    void (*unpack)(void *context, size_t offset, const void *from, size_t bytes);
};

/** Copy the packed bytes [offset, offset + bytes) of the view to `to`, in shared memory.
 */
static inline void hccl_view_read(const struct hccl_view *view, size_t offset, void *to,
                                  size_t bytes)
{
    if (bytes == 0) {
        return;
    }
    if (view->base != NULL) {
        hccl_copy_shared(to, view->base + offset, bytes);
    } else {
        view->pack(view->context, offset, to, bytes);
    }
}

/**
 * Copy `from` to the packed bytes [offset, offset + bytes) of the view.
 * @param stream  the data is larger than the caches: don't displace what is in them
 */
static inline void hccl_view_write(const struct hccl_view *view, size_t offset,
                                   const void *from, size_t bytes, bool stream)
{
    if (bytes == 0) {
        return;
    }
    if (view->base == NULL) {
        view->unpack(view->context, offset, from, bytes);
    } else if (stream) {
        hccl_copy_stream(view->base + offset, from, bytes);
    } else {
        hccl_copy(view->base + offset, from, bytes);
    }
}

#endif
