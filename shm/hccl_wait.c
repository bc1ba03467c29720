// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "hccl_wait.h"

#include "hccl_crowd.h"

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
    /* Spins, SPINS_PER_PROGRESS pauses each, instead of yields that help nobody: somewhat
     * less than the two switches which such a yield costs. */
    STUCK_SPINS = 2,
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

static bool reached(const struct hccl_awaited *awaited)
{
    return atomic_load_explicit(awaited->word, memory_order_acquire) >= awaited->value;
}

static void progress(const struct hccl_wait *wait)
{
    if (wait->progress != NULL) {
        wait->progress();
    }
}

static bool spin(const struct hccl_awaited *awaited, uint32_t pauses)
{
    for (uint32_t i = 0; i < pauses; i++) {
        if (reached(awaited)) {
            return true;
        }
        hccl_wait_pause();
        hccl_wait_fetch(awaited);
    }
    return reached(awaited);
}

/* Let others run on my processor, or spin when that helps nobody. */
static bool give_way(const struct hccl_wait *wait, const struct hccl_awaited *awaited,
                     uint32_t *stuck_spins)
{
    if (*stuck_spins > 0 && !hccl_crowd_is_pressing(wait->crowd)) {
        --*stuck_spins;
        return spin(awaited, SPINS_PER_PROGRESS);
    }
    sched_yield();
    if (wait->crowd != NULL) {
        hccl_crowd_show(wait->crowd, awaited);
    }
    return reached(awaited);
}

static bool yield_until(const struct hccl_wait *wait, const struct hccl_awaited *awaited)
{
    uint32_t stuck_spins = wait->crowd != NULL ? STUCK_SPINS : 0;
    for (uint32_t i = 1; !wait->sleep || i <= wait->yields; i++) {
        if (i % YIELDS_PER_PROGRESS == 0) {
            progress(wait);
        }
        if (give_way(wait, awaited, &stuck_spins)) {
            return true;
        }
    }
    return false;
}

static void sleep_once(const struct hccl_awaited *awaited)
{
    const struct timespec limit = {.tv_nsec = HCCL_SLEEP_US * 1000L};
    atomic_fetch_add_explicit(awaited->sleepers, 1, memory_order_seq_cst);
    uint64_t seen = atomic_load_explicit(awaited->word, memory_order_seq_cst);
    if (seen < awaited->value) {
        syscall(SYS_futex, low_half(awaited->word), FUTEX_WAIT, (uint32_t)seen, &limit,
                NULL, 0);
    }
    atomic_fetch_sub_explicit(awaited->sleepers, 1, memory_order_relaxed);
}

static void yield_and_sleep(const struct hccl_wait *wait,
                            const struct hccl_awaited *awaited)
{
    if (yield_until(wait, awaited)) {
        return;
    }
    while (!reached(awaited)) {
        progress(wait);
        sleep_once(awaited);
    }
}

void hccl_wait_long(const struct hccl_wait *wait, const struct hccl_awaited *awaited)
{
    for (uint32_t round = 0; round < wait->spin_rounds; round++) {
        progress(wait);
        if (spin(awaited, wait->spins)) {
            return;
        }
    }
    if (wait->crowd == NULL) {
        yield_and_sleep(wait, awaited);
        return;
    }
    hccl_crowd_show(wait->crowd, awaited);
    yield_and_sleep(wait, awaited);
    hccl_crowd_hide(wait->crowd);
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
