// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PROBE_H
#define HCCL_TEST_PROBE_H

#include "world.h"

#include <stdbool.h>

struct hccl_probe_page;

/** How the cores of two ranks stand to each other, by measurement. */
struct hccl_placement {
    bool known;
    double round_trip_us; // a cache line there and back
    double exchange_us;   // both write a line and see the other's, at the same time
    double copy_gbps;     // one copies 256 KiB that the other has just written
};

/**
 * Measures the placement with ranks 0 and 1 of the first node, through memory they share.
 * A hypervisor may move a virtual machine's cores about; the caller probes around what it
 * times.
 */
struct hccl_probe {
    const struct hccl_world *world;
    bool able;                    // the same on all ranks
    struct hccl_probe_page *page; // shared by the ranks of the first node
    unsigned char *scratch;       // what the copy goes to
    const char *reason;           // why it is not able
};

/** Sets it up; call on all ranks. Whether it can probe is the same on all. */
void hccl_probe_create(struct hccl_probe *probe, const struct hccl_world *world,
                       bool wanted);

/** Frees it; call on all ranks. */
void hccl_probe_destroy(struct hccl_probe *probe);

/**
 * Measures, in some milliseconds; call on all ranks, all get the answer. Ranks that take
 * no part sleep meanwhile. Two ranks that may run anywhere are held on different cores
 * for the time.
 */
struct hccl_placement hccl_probe_measure(struct hccl_probe *probe);

/** "near", "far", or "-" when not known. */
const char *hccl_placement_name(const struct hccl_placement *placement);

/** Whether the cores were moved between two measurements. */
bool hccl_placement_differs(const struct hccl_placement *a,
                            const struct hccl_placement *b);

#endif
