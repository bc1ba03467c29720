// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLLECTIVE_DATA_H
#define COLLECTIVE_DATA_H

#include <mpi.h>

/*
 * Arguments that serve every collective operation on MPI_COMM_WORLD, and what each then
 * has to give. Elements are longs; each rank has a block of them for each rank.
 */

enum { COLLECTIVE_MOST_RANKS = 64 };

struct collective_data {
    int ranks;
    int me;
    int block; /* elements */
    int root;
    long *in;
    long *out;
    int counts[COLLECTIVE_MOST_RANKS];   /* of rank r in the v forms, at most block */
    int mine[COLLECTIVE_MOST_RANKS];     /* for each rank: counts[r] come from r */
    int shifts[COLLECTIVE_MOST_RANKS];   /* where these lie: block apart */
    int bytes_at[COLLECTIVE_MOST_RANKS]; /* the same in bytes */
    MPI_Datatype types[COLLECTIVE_MOST_RANKS];
};

/** Set all but the elements. */
void collective_data_make(struct collective_data *d, int block, int root);

/** Fill `in` and clear `out`: before each call. */
void collective_data_fill(struct collective_data *d);

/** Free the memory. */
void collective_data_free(struct collective_data *d);

/* Check each element of `out` after the operation; alltoallw has that of alltoallv. */
void collective_check_allgather(const struct collective_data *d);
void collective_check_allgatherv(const struct collective_data *d);
void collective_check_allreduce(const struct collective_data *d);
void collective_check_alltoall(const struct collective_data *d);
void collective_check_alltoallv(const struct collective_data *d);
void collective_check_barrier(const struct collective_data *d);
void collective_check_bcast(const struct collective_data *d);
void collective_check_exscan(const struct collective_data *d);
void collective_check_gather(const struct collective_data *d);
void collective_check_gatherv(const struct collective_data *d);
void collective_check_reduce(const struct collective_data *d);
void collective_check_reduce_scatter(const struct collective_data *d);
void collective_check_reduce_scatter_block(const struct collective_data *d);
void collective_check_scan(const struct collective_data *d);
void collective_check_scatter(const struct collective_data *d);
void collective_check_scatterv(const struct collective_data *d);

#endif
