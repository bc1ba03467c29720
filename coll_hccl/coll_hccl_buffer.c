// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_buffer.h"

/*
 * Strided data goes through Open MPI's convertor, which knows every datatype. A convertor
 * can be set to any byte of the packed stream, also in the middle of an element, so
 * chunks need no regard for how this rank's type is built.
 */

static void pack(void *context, size_t offset, void *to, size_t bytes)
{
    struct hccl_buffer *buffer = context;
    size_t done = 0;
    opal_convertor_set_position(&buffer->packer, &offset);
    while (done < bytes) {
        struct iovec piece = {.iov_base = (char *)to + done, .iov_len = bytes - done};
        uint32_t pieces = 1;
        size_t moved = bytes - done;
        opal_convertor_pack(&buffer->packer, &piece, &pieces, &moved);
        if (moved == 0) {
            break;
        }
        done += moved;
    }
}

static void unpack(void *context, size_t offset, const void *from, size_t bytes)
{
    struct hccl_buffer *buffer = context;
    size_t done = 0;
    opal_convertor_set_position(&buffer->unpacker, &offset);
    while (done < bytes) {
        struct iovec piece = {.iov_base = (char *)from + done, .iov_len = bytes - done};
        uint32_t pieces = 1;
        size_t moved = bytes - done;
        opal_convertor_unpack(&buffer->unpacker, &piece, &pieces, &moved);
        if (moved == 0) {
            break;
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
