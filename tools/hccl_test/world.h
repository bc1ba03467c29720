// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_WORLD_H
#define HCCL_TEST_WORLD_H

#include <mpi.h>
#include <stdbool.h>

/** The job: its ranks, and the communicators that the benchmark itself uses. */
struct hccl_world {
    int rank;
    int ranks;
    MPI_Comm control; // all ranks, hccl_enable 0: decisions, and barriers between calls
    MPI_Comm node;    // the ranks that share memory with this one, hccl_enable 0
    int node_rank;
    int node_ranks;
    bool first_node; // this rank is on world rank 0's node
    int node_least;  // ranks on the smallest and on the largest node
    int node_most;
};

/** Builds it out of MPI_COMM_WORLD. */
void hccl_world_create(struct hccl_world *world);

/** Frees its communicators. */
void hccl_world_destroy(struct hccl_world *world);

/**
 * Duplicates MPI_COMM_WORLD with the info key hccl_enable set to `enable` ("0" or "1"),
 * which coll_hccl reads and other libraries ignore; with NULL, without info.
 */
MPI_Comm hccl_world_duplicate(const char *enable);

#endif
