// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "hccl_crowd.h"

#include "hccl_cell.h"

#include <sched.h>

static struct hccl_cell *cell_of(const struct hccl_crowd *crowd, int rank)
{
    unsigned char *cell = crowd->cells + (size_t)rank * HCCL_CELL_BYTES;
    return (struct hccl_cell *)(void *)cell;
}

/* No system call where libc reads it from what the kernel shows it (rseq, vDSO). */
static uint32_t seat_now(void)
{
    int cpu = sched_getcpu();
    return cpu < 0 ? 0 : (uint32_t)cpu + 1;
}

void hccl_crowd_show(const struct hccl_crowd *crowd, const struct hccl_awaited *awaited)
{
    struct hccl_cell *mine = cell_of(crowd, crowd->rank);
    uint32_t cpu = seat_now();
    if (atomic_load_explicit(&mine->seat.cpu, memory_order_relaxed) != cpu) {
        atomic_store_explicit(&mine->seat.cpu, cpu, memory_order_relaxed);
    }
    const unsigned char *word = (const unsigned char *)awaited->word;
    uint64_t at = (uint64_t)(word - crowd->cells) + 1;
    atomic_store_explicit(&mine->want.value, awaited->value, memory_order_relaxed);
    atomic_store_explicit(&mine->want.word, at * 2 + awaited->each, memory_order_release);
}

void hccl_crowd_hide(const struct hccl_crowd *crowd)
{
    atomic_store_explicit(&cell_of(crowd, crowd->rank)->want.word, 0,
                          memory_order_release);
}

static bool has_reached(const struct hccl_crowd *crowd, uint64_t at, uint64_t value)
{
    const void *word = crowd->cells + at;
    return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_relaxed) >=
           value;
}

/* Has `rank` got all that it waits for, or is it busy elsewhere? */
static bool can_go_on(const struct hccl_crowd *crowd, int rank)
{
    const struct hccl_want *want = &cell_of(crowd, rank)->want;
    uint64_t word = atomic_load_explicit(&want->word, memory_order_acquire);
    if (word == 0) {
        return true;
    }
    uint64_t at = word / 2 - 1;
    uint64_t value = atomic_load_explicit(&want->value, memory_order_relaxed);
    if (word % 2 == 0) {
        return has_reached(crowd, at, value);
    }
    for (int r = 0; r < crowd->size; r++) {
        uint64_t same = (uint64_t)r * HCCL_CELL_BYTES + at % HCCL_CELL_BYTES;
        if (r != rank && !has_reached(crowd, same, value)) {
            return false;
        }
    }
    return true;
}

bool hccl_crowd_is_pressing(const struct hccl_crowd *crowd)
{
    uint32_t here = seat_now();
    for (int r = 0; r < crowd->size; r++) {
        uint32_t there =
            atomic_load_explicit(&cell_of(crowd, r)->seat.cpu, memory_order_relaxed);
        bool neighbour = r != crowd->rank && (there == here || there == 0);
        if (neighbour && can_go_on(crowd, r)) {
            return true;
        }
    }
    return false;
}
