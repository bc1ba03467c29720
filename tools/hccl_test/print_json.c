// SPDX-License-Identifier: BSD-3-Clause
#include "print.h"
#include "summary.h"
#include "types.h"

#include <inttypes.h>

static void print_text(FILE *to, const char *name, const char *text)
{
    fprintf(to, "\"%s\": \"", name);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(to, "\\%c", *c);
        } else if (*c < 0x20) {
            fprintf(to, "\\u%04x", *c);
        } else {
            fputc(*c, to);
        }
    }
    fputc('"', to);
}

static void print_placement(FILE *to, const char *name, const struct hccl_placement *p)
{
    if (!p->known) {
        fprintf(to, "\"%s\": null", name);
        return;
    }
    fprintf(to,
            "\"%s\": {\"cores\": \"%s\", \"round_trip_us\": %.6g, \"exchange_us\": %.6g, "
            "\"copy_GBps\": %.6g}",
            name, hccl_placement_name(p), p->round_trip_us, p->exchange_us, p->copy_gbps);
}

static void print_machine(FILE *to, const struct hccl_report *report)
{
    const struct hccl_machine *m = &report->machine;
    const struct {
        const char *name;
        const char *text;
    } texts[] = {
        {"host", m->host},           {"cpu", m->cpu}, {"caches", m->caches},
        {"kernel", m->kernel},       {"mpi", m->mpi}, {"binding", m->binding},
        {"malloc", m->malloc_state},
    };

    fprintf(to, "  \"machine\": {\n");
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        fprintf(to, "    ");
        print_text(to, texts[i].name, texts[i].text);
        fprintf(to, ",\n");
    }
    fprintf(
        to,
        "    \"cores\": %d, \"ranks\": %d, \"hccl_loaded\": %s, \"clock_us\": %.4g,\n",
        m->cores, m->ranks, m->hccl ? "true" : "false", m->clock_us);
    fprintf(to,
            "    \"memcpy_64K_GBps\": %.4g, \"memcpy_large_bytes\": %zu, "
            "\"memcpy_large_GBps\": %.4g,\n    ",
            m->copy_small_gbps, m->copy_large_bytes, m->copy_large_gbps);
    print_placement(to, "placement", &report->placement);
    fprintf(to, "\n  },\n");
}

static void print_options(FILE *to, const struct hccl_report *report)
{
    const struct hccl_options *o = report->options;

    fprintf(to,
            "  \"options\": {\"type\": \"%s\", \"redop\": \"%s\", \"root\": %ld, "
            "\"check\": %ld, "
            "\"in_place\": %s, \"alloc_mem\": %s, \"align\": %" PRIu64
            ", \"barrier\": \"%s\", "
            "\"across_ranks\": \"%s\", \"compare\": %s},\n",
            hccl_dtype_get(o->dtype)->name, hccl_redop_name(o->redop), o->root, o->check,
            o->in_place ? "true" : "false", o->zero_copy != 0 ? "true" : "false",
            o->align, hccl_options_pause_name(o->pause), o->across_max ? "max" : "avg",
            o->compare ? "true" : "false");
}

static void print_side(FILE *to, const struct hccl_report *report,
                       const struct hccl_result *r, int side)
{
    const struct hccl_side_result *s = &r->side[side];
    double bandwidth = hccl_result_bandwidth(r, s->time.mean);

    fprintf(
        to,
        "      {\"side\": \"%s\", \"calls\": %ld, \"mean_us\": %.6g, \"min_us\": %.6g, "
        "\"p50_us\": %.6g, \"p99_us\": %.6g, \"max_us\": %.6g, \"algbw_GBps\": %.6g, "
        "\"busbw_GBps\": %.6g, ",
        report->side_name[side], s->time.count, s->time.mean, s->time.min, s->time.p50,
        s->time.p99, s->time.max, bandwidth, hccl_result_bus(report, r, bandwidth));
    if (report->options->check == 0) {
        fprintf(to, "\"wrong\": null, ");
    } else {
        fprintf(to, "\"wrong\": %" PRIu64 ", ", s->wrong);
    }
    print_text(to, "algorithm", s->path);
    fprintf(to, "}%s\n", side + 1 < r->sides ? "," : "");
}

static void print_result(FILE *to, const struct hccl_report *report, size_t index)
{
    const struct hccl_result *r = &report->results[index];

    fprintf(to,
            "    {\"operation\": \"%s\", \"bytes\": %" PRIu64 ", \"count\": %" PRIu64
            ", \"dirty\": %s, ",
            r->op->name, r->bytes, r->count, r->dirty ? "true" : "false");
    if (r->sides == 2) {
        fprintf(to, "\"speedup\": %.6g, \"speedup_p10\": %.6g, \"speedup_p90\": %.6g, ",
                r->ratio, r->ratio_low, r->ratio_high);
    }
    fprintf(to, "\"blocks\": %ld, \"restarts\": %d, \"moved\": %s,\n     ", r->blocks,
            r->restarts, r->moved ? "true" : "false");
    print_placement(to, "before", &r->before);
    fprintf(to, ",\n     ");
    print_placement(to, "after", &r->after);
    fprintf(to, ",\n     \"sides\": [\n");
    for (int side = 0; side < r->sides; side++) {
        print_side(to, report, r, side);
    }
    fprintf(to, "     ]}%s\n", index + 1 < report->count ? "," : "");
}

static void print_cliffs(FILE *to, const struct hccl_report *report)
{
    enum { CLIFFS = 64 };
    struct hccl_cliff cliffs[CLIFFS];
    size_t count = hccl_summary_cliffs(report, cliffs, CLIFFS);

    fprintf(to, "  \"cliffs\": [");
    for (size_t i = 0; i < count; i++) {
        const struct hccl_cliff *c = &cliffs[i];
        fprintf(
            to,
            "%s\n    {\"operation\": \"%s\", \"side\": \"%s\", \"from_bytes\": %" PRIu64
            ", \"to_bytes\": %" PRIu64 ", \"GBps\": %.6g, \"expected_GBps\": %.6g}",
            i > 0 ? "," : "", report->results[c->first].op->name,
            report->side_name[c->side], report->results[c->first].bytes,
            report->results[c->last].bytes, c->bandwidth, c->expected);
    }
    fprintf(to, "],\n");
}

static void print_summary(FILE *to, const struct hccl_report *report)
{
    size_t sizes = 0;
    double all = hccl_summary_speedup(report, NULL, NULL, &sizes);

    fprintf(to, "  \"speedup\": {");
    if (sizes > 0) {
        fprintf(to, "\"everything\": %.6g", all);
    }
    for (int i = 0; i < hccl_op_count(); i++) {
        double part = hccl_summary_speedup(report, hccl_op_get(i), NULL, &sizes);
        if (sizes > 0) {
            fprintf(to, ", \"%s\": %.6g", hccl_op_get(i)->name, part);
        }
    }
    fprintf(to, "},\n  \"wrong\": %" PRIu64 "\n", hccl_report_wrong(report));
}

static void print_end(FILE *to, const struct hccl_report *report)
{
    fprintf(to, "{\n  \"program\": \"hccl_test\",\n");
    print_machine(to, report);
    print_options(to, report);
    fprintf(to, "  \"results\": [\n");
    for (size_t i = 0; i < report->count; i++) {
        print_result(to, report, i);
    }
    fprintf(to, "  ],\n");
    print_cliffs(to, report);
    print_summary(to, report);
    fprintf(to, "}\n");
}

const struct hccl_printer hccl_print_json = {NULL, NULL, NULL, print_end};
