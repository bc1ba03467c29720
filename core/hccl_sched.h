// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_SCHED_H
#define HCCL_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A schedule: what one rank does in a collective operation, as data.
 *
 * It names no address and no byte count. The data is a vector of `chunks` chunks, and a
 * step works on some consecutive ones of them, in areas that all have the vector's shape:
 *
 *     chunk      0     1     2     3     4
 *     IN      |-----|-----|-----|-----|-----|     what the user gives; never written
 *     OUT     |-----|-----|-----|-----|-----|     what the user gets
 *     SCRATCH    |-----|-----|-----|-----|-----|  ours, any number of them
 *               2     3     4     0     1         (here with a rotation of 2)
 *
 * How long a chunk is becomes known when a call starts (hccl_layout.h), so one schedule
 * serves all sizes. Chunks may be empty.
 *
 * Collective       IN                     OUT
 * allreduce        my vector              the result
 * reduce_scatter   my vector              only my part of the result, chunks
 *                                         [rank * chunks / ranks, (rank + 1) * chunks /
 * ranks) bcast            not used               the root's data, then everybody's
 *
 * Steps stand in lanes. A step of a lane starts when the one before it is complete;
 * different lanes run side by side. A step can also wait for a number of steps of one
 * other lane. What this order leaves open may happen in any order.
 *
 * Steps of different ranks meet in channels: the n-th SEND of rank a to rank b in channel
 * c belongs to the n-th RECV (or RECV_REDUCE) of b from a in c. A SEND may stay
 * incomplete until its partner has started. A RECV_REDUCE starts without its wait: only
 * the reduction waits.
 */

enum {
    HCCL_LANES_MAX = 32,
    HCCL_CHANNELS_MAX = 64,
};

enum hccl_area {
    HCCL_AREA_IN,
    HCCL_AREA_OUT,
    HCCL_AREA_SCRATCH, /* the first of as many as the schedule says */
    HCCL_AREAS_MAX = 16,
    HCCL_AREA_PEER = 255, /* operand of RECV_REDUCE: what arrives */
};

enum hccl_step_kind {
    HCCL_STEP_SEND,        /* left -> peer */
    HCCL_STEP_RECV,        /* peer -> to */
    HCCL_STEP_RECV_REDUCE, /* left op right -> to; one of the operands is the peer's */
    HCCL_STEP_COPY,        /* left -> to */
    HCCL_STEP_REDUCE,      /* left op right -> to */
    HCCL_STEP_WAIT,        /* nothing but the wait */
    HCCL_STEP_KINDS,
};

struct hccl_step {
    uint8_t kind; /* enum hccl_step_kind */
    uint8_t lane;
    uint8_t channel;
    uint8_t wait_lane;
    uint8_t to; /* areas */
    uint8_t left;
    uint8_t right;
    uint8_t pad;
    int32_t peer;   /* rank */
    uint32_t wait;  /* so many steps of wait_lane must be complete; 0: none */
    uint32_t first; /* the first chunk */
    uint32_t count; /* chunks, neighbours in all areas: where all are SCRATCH, chunk 0 may
                       follow the last one, but none crosses the rotation */
};
_Static_assert(sizeof(struct hccl_step) <= 32, "a step is small");

/** One block of memory, given back by free(). */
struct hccl_sched {
    uint32_t chunks;   /* that the vector is cut into */
    uint32_t rotation; /* the chunk that SCRATCH begins with */
    uint32_t scratch;  /* number of SCRATCH areas */
    uint32_t lanes;
    uint32_t count; /* steps */
    uint32_t
        lane_begin[HCCL_LANES_MAX + 1]; /* steps of lane l are [begin[l], begin[l+1]) */
    struct hccl_step steps[];
};

#endif
