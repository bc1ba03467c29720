// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_MACHINE_H
#define HCCL_TEST_MACHINE_H

#include "buffers.h"
#include "world.h"

enum { HCCL_MACHINE_TEXT = 128, HCCL_MACHINE_LONG = 512 };

/** Where a measurement was made: what a reader needs in order to compare it with another.
 */
struct hccl_machine {
    char host[HCCL_MACHINE_TEXT];
    char cpu[HCCL_MACHINE_TEXT];
    char caches[HCCL_MACHINE_TEXT]; // "L1 48K, L2 1M, L3 32M"; "unknown" without hwloc
    char kernel[HCCL_MACHINE_TEXT];
    char mpi[HCCL_MACHINE_TEXT];
    char binding[HCCL_MACHINE_LONG]; // "rank 0: 0, rank 1: 1"
    char malloc_state[HCCL_MACHINE_TEXT];
    int cores; // processors that the first node's ranks may use
    int ranks;
    int node_most;          // ranks on the fullest node
    bool hccl;              // the MPI library has coll_hccl
    double clock_us;        // cost of reading the clock
    double copy_small_gbps; // one core's memcpy of 64 KiB, bytes copied per time
    double copy_large_gbps; // and of copy_large_bytes
    size_t copy_large_bytes;
};

/** Describes it, on all ranks together; only rank 0's description is filled. */
void hccl_machine_describe(struct hccl_machine *machine, const struct hccl_world *world,
                           bool hccl, const struct hccl_buffers *buffers);

/** Environment that keeps the C library from giving memory back between calls. */
const char *hccl_machine_malloc_advice(void);

#endif
