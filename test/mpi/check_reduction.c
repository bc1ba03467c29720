// SPDX-License-Identifier: BSD-3-Clause
#include "check_reduction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t short_counts[] = {0,   1,   2,    3,    5,    7,    13,  14,
                                      15,  16,  31,   63,   64,   100,  111, 112,
                                      113, 225, 1000, 1023, 1025, 4096, 5000};

static const size_t long_bytes[] = {896, 8192, 16384, 65536, 262144, 1048576};

static const size_t long_counts[] = {65537, 300000};

static const struct {
    const char *type;
    enum check_op_kind op;
} long_pairs[] = {
    {"MPI_FLOAT", CHECK_SUM},         {"MPI_INT8_T", CHECK_MAX},
    {"MPI_DOUBLE", CHECK_SUM},        {"MPI_UINT64_T", CHECK_PROD},
    {"MPI_INT", CHECK_BXOR},          {"MPI_LONG_DOUBLE", CHECK_SUM},
    {"MPI_DOUBLE_INT", CHECK_MINLOC}, {"MPI_C_FLOAT_COMPLEX", CHECK_PROD},
};

static void note(const struct check_case *now)
{
    check_note("%s %s count %zu%s (case %ld)", now->op->name, now->type->name, now->count,
               now->in_place ? " in place" : "", now->number);
}

static void run_one(check_case_fn run, struct check_case *now)
{
    note(now);
    run(now);
    now->number++;
    now->in_place = !now->in_place;
}

void check_short_cases(check_case_fn run, long every)
{
    size_t types;
    const struct check_type *type = check_types(&types);
    const struct check_op *op = check_ops();
    struct check_case now = {0};
    size_t lengths = sizeof short_counts / sizeof short_counts[0];
    for (size_t i = 0; i < types * CHECK_OPS; i++) {
        now.type = &type[i / CHECK_OPS];
        now.op = &op[i % CHECK_OPS];
        if (!check_op_accepts(now.op, now.type)) {
            continue;
        }
        for (size_t c = 0; c < lengths; c++) {
            now.count = short_counts[c];
            if ((now.number + (long)c) % every == 0) {
                run_one(run, &now);
                run_one(run, &now);
            } else {
                now.number += 2;
            }
        }
    }
}

void check_long_cases(check_case_fn run)
{
    struct check_case now = {0};
    for (size_t p = 0; p < sizeof long_pairs / sizeof long_pairs[0]; p++) {
        now.type = check_type_find(long_pairs[p].type);
        now.op = &check_ops()[long_pairs[p].op];
        for (size_t b = 0; b < sizeof long_bytes / sizeof long_bytes[0]; b++) {
            for (int delta = -1; delta <= 1; delta++) {
                now.count = long_bytes[b] / now.type->extent + (size_t)delta;
                run_one(run, &now);
            }
        }
        for (size_t c = 0; c < sizeof long_counts / sizeof long_counts[0]; c++) {
            if (p < 3 || check_is_full()) {
                now.count = long_counts[c];
                run_one(run, &now);
                run_one(run, &now);
            }
        }
    }
}

void check_case_arm(const struct check_case *now, struct check_buffer *buffer,
                    size_t count)
{
    size_t shift = (size_t)(now->number % 4) * now->type->extent;
    check_buffer_arm(buffer, count * now->type->extent, shift);
}

void check_case_fill(const struct check_case *now, int rank, size_t first, size_t count,
                     void *at)
{
    for (size_t i = 0; i < count; i++) {
        struct check_number number =
            check_number_make(now->type, now->op, rank, first + i);
        check_number_store(now->type, &number, (char *)at + i * now->type->extent);
    }
}

static bool complain(const struct check_case *now, size_t index,
                     const struct check_number *want, const struct check_number *got)
{
    char wanted[96];
    char found[96];
    check_number_print(now->type, want, wanted, sizeof wanted);
    check_number_print(now->type, got, found, sizeof found);
    if (check_op_is_wrong_in_stock(now->op, now->type)) {
        return check_true_unless_stock(false, "index %zu: expected %s, got %s", index,
                                       wanted, found);
    }
    return check_true(false, "index %zu: expected %s, got %s", index, wanted, found);
}

/* Pair types have bytes that belong to nothing: behind the value and behind the index. */
static bool gaps_kept(const struct check_type *type, const struct check_buffer *buffer,
                      const unsigned char *element)
{
    if (type->kind != CHECK_PAIR) {
        return true;
    }
    size_t index_size = type->real_index ? type->size : sizeof(int);
    size_t at = (size_t)(element - buffer->data);
    size_t end = type->index_at + index_size;
    return (type->size == type->index_at ||
            check_buffer_untouched(buffer, at + type->size, at + type->index_at,
                                   "gap of a pair")) &&
           (end == type->extent ||
            check_buffer_untouched(buffer, at + end, at + type->extent, "gap of a pair"));
}

bool check_case_compare(const struct check_case *now, int size, size_t first,
                        size_t count, const struct check_buffer *buffer, const void *at)
{
    const unsigned char *byte = at;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *element = byte + i * now->type->extent;
        struct check_number got = check_number_load(now->type, element);
        struct check_number want =
            check_number_reduced(now->type, now->op, size, first + i);
        if (!check_number_equal(now->type, &want, &got)) {
            return complain(now, first + i, &want, &got);
        }
        if (!gaps_kept(now->type, buffer, element)) {
            return false;
        }
    }
    return check_true(true, "values");
}

double check_rounding_value(int rank, size_t index)
{
    uint64_t random = check_mix((uint64_t)rank, index, 4711);
    double magnitude = ldexp(1.0, (int)(random % 24) - 12);
    return magnitude * ((double)(random >> 11) / 9007199254740992.0 - 0.4);
}

bool check_rounding_near(double value, int size, size_t index, double epsilon)
{
    long double sum = 0;
    long double magnitude = 0;
    for (int r = 0; r < size; r++) {
        double term = check_rounding_value(r, index);
        sum += term;
        magnitude += fabs(term);
    }
    double error = fabs((double)((long double)value - sum));
    return check_true(error <= (double)magnitude * epsilon * size,
                      "index %zu: expected %.17Lg, got %.17g", index, sum, value);
}
