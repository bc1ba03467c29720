// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "shm_ranks.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct thread {
    pthread_t id;
    struct shm_rank rank;
    struct run *run;
};

struct run {
    int size;
    struct shm_sizes sizes;
    struct hccl_segment cells; /* as rank 0 made them: name and token for the others */
    struct hccl_segment stage;
    pthread_barrier_t joined;
    void (*body)(struct shm_rank *rank, void *argument);
    void *argument;
};

unsigned shm_rank_draw(struct shm_rank *rank, unsigned limit)
{
    return (unsigned)rand_r(&rank->seed) % limit;
}

void shm_rank_dawdle(struct shm_rank *rank)
{
    unsigned dice = (unsigned)rand_r(&rank->local) % 50;
    if (dice == 0) {
        usleep((useconds_t)rand_r(&rank->local) % 300);
    } else if (dice < 5) {
        sched_yield();
    }
}

/*
 * A thread sanitizer knows memory by its address: under it the ranks share one mapping,
 * so that it can relate their accesses. Otherwise every rank maps the segment, as
 * processes do.
 */
#if defined(__SANITIZE_THREAD__)
#define ONE_MAPPING 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ONE_MAPPING 1
#endif
#endif

static bool attach(struct hccl_segment *mine, const struct hccl_segment *made,
                   size_t bytes)
{
#ifdef ONE_MAPPING
    (void)bytes;
    *mine = *made;
    return true;
#else
    return hccl_segment_attach(mine, made->name, bytes, made->token) == HCCL_SEGMENT_OK;
#endif
}

/* After all have joined: what hccl_team_fini must not unmap is forgotten first. */
static void leave(struct hccl_team *team)
{
#ifdef ONE_MAPPING
    memset(&team->segment, 0, sizeof team->segment);
    memset(&team->stage, 0, sizeof team->stage);
#endif
    hccl_team_fini(team);
}

static void *thread_main(void *argument)
{
    struct thread *thread = argument;
    struct run *run = thread->run;
    struct hccl_team *team = &thread->rank.team;
    struct hccl_segment mine = {0};
    struct hccl_segment stage = {0};
    const struct shm_sizes *sizes = &run->sizes;
    team->chunk_bytes = sizes->chunk;
    team->stream_bytes = sizes->stream;
    bool ok = attach(&mine, &run->cells, hccl_team_cell_bytes(run->size)) &&
              hccl_team_join(team, &mine) == HCCL_SEGMENT_OK;
    if (ok && sizes->stage) {
        size_t bytes = hccl_team_stage_bytes(run->size, sizes->mid, sizes->buffer);
        ok = attach(&stage, &run->stage, bytes) &&
             hccl_team_join_stage(team, &stage, sizes->mid, sizes->buffer) ==
                 HCCL_SEGMENT_OK;
        team->stage_state = HCCL_STAGE_READY;
    }
    thread->rank.failures = ok ? 0 : 1;
    pthread_barrier_wait(&run->joined);
#ifndef ONE_MAPPING
    hccl_segment_seal(&team->segment);
    hccl_segment_seal(&team->stage);
#endif
    hccl_team_tune(team, run->size, 20, true);
    if (ok) {
        run->body(&thread->rank, run->argument);
    }
    /* Nobody unmaps while others may still look. */
    pthread_barrier_wait(&run->joined);
    leave(team);
    return NULL;
}

static bool make_segments(struct run *run)
{
    const struct shm_sizes *sizes = &run->sizes;
    size_t stage = hccl_team_stage_bytes(run->size, sizes->mid, sizes->buffer);
    bool named = run->size % 2 == 0;
    return hccl_segment_create(&run->cells, "/dev/shm", hccl_team_cell_bytes(run->size),
                               named) == HCCL_SEGMENT_OK &&
           (!sizes->stage || hccl_segment_create(&run->stage, "/dev/shm", stage,
                                                 !named) == HCCL_SEGMENT_OK);
}

int shm_ranks_run(int size, const struct shm_sizes *sizes, unsigned seed,
                  void (*body)(struct shm_rank *rank, void *argument), void *argument)
{
    struct run run = {.size = size, .sizes = *sizes, .body = body, .argument = argument};
    struct thread *threads = calloc((size_t)size, sizeof *threads);
    int failures = 0;
    if (threads == NULL || !make_segments(&run)) {
        free(threads);
        return -1;
    }
    pthread_barrier_init(&run.joined, NULL, (unsigned)size);
    for (int r = 0; r < size; r++) {
        threads[r].run = &run;
        threads[r].rank.seed = seed;
        threads[r].rank.local = seed * 31 + (unsigned)r;
        if (!hccl_team_init(&threads[r].rank.team, r, size) ||
            pthread_create(&threads[r].id, NULL, thread_main, &threads[r]) != 0) {
            fprintf(stderr, "shm_ranks: can't start rank %d\n", r);
            abort();
        }
    }
    for (int r = 0; r < size; r++) {
        pthread_join(threads[r].id, NULL);
        failures += threads[r].rank.failures;
    }
    pthread_barrier_destroy(&run.joined);
    hccl_segment_detach(&run.cells);
    hccl_segment_detach(&run.stage);
    free(threads);
    return failures;
}
