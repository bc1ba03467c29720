// SPDX-License-Identifier: BSD-3-Clause
#ifndef SHM_RANKS_H
#define SHM_RANKS_H

#include "shm/hccl_shm.h"

/*
 * Ranks without MPI: one thread each, every one with its own team and its own mapping of
 * a real segment, so that the protocol runs as it does between processes and thread
 * sanitizers see all of it.
 */

struct shm_rank {
    struct hccl_team team;
    unsigned seed;  /* the same on all ranks: draws agreed random numbers */
    unsigned local; /* different on each rank: draws delays */
    int failures;   /* counted by the rank, checked by the main thread */
};

struct shm_sizes {
    size_t mid;
    size_t buffer;
    size_t chunk;
    size_t stream;
    bool stage; /* make the stage before `body` runs */
};

/**
 * Run `body` on `size` ranks and wait for all.
 * @return the failures of all ranks together; -1 when no rank could be started
 */
int shm_ranks_run(int size, const struct shm_sizes *sizes, unsigned seed,
                  void (*body)(struct shm_rank *rank, void *argument), void *argument);

/** A number in [0, limit) that all ranks draw alike. */
unsigned shm_rank_draw(struct shm_rank *rank, unsigned limit);

/** Now and then, wait a random time. */
void shm_rank_dawdle(struct shm_rank *rank);

#endif
