// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_BUFFER_H
#define COLL_HCCL_BUFFER_H

#include "compat/hccl_ompi.h"
#include "shm/hccl_view.h"

/* A user's buffer of MPI data, as the shared-memory paths want it. */
struct hccl_buffer {
    struct hccl_view view;
    opal_convertor_t packer; /* constructed when view.base is NULL */
    opal_convertor_t unpacker;
};

/** Bytes of `count` items of `type` without gaps. */
static inline size_t hccl_buffer_bytes(const ompi_datatype_t *type, size_t count)
{
    return type->super.size * count;
}

/** Is the packed form of the buffer the buffer itself? */
static inline bool hccl_buffer_is_flat(const ompi_datatype_t *type, size_t count)
{
    uint32_t need = OPAL_DATATYPE_FLAG_CONTIGUOUS;
    if (count != 1) {
        need |= OPAL_DATATYPE_FLAG_NO_GAPS;
    }
    return (type->super.flags & need) == need;
}

/** Do items of the type lie side by side without gaps? */
static inline bool hccl_buffer_items_are_flat(const ompi_datatype_t *type)
{
    return hccl_buffer_is_flat(type, 2);
}

/** See `count` items of `type` at `address` as packed bytes; for strided data. */
void hccl_buffer_open_strided(struct hccl_buffer *buffer, void *address, size_t count,
                              ompi_datatype_t *type);

/** Give back what hccl_buffer_open_strided took. */
void hccl_buffer_close_strided(struct hccl_buffer *buffer);

/** See `count` items of `type` at `address` as packed bytes. */
static inline void hccl_buffer_open(struct hccl_buffer *buffer, const void *address,
                                    size_t count, ompi_datatype_t *type)
{
    if (__builtin_expect(hccl_buffer_is_flat(type, count), 1)) {
        buffer->view =
            (struct hccl_view){.base = (unsigned char *)address + type->super.true_lb};
    } else {
        hccl_buffer_open_strided(buffer, (void *)address, count, type);
    }
}

static inline void hccl_buffer_close(struct hccl_buffer *buffer)
{
    if (__builtin_expect(buffer->view.base == NULL, 0)) {
        hccl_buffer_close_strided(buffer);
    }
}

#endif
