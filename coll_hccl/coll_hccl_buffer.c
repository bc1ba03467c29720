// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_buffer.h"

#include <string.h>

/*
 * Strided data goes through Open MPI's convertor, which knows every datatype but does not
 * cut its smallest elements: set to the middle of one, it goes back to where that begins,
 * and it packs no part of one. Chunks end where they like, so such elements pass through
 * a small block, of which the part in question is taken or replaced.
 */

enum {
    BLOCK_BYTES =
        64, /* twice the largest element, a complex number of two long doubles */
};

/* Set a convertor to `position` or to the element that contains it; where is returned. */
static size_t go_to(opal_convertor_t *convertor, size_t position)
{
    opal_convertor_set_position(convertor, &position);
    return position;
}

static size_t pack_some(opal_convertor_t *convertor, void *to, size_t bytes)
{
    struct iovec piece = {.iov_base = to, .iov_len = bytes};
    uint32_t pieces = 1;
    size_t moved = bytes;
    opal_convertor_pack(convertor, &piece, &pieces, &moved);
    return moved;
}

static size_t unpack_some(opal_convertor_t *convertor, const void *from, size_t bytes)
{
    struct iovec piece = {.iov_base = (void *)from, .iov_len = bytes};
    uint32_t pieces = 1;
    size_t moved = bytes;
    opal_convertor_unpack(convertor, &piece, &pieces, &moved);
    return moved;
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void pack(void *context, size_t offset, void *to, size_t bytes)
{
    struct hccl_buffer *buffer = context;
    size_t done = 0;
    while (done < bytes) {
        size_t skip = offset + done - go_to(&buffer->packer, offset + done);
        size_t moved = 0;
        if (skip == 0) {
            moved = pack_some(&buffer->packer, (char *)to + done, bytes - done);
        }
        if (moved == 0) {
            char block[BLOCK_BYTES];
            size_t whole = pack_some(&buffer->packer, block, BLOCK_BYTES);
            if (whole <= skip) {
                return; /* the end of the data */
            }
            moved = lesser(whole - skip, bytes - done);
            memcpy((char *)to + done, block + skip, moved);
        }
        done += moved;
    }
}

static void unpack(void *context, size_t offset, const void *from, size_t bytes)
{
    struct hccl_buffer *buffer = context;
    size_t done = 0;
    while (done < bytes) {
        size_t at = go_to(&buffer->unpacker, offset + done);
        size_t skip = offset + done - at;
        size_t moved = 0;
        if (skip == 0) {
            moved =
                unpack_some(&buffer->unpacker, (const char *)from + done, bytes - done);
        }
        if (moved == 0) {
            char block[BLOCK_BYTES];
            go_to(&buffer->packer, at);
            size_t whole = pack_some(&buffer->packer, block, BLOCK_BYTES);
            if (whole <= skip) {
                return; /* the end of the data */
            }
            moved = lesser(whole - skip, bytes - done);
            memcpy(block + skip, (const char *)from + done, moved);
            go_to(&buffer->unpacker, at);
            unpack_some(&buffer->unpacker, block, whole);
        }
        done += moved;
    }
}

void hccl_buffer_open_strided(struct hccl_buffer *buffer, void *address, size_t count,
                              ompi_datatype_t *type)
{
    buffer->view = (struct hccl_view){.context = buffer, .pack = pack, .unpack = unpack};
    OBJ_CONSTRUCT(&buffer->packer, opal_convertor_t);
    OBJ_CONSTRUCT(&buffer->unpacker, opal_convertor_t);
    opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &type->super,
                                             count, address, 0, &buffer->packer);
    opal_convertor_copy_and_prepare_for_recv(ompi_mpi_local_convertor, &type->super,
                                             count, address, 0, &buffer->unpacker);
}

void hccl_buffer_close_strided(struct hccl_buffer *buffer)
{
    OBJ_DESTRUCT(&buffer->packer);
    OBJ_DESTRUCT(&buffer->unpacker);
}
