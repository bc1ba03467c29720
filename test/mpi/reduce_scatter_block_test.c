// SPDX-License-Identifier: BSD-3-Clause
#include "check_reduction.h"

#include <float.h>

/* MPI_Reduce_scatter_block: the case's count is what each rank gets, or, for long
 * vectors, what all ranks get together. */

static struct check_buffer in;
static struct check_buffer out;

static void run(const struct check_case *now)
{
    size_t ranks = (size_t)check_size;
    size_t mine =
        now->count > 1025 || now->number % 4 < 2 ? now->count / ranks : now->count;
    size_t all = mine * ranks;
    size_t bytes = all * now->type->extent;
    check_case_arm(now, &out, now->in_place ? all : mine);
    check_case_arm(now, &in, all);
    check_case_fill(now, check_rank, 0, all, now->in_place ? out.data : in.data);
    uint64_t before = check_hash(in.data, bytes);
    int rc =
        MPI_Reduce_scatter_block(now->in_place ? MPI_IN_PLACE : in.data, out.data,
                                 (int)mine, now->type->type, now->op->op, MPI_COMM_WORLD);
    if (!check_ok(rc, "MPI_Reduce_scatter_block")) {
        return;
    }
    check_case_compare(now, check_size, mine * (size_t)check_rank, mine, &out, out.data);
    check_buffer_guards(&out, "receive buffer");
    check_buffer_guards(&in, "send buffer");
    check_true(check_hash(in.data, bytes) == before, "the send buffer has changed");
}

static uint64_t rounded(size_t mine)
{
    size_t all = mine * (size_t)check_size;
    check_buffer_arm(&in, all * sizeof(double), 0);
    check_buffer_arm(&out, mine * sizeof(double), 0);
    double *from = (double *)(void *)in.data;
    double *to = (double *)(void *)out.data;
    for (size_t i = 0; i < all; i++) {
        from[i] = check_rounding_value(check_rank, i);
    }
    int rc = MPI_Reduce_scatter_block(from, to, (int)mine, MPI_DOUBLE, MPI_SUM,
                                      MPI_COMM_WORLD);
    check_ok(rc, "MPI_Reduce_scatter_block");
    for (size_t i = 0; i < mine; i++) {
        if (!check_rounding_near(to[i], check_size, mine * (size_t)check_rank + i,
                                 DBL_EPSILON)) {
            break;
        }
    }
    return check_hash(to, mine * sizeof(double));
}

static void run_rounded(void)
{
    static const size_t counts[] = {1, 7, 100, 1025, 5000, 30000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        check_note("MPI_SUM MPI_DOUBLE count %zu, rounding", counts[c]);
        uint64_t first = rounded(counts[c]);
        uint64_t second = rounded(counts[c]);
        check_true(first == second, "two runs have different bits");
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    check_short_cases(run, check_is_full() ? 1 : 2);
    check_long_cases(run);
    run_rounded();
    check_buffer_free(&in);
    check_buffer_free(&out);
    return check_finish();
}
