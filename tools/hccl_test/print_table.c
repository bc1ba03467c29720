// SPDX-License-Identifier: BSD-3-Clause
#include "print.h"

#include <inttypes.h>

#include "summary.h"

static void print_op(FILE *to, const struct hccl_report *report, const struct hccl_op *op)
{
    fprintf(to, "\n# %s\n", op->name);
    if (report->sides == 2) {
        fprintf(to, "%16s %12s %12s %9s %15s %20s %12s %8s  %-8s %s\n",
                "data_size(Bytes)", "stock(us)", "hccl(us)", "speed-up", "p10 - p90",
                "alg_bandwidth(GB/s)", "check_result", "calls", "cores", "algorithm");
    } else {
        fprintf(to, "%16s %13s %19s %12s %11s %11s %11s %11s %8s  %-8s %s\n",
                "data_size(Bytes)", "aveg_time(us)", "alg_bandwidth(GB/s)",
                "check_result", "min(us)", "p50(us)", "p99(us)", "busbw(GB/s)", "calls",
                "cores", "algorithm");
    }
}

static void print_pair(FILE *to, const struct hccl_report *report,
                       const struct hccl_result *r)
{
    const struct hccl_stats *stock = &r->side[0].time;
    const struct hccl_stats *hccl = &r->side[1].time;

    fprintf(to,
            "%16" PRIu64
            " %12.2f %12.2f %9.2f %6.2f - %6.2f %9.3f - %8.3f %12s %8ld  %-8s %s\n",
            r->bytes, stock->typical, hccl->typical, r->ratio, r->ratio_low,
            r->ratio_high, hccl_result_bandwidth(r, stock->typical),
            hccl_result_bandwidth(r, hccl->typical), hccl_result_check(report, r),
            hccl->count, hccl_print_place(r), r->side[1].path);
}

static void print_row(FILE *to, const struct hccl_report *report,
                      const struct hccl_result *r)
{
    const struct hccl_stats *t = &r->side[0].time;
    double bandwidth = hccl_result_bandwidth(r, t->mean);

    if (r->sides == 2) {
        print_pair(to, report, r);
        return;
    }
    fprintf(to,
            "%16" PRIu64
            " %13.2f %19.3f %12s %11.2f %11.2f %11.2f %11.3f %8ld  %-8s %s\n",
            r->bytes, t->mean, bandwidth, hccl_result_check(report, r), t->min, t->p50,
            t->p99, hccl_result_bus(report, r, bandwidth), t->count, hccl_print_place(r),
            r->side[0].path);
}

static void print_end(FILE *to, const struct hccl_report *report)
{
    fprintf(to, "\n");
    hccl_summary_print(to, report);
}

const struct hccl_printer hccl_print_table = {hccl_print_heading, print_op, print_row,
                                              print_end};
