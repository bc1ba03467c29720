// SPDX-License-Identifier: BSD-3-Clause
#include "print.h"
#include "types.h"

#include <inttypes.h>

static void print_begin(FILE *to, const struct hccl_report *report)
{
    (void)report;
    fprintf(
        to,
        "operation,bytes,count,type,redop,root,ranks,in_place,dirty,side,calls,mean_us,"
        "min_us,p50_us,p99_us,max_us,algbw_GBps,busbw_GBps,wrong,check_result,algorithm,"
        "speedup,speedup_p10,speedup_p90,blocks,cores,round_trip_before_us,"
        "round_trip_after_us,restarts\n");
}

// An empty field where there is no value.
static void print_number(FILE *to, bool known, double value)
{
    if (known) {
        fprintf(to, ",%.6g", value);
    } else {
        fprintf(to, ",");
    }
}

static void print_side(FILE *to, const struct hccl_report *report,
                       const struct hccl_result *r, int side)
{
    const struct hccl_options *o = report->options;
    const struct hccl_side_result *s = &r->side[side];
    double bandwidth = hccl_result_bandwidth(r, s->time.mean);
    bool pair = r->sides == 2;

    fprintf(to, "%s,%" PRIu64 ",%" PRIu64 ",%s,%s", r->op->name, r->bytes, r->count,
            hccl_dtype_get(o->dtype)->name,
            hccl_op_reduces(r->op) ? hccl_redop_name(o->redop) : "");
    print_number(to, hccl_op_has_root(r->op), (double)o->root);
    fprintf(to, ",%d,%d,%d,%s,%ld,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", report->ranks,
            o->in_place, r->dirty, report->side_name[side], s->time.count, s->time.mean,
            s->time.min, s->time.p50, s->time.p99, s->time.max, bandwidth,
            hccl_result_bus(report, r, bandwidth));
    print_number(to, o->check != 0, (double)s->wrong);
    fprintf(to, ",%s,%s",
            o->check == 0   ? "NULL"
            : s->wrong == 0 ? "success"
                            : "failed",
            s->path);
    print_number(to, pair, r->ratio);
    print_number(to, pair, r->ratio_low);
    print_number(to, pair, r->ratio_high);
    fprintf(to, ",%ld,%s", r->blocks, hccl_print_place(r));
    print_number(to, r->before.known, r->before.round_trip_us);
    print_number(to, r->after.known, r->after.round_trip_us);
    fprintf(to, ",%d\n", r->restarts);
}

static void print_row(FILE *to, const struct hccl_report *report,
                      const struct hccl_result *r)
{
    for (int side = 0; side < r->sides; side++) {
        print_side(to, report, r, side);
    }
}

const struct hccl_printer hccl_print_csv = {print_begin, NULL, print_row, NULL};
