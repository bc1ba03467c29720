// SPDX-License-Identifier: BSD-3-Clause
#include "print.h"
#include "summary.h"
#include "types.h"

#include <inttypes.h>
#include <string.h>

static void print_op(FILE *to, const struct hccl_report *report, const struct hccl_op *op)
{
    const char *single = report->options->in_place ? "in-place" : "out-of-place";

    fprintf(to, "#\n# %s\n#%66s", op->name, "");
    for (int side = 0; side < report->sides; side++) {
        fprintf(to, "%24s %12s", report->sides == 2 ? report->side_name[side] : single,
                "");
    }
    fprintf(to, "\n#%12s %14s %9s %7s %7s ", "size", "count", "type", "redop", "root");
    for (int side = 0; side < report->sides; side++) {
        fprintf(to, " %10s %7s %7s %7s", "time", "algbw", "busbw", "#wrong");
    }
    fprintf(to, "\n#%12s %14s %9s %7s %7s ", "(B)", "(elements)", "", "", "");
    for (int side = 0; side < report->sides; side++) {
        fprintf(to, " %10s %7s %7s %7s", "(us)", "(GB/s)", "(GB/s)", "");
    }
    fprintf(to, "\n");
}

static void print_row(FILE *to, const struct hccl_report *report,
                      const struct hccl_result *r)
{
    const char *redop = "none";
    long root = -1;

    if (hccl_op_reduces(r->op)) {
        redop = hccl_redop_name(report->options->redop);
    }
    if (hccl_op_has_root(r->op)) {
        root = report->options->root;
    }
    fprintf(to, " %12" PRIu64 " %14" PRIu64 " %9s %7s %7ld ", r->bytes, r->count,
            hccl_dtype_get(report->options->dtype)->name, redop, root);
    for (int side = 0; side < r->sides; side++) {
        const struct hccl_side_result *s = &r->side[side];
        double us = r->sides == 2 ? s->time.typical : s->time.mean;
        double bandwidth = hccl_result_bandwidth(r, us);
        char wrong[24] = "N/A";
        if (report->options->check != 0) {
            snprintf(wrong, sizeof(wrong), "%" PRIu64, s->wrong);
        }
        fprintf(to, " %10.2f %7.2f %7.2f %7s", us, bandwidth,
                hccl_result_bus(report, r, bandwidth), wrong);
    }
    fprintf(to, "\n");
}

static void print_end(FILE *to, const struct hccl_report *report)
{
    double sum = 0;

    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_result *r = &report->results[i];
        const struct hccl_stats *t = &r->side[r->sides - 1].time;
        sum += hccl_result_bus(
            report, r, hccl_result_bandwidth(r, r->sides == 2 ? t->typical : t->mean));
    }
    fprintf(to, "# Out of bounds values : %" PRIu64 " %s\n", hccl_report_wrong(report),
            hccl_report_wrong(report) == 0 ? "OK" : "FAILED");
    fprintf(to, "# Avg bus bandwidth    : %g\n#\n",
            report->count == 0 ? 0 : sum / (double)report->count);
    hccl_summary_print(to, report);
}

const struct hccl_printer hccl_print_nccl = {hccl_print_heading, print_op, print_row,
                                             print_end};
