// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_WAIT_H
#define HCCL_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Waiting for another rank's word, and telling others that a word has grown.
 *
 * There is one wait: spin, let Open MPI progress, yield, sleep on a futex of the word.
 * How long each phase lasts follows from how many ranks share the processors
 * (hccl_wait_tune). Sleeps are bounded (HCCL_SLEEP_US), for two reasons: Open MPI must be
 * progressed while we wait, and a wake-up that is lost because the poster saw `sleepers`
 * too early then costs a bounded delay instead of a full fence in every post.
 */

enum {
    HCCL_SLEEP_US = 1000,
};

struct hccl_crowd;

struct hccl_wait {
    uint32_t spins;                 /* pauses before anything else is tried */
    uint32_t spin_rounds;           /* progress calls, each followed by `spins` pauses */
    uint32_t yields;                /* yields before the first sleep */
    bool sleep;                     /* may sleep at all */
    void (*progress)(void);         /* the MPI library's progress function, or NULL */
    const struct hccl_crowd *crowd; /* where ranks share processors, or NULL */
};

enum {
    HCCL_FETCH_LINE = 64,
    HCCL_FETCH_BYTES = 4096, /* beyond, the processor's own prefetching does as well */
};

/* What is waited for. */
struct hccl_awaited {
    _Atomic uint64_t *word;
    uint64_t value;
    _Atomic uint32_t *sleepers; /* the counter in the cell of the word's owner */
    bool each; /* the same word of every other rank's cell is awaited as well, in turn */
    /* What the owner writes before the word, or NULL: it is fetched while we spin, so
     * that word and data cross from core to core at the same time. A hint, never read
     * here. */
    const unsigned char *data;
    size_t data_bytes;
};

/**
 * Set the phases for a team.
 * @param ranks  ranks that compete for the processors
 * @param cpus   processors that they may run on
 * @param spin_us  microseconds to spin when every rank has a processor of its own
 */
void hccl_wait_tune(struct hccl_wait *wait, int ranks, int cpus, uint32_t spin_us,
                    bool sleep);

/** The phases after the first spin; see hccl_wait_for. */
void hccl_wait_long(const struct hccl_wait *wait, const struct hccl_awaited *awaited);

/** Wake the ranks that sleep on `word`. */
void hccl_wait_wake(_Atomic uint64_t *word);

/** Tell the processor that this is a spin loop. */
static inline void hccl_wait_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield" ::: "memory");
#endif
}

#ifdef HCCL_DEBUG_DELAYS
/** Debug builds: now and then lose the processor, to shake out wrong orders. */
void hccl_wait_shake(void);
#else
static inline void hccl_wait_shake(void)
{
}
#endif

/** Ask for the data that comes with the word. */
static inline void hccl_wait_fetch(const struct hccl_awaited *awaited)
{
    if (awaited->data == NULL) {
        return;
    }
    size_t bytes = awaited->data_bytes;
    bytes = bytes < HCCL_FETCH_BYTES ? bytes : HCCL_FETCH_BYTES;
    for (size_t at = 0; at < bytes; at += HCCL_FETCH_LINE) {
        __builtin_prefetch(awaited->data + at);
    }
}

/**
 * Return when the word has reached the value; everything written before the matching post
 * is visible then.
 * @return the word's value
 */
static inline uint64_t hccl_wait_for(const struct hccl_wait *wait,
                                     const struct hccl_awaited *awaited)
{
    hccl_wait_fetch(awaited);
    uint64_t seen = atomic_load_explicit(awaited->word, memory_order_acquire);
    for (uint32_t i = 0; seen < awaited->value && i < wait->spins; i++) {
        hccl_wait_pause();
        hccl_wait_fetch(awaited);
        seen = atomic_load_explicit(awaited->word, memory_order_acquire);
    }
    if (__builtin_expect(seen < awaited->value, 0)) {
        hccl_wait_long(wait, awaited);
        seen = atomic_load_explicit(awaited->word, memory_order_acquire);
    }
    return seen;
}

/**
 * Publish `value` in one's own word: all earlier writes become visible with it.
 * @param sleepers  the counter in one's own cell
 */
static inline void hccl_wait_post(_Atomic uint64_t *word, uint64_t value,
                                  _Atomic uint32_t *sleepers)
{
    hccl_wait_shake();
    atomic_store_explicit(word, value, memory_order_release);
    if (__builtin_expect(atomic_load_explicit(sleepers, memory_order_relaxed) != 0, 0)) {
        hccl_wait_wake(word);
    }
}

#endif
