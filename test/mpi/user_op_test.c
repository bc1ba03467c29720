// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdlib.h>
#include <string.h>

/*
 * User-defined operations through every reducing collective: commutative or not, on
 * predefined types, contiguous and strided derived types, types that differ between
 * ranks, and elements larger than any internal chunk.
 *
 * All reduce rows of numbers. An element is a row of W 32-bit numbers, spread in memory
 * by a stride; element i of rank r is known, so is the result.
 */

enum width {
    INTERVAL = 4,      /* first rank, last rank, index, bad */
    MATRIX = 4,        /* 2x2 modulo PRIME */
    HUGE_WIDTH = 25600 /* 100 KiB */
};
enum { PRIME = 32749, LENGTHS_FOR_STOCK = 10 };

/* What an operation is and how its values look. */
struct algebra {
    const char *name;
    size_t width;
    bool commutes;
    void (*make)(uint32_t *row, int rank, size_t index);
    void (*combine)(const uint32_t *left, const uint32_t *right, uint32_t *result);
};

/* How an element lies in memory: number k at `lower` + k * `stride` numbers. */
struct shape {
    const char *name;
    size_t stride;   /* numbers from one to the next */
    ptrdiff_t lower; /* numbers before the first: part of the extent */
    size_t tail;     /* numbers behind the last: part of the extent */
};

static const struct shape shapes[] = {
    {"contiguous", 1, 0, 0},
    {"strided", 2, 0, 1},
    {"with a gap behind", 1, 0, 3},
    {"with a gap before", 3, 2, 0},
};

/* The case that is running; the operation's function reads it. */
static const struct algebra *algebra;
static const struct shape *shape;
static MPI_Datatype element;
static size_t extent; /* numbers from one element to the next */
static long wrong_handles;

static struct check_buffer in;
static struct check_buffer out;

static void make_sum(uint32_t *row, int rank, size_t index)
{
    row[0] = (uint32_t)check_mix((uint64_t)rank, index, 11);
}

static void combine_sum(const uint32_t *left, const uint32_t *right, uint32_t *result)
{
    result[0] = left[0] + right[0];
}

/* An interval of ranks; two combine when they touch, in this order, at the same index. */
static void make_interval(uint32_t *row, int rank, size_t index)
{
    row[0] = row[1] = (uint32_t)rank;
    row[2] = (uint32_t)index;
    row[3] = 0;
}

static void combine_interval(const uint32_t *left, const uint32_t *right,
                             uint32_t *result)
{
    uint32_t bad = left[3] + right[3] + (left[1] + 1 != right[0]) + (left[2] != right[2]);
    uint32_t first = left[0];
    result[1] = right[1];
    result[2] = right[2];
    result[0] = first;
    result[3] = bad;
}

static void make_matrix(uint32_t *row, int rank, size_t index)
{
    for (size_t k = 0; k < MATRIX; k++) {
        row[k] = (uint32_t)(check_mix((uint64_t)rank, index, k) % PRIME);
    }
}

static void combine_matrix(const uint32_t *left, const uint32_t *right, uint32_t *result)
{
    uint32_t product[MATRIX];
    for (size_t k = 0; k < MATRIX; k++) {
        const uint32_t *row = left + k / 2 * 2;
        const uint32_t *column = right + k % 2;
        product[k] = (row[0] * column[0] % PRIME + row[1] * column[2] % PRIME) % PRIME;
    }
    memcpy(result, product, sizeof product);
}

/* The interval in front, then functions x -> a x + b, of which order matters. */
static void make_huge(uint32_t *row, int rank, size_t index)
{
    make_interval(row, rank, index);
    for (size_t k = INTERVAL; k < HUGE_WIDTH; k++) {
        row[k] = (uint32_t)(rank * 1000 + (int)(k % 977) + (int)index) * 2 + 3;
    }
}

static void combine_huge(const uint32_t *left, const uint32_t *right, uint32_t *result)
{
    combine_interval(left, right, result);
    for (size_t k = INTERVAL; k < HUGE_WIDTH; k += 2) {
        uint32_t slope = left[k];
        uint32_t shift = left[k + 1];
        result[k + 1] = slope * right[k + 1] + shift;
        result[k] = slope * right[k];
    }
}

static const struct algebra algebras[] = {
    {"sum", 1, true, make_sum, combine_sum},
    {"interval", INTERVAL, false, make_interval, combine_interval},
    {"matrix product", MATRIX, false, make_matrix, combine_matrix},
    {"huge interval", HUGE_WIDTH, false, make_huge, combine_huge},
};

static void gather_row(const uint32_t *at, uint32_t *row)
{
    for (size_t k = 0; k < algebra->width; k++) {
        row[k] = at[k * shape->stride];
    }
}

static void scatter_row(const uint32_t *row, uint32_t *at)
{
    for (size_t k = 0; k < algebra->width; k++) {
        at[k * shape->stride] = row[k];
    }
}

/* What MPI calls: inout = in op inout, on elements that lie as the datatype says. */
static void apply(void *in_address, void *inout_address, int *count, MPI_Datatype *type)
{
    static uint32_t left[HUGE_WIDTH];
    static uint32_t right[HUGE_WIDTH];
    const uint32_t *from = in_address;
    uint32_t *to = inout_address;
    wrong_handles += *type != element;
    for (int i = 0; i < *count; i++) {
        ptrdiff_t at = i * (ptrdiff_t)extent + shape->lower;
        gather_row(from + at, left);
        gather_row(to + at, right);
        algebra->combine(left, right, right);
        scatter_row(right, to + at);
    }
}

static void make_element(bool predefined)
{
    const MPI_Aint number = (MPI_Aint)sizeof(uint32_t);
    size_t span = (algebra->width - 1) * shape->stride + 1;
    extent = (size_t)shape->lower + span + shape->tail;
    if (predefined) {
        element = MPI_UINT32_T;
        return;
    }
    MPI_Datatype row;
    MPI_Datatype moved;
    MPI_Aint lower = shape->lower * number;
    int one = 1;
    MPI_Type_create_hvector((int)algebra->width, 1, (MPI_Aint)shape->stride * number,
                            MPI_UINT32_T, &row);
    MPI_Type_create_hindexed(1, &one, &lower, row, &moved);
    MPI_Type_create_resized(moved, 0, (MPI_Aint)extent * number, &element);
    MPI_Type_commit(&element);
    MPI_Type_free(&row);
    MPI_Type_free(&moved);
}

static void fill(size_t first, size_t count, struct check_buffer *buffer)
{
    static uint32_t row[HUGE_WIDTH];
    uint32_t *at = (uint32_t *)(void *)buffer->data;
    for (size_t i = 0; i < count; i++) {
        algebra->make(row, check_rank, first + i);
        scatter_row(row, at + i * extent + shape->lower);
    }
}

static bool compare_element(const uint32_t *at, size_t index)
{
    static uint32_t want[HUGE_WIDTH];
    static uint32_t next[HUGE_WIDTH];
    algebra->make(want, 0, index);
    for (int r = 1; r < check_size; r++) {
        algebra->make(next, r, index);
        algebra->combine(want, next, want);
    }
    for (size_t k = 0; k < algebra->width; k++) {
        if (at[k * shape->stride] != want[k]) {
            return check_true(false, "index %zu number %zu: expected %u, got %u", index,
                              k, want[k], at[k * shape->stride]);
        }
    }
    return true;
}

/* Results in elements 0 to count - 1 of `out`, of the indices first to first+count-1. */
static void compare(size_t first, size_t count)
{
    const uint32_t *at = (const uint32_t *)(const void *)out.data;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = compare_element(at + i * extent + shape->lower, first + i);
    }
    check_true(good, "values");
}

/* Bytes of `elements` elements that are in no number must have their poison still. */
static void gaps(const struct check_buffer *buffer, size_t elements, const char *name)
{
    bool good = check_buffer_guards(buffer, name);
    for (size_t n = 0; n < elements * extent && good; n++) {
        ptrdiff_t k = (ptrdiff_t)(n % extent) - shape->lower;
        size_t row = (algebra->width - 1) * shape->stride;
        bool used = k >= 0 && (size_t)k <= row && (size_t)k % shape->stride == 0;
        good = used || check_buffer_untouched(buffer, n * 4, n * 4 + 4, name);
    }
    check_true(good, "%s: gaps", name);
}

enum operation { ALLREDUCE, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, OPERATIONS };

static const char *const operation_names[OPERATIONS] = {
    "MPI_Allreduce", "MPI_Reduce", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block"};

struct plan {
    enum operation operation;
    size_t count; /* of the whole vector */
    size_t first; /* of what this rank gets */
    size_t mine;
    int root;
    bool in_place;
    int *part;
};

/* Which elements this rank gets. The block form needs equal parts; the other gets parts
 * of which some are empty. */
static void divide(struct plan *plan)
{
    size_t ranks = (size_t)check_size;
    plan->first = 0;
    plan->mine = plan->count;
    if (plan->operation == REDUCE_SCATTER_BLOCK) {
        plan->mine = plan->count / ranks;
        plan->count = plan->mine * ranks;
        plan->first = plan->mine * (size_t)check_rank;
    } else if (plan->operation == REDUCE_SCATTER) {
        size_t given = 0;
        for (int r = 0; r < check_size; r++) {
            size_t share = r % 3 == 1 ? 0 : 2 * plan->count / ranks + 1;
            share = r == check_size - 1 || share > plan->count - given
                        ? plan->count - given
                        : share;
            plan->part[r] = (int)share;
            plan->first += r < check_rank ? share : 0;
            given += share;
        }
        plan->mine = (size_t)plan->part[check_rank];
    } else if (plan->operation == REDUCE && check_rank != plan->root) {
        plan->mine = 0;
    }
}

static int call(const struct plan *plan, const void *from, MPI_Op op)
{
    switch (plan->operation) {
    case ALLREDUCE:
        return MPI_Allreduce(from, out.data, (int)plan->count, element, op,
                             MPI_COMM_WORLD);
    case REDUCE:
        return MPI_Reduce(from, out.data, (int)plan->count, element, op, plan->root,
                          MPI_COMM_WORLD);
    case REDUCE_SCATTER:
        return MPI_Reduce_scatter(from, out.data, plan->part, element, op,
                                  MPI_COMM_WORLD);
    default:
        return MPI_Reduce_scatter_block(from, out.data, (int)plan->mine, element, op,
                                        MPI_COMM_WORLD);
    }
}

static void run(struct plan *plan, MPI_Op op)
{
    divide(plan);
    bool in_place =
        plan->in_place && (plan->operation != REDUCE || check_rank == plan->root);
    size_t held = in_place ? plan->count : plan->mine;
    check_note("%s of %zu elements, %s, %s, root %d%s", operation_names[plan->operation],
               plan->count, algebra->name, shape->name, plan->root,
               in_place ? ", in place" : "");
    check_buffer_arm(&in, plan->count * extent * sizeof(uint32_t), 0);
    check_buffer_arm(&out, held * extent * sizeof(uint32_t), 4);
    fill(0, plan->count, in_place ? &out : &in);
    wrong_handles = 0;
    check_ok(call(plan, in_place ? MPI_IN_PLACE : in.data, op),
             operation_names[plan->operation]);
    compare(plan->first, plan->mine);
    gaps(&out, held, "receive buffer");
    gaps(&in, in_place ? 0 : plan->count, "send buffer");
    check_true(wrong_handles == 0,
               "the function was called %ld times with another datatype handle",
               wrong_handles);
}

static void run_counts(MPI_Op op, const size_t *counts, size_t lengths)
{
    struct plan plan = {.part = calloc((size_t)check_size, sizeof(int))};
    long number = 0;
    for (size_t c = 0; c < lengths; c++) {
        for (int o = 0; o < OPERATIONS; o++) {
            for (int in_place = 0; in_place <= 1; in_place++) {
                plan.operation = (enum operation)o;
                plan.count = counts[c];
                plan.in_place = in_place;
                plan.root = (int)(number++ % check_size);
                run(&plan, op);
            }
        }
    }
    free(plan.part);
}

/*
 * Open MPI 4.1.4's own ring and segmented allreduce write outside of their temporary
 * buffers when an element begins with a gap, so the stock library gets short vectors.
 */
static bool crashes_stock(size_t shape_number, bool mixed)
{
    return check_is_stock() && (mixed || shapes[shape_number].lower > 0);
}

/* @param mixed  each rank takes another shape */
static void run_algebra(const struct algebra *which, size_t shape_number, bool mixed)
{
    static const size_t few[] = {1, 2, 3, 11};
    static const size_t many[] = {0,  1,   2,   7,    14,   55,   56,
                                  57, 100, 255, 1000, 5000, 70000};
    bool huge = which->width == HUGE_WIDTH;
    size_t lengths = huge ? sizeof few / sizeof few[0] : sizeof many / sizeof many[0];
    size_t kinds = sizeof shapes / sizeof shapes[0];
    MPI_Op op;
    algebra = which;
    shape = &shapes[mixed ? (shape_number + (size_t)check_rank) % kinds : shape_number];
    make_element(algebra->width == 1 && !mixed && shape_number == 0);
    MPI_Op_create(apply, which->commutes, &op);
    lengths -= huge || check_is_full() ? 0 : 1;
    if (crashes_stock(shape_number, mixed)) {
        lengths = huge ? 0 : LENGTHS_FOR_STOCK;
        check_skip("%s %s%s: the stock library crashes on long vectors", which->name,
                   shapes[shape_number].name, mixed ? " and others" : "");
    }
    run_counts(op, huge ? few : many, lengths);
    MPI_Op_free(&op);
    if (element != MPI_UINT32_T) {
        MPI_Type_free(&element);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    for (size_t a = 0; a < sizeof algebras / sizeof algebras[0]; a++) {
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            run_algebra(&algebras[a], s, false);
        }
        run_algebra(&algebras[a], 0, true);
        run_algebra(&algebras[a], 1, true);
    }
    check_buffer_free(&in);
    check_buffer_free(&out);
    return check_finish();
}
