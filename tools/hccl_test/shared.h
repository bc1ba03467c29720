// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_SHARED_H
#define HCCL_TEST_SHARED_H

#include <mpi.h>
#include <stddef.h>

/**
 * Maps `bytes` of zeros that all ranks of `node` share; collective. All get the memory,
 * or all get NULL. Made of a file whose name is gone again when this returns.
 * (MPI_Win_allocate_shared would do, but some libraries hang in it when there is no
 * room.)
 */
void *hccl_shared_map(size_t bytes, MPI_Comm node);

/** Unmaps it; NULL is allowed. */
void hccl_shared_unmap(void *memory, size_t bytes);

#endif
