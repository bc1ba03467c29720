// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_RESULT_H
#define HCCL_TEST_RESULT_H

#include "machine.h"
#include "ops.h"
#include "options.h"
#include "probe.h"
#include "stats.h"

#include <stddef.h>
#include <stdint.h>

enum { HCCL_RESULT_SIDES = 2, HCCL_RESULT_PATH = 64 };

/** What was measured of one communicator. */
struct hccl_side_result {
    struct hccl_stats time;      // microseconds
    uint64_t wrong;              // elements, of all checked calls and ranks
    char path[HCCL_RESULT_PATH]; // hccl's algorithm, "-" when not known
};

/** One operation at one size. */
struct hccl_result {
    const struct hccl_op *op;
    uint64_t bytes;
    uint64_t count; // elements
    bool dirty;
    int sides;
    struct hccl_side_result side[HCCL_RESULT_SIDES];
    double ratio;      // median over the pairs of blocks of stock / hccl
    double ratio_low;  // tenth of the pairs below
    double ratio_high; // tenth above
    long blocks;
    struct hccl_placement before;
    struct hccl_placement after;
    int restarts; // times it began anew because the cores were moved
    bool moved;   // they were moved in the last try too: not to be relied on
};

/** A whole run: what is being reported on. */
struct hccl_report {
    const struct hccl_options *options;
    struct hccl_machine machine;
    struct hccl_placement placement; // at the start
    const char *no_probe;            // why there is none
    const char *side_name[HCCL_RESULT_SIDES];
    int sides;
    int ranks;
    bool mean; // see hccl_measure
    struct hccl_result *results;
    size_t count;
    size_t room;
};

/** Adds a result; 0, or -1 without memory. */
int hccl_report_add(struct hccl_report *report, const struct hccl_result *result);

/** Frees the results. */
void hccl_report_destroy(struct hccl_report *report);

/** Bytes of `result` over `us`, in GB/s (10^9 bytes); 0 for operations without data. */
double hccl_result_bandwidth(const struct hccl_result *result, double us);

/** The bus bandwidth to that algorithm bandwidth, with the report's ranks. */
double hccl_result_bus(const struct hccl_report *report, const struct hccl_result *result,
                       double bandwidth);

/** "success", "failed", or "NULL" when results were not checked. */
const char *hccl_result_check(const struct hccl_report *report,
                              const struct hccl_result *result);

/** Wrong elements of all results and sides. */
uint64_t hccl_report_wrong(const struct hccl_report *report);

#endif
