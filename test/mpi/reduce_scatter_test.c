// SPDX-License-Identifier: BSD-3-Clause
#include "check_reduction.h"

#include <float.h>
#include <stdlib.h>

/* MPI_Reduce_scatter: equal, unequal and empty parts. */

static struct check_buffer in;
static struct check_buffer out;
static int *part; /* recvcounts */

/*
 * Split `count` elements in a way that depends on the case's number: evenly, all to one
 * rank, to every second rank only, more for higher ranks, or at random with empty parts.
 * @return the first element of this rank's part
 */
static size_t split(size_t count, long number)
{
    size_t first = 0;
    size_t given = 0;
    struct check_random random = {.seed = (uint64_t)number};
    for (int r = 0; r < check_size; r++) {
        size_t rest = count - given;
        size_t share = count / (size_t)check_size;
        switch (number / 2 % 5) {
        case 1:
            share = r == (int)(number % check_size) ? count : 0;
            break;
        case 2:
            share = r % 2 == 0 ? 0 : share + share / 2;
            break;
        case 3:
            share = count * (size_t)(r + 1) / (size_t)(check_size * check_size);
            break;
        case 4:
            share = check_random_below(&random, 3) == 0
                        ? 0
                        : check_random_below(&random, (uint32_t)(2 * share + 2));
            break;
        default:
            break;
        }
        share = share < rest ? share : rest;
        if (r == check_rank) {
            first = given;
        }
        part[r] = (int)share;
        given += share;
    }
    return first;
}

/* What is left over after split goes to nobody: the vector is the sum of all parts. */
static size_t total(void)
{
    size_t sum = 0;
    for (int r = 0; r < check_size; r++) {
        sum += (size_t)part[r];
    }
    return sum;
}

static void run(const struct check_case *now)
{
    size_t first = split(now->count, now->number);
    size_t all = total();
    size_t mine = (size_t)part[check_rank];
    size_t bytes = all * now->type->extent;
    /* In place, the input lies in the receive buffer, and the result at its start. */
    check_case_arm(now, &out, now->in_place ? all : mine);
    check_case_arm(now, &in, all);
    check_case_fill(now, check_rank, 0, all, now->in_place ? out.data : in.data);
    uint64_t before = check_hash(in.data, bytes);
    int rc = MPI_Reduce_scatter(now->in_place ? MPI_IN_PLACE : in.data, out.data, part,
                                now->type->type, now->op->op, MPI_COMM_WORLD);
    if (!check_ok(rc, "MPI_Reduce_scatter")) {
        return;
    }
    check_case_compare(now, check_size, first, mine, &out, out.data);
    check_buffer_guards(&out, "receive buffer");
    check_buffer_guards(&in, "send buffer");
    check_true(check_hash(in.data, bytes) == before, "the send buffer has changed");
}

static uint64_t rounded(size_t count, long number)
{
    size_t first = split(count, number);
    size_t all = total();
    size_t mine = (size_t)part[check_rank];
    check_buffer_arm(&in, all * sizeof(double), 0);
    check_buffer_arm(&out, mine * sizeof(double), 0);
    double *from = (double *)(void *)in.data;
    double *to = (double *)(void *)out.data;
    for (size_t i = 0; i < all; i++) {
        from[i] = check_rounding_value(check_rank, i);
    }
    int rc = MPI_Reduce_scatter(from, to, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check_ok(rc, "MPI_Reduce_scatter");
    for (size_t i = 0; i < mine; i++) {
        if (!check_rounding_near(to[i], check_size, first + i, DBL_EPSILON)) {
            break;
        }
    }
    return check_hash(to, mine * sizeof(double));
}

static void run_rounded(void)
{
    static const size_t counts[] = {2, 7, 100, 1025, 5000, 65537};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (long way = 0; way < 10; way += 2) {
            check_note("MPI_SUM MPI_DOUBLE count %zu split %ld, rounding", counts[c],
                       way / 2);
            uint64_t first = rounded(counts[c], way);
            uint64_t second = rounded(counts[c], way);
            check_true(first == second, "two runs have different bits");
        }
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    part = calloc((size_t)check_size, sizeof *part);
    check_short_cases(run, check_is_full() ? 1 : 2);
    check_long_cases(run);
    run_rounded();
    free(part);
    check_buffer_free(&in);
    check_buffer_free(&out);
    return check_finish();
}
