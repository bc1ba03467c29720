// SPDX-License-Identifier: BSD-3-Clause
#include "print.h"
#include "size.h"
#include "types.h"

#include <string.h>

const struct hccl_printer *hccl_print_get(int format)
{
    switch (format) {
    case HCCL_FORMAT_OSU:
        return &hccl_print_osu;
    case HCCL_FORMAT_NCCL:
        return &hccl_print_nccl;
    case HCCL_FORMAT_CSV:
        return &hccl_print_csv;
    case HCCL_FORMAT_JSON:
        return &hccl_print_json;
    default:
        return &hccl_print_table;
    }
}

static void print_cores(FILE *to, const struct hccl_report *report)
{
    const struct hccl_machine *m = &report->machine;
    const struct hccl_placement *p = &report->placement;
    char large[HCCL_SIZE_TEXT];

    if (p->known) {
        fprintf(
            to,
            "# cores of ranks 0 and 1: %s: cache line there and back %.3f us, exchanged "
            "%.3f us; copy of the other's data %.1f GB/s\n",
            hccl_placement_name(p), p->round_trip_us, p->exchange_us, p->copy_gbps);
    } else {
        fprintf(to, "# cores: placement not measured: %s\n",
                report->no_probe != NULL
                    ? report->no_probe
                    : "ranks 0 and 1 share one core, or were disturbed");
    }
    if (m->copy_small_gbps > 0) {
        fprintf(to, "# one core: memcpy %.1f GB/s at 64K", m->copy_small_gbps);
        if (m->copy_large_bytes > 0) {
            fprintf(to, ", %.1f GB/s at %s", m->copy_large_gbps,
                    hccl_size_print(m->copy_large_bytes, large));
        }
        fprintf(to, "; reading the clock %.3f us\n", m->clock_us);
    }
}

static void print_method(FILE *to, const struct hccl_report *report)
{
    const struct hccl_options *o = report->options;
    char from[HCCL_SIZE_TEXT];
    char align[HCCL_SIZE_TEXT];

    fprintf(
        to,
        "# method: barrier %s, time %s, %s of the calls, buffers %s aligned %s, input ",
        hccl_options_pause_name(o->pause),
        o->across_max ? "of the slowest rank" : "averaged over ranks",
        report->mean ? "mean" : "median",
        o->zero_copy != 0 ? "of MPI_Alloc_mem" : "ordinary",
        hccl_size_print(o->align, align));
    if (o->dirt == HCCL_DIRT_FROM) {
        fprintf(to, "rewritten before each call from %s up",
                hccl_size_print(o->dirt_from, from));
    } else {
        fprintf(to, "%s",
                o->dirt == HCCL_DIRT_ALWAYS ? "rewritten before each call"
                                            : "never rewritten");
    }
    fprintf(to, "%s\n", o->in_place ? ", in place" : "");
}

void hccl_print_heading(FILE *to, const struct hccl_report *report)
{
    const struct hccl_machine *m = &report->machine;

    fprintf(to, "# hccl_test: %s %s, %d rank%s%s on %d core%s (%s)\n",
            hccl_dtype_get(report->options->dtype)->name,
            hccl_redop_name(report->options->redop), m->ranks, m->ranks == 1 ? "" : "s",
            m->node_most < m->ranks ? ", the first node's" : "", m->cores,
            m->cores == 1 ? "" : "s", m->binding);
    fprintf(to, "# machine: %s, %s, %s; %s; %s\n", m->host, m->cpu, m->caches, m->kernel,
            m->mpi);
    print_cores(to, report);
    print_method(to, report);
    fprintf(to, "# malloc: %s\n", m->malloc_state);
    if (report->sides == 2 && strncmp(m->malloc_state, "as", 2) == 0) {
        fprintf(to, "# to have stock keep its temporaries: %s\n",
                hccl_machine_malloc_advice());
    }
    if (report->sides == 2 && !m->hccl) {
        fprintf(to,
                "# NOTE: coll_hccl is not in this MPI library: both sides are stock, and "
                "their ratio shows how fair the comparison is\n");
    }
}

const char *hccl_print_place(const struct hccl_result *result)
{
    const char *before = hccl_placement_name(&result->before);
    const char *after = hccl_placement_name(&result->after);

    if (strcmp(before, after) == 0) {
        return result->moved ? "moved" : before;
    }
    return strcmp(before, "near") == 0 ? "near>far" : "far>near";
}
