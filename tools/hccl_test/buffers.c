// SPDX-License-Identifier: BSD-3-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "buffers.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static void *allocate(size_t bytes, bool from_mpi)
{
    if (from_mpi) {
        void *block = NULL;
        return MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &block) == MPI_SUCCESS
                   ? block
                   : NULL;
    }
    void *block =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void release(void *block, size_t bytes, bool from_mpi)
{
    if (block == NULL) {
        return;
    }
    if (from_mpi) {
        MPI_Free_mem(block);
    } else {
        munmap(block, bytes);
    }
}

// The first address in a block that is aligned as asked and not better.
static unsigned char *aligned(void *block, size_t align)
{
    uintptr_t at = (uintptr_t)block;

    if (align >= PAGE) {
        at = (at + align - 1) / align * align;
    } else {
        at = (at + PAGE - 1) / PAGE * PAGE + align;
    }
    return (unsigned char *)block + (at - (uintptr_t)block);
}

int hccl_buffers_create(struct hccl_buffers *buffers, size_t capacity, size_t align,
                        bool from_mpi)
{
    size_t slack = align >= PAGE ? align : 2 * PAGE;

    memset(buffers, 0, sizeof(*buffers));
    buffers->from_mpi = from_mpi;
    buffers->capacity = capacity;
    buffers->block_bytes = capacity + HCCL_BUFFERS_GUARD + slack;
    for (int i = 0; i < 2; i++) {
        buffers->block[i] = allocate(buffers->block_bytes, from_mpi);
        if (buffers->block[i] == NULL) {
            hccl_buffers_destroy(buffers);
            return -1;
        }
        memset(buffers->block[i], 0, buffers->block_bytes);
    }
    buffers->send = aligned(buffers->block[0], align);
    buffers->recv = aligned(buffers->block[1], align);
    return 0;
}

void hccl_buffers_destroy(struct hccl_buffers *buffers)
{
    for (int i = 0; i < 2; i++) {
        release(buffers->block[i], buffers->block_bytes, buffers->from_mpi);
        buffers->block[i] = NULL;
    }
}

uint64_t hccl_buffers_available(void)
{
    char line[128];
    uint64_t kibibytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");

    if (file == NULL) {
        return 0;
    }
    while (kibibytes == 0 && fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "MemAvailable: %" SCNu64, &kibibytes) != 1) {
            kibibytes = 0;
        }
    }
    fclose(file);
    return kibibytes << 10;
}
