// SPDX-License-Identifier: BSD-3-Clause
#include "core/alg/hccl_alg.h"
#include "exec/hccl_exec.h"
#include "exec_loop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * The executor, with real data, over a transport that delays at random: every algorithm,
 * ranks, counts (also fewer than ranks), slices, in place, parts of different lengths.
 *
 * Items are maps x -> a*x + b (modulo 2^32), combined one after the other: that does not
 * commute, so the order of operands shows. Algorithms that need not keep it get maps with
 * a = 1, which add up.
 */

struct map {
    uint32_t a;
    uint32_t b;
};

struct trial {
    const struct hccl_alg *alg;
    struct hccl_case c; /* but for the rank */
    size_t items;
    uint32_t slices;
    bool in_place;
    bool ordered;
    size_t *start; /* parts of reduce_scatter */
    uint64_t seed;
};

static void apply(void *context, void *to, const void *const *source, int sources,
                  size_t count)
{
    (void)context;
    struct map *result = to;
    for (size_t i = 0; i < count; i++) {
        struct map sum = ((const struct map *)source[0])[i];
        for (int s = 1; s < sources; s++) {
            struct map next = ((const struct map *)source[s])[i];
            sum = (struct map){.a = sum.a * next.a, .b = sum.b * next.a + next.b};
        }
        result[i] = sum;
    }
}

static struct map given(const struct trial *trial, int rank, size_t item)
{
    uint64_t random = trial->seed * 31 + (uint64_t)rank * 1000003 + item * 7919 + 1;
    exec_loop_random(&random);
    uint64_t mixed = exec_loop_random(&random);
    return (struct map){.a = trial->ordered ? (uint32_t)mixed | 1 : 1,
                        .b = (uint32_t)(mixed >> 32)};
}

static struct map wanted(const struct trial *trial, size_t item)
{
    if (trial->alg->collective == HCCL_BCAST) {
        return given(trial, trial->c.root, item);
    }
    struct map sum = given(trial, 0, item);
    for (int r = 1; r < trial->c.ranks; r++) {
        struct map next = given(trial, r, item);
        const void *source[2] = {&sum, &next};
        struct map result;
        apply(NULL, &result, source, 2, 1);
        sum = result;
    }
    return sum;
}

struct rank {
    struct hccl_sched *sched;
    struct hccl_exec *exec;
    struct map *in;
    struct map *out;
    size_t first; /* of the items that `out` gets */
    size_t count;
    enum hccl_exec_state state;
};

static void make_rank(struct rank *rank, const struct trial *trial, int r,
                      struct hccl_builder *builder)
{
    struct hccl_case c = trial->c;
    c.rank = r;
    rank->sched = hccl_alg_build(trial->alg, builder, &c);
    assert_non_null(rank->sched);
    rank->exec = hccl_exec_new();
    rank->first = 0;
    rank->count = trial->items;
    if (trial->alg->collective == HCCL_REDUCE_SCATTER) {
        rank->first = trial->start[r];
        rank->count = trial->start[r + 1] - trial->start[r];
    }
    /* One item more than wanted on each side: nobody may touch them. */
    rank->in = malloc((trial->items + 1) * sizeof *rank->in);
    rank->out = malloc((rank->count + 2) * sizeof *rank->out);
    memset(rank->out, 0xa5, (rank->count + 2) * sizeof *rank->out);
    for (size_t i = 0; i < trial->items; i++) {
        rank->in[i] = given(trial, r, i);
    }
    bool has_data =
        trial->in_place || (trial->alg->collective == HCCL_BCAST && r == trial->c.root);
    if (has_data) {
        memcpy(rank->out + 1, rank->in, trial->items * sizeof *rank->in);
    }
}

static struct hccl_exec_job job_of(const struct rank *rank, const struct trial *trial,
                                   const struct hccl_transport *transport)
{
    bool parts = trial->alg->collective == HCCL_REDUCE_SCATTER;
    return (struct hccl_exec_job){
        .sched = rank->sched,
        .transport = transport,
        .in = trial->in_place ? rank->out + 1 : rank->in,
        .out = rank->out + 1,
        .out_start = rank->first,
        .layout = {.items = trial->items,
                   .chunks = rank->sched->chunks,
                   .parts = parts ? (uint32_t)trial->c.ranks : 0,
                   .start = trial->start,
                   .slices = trial->slices},
        .combine = {.element = sizeof(struct map), .apply = apply},
        .tag = 7,
    };
}

static void check(const struct rank *rank, const struct trial *trial, int r)
{
    struct map guard;
    memset(&guard, 0xa5, sizeof guard);
    assert_memory_equal(&rank->out[0], &guard, sizeof guard);
    assert_memory_equal(&rank->out[rank->count + 1], &guard, sizeof guard);
    for (size_t i = 0; i < rank->count; i++) {
        struct map want = wanted(trial, rank->first + i);
        if (memcmp(&rank->out[1 + i], &want, sizeof want) != 0) {
            fail_msg(
                "%s %s: %d ranks, root %d, radix %d, pieces %d, %zu items, %u slices%s: "
                "rank %d has a wrong item %zu",
                hccl_collective_name(trial->alg->collective), trial->alg->name,
                trial->c.ranks, trial->c.root, trial->c.radix, trial->c.pieces,
                trial->items, trial->slices, trial->in_place ? ", in place" : "", r, i);
        }
    }
    for (size_t i = 0; !trial->in_place && i < trial->items; i++) {
        struct map want = given(trial, r, i);
        assert_memory_equal(&rank->in[i], &want, sizeof want);
    }
}

/* Run all ranks until they are done, or one has failed. @return whether all are done */
static bool run(struct rank *ranks, const struct trial *trial, struct exec_loop *loop)
{
    enum { PATIENCE = 1000000 };
    int busy = trial->c.ranks;
    bool failed = false;
    for (int r = 0; r < trial->c.ranks; r++) {
        struct hccl_exec_job job = job_of(&ranks[r], trial, exec_loop_transport(loop, r));
        ranks[r].state = hccl_exec_start(ranks[r].exec, &job);
    }
    for (int turn = 0; busy > 0 && !failed; turn++) {
        busy = 0;
        for (int r = 0; r < trial->c.ranks; r++) {
            if (ranks[r].state == HCCL_EXEC_BUSY) {
                ranks[r].state = hccl_exec_progress(ranks[r].exec);
            }
            busy += ranks[r].state == HCCL_EXEC_BUSY;
            failed = failed || ranks[r].state == HCCL_EXEC_FAILED;
        }
        if (turn == PATIENCE) {
            fail_msg("%s: %d ranks hang (root %d, pieces %d, %zu items, %u slices)",
                     trial->alg->name, trial->c.ranks, trial->c.root, trial->c.pieces,
                     trial->items, trial->slices);
        }
    }
    return !failed;
}

static void try_trial(const struct trial *trial, int fail_in)
{
    struct hccl_builder *builder = hccl_builder_new();
    struct exec_loop *loop = exec_loop_new(trial->c.ranks, trial->seed);
    struct rank *ranks = calloc((size_t)trial->c.ranks, sizeof *ranks);
    for (int r = 0; r < trial->c.ranks; r++) {
        make_rank(&ranks[r], trial, r, builder);
    }
    exec_loop_fail(loop, fail_in);
    bool done = run(ranks, trial, loop);
    assert_true(done || fail_in > 0);
    for (int r = 0; r < trial->c.ranks; r++) {
        if (done) {
            check(&ranks[r], trial, r);
        }
    }
    assert_true(!done || exec_loop_is_idle(loop));
    exec_loop_free(loop);
    for (int r = 0; r < trial->c.ranks; r++) {
        hccl_exec_free(ranks[r].exec);
        free(ranks[r].sched);
        free(ranks[r].in);
        free(ranks[r].out);
    }
    free(ranks);
    hccl_builder_free(builder);
}

/* Parts of different lengths, some of them empty. */
static void cut_parts(struct trial *trial, size_t start[], bool even)
{
    size_t items = 0;
    for (int r = 0; r < trial->c.ranks; r++) {
        start[r] = items;
        items +=
            even ? trial->items : exec_loop_random(&trial->seed) % (trial->items + 1);
    }
    start[trial->c.ranks] = items;
    trial->items = items;
    trial->start = start;
}

static void try_algorithm(const struct hccl_alg *alg, uint64_t *random)
{
    enum { RANKS_MAX = 17, TRIALS = 12 };
    size_t start[RANKS_MAX + 1];
    for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
        for (int t = 0; t < TRIALS && hccl_alg_serves(alg, ranks); t++) {
            static const size_t items[] = {0, 1, 2, 7, 31, 64, 257};
            struct trial trial = {
                .alg = alg,
                .c = {.ranks = ranks,
                      .root = (int)(exec_loop_random(random) % (unsigned)ranks),
                      .radix = 2 + (int)(exec_loop_random(random) % 7),
                      .pieces = (alg->flags & HCCL_ALG_PIECES) != 0
                                    ? 1 + (int)(exec_loop_random(random) % 5)
                                    : 1},
                .items = items[exec_loop_random(random) % 7],
                .slices = 1,
                .in_place = alg->collective == HCCL_ALLREDUCE && t % 2 == 1,
                .ordered = (alg->flags & HCCL_ALG_ORDERED) != 0,
                .seed = exec_loop_random(random),
            };
            bool parts = alg->collective == HCCL_REDUCE_SCATTER;
            if (!parts || (alg->flags & HCCL_ALG_BLOCKWISE) != 0) {
                trial.slices = 1 + (uint32_t)(exec_loop_random(random) % 9);
            }
            if (parts) {
                cut_parts(&trial, start, t % 3 == 0);
            }
            try_trial(&trial, 0);
        }
    }
}

static void all_algorithms(void **state)
{
    (void)state;
    uint64_t random = 4711;
    size_t count;
    const struct hccl_alg *table = hccl_alg_table(&count);
    for (size_t i = 0; i < count; i++) {
        try_algorithm(&table[i], &random);
    }
}

/* Whatever message fails, the rank that sees it ends, and leaves no request behind. */
static void failing_messages(void **state)
{
    (void)state;
    for (int n = 1; n < 40; n++) {
        struct trial trial = {.alg = hccl_alg_find(HCCL_ALLREDUCE, "ring"),
                              .c = {.ranks = 4, .radix = 2, .pieces = 2},
                              .items = 100,
                              .slices = 3,
                              .seed = (uint64_t)n};
        try_trial(&trial, n);
    }
}

/* Calls of one executor follow each other without new memory. */
static void memory_is_kept(void **state)
{
    (void)state;
    struct hccl_builder *builder = hccl_builder_new();
    struct trial trial = {.alg = hccl_alg_find(HCCL_ALLREDUCE, "ring"),
                          .c = {.ranks = 1, .radix = 2, .pieces = 1},
                          .items = 1000,
                          .slices = 1,
                          .seed = 1};
    struct rank rank;
    make_rank(&rank, &trial, 0, builder);
    struct exec_loop *loop = exec_loop_new(1, 1);
    struct hccl_exec_job job = job_of(&rank, &trial, exec_loop_transport(loop, 0));
    for (int i = 0; i < 3; i++) {
        size_t before = hccl_exec_memory(rank.exec);
        assert_int_equal(hccl_exec_start(rank.exec, &job), HCCL_EXEC_DONE);
        assert_true(i == 0 || hccl_exec_memory(rank.exec) == before);
        check(&rank, &trial, 0);
    }
    exec_loop_free(loop);
    hccl_exec_free(rank.exec);
    free(rank.sched);
    free(rank.in);
    free(rank.out);
    hccl_builder_free(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_algorithms),
        cmocka_unit_test(failing_messages),
        cmocka_unit_test(memory_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
