// SPDX-License-Identifier: BSD-3-Clause
#include "check_reduction.h"

#include <float.h>
#include <string.h>

/* MPI_Allreduce: every predefined operation and type, every length class, in place. */

enum { ALONE = 5000 }; /* elements that each rank compares all */

static struct check_buffer in;
static struct check_buffer out;

/* Are all bytes of an element part of its value? */
static bool is_whole(const struct check_type *type)
{
    return type->kind != CHECK_PAIR && type->type != MPI_LONG_DOUBLE;
}

/*
 * The reference costs as much for each rank as the result has elements, times ranks. Of
 * long results a rank computes its share only, and all bits have to be equal everywhere.
 */
static void compare(const struct check_case *now)
{
    size_t ranks = (size_t)check_size;
    size_t first = 0;
    size_t count = now->count;
    if (now->count > ALONE && is_whole(now->type)) {
        size_t bytes = now->count * now->type->extent;
        check_same_everywhere(MPI_COMM_WORLD, check_hash(out.data, bytes),
                              "the result's bits");
        first = now->count * (size_t)check_rank / ranks;
        count = now->count * ((size_t)check_rank + 1) / ranks - first;
    }
    check_case_compare(now, check_size, first, count, &out,
                       out.data + first * now->type->extent);
}

static void run(const struct check_case *now)
{
    size_t bytes = now->count * now->type->extent;
    check_case_arm(now, &out, now->count);
    check_case_arm(now, &in, now->count);
    unsigned char *mine = now->in_place ? out.data : in.data;
    check_case_fill(now, check_rank, 0, now->count, mine);
    uint64_t before = check_hash(in.data, bytes);
    int rc = MPI_Allreduce(now->in_place ? MPI_IN_PLACE : in.data, out.data,
                           (int)now->count, now->type->type, now->op->op, MPI_COMM_WORLD);
    if (!check_ok(rc, "MPI_Allreduce")) {
        return;
    }
    compare(now);
    check_buffer_guards(&out, "receive buffer");
    check_buffer_guards(&in, "send buffer");
    check_true(check_hash(in.data, bytes) == before, "the send buffer has changed");
}

/* One call of a sum that has to round. @return checksum of the result's bits */
static uint64_t rounded(size_t count, bool single)
{
    size_t bytes = count * (single ? sizeof(float) : sizeof(double));
    check_buffer_arm(&in, bytes, 0);
    check_buffer_arm(&out, bytes, 0);
    for (size_t i = 0; i < count; i++) {
        double value = check_rounding_value(check_rank, i);
        if (single) {
            ((float *)(void *)in.data)[i] = (float)value;
        } else {
            ((double *)(void *)in.data)[i] = value;
        }
    }
    int rc = MPI_Allreduce(in.data, out.data, (int)count, single ? MPI_FLOAT : MPI_DOUBLE,
                           MPI_SUM, MPI_COMM_WORLD);
    check_ok(rc, "MPI_Allreduce");
    for (size_t i = 0; i < count; i++) {
        double value = single ? (double)((float *)(void *)out.data)[i]
                              : ((double *)(void *)out.data)[i];
        if (!check_rounding_near(value, check_size, i,
                                 single ? FLT_EPSILON : DBL_EPSILON)) {
            break;
        }
    }
    return check_hash(out.data, bytes);
}

/* The same bits on every rank, and in every run of the same call. */
static void run_rounded(void)
{
    static const size_t counts[] = {1, 2, 7, 64, 250, 1024, 5000, 65537, 300000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (int single = 0; single <= 1; single++) {
            check_note("MPI_SUM %s count %zu, rounding",
                       single ? "MPI_FLOAT" : "MPI_DOUBLE", counts[c]);
            uint64_t first = rounded(counts[c], single);
            uint64_t second = rounded(counts[c], single);
            check_true(first == second, "two runs have different bits");
            check_same_everywhere(MPI_COMM_WORLD, first, "the result's bits");
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
