// SPDX-License-Identifier: BSD-3-Clause
#include "print.h"
#include "summary.h"
#include "types.h"

#include <inttypes.h>

static void print_op(FILE *to, const struct hccl_report *report, const struct hccl_op *op)
{
    fprintf(to, "\n# hccl_test MPI %s Latency Test\n# Datatype: %s.\n", op->name,
            hccl_dtype_get(report->options->dtype)->name);
    if (report->sides == 2) {
        fprintf(to, "%-10s %21s %21s %10s\n", "# Size", "Stock Median(us)",
                "hccl Median(us)", "Ratio");
    } else {
        fprintf(to, "%-10s %18s %18s %18s %12s\n", "# Size", "Avg Latency(us)",
                "Min Latency(us)", "Max Latency(us)", "Iterations");
    }
}

static void print_row(FILE *to, const struct hccl_report *report,
                      const struct hccl_result *r)
{
    const struct hccl_stats *t = &r->side[0].time;

    (void)report;
    if (r->sides == 2) {
        fprintf(to, "%-10" PRIu64 " %21.2f %21.2f %10.2f\n", r->bytes, t->typical,
                r->side[1].time.typical, r->ratio);
    } else {
        fprintf(to, "%-10" PRIu64 " %18.2f %18.2f %18.2f %12ld\n", r->bytes, t->mean,
                t->min, t->max, t->count);
    }
}

const struct hccl_printer hccl_print_osu = {hccl_print_heading, print_op, print_row,
                                            hccl_summary_print};
