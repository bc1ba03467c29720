// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_BUFFERS_H
#define HCCL_TEST_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes after the end of each buffer that nobody may write. */
enum { HCCL_BUFFERS_GUARD = 64 };

/** The two buffers of a rank: allocated once, every page touched, used for all sizes. */
struct hccl_buffers {
    unsigned char *send;
    unsigned char *recv;
    size_t capacity; // bytes of each, without the guard
    void *block[2];  // what was allocated
    size_t block_bytes;
    bool from_mpi;
};

/**
 * Allocates both with room for `capacity` bytes. Each starts at a multiple of `align`
 * that is no multiple of 2 * `align` (from a page up: at any multiple of it), so that an
 * alignment is measured and not a better one by chance. `from_mpi`: by MPI_Alloc_mem,
 * else by mmap. 0, or -1 without memory (nothing is kept then).
 */
int hccl_buffers_create(struct hccl_buffers *buffers, size_t capacity, size_t align,
                        bool from_mpi);

/** Frees them. */
void hccl_buffers_destroy(struct hccl_buffers *buffers);

/** Bytes of memory that are free on this node, 0 when unknown. */
uint64_t hccl_buffers_available(void);

#endif
