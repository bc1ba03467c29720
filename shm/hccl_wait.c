// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "hccl_wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    /* A pause is about 20 to 60 ns on the processors that we know. */
    PAUSES_PER_US = 25,
    /* Progress is called this often while we spin: a call costs 0.1 to 0.3 us, and a word
     * that changes meanwhile is seen that much later. */
    SPINS_PER_PROGRESS = 50,
    /* With fewer processors than ranks, whoever we wait for may need this processor. */
    CROWDED_SPINS = 8,
    CROWDED_YIELDS = 400,
    YIELDS_PER_PROGRESS = 4,
    ROOMY_YIELDS = 1000,
};

/* A futex is 32 bits wide: the half of the word that changes with every post. */
static uint32_t *low_half(_Atomic uint64_t *word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (uint32_t *)(void *)word;
#else
    return (uint32_t *)(void *)word + 1;
#endif
}

void hccl_wait_tune(struct hccl_wait *wait, int ranks, int cpus, uint32_t spin_us,
                    bool sleep)
{
    wait->sleep = sleep;
    if (ranks > cpus) {
        wait->spins = CROWDED_SPINS;
        wait->spin_rounds = 0;
        wait->yields = CROWDED_YIELDS;
        return;
    }
    uint32_t pauses = spin_us * PAUSES_PER_US;
    wait->spins = SPINS_PER_PROGRESS;
    wait->spin_rounds = pauses / SPINS_PER_PROGRESS;
    wait->yields = ROOMY_YIELDS;
}

static bool reached(_Atomic uint64_t *word, uint64_t value)
{
    return atomic_load_explicit(word, memory_order_acquire) >= value;
}

static void progress(const struct hccl_wait *wait)
{
    if (wait->progress != NULL) {
        wait->progress();
    }
}

static void sleep_once(_Atomic uint64_t *word, uint64_t value, _Atomic uint32_t *sleepers)
{
    const struct timespec limit = {.tv_nsec = HCCL_SLEEP_US * 1000L};
    atomic_fetch_add_explicit(sleepers, 1, memory_order_seq_cst);
    uint64_t seen = atomic_load_explicit(word, memory_order_seq_cst);
    if (seen < value) {
        syscall(SYS_futex, low_half(word), FUTEX_WAIT, (uint32_t)seen, &limit, NULL, 0);
    }
    atomic_fetch_sub_explicit(sleepers, 1, memory_order_relaxed);
}

void hccl_wait_long(const struct hccl_wait *wait, _Atomic uint64_t *word, uint64_t value,
                    _Atomic uint32_t *sleepers)
{
    for (uint32_t round = 0; round < wait->spin_rounds; round++) {
        progress(wait);
        for (uint32_t i = 0; i < wait->spins; i++) {
            if (reached(word, value)) {
                return;
            }
            hccl_wait_pause();
        }
    }
    for (uint32_t i = 1; !wait->sleep || i <= wait->yields; i++) {
        if (i % YIELDS_PER_PROGRESS == 0) {
            progress(wait);
        }
        sched_yield();
        if (reached(word, value)) {
            return;
        }
    }
    while (!reached(word, value)) {
        progress(wait);
        sleep_once(word, value, sleepers);
    }
}

void hccl_wait_wake(_Atomic uint64_t *word)
{
    syscall(SYS_futex, low_half(word), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

#ifdef HCCL_DEBUG_DELAYS
void hccl_wait_shake(void)
{
    static _Thread_local unsigned seed;
    if (seed == 0) {
        seed = (unsigned)syscall(SYS_gettid) * 2654435761u;
    }
    switch (rand_r(&seed) % 64) {
    case 0:
        usleep((useconds_t)(rand_r(&seed) % 200));
        break;
    case 1:
    case 2:
    case 3:
        sched_yield();
        break;
    default:
        break;
    }
}
#endif
