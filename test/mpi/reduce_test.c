// SPDX-License-Identifier: BSD-3-Clause
#include "check_reduction.h"

#include <float.h>

/* MPI_Reduce: as allreduce, to every root in turn; other ranks' receive buffers are left
 * alone. */

static struct check_buffer in;
static struct check_buffer out;

static void run(const struct check_case *now)
{
    size_t bytes = now->count * now->type->extent;
    int root = (int)(now->number / 2 % check_size);
    bool is_root = check_rank == root;
    bool in_place = now->in_place && is_root;
    check_case_arm(now, &out, now->count);
    check_case_arm(now, &in, now->count);
    check_case_fill(now, check_rank, 0, now->count, in_place ? out.data : in.data);
    uint64_t before = check_hash(in.data, bytes);
    void *to = is_root || now->number % 3 != 0 ? out.data : NULL;
    int rc = MPI_Reduce(in_place ? MPI_IN_PLACE : in.data, to, (int)now->count,
                        now->type->type, now->op->op, root, MPI_COMM_WORLD);
    if (!check_ok(rc, "MPI_Reduce")) {
        return;
    }
    if (is_root) {
        check_case_compare(now, check_size, 0, now->count, &out, out.data);
    } else {
        check_buffer_untouched(&out, 0, bytes,
                               "receive buffer of a rank that isn't root");
    }
    check_buffer_guards(&out, "receive buffer");
    check_buffer_guards(&in, "send buffer");
    check_true(check_hash(in.data, bytes) == before, "the send buffer has changed");
}

/* @return checksum of the sum's bits at the root */
static uint64_t rounded(size_t count, int root)
{
    check_buffer_arm(&in, count * sizeof(double), 0);
    check_buffer_arm(&out, count * sizeof(double), 0);
    double *from = (double *)(void *)in.data;
    double *to = (double *)(void *)out.data;
    for (size_t i = 0; i < count; i++) {
        from[i] = check_rounding_value(check_rank, i);
    }
    int rc = MPI_Reduce(from, to, (int)count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    check_ok(rc, "MPI_Reduce");
    for (size_t i = 0; i < count && check_rank == root; i++) {
        if (!check_rounding_near(to[i], check_size, i, DBL_EPSILON)) {
            break;
        }
    }
    return check_rank == root ? check_hash(to, count * sizeof(double)) : 0;
}

static void run_rounded(void)
{
    static const size_t counts[] = {1, 7, 100, 1025, 5000, 65537};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (int root = 0; root < check_size; root++) {
            check_note("MPI_SUM MPI_DOUBLE count %zu root %d, rounding", counts[c], root);
            uint64_t first = rounded(counts[c], root);
            uint64_t second = rounded(counts[c], root);
            check_true(first == second, "two runs have different bits");
        }
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
