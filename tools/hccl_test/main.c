// SPDX-License-Identifier: BSD-3-Clause
// hccl_test: measures and checks MPI collectives. See docs/hccl_test.md.
#include "measure.h"
#include "options.h"
#include "plot.h"
#include "print.h"
#include "progress.h"
#include "sweep.h"
#include "types.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifndef HCCL_TEST_VERSION
#define HCCL_TEST_VERSION "0"
#endif

enum { EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_FILE = 3 };

/** A run: rank 0 prints and keeps the results, all ranks measure. */
struct run {
    struct hccl_options options;
    struct hccl_world world;
    struct hccl_buffers buffers;
    struct hccl_check check;
    struct hccl_probe probe;
    struct hccl_pvars pvars;
    struct hccl_measure measure;
    struct hccl_report report;
    struct hccl_progress progress;
    FILE *output; // --output, on rank 0
};

// Rank 0 says what is wrong; false, for the caller to return.
__attribute__((format(printf, 2, 3))) static bool refuse(const struct run *run,
                                                         const char *format, ...)
{
    va_list args;

    if (run->world.rank == 0) {
        fprintf(stderr, "hccl_test: ");
        va_start(args, format);
        vfprintf(stderr, format, args);
        va_end(args);
        fprintf(stderr, "\n");
    }
    return false;
}

// Refuses what only shows with the job at hand.
static bool fits_job(const struct run *run)
{
    const struct hccl_options *o = &run->options;
    const struct hccl_world *w = &run->world;
    uint64_t count = hccl_sweep_largest(&run->options, run->world.ranks);
    uint64_t need = 2 * count * hccl_dtype_get(o->dtype)->size * (uint64_t)w->node_most;
    uint64_t available = hccl_buffers_available();

    if (o->root >= w->ranks) {
        return refuse(run, "-r %ld: there are %d ranks; it takes 0 to %d", o->root,
                      w->ranks, w->ranks - 1);
    }
    if (o->ranks_per_node > 0 &&
        (w->node_least != o->ranks_per_node || w->node_most != o->ranks_per_node)) {
        return refuse(run, "-p %ld: the nodes of this job have %d to %d ranks",
                      o->ranks_per_node, w->node_least, w->node_most);
    }
    if (count > INT_MAX) {
        return refuse(run,
                      "-e %" PRIu64 ": %" PRIu64
                      " elements are more than the %d that MPI-3.1 "
                      "counts in one call; take a wider type with -d",
                      o->max_bytes, count, INT_MAX);
    }
    if (available > 0 && need > available / 10 * 9) {
        return refuse(run,
                      "-e %" PRIu64 ": the buffers need %" PRIu64
                      " MiB on a node, %" PRIu64 " MiB are free",
                      o->max_bytes, need >> 20, available >> 20);
    }
    return true;
}

// Opens what is to be written, so that a bad name shows before the measurement. Rank 0
// only.
static bool open_files(struct run *run)
{
    const struct hccl_options *o = &run->options;

    if (o->plot[0] != '\0') {
        FILE *file = fopen(o->plot, "w");
        if (file == NULL) {
            return refuse(run, "--plot %s: can't be written", o->plot);
        }
        fclose(file);
        if (!hccl_plot_available()) {
            return refuse(run,
                          "--plot %s: gnuplot is not installed (Debian: gnuplot-nox)",
                          o->plot);
        }
    }
    if (o->output[0] != '\0') {
        run->output = fopen(o->output, "w");
        if (run->output == NULL) {
            return refuse(run, "--output %s: can't be written", o->output);
        }
    }
    return true;
}

// Parses on rank 0 and gives everyone the same. Returns the exit status, or -1 to go on.
static int read_options(struct run *run, int argc, char **argv)
{
    int parsed = HCCL_PARSED_RUN;

    if (run->world.rank == 0) {
        parsed = (int)hccl_options_parse(&run->options, argc, argv);
        if (parsed == HCCL_PARSED_HELP) {
            hccl_options_usage(stdout, "hccl_test");
        } else if (parsed == HCCL_PARSED_VERSION) {
            printf("hccl_test %s\n", HCCL_TEST_VERSION);
        } else if (parsed == HCCL_PARSED_BAD) {
            refuse(run, "%s", run->options.error);
        } else if (!open_files(run)) {
            parsed = HCCL_PARSED_BAD;
        }
    }
    MPI_Bcast(&parsed, 1, MPI_INT, 0, run->world.control);
    MPI_Bcast(&run->options, (int)sizeof(run->options), MPI_BYTE, 0, run->world.control);
    if (parsed == HCCL_PARSED_RUN && !fits_job(run)) {
        parsed = HCCL_PARSED_BAD;
    }
    MPI_Bcast(&parsed, 1, MPI_INT, 0,
              run->world.control); // free memory differs between nodes
    return parsed == HCCL_PARSED_RUN ? -1 : parsed == HCCL_PARSED_BAD ? EXIT_USAGE : 0;
}

// The communicators under test, with their names.
static void create_sides(struct run *run)
{
    static const char *const names[] = {"default", "hccl", "stock"};
    static const char *const enable[] = {NULL, "1", "0"};
    struct hccl_measure *m = &run->measure;

    if (run->options.compare) {
        m->sides = 2;
        m->side[0] = hccl_world_duplicate("0");
        m->side[1] = hccl_world_duplicate("1");
        run->report.side_name[0] = "stock";
        run->report.side_name[1] = "hccl";
    } else {
        m->sides = 1;
        m->side[0] = hccl_world_duplicate(enable[run->options.choice]);
        run->report.side_name[0] = names[run->options.choice];
    }
    run->report.sides = m->sides;
}

// Memory and what else a measurement needs; false when there is not enough of it.
static bool prepare(struct run *run)
{
    const struct hccl_options *o = &run->options;
    struct hccl_measure *m = &run->measure;
    size_t capacity = (size_t)hccl_sweep_largest(&run->options, run->world.ranks) *
                      hccl_dtype_get(o->dtype)->size;
    size_t ranks = (size_t)run->world.ranks;

    m->counts = malloc(ranks * sizeof(*m->counts));
    m->starts = malloc(ranks * sizeof(*m->starts));
    int lacks = m->counts == NULL || m->starts == NULL ||
                hccl_buffers_create(&run->buffers, capacity, (size_t)o->align,
                                    o->zero_copy != 0) != 0 ||
                hccl_check_create(&run->check, o->dtype, o->redop, run->world.rank,
                                  run->world.ranks) != 0;
    MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, run->world.control);
    if (lacks) {
        return refuse(run, "not enough memory for two buffers of %zu bytes per rank",
                      capacity);
    }
    create_sides(run);
    hccl_pvars_open(&run->pvars, m->side[m->sides - 1]);
    hccl_probe_create(&run->probe, &run->world, o->probe);
    m->options = o;
    m->world = &run->world;
    m->buffers = &run->buffers;
    m->check = &run->check;
    m->probe = &run->probe;
    m->pvars = &run->pvars;
    return true;
}

static void describe(struct run *run)
{
    struct hccl_report *r = &run->report;

    r->options = &run->options;
    r->ranks = run->world.ranks;
    r->no_probe = run->probe.reason;
    r->placement = hccl_probe_measure(&run->probe);
    hccl_machine_describe(&r->machine, &run->world, run->pvars.loaded, &run->buffers);
    bool crowded = r->machine.node_most > r->machine.cores;
    r->mean = r->options->typical == HCCL_TYPICAL_MEAN ||
              (r->options->typical == HCCL_TYPICAL_AUTO && crowded);
    run->measure.mean = r->mean;
}

// Printers of the screen and of --output, which write the same events.
static const struct hccl_printer *file_printer(const struct run *run)
{
    const char *name = run->options.output;
    bool json = strcmp(name + strlen(name) - 5, ".json") == 0;

    return hccl_print_get(json ? HCCL_FORMAT_JSON : HCCL_FORMAT_CSV);
}

enum event { EVENT_BEGIN, EVENT_OP, EVENT_ROW, EVENT_END };

static void print_event(FILE *to, const struct hccl_printer *printer, enum event event,
                        const struct hccl_report *report, const struct hccl_op *op)
{
    if (event == EVENT_BEGIN && printer->begin != NULL) {
        printer->begin(to, report);
    } else if (event == EVENT_OP && printer->op != NULL) {
        printer->op(to, report, op);
    } else if (event == EVENT_ROW && printer->row != NULL) {
        printer->row(to, report, &report->results[report->count - 1]);
    } else if (event == EVENT_END && printer->end != NULL) {
        printer->end(to, report);
    }
    fflush(to);
}

static void tell(struct run *run, enum event event, const struct hccl_op *op)
{
    if (run->world.rank != 0) {
        return;
    }
    hccl_progress_clear(&run->progress);
    print_event(stdout, hccl_print_get(run->options.format), event, &run->report, op);
    if (run->output != NULL) {
        print_event(run->output, file_printer(run), event, &run->report, op);
    }
}

// Measures one size and reports it. 0, or -1 without memory.
static int measure_one(struct run *run, const struct hccl_op *op, uint64_t count)
{
    struct hccl_result result;

    if (run->world.rank == 0) {
        hccl_progress_step(&run->progress, op->name,
                           count * hccl_dtype_get(run->options.dtype)->size);
    }
    if (hccl_measure_size(&run->measure, op, count, &result) != 0) {
        return -1;
    }
    int rc = run->world.rank == 0 ? hccl_report_add(&run->report, &result) : 0;
    MPI_Bcast(&rc, 1, MPI_INT, 0, run->world.control);
    if (rc == 0) {
        tell(run, EVENT_ROW, op);
    }
    return rc;
}

static int measure_op(struct run *run, const struct hccl_op *op)
{
    uint64_t bytes = 0;
    uint64_t count = 0;
    int rc = 0;

    tell(run, EVENT_OP, op);
    if (op->shape == HCCL_SHAPE_NOTHING) {
        return measure_one(run, op, 0);
    }
    while (rc == 0 && (count = hccl_sweep_next(&run->options, op, run->world.ranks, count,
                                               &bytes)) != 0) {
        rc = measure_one(run, op, count);
    }
    return rc;
}

static bool measure_all(struct run *run)
{
    const struct hccl_options *o = &run->options;

    if (run->world.rank == 0) {
        hccl_progress_create(&run->progress, o->progress,
                             hccl_sweep_length(o, run->world.ranks));
    }
    tell(run, EVENT_BEGIN, NULL);
    for (long cycle = 0; o->cycles == 0 || cycle < o->cycles; cycle++) {
        for (int i = 0; i < o->ops; i++) {
            if (measure_op(run, hccl_op_get(o->op[i])) != 0) {
                return refuse(run, "not enough memory for the times");
            }
        }
        if (o->cycles == 0) {
            run->report.count = 0; // a run without end keeps nothing
        }
    }
    tell(run, EVENT_END, NULL);
    // csv is for programs; what people should know goes beside it
    if (run->world.rank == 0 && o->format == HCCL_FORMAT_CSV &&
        hccl_report_wrong(&run->report) > 0) {
        fprintf(stderr, "hccl_test: wrong results, see the column check_result\n");
    }
    return true;
}

static void clean_up(struct run *run)
{
    hccl_pvars_close(&run->pvars);
    hccl_probe_destroy(&run->probe);
    for (int i = 0; i < run->measure.sides; i++) {
        MPI_Comm_free(&run->measure.side[i]);
    }
    hccl_buffers_destroy(&run->buffers);
    hccl_check_destroy(&run->check);
    free(run->measure.counts);
    free(run->measure.starts);
    hccl_world_destroy(&run->world);
}

// Rank 0's last duties, with MPI finalized; its exit status is the job's.
static int conclude(struct run *run, int status)
{
    if (run->output != NULL && fclose(run->output) != 0) {
        refuse(run, "--output %s: could not be written", run->options.output);
        status = EXIT_FILE;
    }
    if (run->report.count > 0 && run->options.plot[0] != '\0' &&
        hccl_plot_write(&run->report) != 0) {
        refuse(run, "--plot %s: gnuplot failed; its script is %s.gp", run->options.plot,
               run->options.plot);
        status = EXIT_FILE;
    }
    if (hccl_report_wrong(&run->report) > 0) {
        status = EXIT_WRONG;
    }
    hccl_report_destroy(&run->report);
    return status;
}

int main(int argc, char **argv)
{
    static struct run run;

    MPI_Init(&argc, &argv);
    hccl_world_create(&run.world);
    int status = read_options(&run, argc, argv);
    if (status < 0) {
        status = EXIT_USAGE;
        if (prepare(&run)) {
            describe(&run);
            status = measure_all(&run) ? 0 : EXIT_USAGE;
        }
    }
    clean_up(&run);
    MPI_Finalize();
    // a launcher ends the others when one fails, rank 0 while it draws: they report
    // nothing
    return run.world.rank == 0 ? conclude(&run, status) : 0;
}
