// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shm_ranks.h"

/*
 * Random rows of collectives on threads, each result compared with arithmetic: rank r's
 * element i of operation s is 1000 s + 10 r + i, in 32 bits.
 */

enum {
    OPERATIONS = 400,
    MOST_ELEMENTS = 60000,
    POISON = 0x5a5a5a5a,
};

static const struct shm_sizes small_stage = {
    .mid = 4096, .buffer = 65536, .chunk = 4096, .stream = 100000, .stage = true};
static const struct shm_sizes large_stage = {
    .mid = 16384, .buffer = 1 << 20, .chunk = 131072, .stream = 1 << 17, .stage = true};

static uint32_t value(unsigned op, int rank, size_t i)
{
    return 1000 * op + 10 * (uint32_t)rank + (uint32_t)i;
}

static uint32_t sum(unsigned op, int size, size_t i)
{
    uint32_t n = (uint32_t)size;
    return n * (1000 * op + (uint32_t)i) + 10 * (n * (n - 1) / 2);
}

static void expect(struct shm_rank *rank, const char *what, unsigned op, size_t i,
                   uint32_t wanted, uint32_t got)
{
    if (wanted != got && rank->failures++ < 5) {
        fprintf(stderr, "rank %d of %d, operation %u (%s), element %zu: %u, not %u\n",
                rank->team.rank, rank->team.size, op, what, i, got, wanted);
    }
}

static size_t draw_count(struct shm_rank *rank)
{
    static const size_t edges[] = {1,   2,    13,   14,   15,   223, 224,
                                   225, 1023, 1024, 1025, 4096, 4097};
    switch (shm_rank_draw(rank, 4)) {
    case 0:
        return edges[shm_rank_draw(rank, sizeof edges / sizeof edges[0])];
    case 1:
        return 1 + shm_rank_draw(rank, MOST_ELEMENTS);
    default:
        return 1 + shm_rank_draw(rank, 600);
    }
}

/* A user-level operation: to = s[0] + ... by a function that may not alias. */
static void apply_sum(void *context, void *to, const void *const *source, int sources,
                      size_t count)
{
    (void)context;
    uint32_t *out = to;
    for (size_t i = 0; i < count; i++) {
        out[i] = 0;
        for (int s = 0; s < sources; s++) {
            out[i] += ((const uint32_t *)source[s])[i];
        }
    }
}

/* A strided buffer: every second word, seen as packed bytes. */
static void stride_pack(void *context, size_t offset, void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        size_t at = offset + i;
        ((unsigned char *)to)[i] = ((unsigned char *)context)[at / 4 * 8 + at % 4];
    }
}

static void stride_unpack(void *context, size_t offset, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        size_t at = offset + i;
        ((unsigned char *)context)[at / 4 * 8 + at % 4] =
            ((const unsigned char *)from)[i];
    }
}

struct buffers {
    uint32_t *in;
    uint32_t *out;
    size_t in_step; /* 2 when strided */
    size_t out_step;
};

static struct hccl_view view_of(uint32_t *base, size_t step)
{
    if (step == 1) {
        return (struct hccl_view){.base = (unsigned char *)base};
    }
    return (struct hccl_view){
        .context = base, .pack = stride_pack, .unpack = stride_unpack};
}

/* How a rank lays out its buffers is its own choice: drawn differently on each. */
static void draw_layout(struct shm_rank *rank, struct buffers *b, struct hccl_job *job)
{
    b->in_step = 1 + (size_t)(rand_r(&rank->local) % 4 == 0);
    b->out_step = 1 + (size_t)(rand_r(&rank->local) % 4 == 0);
    job->in = view_of(b->in, b->in_step);
    job->out = view_of(b->out, b->out_step);
}

static void draw_combine(struct shm_rank *rank, struct hccl_job *job)
{
    job->combine.element = sizeof(uint32_t);
    job->headed = shm_rank_draw(rank, 4) == 0;
    bool other = job->headed || shm_rank_draw(rank, 4) == 0;
    job->combine.kernel =
        other ? NULL : hccl_reduce_find(HCCL_SUM, HCCL_UINT32, HCCL_ISA_PORTABLE);
    job->combine.op = HCCL_SUM;
    job->combine.type = HCCL_UINT32;
    job->combine.apply = apply_sum;
}

static void fill(struct shm_rank *rank, struct buffers *b, unsigned op, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        b->in[i * b->in_step] = value(op, rank->team.rank, i);
    }
}

static void poison(struct buffers *b, size_t count)
{
    for (size_t i = 0; i < count * b->out_step; i++) {
        b->out[i] = POISON;
    }
}

static void try_allreduce(struct shm_rank *rank, struct buffers *b, unsigned op)
{
    struct hccl_job job = {.count = draw_count(rank)};
    job.bytes = job.count * sizeof(uint32_t);
    draw_combine(rank, &job);
    draw_layout(rank, b, &job);
    fill(rank, b, op, job.count);
    poison(b, job.count);
    if (shm_rank_draw(rank, 3) == 0) {
        b->out_step = b->in_step;
        job.out = job.in;
        memcpy(b->out, b->in, job.count * b->in_step * sizeof(uint32_t));
        job.in = view_of(b->out, b->out_step);
        job.out = job.in;
    }
    expect(rank, "allreduce result", op, 0, HCCL_DONE,
           hccl_shm_allreduce(&rank->team, &job));
    for (size_t i = 0; i < job.count; i++) {
        expect(rank, "allreduce", op, i, sum(op, rank->team.size, i),
               b->out[i * b->out_step]);
    }
}

static void try_reduce(struct shm_rank *rank, struct buffers *b, unsigned op)
{
    struct hccl_job job = {.count = draw_count(rank)};
    job.bytes = job.count * sizeof(uint32_t);
    job.root = (int)shm_rank_draw(rank, (unsigned)rank->team.size);
    draw_combine(rank, &job);
    draw_layout(rank, b, &job);
    fill(rank, b, op, job.count);
    poison(b, job.count);
    expect(rank, "reduce result", op, 0, HCCL_DONE, hccl_shm_reduce(&rank->team, &job));
    for (size_t i = 0; i < job.count; i++) {
        uint32_t wanted =
            rank->team.rank == job.root ? sum(op, rank->team.size, i) : (uint32_t)POISON;
        expect(rank, "reduce", op, i, wanted, b->out[i * b->out_step]);
    }
}

static void try_reduce_scatter(struct shm_rank *rank, struct buffers *b, unsigned op)
{
    struct hccl_team *team = &rank->team;
    size_t at = 0;
    unsigned most = shm_rank_draw(rank, 3) == 0 ? 8000 : 100;
    for (int r = 0; r < team->size; r++) {
        team->part[r] = at;
        at += shm_rank_draw(rank, 3) == 0 ? 0 : shm_rank_draw(rank, most);
    }
    team->part[team->size] = at;
    if (at == 0) {
        return;
    }
    struct hccl_job job = {.count = at, .bytes = at * sizeof(uint32_t)};
    draw_combine(rank, &job);
    draw_layout(rank, b, &job);
    fill(rank, b, op, job.count);
    poison(b, job.count);
    uint32_t *out = b->out;
    size_t step = b->out_step;
    if (shm_rank_draw(rank, 3) == 0) {
        job.out = job.in;
        out = b->in;
        step = b->in_step;
    }
    size_t first = team->part[team->rank];
    size_t mine = team->part[team->rank + 1] - first;
    expect(rank, "reduce_scatter result", op, 0, HCCL_DONE,
           hccl_shm_reduce_scatter(team, &job));
    for (size_t i = 0; i < mine; i++) {
        expect(rank, "reduce_scatter", op, i, sum(op, team->size, first + i),
               out[i * step]);
    }
}

static void try_bcast(struct shm_rank *rank, struct buffers *b, unsigned op)
{
    struct hccl_job job = {.count = draw_count(rank)};
    job.bytes = job.count * sizeof(uint32_t);
    job.root = (int)shm_rank_draw(rank, (unsigned)rank->team.size);
    draw_layout(rank, b, &job);
    fill(rank, b, op, job.count);
    poison(b, job.count);
    expect(rank, "bcast result", op, 0, HCCL_DONE, hccl_shm_bcast(&rank->team, &job));
    for (size_t i = 0; rank->team.rank != job.root && i < job.count; i++) {
        expect(rank, "bcast", op, i, value(op, job.root, i), b->out[i * b->out_step]);
    }
}

static void try_allgather(struct shm_rank *rank, struct buffers *b, unsigned op)
{
    struct hccl_team *team = &rank->team;
    struct hccl_job job = {.count = draw_count(rank)};
    job.bytes = job.count * sizeof(uint32_t);
    draw_layout(rank, b, &job);
    fill(rank, b, op, job.count);
    poison(b, job.count * (size_t)team->size);
    if (b->out_step == 1 && rand_r(&rank->local) % 2 == 0) {
        uint32_t *mine = b->out + (size_t)team->rank * job.count;
        for (size_t i = 0; i < job.count; i++) {
            mine[i] = value(op, team->rank, i);
        }
        job.in = view_of(mine, 1);
    }
    expect(rank, "allgather result", op, 0, HCCL_DONE, hccl_shm_allgather(team, &job));
    for (size_t i = 0; i < job.count * (size_t)team->size; i++) {
        expect(rank, "allgather", op, i, value(op, (int)(i / job.count), i % job.count),
               b->out[i * b->out_step]);
    }
}

static void try_one(struct shm_rank *rank, struct buffers *b, unsigned op)
{
    switch (shm_rank_draw(rank, 7)) {
    case 0:
        try_allreduce(rank, b, op);
        break;
    case 1:
        try_reduce(rank, b, op);
        break;
    case 2:
        try_reduce_scatter(rank, b, op);
        break;
    case 3:
        try_allgather(rank, b, op);
        break;
    case 4:
        expect(rank, "barrier result", op, 0, HCCL_DONE, hccl_shm_barrier(&rank->team));
        break;
    default: /* twice as often: nobody waits for everybody */
        try_bcast(rank, b, op);
        break;
    }
}

static void random_row(struct shm_rank *rank, void *argument)
{
    (void)argument;
    size_t words = 2 * (size_t)MOST_ELEMENTS * (size_t)(rank->team.size + 1);
    struct buffers b = {.in = malloc(words * 4), .out = malloc(words * 4)};
    for (unsigned op = 1; op <= OPERATIONS; op++) {
        shm_rank_dawdle(rank);
        try_one(rank, &b, op);
    }
    free(b.in);
    free(b.out);
}

static void test_random_rows(void **state)
{
    (void)state;
    for (int size = 2; size <= 9; size++) {
        const struct shm_sizes *sizes = size % 2 == 0 ? &small_stage : &large_stage;
        assert_int_equal(
            shm_ranks_run(size, sizes, 7u * (unsigned)size, random_row, NULL), 0);
    }
}

/* Small broadcasts of one root, with leaves that fall behind by more than all slots. */
static void slow_leaf(struct shm_rank *rank, void *argument)
{
    (void)argument;
    for (uint64_t op = 1; op <= 20000; op++) {
        uint64_t data = rank->team.rank == 0 ? op : 0;
        struct hccl_view view = {.base = (unsigned char *)&data};
        struct hccl_job job = {.in = view, .out = view, .bytes = sizeof data, .root = 0};
        if (rank->team.rank == rank->team.size - 1) {
            shm_rank_dawdle(rank);
        }
        expect(rank, "result", (unsigned)op, 0, HCCL_DONE,
               hccl_shm_bcast(&rank->team, &job));
        expect(rank, "slow leaf", (unsigned)op, 0, (uint32_t)op, (uint32_t)data);
    }
}

static void test_slow_leaf(void **state)
{
    (void)state;
    assert_int_equal(shm_ranks_run(3, &small_stage, 1, slow_leaf, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_rows),
        cmocka_unit_test(test_slow_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
