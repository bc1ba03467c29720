// SPDX-License-Identifier: BSD-3-Clause
#include "measure.h"
#include "clock.h"
#include "pause.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_BLOCKS = 3, GOOD_BLOCKS = 5, MOST_PER_BLOCK = 1000, MOST_RESTARTS = 3 };

// The work on one size.
struct work {
    struct hccl_measure *m;
    struct hccl_call call;
    bool dirty;
    long most_blocks; // planned, per side
    long blocks;      // done, per side; block b has the calls from first_call(b) on
    long calls;       // timed ones that are planned, per side
    bool timed_out;   // blocks end when the time for the size is over
    double *times[HCCL_RESULT_SIDES];
    uint64_t wrong[HCCL_RESULT_SIDES];
};

// Rank 0's value for everyone.
static double agree(const struct hccl_measure *m, double value)
{
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, m->world->control);
    return value;
}

static void next_input(struct work *w)
{
    w->m->seed++;
    hccl_check_fill(w->m->check, &w->call, w->m->seed);
}

static void check(struct work *w, int side)
{
    w->wrong[side] += hccl_check_wrong(w->m->check, &w->call, w->m->seed);
}

// A call that is not timed, with fresh input and, if wanted, a checked result.
static void run_checked(struct work *w, int side)
{
    bool checks = w->m->options->check != 0;

    next_input(w);
    if (checks) {
        hccl_check_poison(w->m->check, &w->call, w->m->seed);
    }
    hccl_pause_all(w->m->world, w->m->options->pause, w->m->side[side]);
    w->call.op->run(&w->call, w->m->side[side]);
    if (checks) {
        check(w, side);
    }
}

// `count` calls; their times go to `times` unless that is NULL.
static void run_calls(struct work *w, int side, long count, double *times)
{
    struct hccl_measure *m = w->m;
    MPI_Comm comm = m->side[side];

    for (long i = 0; i < count; i++) {
        if (w->dirty) {
            next_input(w);
        }
        if (m->options->check == 2) {
            hccl_check_poison(m->check, &w->call, m->seed);
        }
        hccl_pause_all(m->world, m->options->pause, comm);
        double start = hccl_clock_us();
        w->call.op->run(&w->call, comm);
        double took = hccl_clock_us() - start;
        if (times != NULL) {
            times[i] = took;
        }
        if (m->options->check == 2) {
            check(w, side);
        }
    }
}

// The calls of block `block` begin with this one; those of the last end with
// first_call(blocks).
static long first_call(const struct work *w, long block)
{
    return w->calls * block / w->most_blocks;
}

static void run_block(struct work *w, int side, long block)
{
    const size_t large = 1 << 20;
    long from = first_call(w, block);
    long to = first_call(w, block + 1);

    // a large message leaves nothing of the other side in the caches; its check would
    // cost most
    if (block == 0 || (size_t)w->call.count * w->call.element_size < large) {
        run_checked(w, side);
    }
    run_calls(w, side, to - from, w->times[side] + from);
    if (w->m->options->check == 1) {
        check(w, side);
    }
}

static void warm_up(struct work *w)
{
    const size_t large = 1 << 20;
    size_t bytes = (size_t)w->call.count * w->call.element_size;
    long calls = w->m->options->warmup;

    if (calls < 0) {
        calls = bytes > large ? 3 : 10;
    }
    for (int side = 0; side < w->m->sides; side++) {
        run_checked(w, side);
        run_calls(w, side, calls, NULL);
    }
}

// The shortest of some calls, with all that goes with one, in microseconds.
static double try_calls(struct work *w, int side)
{
    enum { TRIALS = 3 };
    double best = 0;

    for (int i = 0; i < TRIALS; i++) {
        double start = hccl_clock_us();
        run_calls(w, side, 1, NULL);
        double took = hccl_clock_us() - start;
        best = i == 0 || took < best ? took : best;
    }
    return best;
}

// Decides how many calls fit into the time for a size, and in how many blocks they come.
static void plan(struct work *w)
{
    const struct hccl_options *o = w->m->options;
    double call_us = 0;

    w->most_blocks = o->blocks;
    w->timed_out = o->iterations == 0;
    if (!w->timed_out) {
        w->calls = o->iterations;
        w->most_blocks = o->blocks < w->calls ? o->blocks : w->calls;
        return;
    }
    for (int side = 0; side < w->m->sides; side++) {
        call_us += try_calls(w, side);
    }
    double fit = agree(w->m, o->seconds * 1e6 / (double)o->blocks / call_us);
    long per_block = fit > MOST_PER_BLOCK ? MOST_PER_BLOCK : (long)fit;
    w->calls = w->most_blocks * (per_block < 1 ? 1 : per_block);
}

// Probes; once more when the cores seem to have moved, since a disturbed probe looks like
// that.
static void probe_now(struct hccl_measure *m)
{
    struct hccl_placement found = hccl_probe_measure(m->probe);

    if (hccl_placement_differs(&m->last, &found)) {
        struct hccl_placement again = hccl_probe_measure(m->probe);
        if (again.known && again.round_trip_us < found.round_trip_us) {
            found = again;
        }
    }
    m->last = found;
    m->last_at = hccl_clock_us();
}

// Probes unless that was done less than `age_us` ago by rank 0's clock.
static void probe_if_older(struct hccl_measure *m, double age_us)
{
    if (m->probe->able && agree(m, hccl_clock_us() - m->last_at) > age_us) {
        probe_now(m);
    }
}

// Whether the time for the size, which began at `start`, is over; the same on all ranks.
static bool is_over(const struct work *w, double start)
{
    double budget = w->m->options->seconds * 1e6;

    if (!w->timed_out || w->blocks < LEAST_BLOCKS) {
        return false;
    }
    // a median of three is poor: five if they don't take much too long
    double spent = agree(w->m, hccl_clock_us() - start);
    return spent > (w->blocks < GOOD_BLOCKS ? 2.5 * budget : budget);
}

// The blocks; false as soon as the cores are seen to have moved since `before`.
static bool run_blocks(struct work *w, const struct hccl_placement *before, bool give_up)
{
    const double probe_every_us = 100e3;
    double start = hccl_clock_us();
    bool moved = false;
    bool over = false;

    for (w->blocks = 0; w->blocks < w->most_blocks && !over;) {
        for (int turn = 0; turn < w->m->sides; turn++) {
            int side = w->blocks % 2 == 0 ? turn : w->m->sides - 1 - turn;
            run_block(w, side, w->blocks);
        }
        w->blocks++;
        over = is_over(w, start);
        probe_if_older(w->m, over || w->blocks == w->most_blocks ? 0 : probe_every_us);
        moved = moved || hccl_placement_differs(before, &w->m->last);
        if (moved && give_up) {
            return false;
        }
    }
    return !moved;
}

// A call's time is the ranks' average, or the slowest rank's.
static void combine_ranks(const struct work *w, int side, double *all)
{
    const struct hccl_world *world = w->m->world;
    bool slowest = w->m->options->across_max;
    int calls = (int)first_call(w, w->blocks);

    MPI_Reduce(w->times[side], all, calls, MPI_DOUBLE, slowest ? MPI_MAX : MPI_SUM, 0,
               world->control);
    for (int i = 0; world->rank == 0 && !slowest && i < calls; i++) {
        all[i] /= world->ranks;
    }
}

// With more ranks than cores most calls find everything there and a few wait for the
// scheduler; the median would hide those. Sorts inside the block.
static double typical(const struct work *w, double *all, long block)
{
    long from = first_call(w, block);
    size_t count = (size_t)(first_call(w, block + 1) - from);

    return w->m->mean ? hccl_stats_mean(all + from, count)
                      : hccl_stats_median(all + from, count);
}

// The ratio of the two sides, from the typical times of each pair of blocks.
static void compare_sides(const struct work *w, double *all[HCCL_RESULT_SIDES],
                          double *ratios, struct hccl_result *result)
{
    for (long block = 0; block < w->blocks; block++) {
        ratios[block] = typical(w, all[0], block) / typical(w, all[1], block);
    }
    hccl_stats_sort(ratios, (size_t)w->blocks);
    result->ratio = hccl_stats_quantile(ratios, (size_t)w->blocks, 0.5);
    result->ratio_low = hccl_stats_quantile(ratios, (size_t)w->blocks, 0.1);
    result->ratio_high = hccl_stats_quantile(ratios, (size_t)w->blocks, 0.9);
}

// Blocks that something disturbed don't count: the median of the blocks' means. `room`
// has a place for each block. Sorts the times.
static struct hccl_stats describe(const struct work *w, double *all, double *room)
{
    size_t calls = (size_t)first_call(w, w->blocks);
    if (!w->m->mean) {
        return hccl_stats_of(all, calls);
    }
    for (long block = 0; block < w->blocks; block++) {
        room[block] = typical(w, all, block);
    }
    struct hccl_stats stats = hccl_stats_of(all, calls);
    stats.typical = hccl_stats_median(room, (size_t)w->blocks);
    return stats;
}

// Brings the times and the errors of all ranks to rank 0. `all` has room there.
static void gather(struct work *w, double *all[HCCL_RESULT_SIDES], double *ratios,
                   struct hccl_result *result)
{
    const struct hccl_world *world = w->m->world;

    for (int side = 0; side < w->m->sides; side++) {
        combine_ranks(w, side, all[side]);
        MPI_Reduce(&w->wrong[side], &result->side[side].wrong, 1, MPI_UINT64_T, MPI_SUM,
                   0, world->control);
    }
    if (world->rank != 0) {
        return;
    }
    if (w->m->sides == 2) {
        compare_sides(w, all, ratios, result);
    }
    for (int side = 0; side < w->m->sides; side++) {
        result->side[side].time = describe(w, all[side], ratios);
    }
}

// Memory for the times, then the measurement itself and its evaluation.
static int run_and_gather(struct work *w, struct hccl_result *result)
{
    struct hccl_measure *m = w->m;
    size_t calls = (size_t)w->calls;
    double *room = malloc((4 * calls + (size_t)w->most_blocks) * sizeof(*room));
    double *all[HCCL_RESULT_SIDES] = {room + 2 * calls, room + 3 * calls};
    int lacks = room == NULL;

    MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, m->world->control);
    if (lacks) {
        free(room);
        return -1;
    }
    memset(room, 0, 4 * calls * sizeof(*room)); // no fresh page while it is timed
    w->times[0] = room;
    w->times[1] = room + calls;
    for (result->restarts = 0;; result->restarts++) {
        bool last_try = result->restarts == MOST_RESTARTS;
        result->before = m->last;
        result->moved = !run_blocks(w, &result->before, !last_try);
        result->after = m->last;
        if (!result->moved || last_try) {
            break;
        }
    }
    gather(w, all, room + 4 * calls, result);
    free(room);
    return 0;
}

// Some calls with nothing else between, so that hccl's counters tell which path serves
// this size. They also count what stock communicators do, which is why the timed calls
// don't show it.
static void find_path(struct work *w, int side, struct hccl_side_result *result)
{
    enum { CALLS = 3 };
    struct hccl_measure *m = w->m;

    hccl_pvars_mark(m->pvars);
    for (int i = 0; i < CALLS; i++) {
        next_input(w);
        w->call.op->run(&w->call, m->side[side]);
    }
    hccl_pvars_path(m->pvars, w->call.op->name, result->path, (int)sizeof(result->path));
}

// The paths of the sides that hccl may serve.
static void find_paths(struct work *w, struct hccl_result *result)
{
    for (int side = 0; side < w->m->sides; side++) {
        bool stock =
            w->m->sides == 2 ? side == 0 : w->m->options->choice == HCCL_CHOICE_STOCK;
        strcpy(result->side[side].path, "-");
        if (!stock) {
            find_path(w, side, &result->side[side]);
        }
    }
}

int hccl_measure_size(struct hccl_measure *m, const struct hccl_op *op, uint64_t count,
                      struct hccl_result *result)
{
    const struct hccl_options *o = m->options;
    size_t size = hccl_dtype_get(o->dtype)->size;
    struct work w = {.m = m};

    w.call = (struct hccl_call){
        .op = op,
        .rank = m->world->rank,
        .ranks = m->world->ranks,
        .root = (int)o->root,
        .in_place = o->in_place,
        .element_size = size,
        .type = hccl_dtype_mpi(o->dtype),
        .redop = hccl_redop_mpi(o->redop),
        .counts = m->counts,
        .starts = m->starts,
        .send = m->buffers->send,
        .recv = m->buffers->recv,
    };
    hccl_call_divide(&w.call, count);
    // a reduction in place eats its input: without new input the sums would grow out of
    // range
    bool eats = o->in_place && hccl_op_reduces(op);
    w.dirty = eats || (count > 0 && hccl_options_is_dirty(o, count * size));

    memset(result, 0, sizeof(*result));
    result->op = op;
    result->count = count;
    result->bytes = count * size;
    result->dirty = w.dirty;
    result->sides = m->sides;

    warm_up(&w);
    plan(&w);
    probe_if_older(m, 20e3);
    int rc = run_and_gather(&w, result);
    result->blocks = w.blocks;
    find_paths(&w, result);
    return rc;
}
