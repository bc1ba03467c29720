// SPDX-License-Identifier: BSD-3-Clause
#include "plot.h"
#include "size.h"
#include "types.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool hccl_plot_available(void)
{
    const char *path = getenv("PATH");
    char copy[4096];
    char file[4200];
    char *rest = NULL;

    if (path == NULL || strlen(path) >= sizeof(copy)) {
        return false;
    }
    strcpy(copy, path);
    for (char *dir = strtok_r(copy, ":", &rest); dir != NULL;
         dir = strtok_r(NULL, ":", &rest)) {
        snprintf(file, sizeof(file), "%s/gnuplot", dir);
        if (access(file, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

// Operations that moved data, in the order they were measured in.
static int list_ops(const struct hccl_report *report, const struct hccl_op *ops[],
                    int room)
{
    int count = 0;

    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_op *op = report->results[i].op;
        bool seen = op->shape == HCCL_SHAPE_NOTHING;
        for (int k = 0; k < count; k++) {
            seen = seen || ops[k] == op;
        }
        if (!seen && count < room) {
            ops[count] = op;
            count++;
        }
    }
    return count;
}

// Of the last side, which is hccl's when two are compared.
static double bus_bandwidth(const struct hccl_report *report, const struct hccl_result *r)
{
    double us = r->side[r->sides - 1].time.typical;

    return hccl_result_bus(report, r, hccl_result_bandwidth(r, us));
}

// Columns: bytes, time of each side (of the only one twice), bus bandwidth, ratio, its
// ends.
static void write_data(FILE *to, const struct hccl_report *report,
                       const struct hccl_op *op, int index)
{
    fprintf(to, "$op%d << END\n", index);
    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_result *r = &report->results[i];
        if (r->op != op) {
            continue;
        }
        const struct hccl_side_result *last = &r->side[r->sides - 1];
        fprintf(to, "%" PRIu64 " %.6g %.6g %.6g %.6g %.6g %.6g\n", r->bytes,
                r->side[0].time.typical, last->time.typical, bus_bandwidth(report, r),
                r->ratio, r->ratio_low, r->ratio_high);
    }
    fprintf(to, "END\n");
}

static void widen(double value, double *low, double *high)
{
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

// Tics at powers of `step` with sizes for names: 4, 64, 1K, ...
static void write_size_tics(FILE *to, const struct hccl_report *report, bool names)
{
    const uint64_t step = 16;
    uint64_t low = UINT64_MAX;
    uint64_t high = 1;

    for (size_t i = 0; i < report->count; i++) {
        uint64_t bytes = report->results[i].bytes;
        low = bytes > 0 && bytes < low ? bytes : low;
        high = bytes > high ? bytes : high;
    }
    fprintf(to, "set xrange [%g:%g]\nset xtics nomirror (", (double)low / 1.5,
            (double)high * 1.5);
    const char *comma = "";
    for (uint64_t at = 4; at <= high && at < UINT64_C(1) << 58; at *= step) {
        char text[HCCL_SIZE_TEXT];
        if (at >= low) {
            fprintf(to, "%s\"%s\" %" PRIu64, comma,
                    names ? hccl_size_print(at, text) : "", at);
            comma = ", ";
        }
    }
    fprintf(to, ")\n");
}

// One range of times and one of ratios for all columns, so that they can be compared by
// eye.
static void write_ranges(FILE *to, const struct hccl_report *report)
{
    double least = INFINITY, most = 0;
    double low = 0.8, high = 1.5;
    double slow = INFINITY, fast = 0;

    for (size_t i = 0; i < report->count; i++) {
        const struct hccl_result *r = &report->results[i];
        for (int side = 0; side < r->sides; side++) {
            widen(r->side[side].time.typical, &least, &most);
        }
        double rate = bus_bandwidth(report, r);
        if (rate > 0) {
            widen(rate, &slow, &fast);
        }
        if (r->sides == 2) {
            widen(r->ratio_low, &low, &high);
            widen(r->ratio_high, &low, &high);
        }
    }
    fprintf(to, "time_low = %g\ntime_high = %g\nratio_low = %g\nratio_high = %g\n",
            least * 1e-6 / 1.5, most * 1e-6 * 1.5, low / 1.1, high * 1.1);
    fprintf(to, "rate_low = %g\nrate_high = %g\n", fast > 0 ? slow / 1.5 : 1,
            fast > 0 ? fast * 1.5 : 10);
}

static void write_prologue(FILE *to, const struct hccl_report *report, int columns)
{
    const char *file = report->options->plot;
    bool svg = strcmp(file + strlen(file) - 4, ".svg") == 0;
    int width = columns == 1 ? 720 : 100 + 380 * columns;
    const struct hccl_machine *m = &report->machine;

    fprintf(to, "set terminal %s size %d,640 font 'DejaVu Sans,11'%s\nset output '",
            svg ? "svg" : "pngcairo", width, svg ? " background 'white'" : "");
    for (const char *c = file; *c != '\0'; c++) {
        fputc(*c, to);
        if (*c == '\'') {
            fputc(*c, to); // gnuplot wants a quote doubled
        }
    }
    fprintf(to, "'\n");
    fprintf(to, "set multiplot\nset encoding utf8\nset micro\n");
    fprintf(to,
            "set label 1 \"%d ranks on %d cores, %s %s\" at screen 0.5,0.965 center "
            "font ',13' noenhanced\n",
            m->ranks, m->cores, hccl_dtype_get(report->options->dtype)->name,
            hccl_redop_name(report->options->redop));
    fprintf(to,
            "set label 2 \"%s, %s, %s\" at screen 0.5,0.928 center font ',9' "
            "textcolor '#666666' noenhanced\n",
            m->cpu, m->mpi, m->kernel);
    fprintf(
        to,
        "set style line 1 linewidth 2 linecolor '#8a8f98' pointtype 7 pointsize 0.45\n"
        "set style line 2 linewidth 2.2 linecolor '#1667b7' pointtype 7 pointsize 0.45\n"
        "set style line 3 linewidth 1 linecolor '#e3e5e8'\n"
        "set style line 4 linewidth 1 linecolor '#b5482f' dashtype 2\n"
        "set border 3 linecolor '#555555'\nset grid linestyle 3\n"
        "set logscale x 2\nset format x ''\nset tics nomirror scale 0.5\n"
        "set key top left reverse Left samplen 2 noenhanced\n");
}

// The upper panel of a column: times.
static void write_times(FILE *to, const struct hccl_report *report,
                        const struct hccl_op *op, int index, double left, double right)
{
    fprintf(to, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left, right);
    fprintf(to, "set tmargin at screen 0.86\nset bmargin at screen 0.40\n");
    fprintf(to, "set title \"%s\" noenhanced offset 0,-0.5\nset logscale y 10\n",
            op->name);
    fprintf(to,
            "set yrange [time_low:time_high]\nset format y '%s'\nset ytics autofreq\n"
            "set xlabel ''\n",
            index == 0 ? "%.0s %cs" : "");
    write_size_tics(to, report, false);
    fprintf(to, "set ylabel '%s'\n", index == 0 ? "typical time" : "");
    if (report->sides == 2) {
        fprintf(
            to,
            "plot $op%d using 1:($2*1e-6) with linespoints linestyle 1 title 'stock', "
            "$op%d using 1:($3*1e-6) with linespoints linestyle 2 title 'hccl'\n",
            index, index);
    } else {
        fprintf(to,
                "plot $op%d using 1:($2*1e-6) with linespoints linestyle 2 title '%s'\n",
                index, report->side_name[0]);
    }
    fprintf(to, "unset label 1\nunset label 2\n");
}

// The lower panel: speed-up and its spread, or bandwidth.
static void write_gain(FILE *to, const struct hccl_report *report, int index)
{
    fprintf(to, "set tmargin at screen 0.35\nset bmargin at screen 0.11\nset title ''\n"
                "set xlabel 'message size (bytes)'\n");
    write_size_tics(to, report, true);
    if (report->sides == 2) {
        fprintf(
            to,
            "set yrange [ratio_low:ratio_high]\nset logscale y 2\n"
            "if (ratio_high / ratio_low < 5) { set ytics (0.5, 0.7, 0.8, 0.9, 1, 1.1, "
            "1.25, 1.5, 2, 2.5, 3) } else { set ytics (0.125, 0.25, 0.5, 1, 2, 4, 8, "
            "16, 32, 64, 128) }\n"
            "set format y '%s'\nset ylabel '%s'\n"
            "plot $op%d using 1:6:7 with filledcurves fillcolor '#1667b7' "
            "fillstyle transparent solid 0.18 noborder notitle, "
            "1 with lines linestyle 4 notitle, "
            "$op%d using 1:5 with linespoints linestyle 2 notitle\n",
            index == 0 ? "%g" : "", index == 0 ? "speed-up (stock / hccl)" : "", index,
            index);
        return;
    }
    fprintf(to,
            "set yrange [rate_low:rate_high]\nset logscale y 10\nset format y '%s'\n"
            "set ylabel '%s'\n"
            "plot $op%d using 1:4 with linespoints linestyle 2 notitle\n",
            index == 0 ? "%g" : "", index == 0 ? "bus bandwidth (GB/s)" : "", index);
}

static void write_script(FILE *to, const struct hccl_report *report,
                         const struct hccl_op *const ops[], int columns)
{
    double margin = columns == 1 ? 0.12 : 86.0 / (100 + 380 * columns);
    double each = (0.985 - margin) / columns;

    write_prologue(to, report, columns);
    write_ranges(to, report);
    for (int i = 0; i < columns; i++) {
        write_data(to, report, ops[i], i);
    }
    for (int i = 0; i < columns; i++) {
        double left = margin + i * each;
        write_times(to, report, ops[i], i, left,
                    left + each - (columns == 1 ? 0.0 : 0.012));
        write_gain(to, report, i);
    }
    fprintf(to, "unset multiplot\n");
}

// Runs gnuplot on the script; without a shell, so that any file name will do.
static int run_gnuplot(const char *script)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return -1;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

int hccl_plot_write(const struct hccl_report *report)
{
    enum { COLUMNS = 7 };
    const struct hccl_op *ops[COLUMNS];
    int columns = list_ops(report, ops, COLUMNS);
    char script[HCCL_OPTIONS_TEXT + 4];

    if (columns == 0) {
        return -1;
    }
    snprintf(script, sizeof(script), "%s.gp", report->options->plot);
    FILE *to = fopen(script, "w");
    if (to == NULL) {
        return -1;
    }
    write_script(to, report, ops, columns);
    return fclose(to) != 0 ? -1 : run_gnuplot(script);
}
