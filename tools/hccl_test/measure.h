// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_MEASURE_H
#define HCCL_TEST_MEASURE_H

#include "buffers.h"
#include "check.h"
#include "probe.h"
#include "pvars.h"
#include "result.h"
#include "world.h"

/** Everything that a measurement needs; the pointers are the caller's. */
struct hccl_measure {
    const struct hccl_options *options;
    const struct hccl_world *world;
    const struct hccl_buffers *buffers;
    struct hccl_check *check;
    struct hccl_probe *probe;
    struct hccl_pvars *pvars;
    MPI_Comm side[HCCL_RESULT_SIDES]; // communicators under test; with two: stock, hccl
    int sides;
    bool mean;     // a block's typical time is its mean, not its median (used by rank 0)
    int *counts;   // [ranks], room for the blocks of a call
    int *starts;   // [ranks]
    uint64_t seed; // number of the last call whose input was written
    struct hccl_placement last; // the latest probe ...
    double last_at;             // ... and when it was; 0: never
};

/**
 * Measures `op` with `count` elements; call on all ranks, with the same arguments. The
 * sides take turns in blocks of calls (A B, B A, A B, ...), so that what drifts hits
 * both. Before each block comes one call that is checked and not timed; the last timed
 * call of a block is checked too. Begins anew, some times, when the cores are moved
 * meanwhile. Fills `result` on rank 0. 0, or -1 without memory.
 */
int hccl_measure_size(struct hccl_measure *measure, const struct hccl_op *op,
                      uint64_t count, struct hccl_result *result);

#endif
