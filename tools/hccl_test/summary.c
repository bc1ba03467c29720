// SPDX-License-Identifier: BSD-3-Clause
#include "summary.h"
#include "size.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIFFS = 64, LONGEST_CLIFF = 3 };

// Medians, which a few interrupted calls don't move.
static double bandwidth(const struct hccl_report *report, size_t index, int side)
{
    const struct hccl_result *r = &report->results[index];

    return hccl_result_bandwidth(r, r->side[side].time.typical);
}

// Whether results from..to are far lower than those around them; sets `cliff`. After the
// last result of a sweep there is none to look at: then the one before counts, if it is
// near in size (leaving a cache is no cliff), and the fall has to be deeper.
static bool is_cliff(const struct hccl_report *report, size_t from, size_t to, bool last,
                     int side, struct hccl_cliff *cliff)
{
    const double part = last ? 3 : 2;
    const uint64_t near = 4;
    double before = bandwidth(report, from - 1, side);
    double after = last ? before : bandwidth(report, to + 1, side);
    double expected = sqrt(before * after);
    double lowest = INFINITY;

    if (last && report->results[from].bytes / near > report->results[from - 1].bytes) {
        return false;
    }
    for (size_t i = from; i <= to; i++) {
        double b = bandwidth(report, i, side);
        // below each neighbour too, or a steep but steady rise would look like one
        if (b >= expected / part || b >= before / 1.2 || b >= after / 1.2) {
            return false;
        }
        lowest = b < lowest ? b : lowest;
    }
    *cliff = (struct hccl_cliff){from, to, side, lowest, expected};
    return true;
}

// Cliffs among results first..last, which are of one operation.
static size_t cliffs_of_op(const struct hccl_report *report, size_t first, size_t last,
                           int side, struct hccl_cliff *cliffs, size_t room)
{
    size_t found = 0;

    for (size_t at = first + 1; at <= last && found < room; at++) {
        for (size_t to = at; to <= last && to < at + LONGEST_CLIFF; to++) {
            if (is_cliff(report, at, to, to == last, side, &cliffs[found])) {
                found++;
                at = to;
                break;
            }
        }
    }
    return found;
}

// The last result after `first` that belongs to the same sweep through the sizes.
static size_t sweep_end(const struct hccl_report *report, size_t first)
{
    size_t last = first;

    while (last + 1 < report->count &&
           report->results[last + 1].op == report->results[first].op &&
           report->results[last + 1].bytes > report->results[last].bytes) {
        last++;
    }
    return last;
}

size_t hccl_summary_cliffs(const struct hccl_report *report, struct hccl_cliff *cliffs,
                           size_t room)
{
    size_t found = 0;

    for (size_t first = 0; first < report->count;) {
        size_t last = sweep_end(report, first);
        for (int side = 0; side < report->sides; side++) {
            found +=
                cliffs_of_op(report, first, last, side, cliffs + found, room - found);
        }
        first = last + 1;
    }
    return found;
}

double hccl_summary_speedup(const struct hccl_report *report, const struct hccl_op *op,
                            const char *place, size_t *sizes)
{
    double sum = 0;

    *sizes = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_result *r = &report->results[i];
        bool there = place == NULL ||
                     (!r->moved && strcmp(hccl_placement_name(&r->before), place) == 0);
        if (r->sides == 2 && there && (op == NULL || r->op == op)) {
            sum += log(r->ratio);
            *sizes += 1;
        }
    }
    return *sizes == 0 ? 0 : exp(sum / (double)*sizes);
}

static void print_speedup(FILE *to, const struct hccl_report *report,
                          const struct hccl_op *op)
{
    static const char *const places[] = {"near", "far"};
    size_t sizes = 0;
    double all = hccl_summary_speedup(report, op, NULL, &sizes);

    if (sizes == 0) {
        return;
    }
    fprintf(to, "# speed-up, %-20s %6.2f  (geometric mean of %zu size%s",
            op == NULL ? "everything" : op->name, all, sizes, sizes == 1 ? "" : "s");
    for (int i = 0; i < 2; i++) {
        double part = hccl_summary_speedup(report, op, places[i], &sizes);
        if (sizes > 0) {
            fprintf(to, "; cores %s: %.2f, %zu", places[i], part, sizes);
        }
    }
    fprintf(to, ")\n");
}

static bool has_results(const struct hccl_report *report, const struct hccl_op *op)
{
    for (size_t i = 0; i < report->count; i++) {
        if (report->results[i].op == op) {
            return true;
        }
    }
    return false;
}

static void print_speedups(FILE *to, const struct hccl_report *report)
{
    int ops = 0;

    for (int i = 0; i < hccl_op_count(); i++) {
        if (has_results(report, hccl_op_get(i))) {
            print_speedup(to, report, hccl_op_get(i));
            ops++;
        }
    }
    if (ops > 1) {
        print_speedup(to, report, NULL);
    }
}

static void print_slower(FILE *to, const struct hccl_report *report)
{
    const double slower = 0.95;

    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_result *r = &report->results[i];
        char size[HCCL_SIZE_TEXT];
        if (r->sides == 2 && r->ratio < slower) {
            fprintf(to, "# slower than stock: %s at %s: %.2f (%.2f to %.2f)\n",
                    r->op->name, hccl_size_print(r->bytes, size), r->ratio, r->ratio_low,
                    r->ratio_high);
        }
    }
}

static void print_moves(FILE *to, const struct hccl_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_result *r = &report->results[i];
        char size[HCCL_SIZE_TEXT];
        if (r->restarts == 0 && !r->moved) {
            continue;
        }
        fprintf(to, "# cores moved: %s at %s: %s after %d new start%s\n", r->op->name,
                hccl_size_print(r->bytes, size),
                r->moved ? "still moving, not comparable with the rest,"
                         : "measured in one place",
                r->restarts, r->restarts == 1 ? "" : "s");
    }
}

static void print_cliffs(FILE *to, const struct hccl_report *report)
{
    struct hccl_cliff cliffs[CLIFFS];
    size_t count = hccl_summary_cliffs(report, cliffs, CLIFFS);

    for (size_t i = 0; i < count; i++) {
        const struct hccl_cliff *c = &cliffs[i];
        char from[HCCL_SIZE_TEXT];
        char last[HCCL_SIZE_TEXT];
        hccl_size_print(report->results[c->first].bytes, from);
        hccl_size_print(report->results[c->last].bytes, last);
        fprintf(to,
                "# cliff: %s %s at %s%s%s: %.3g GB/s where its neighbours make %.3g "
                "expected\n",
                report->side_name[c->side], report->results[c->first].op->name, from,
                c->last > c->first ? " to " : "", c->last > c->first ? last : "",
                c->bandwidth, c->expected);
    }
}

static void print_wrong(FILE *to, const struct hccl_report *report)
{
    uint64_t wrong = hccl_report_wrong(report);

    if (report->options->check == 0) {
        fprintf(to, "# results were not checked\n");
        return;
    }
    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_result *r = &report->results[i];
        for (int side = 0; side < r->sides; side++) {
            char size[HCCL_SIZE_TEXT];
            if (r->side[side].wrong > 0) {
                fprintf(to, "# WRONG: %s %s at %s: %" PRIu64 " wrong elements\n",
                        report->side_name[side], r->op->name,
                        hccl_size_print(r->bytes, size), r->side[side].wrong);
            }
        }
    }
    fprintf(to, "# results checked: %s\n", wrong == 0 ? "all right" : "NOT RIGHT");
}

void hccl_summary_print(FILE *to, const struct hccl_report *report)
{
    print_speedups(to, report);
    print_slower(to, report);
    print_cliffs(to, report);
    print_moves(to, report);
    print_wrong(to, report);
}
