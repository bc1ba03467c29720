// SPDX-License-Identifier: BSD-3-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "probe.h"
#include "clock.h"
#include "pin.h"
#include "shared.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LINE = 128,              // two cache lines: adjacent ones are fetched in pairs
    COPY_BYTES = 256 * 1024, // stays in a second-level cache
    ROUNDS = 12,             // the best of them counts: it is the undisturbed one
    TRIPS = 400,             // cache-line trips in a round
    COPIES = 6,
    LOST_US = 200000, // a peer that has not answered by then is not going to in time
};

// A counter that one rank writes and others read; it only grows.
struct flag {
    _Alignas(LINE) _Atomic uint64_t value;
};

struct hccl_probe_page {
    struct flag first;  // written by rank 0 of the node, read by rank 1
    struct flag second; // written by rank 1, read by rank 0
    struct flag ball;   // written by both in turn
    struct flag done;   // written by rank 0 last: the sleeping ranks may go on
    struct flag lost;   // set by either of the two that gave up waiting
    _Alignas(LINE) unsigned char data[COPY_BYTES]; // written by rank 1, copied by rank 0
};

_Static_assert(sizeof(struct flag) == LINE, "a flag has its lines for itself");

static void set(struct flag *flag, uint64_t value)
{
    atomic_store_explicit(&flag->value, value,
                          memory_order_release); // pairs with reached()
}

// Spins until the flag has reached `value`; false when it takes far too long. The clock
// is read late and seldom, for a reading costs more than a trip.
static bool reached(struct hccl_probe_page *page, struct flag *flag, uint64_t value)
{
    double end = 0;

    for (uint64_t spins = 1;; spins++) {
        if (atomic_load_explicit(&flag->value, memory_order_acquire) >= value) {
            return true;
        }
        if (spins % 4096 != 0) {
            continue;
        }
        if (end == 0) {
            end = hccl_clock_us() + LOST_US;
        } else if (hccl_clock_us() > end || atomic_load(&page->lost.value) != 0) {
            set(&page->lost, 1);
            return false;
        }
    }
}

// One of the two ranks at work: its flag, the other's, and the values both stand at.
struct pair {
    struct hccl_probe_page *page;
    struct flag *mine;
    struct flag *other;
    uint64_t at;
    bool leads;
};

// One line goes there and back: the leader writes an odd number, the other the next even
// one.
static bool ping_pong(struct pair *p, double *best)
{
    struct flag *line = &p->page->ball;

    for (int round = 0; round < ROUNDS; round++) {
        double start = hccl_clock_us();
        for (int i = 0; i < TRIPS; i++) {
            p->at += 2;
            if (p->leads) {
                set(line, p->at - 1);
            }
            if (!reached(p->page, line, p->leads ? p->at : p->at - 1)) {
                return false;
            }
            if (!p->leads) {
                set(line, p->at);
            }
        }
        double each = (hccl_clock_us() - start) / TRIPS;
        *best = round == 0 || each < *best ? each : *best;
    }
    return true;
}

// Both write their line and wait for the other's.
static bool exchange(struct pair *p, double *best)
{
    for (int round = 0; round < ROUNDS; round++) {
        double start = hccl_clock_us();
        for (int i = 0; i < TRIPS; i++) {
            p->at++;
            set(p->mine, p->at);
            if (!reached(p->page, p->other, p->at)) {
                return false;
            }
        }
        double each = (hccl_clock_us() - start) / TRIPS;
        *best = round == 0 || each < *best ? each : *best;
    }
    return true;
}

// The other rank writes the data; the leader copies it out of the other's cache.
static bool copy(struct pair *p, unsigned char *scratch, double *best)
{
    for (int i = 0; i < COPIES; i++) {
        p->at++;
        if (!p->leads) {
            memset(p->page->data, (int)(p->at & 0xff), COPY_BYTES);
            set(p->mine, p->at);
            if (!reached(p->page, p->other, p->at)) {
                return false;
            }
            continue;
        }
        if (!reached(p->page, p->other, p->at)) {
            return false;
        }
        double start = hccl_clock_us();
        memcpy(scratch, p->page->data, COPY_BYTES);
        double took = hccl_clock_us() - start;
        *best = i == 0 || took < *best ? took : *best;
        set(p->mine, p->at);
    }
    return true;
}

static struct hccl_placement run_pair(struct hccl_probe *probe, bool leads)
{
    struct hccl_probe_page *page = probe->page;
    struct hccl_placement found = {0};
    struct pair p = {page, leads ? &page->first : &page->second,
                     leads ? &page->second : &page->first, 0, leads};
    double copy_us = 0;

    found.known = ping_pong(&p, &found.round_trip_us) &&
                  exchange(&p, &found.exchange_us) && copy(&p, probe->scratch, &copy_us);
    if (found.known && leads) {
        found.copy_gbps = COPY_BYTES / copy_us / 1e3;
    }
    return found;
}

// Ranks that only wait leave the processor to the two that measure.
static void sleep_until_done(struct hccl_probe_page *page, uint64_t before)
{
    const struct timespec nap = {0, 300000};

    while (atomic_load_explicit(&page->done.value, memory_order_acquire) == before) {
        nanosleep(&nap, NULL);
    }
}

static void put_back(struct hccl_probe_page *page, int node_rank)
{
    if (node_rank == 0) {
        set(&page->first, 0);
        set(&page->ball, 0);
        set(&page->lost, 0);
    } else if (node_rank == 1) {
        set(&page->second, 0);
    }
}

struct hccl_placement hccl_probe_measure(struct hccl_probe *probe)
{
    struct hccl_placement found = {0};
    const struct hccl_world *world = probe->world;
    struct hccl_pin pin;

    if (!probe->able) {
        return found;
    }
    if (world->first_node) {
        // nobody is in an earlier probe any more when this returns, and nobody gets past
        // the barrier before all have put their flags back
        bool apart = hccl_pin_pair(&pin, world->node);
        uint64_t before = atomic_load(&probe->page->done.value);
        put_back(probe->page, world->node_rank);
        MPI_Barrier(world->node);
        if (world->node_rank < 2 && apart) {
            found = run_pair(probe, world->node_rank == 0);
        }
        if (world->node_rank == 0) {
            set(&probe->page->done, before + 1);
        } else {
            sleep_until_done(probe->page, before);
        }
        hccl_pin_release(&pin);
    }
    MPI_Bcast(&found, (int)sizeof(found), MPI_BYTE, 0, world->control);
    return found;
}

void hccl_probe_create(struct hccl_probe *probe, const struct hccl_world *world,
                       bool wanted)
{
    memset(probe, 0, sizeof(*probe));
    probe->world = world;
    probe->reason = wanted ? NULL : "not wanted";
    int local = world->first_node ? world->node_ranks : 0;
    MPI_Bcast(&local, 1, MPI_INT, 0, world->control);
    if (wanted && local < 2) {
        probe->reason = "one rank on the first node";
    }
    int able = probe->reason == NULL;
    if (able && world->first_node) {
        probe->scratch = malloc(COPY_BYTES);
        probe->page = hccl_shared_map(sizeof(*probe->page), world->node);
        able = probe->page != NULL && probe->scratch != NULL;
    }
    MPI_Allreduce(MPI_IN_PLACE, &able, 1, MPI_INT, MPI_MIN, world->control);
    probe->able = able != 0;
    if (!able && probe->reason == NULL) {
        probe->reason = "no shared memory";
    }
}

void hccl_probe_destroy(struct hccl_probe *probe)
{
    hccl_shared_unmap(probe->page, sizeof(*probe->page));
    free(probe->scratch);
}

const char *hccl_placement_name(const struct hccl_placement *placement)
{
    // a shared cache or package gives 0.05-0.2 us, anything further 0.3 us and more
    enum { NEAR_NS = 250 };

    if (!placement->known) {
        return "-";
    }
    return placement->round_trip_us * 1e3 < NEAR_NS ? "near" : "far";
}

bool hccl_placement_differs(const struct hccl_placement *a,
                            const struct hccl_placement *b)
{
    const double noise = 1.6; // repeated probes of one placement stay within this

    if (!a->known || !b->known) {
        return false;
    }
    return a->round_trip_us > b->round_trip_us * noise ||
           b->round_trip_us > a->round_trip_us * noise;
}
