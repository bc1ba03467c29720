// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_SHM_H
#define HCCL_SHM_H

#include "core/hccl_combine.h"
#include "hccl_team.h"
#include "hccl_view.h"

/*
 * The collective operations of a team. Every rank of the team calls the same functions in
 * the same order. A path is chosen by what MPI makes equal on all ranks: the operation,
 * its packed bytes, the team's agreed state. The size of each call travels with its first
 * flag, so that a rank whose call differs is told (HCCL_MISMATCH) and nobody waits for
 * ever.
 */

/* One rank's call of an operation. */
struct hccl_job {
    struct hccl_view in;
    struct hccl_view out;
    size_t bytes; /* packed bytes: of the vector that is reduced, of the broadcast, or of
                     one rank's contribution to an allgather */
    size_t count; /* elements in `bytes`, where something is reduced */
    int root;
    /* The element size is a fact of each rank's own datatype (user-defined operations):
     * compare it before any rank acts on it. */
    bool headed;
    struct hccl_combine combine;
};

/** Every operation but the barrier. */
typedef enum hccl_result (*hccl_shm_fn)(struct hccl_team *team,
                                        const struct hccl_job *job);

/** MPI_Barrier. */
enum hccl_result hccl_shm_barrier(struct hccl_team *team);

/** MPI_Bcast: `in` at the root, `out` elsewhere. */
enum hccl_result hccl_shm_bcast(struct hccl_team *team, const struct hccl_job *job);

/** MPI_Allreduce: in place when in.base == out.base. */
enum hccl_result hccl_shm_allreduce(struct hccl_team *team, const struct hccl_job *job);

/** MPI_Reduce: `out` is used at the root only. */
enum hccl_result hccl_shm_reduce(struct hccl_team *team, const struct hccl_job *job);

/**
 * MPI_Reduce_scatter: team->part holds the first element of each rank's part and, behind
 * them, the number of all elements. `out` begins where my part goes; it may be where `in`
 * begins.
 */
enum hccl_result hccl_shm_reduce_scatter(struct hccl_team *team,
                                         const struct hccl_job *job);

/** MPI_Allgather: my contribution is `in`; rank r's goes to out at r * bytes. */
enum hccl_result hccl_shm_allgather(struct hccl_team *team, const struct hccl_job *job);

#endif
