// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "shm/hccl_cell.h"
#include "shm/hccl_crowd.h"
#include "shm/hccl_wait.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Waiting, in each of its phases, and what ranks on one processor tell each other. */

enum { RANKS = 4, SLOW_US = 5000 };

static struct hccl_cell *cell_at(unsigned char *cells, int rank)
{
    return (struct hccl_cell *)(void *)(cells + (size_t)rank * HCCL_CELL_BYTES);
}

static unsigned char *make_cells(void)
{
    unsigned char *cells = aligned_alloc(HCCL_CELL_BYTES, RANKS * HCCL_CELL_BYTES);
    assert_non_null(cells);
    memset(cells, 0, RANKS * HCCL_CELL_BYTES);
    return cells;
}

static atomic_int progressed;

static void count_progress(void)
{
    atomic_fetch_add(&progressed, 1);
}

/* Posts 1, 2, ... late: the waiter has reached its last phase by then. */
static void *post_late(void *context)
{
    struct hccl_cell *cell = context;
    for (uint64_t value = 1; value <= 3; value++) {
        usleep(SLOW_US);
        hccl_wait_post(&cell->step, value, &cell->sleepers);
    }
    return NULL;
}

static void wait_for_late_posts(const struct hccl_wait *wait, unsigned char *cells)
{
    struct hccl_cell *cell = cell_at(cells, 1);
    pthread_t poster;
    atomic_store(&cell->step, 0);
    atomic_store(&progressed, 0);
    assert_int_equal(pthread_create(&poster, NULL, post_late, cell), 0);
    for (uint64_t value = 1; value <= 3; value++) {
        struct hccl_awaited awaited = {
            .word = &cell->step, .value = value, .sleepers = &cell->sleepers};
        assert_true(hccl_wait_for(wait, &awaited) >= value);
    }
    pthread_join(poster, NULL);
    assert_int_equal(atomic_load(&cell->sleepers), 0);
    assert_true(atomic_load(&progressed) > 0);
}

static void test_late_posts(void **state)
{
    (void)state;
    unsigned char *cells = make_cells();
    struct hccl_crowd crowd = {.cells = cells, .rank = 0, .size = RANKS};
    for (int crowded = 0; crowded <= 1; crowded++) {
        for (int sleeps = 0; sleeps <= 1; sleeps++) {
            struct hccl_wait wait = {.progress = count_progress};
            hccl_wait_tune(&wait, RANKS, crowded ? 1 : RANKS, 20, sleeps);
            wait.crowd = crowded ? &crowd : NULL;
            wait_for_late_posts(&wait, cells);
        }
    }
    free(cells);
}

/* A word that is there already: no phase is entered. */
static void test_no_wait(void **state)
{
    (void)state;
    unsigned char *cells = make_cells();
    struct hccl_cell *cell = cell_at(cells, 1);
    struct hccl_wait wait = {.progress = count_progress};
    hccl_wait_tune(&wait, RANKS, 1, 20, true);
    hccl_wait_post(&cell->step, 7, &cell->sleepers);
    atomic_store(&progressed, 0);
    struct hccl_awaited awaited = {
        .word = &cell->step, .value = 5, .sleepers = &cell->sleepers};
    assert_int_equal(hccl_wait_for(&wait, &awaited), 7);
    assert_int_equal(atomic_load(&progressed), 0);
    free(cells);
}

/* Everything that follows happens on one processor. */
static int stay_here(void **state)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)sched_getcpu(), &set);
    *state = NULL;
    return sched_setaffinity(0, sizeof set, &set);
}

/* `rank` waits, seen from its own cell, on the processor that runs the test. */
static void show(unsigned char *cells, int rank, _Atomic uint64_t *word, bool each)
{
    struct hccl_crowd crowd = {.cells = cells, .rank = rank, .size = RANKS};
    struct hccl_awaited awaited = {.word = word, .value = 1, .each = each};
    hccl_crowd_show(&crowd, &awaited);
}

static void test_neighbours(void **state)
{
    (void)state;
    unsigned char *cells = make_cells();
    struct hccl_crowd me = {.cells = cells, .rank = 0, .size = RANKS};
    _Atomic uint64_t *word = &cell_at(cells, 3)->step;

    /* Nobody has shown anything: they may be here. */
    assert_true(hccl_crowd_is_pressing(&me));

    /* All wait for rank 3, which waits for rank 0. */
    show(cells, 1, word, false);
    show(cells, 2, word, false);
    show(cells, 3, &cell_at(cells, 0)->step, false);
    assert_false(hccl_crowd_is_pressing(&me));

    /* One goes on, by itself or since it has got what it waits for. */
    struct hccl_crowd other = {.cells = cells, .rank = 2, .size = RANKS};
    hccl_crowd_hide(&other);
    assert_true(hccl_crowd_is_pressing(&me));
    show(cells, 2, word, false);
    assert_false(hccl_crowd_is_pressing(&me));
    atomic_store(word, 1);
    assert_true(hccl_crowd_is_pressing(&me));

    /* Elsewhere they don't matter. */
    for (int r = 1; r < RANKS; r++) {
        atomic_store(&cell_at(cells, r)->seat.cpu, (uint32_t)sched_getcpu() + 2);
    }
    assert_false(hccl_crowd_is_pressing(&me));
    free(cells);
}

/* Who waits for everyone goes on when the last one is there. */
static void test_each(void **state)
{
    (void)state;
    unsigned char *cells = make_cells();
    struct hccl_crowd me = {.cells = cells, .rank = 0, .size = RANKS};
    for (int r = 1; r < RANKS; r++) {
        show(cells, r, &cell_at(cells, 0)->slot[2].flag, true);
    }
    for (int r = 0; r < RANKS - 1; r++) {
        assert_false(hccl_crowd_is_pressing(&me));
        atomic_store(&cell_at(cells, r)->slot[2].flag, 1);
    }
    /* Rank 3 has posted nothing itself, and needs nothing more from the others. */
    assert_true(hccl_crowd_is_pressing(&me));
    free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late_posts),
        cmocka_unit_test(test_no_wait),
        cmocka_unit_test_setup(test_neighbours, stay_here),
        cmocka_unit_test_setup(test_each, stay_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
