// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdlib.h>

/* Collectives between two groups: even and odd ranks; then the two merged into one. */

enum { MOST = 20000, ROUNDS = 8 };

static MPI_Comm inter;
static int local_rank;
static int local_size;
static int remote_size;
static long in[MOST];
static long out[MOST * 9];

/* Ranks of the two groups in MPI_COMM_WORLD. */
static int world_of_remote(int rank)
{
    return 2 * rank + 1 - check_rank % 2;
}

static long value(int world, long index)
{
    return 1000 * world + index;
}

static long remote_sum(long index)
{
    long sum = 0;
    for (int r = 0; r < remote_size; r++) {
        sum += value(world_of_remote(r), index);
    }
    return sum;
}

static void prepare(long count)
{
    for (long i = 0; i < count; i++) {
        in[i] = value(check_rank, i);
    }
    for (long i = 0; i < count * remote_size; i++) {
        out[i] = -1;
    }
}

static void compare(long at, long want)
{
    check_true(out[at] == want, "index %ld: expected %ld, got %ld", at, want, out[at]);
}

static void allreduce(long count)
{
    check_note("MPI_Allreduce of %ld between groups", count);
    prepare(count);
    check_ok(MPI_Allreduce(in, out, (int)count, MPI_LONG, MPI_SUM, inter),
             "MPI_Allreduce");
    for (long i = 0; i < count; i++) {
        compare(i, remote_sum(i));
    }
}

static void allgather(long count)
{
    check_note("MPI_Allgather of %ld between groups", count);
    prepare(count);
    check_ok(MPI_Allgather(in, (int)count, MPI_LONG, out, (int)count, MPI_LONG, inter),
             "MPI_Allgather");
    for (long i = 0; i < count * remote_size; i++) {
        compare(i, value(world_of_remote((int)(i / count)), i % count));
    }
}

/* The even group's last rank sends to the odd group. */
static void bcast(long count)
{
    int even_size = (check_size + 1) / 2;
    bool sender = check_rank % 2 == 0;
    int root = !sender                       ? even_size - 1
               : local_rank == even_size - 1 ? MPI_ROOT
                                             : MPI_PROC_NULL;
    check_note("MPI_Bcast of %ld between groups", count);
    prepare(count);
    check_ok(MPI_Bcast(in, (int)count, MPI_LONG, root, inter), "MPI_Bcast");
    for (long i = 0; i < count; i++) {
        long want = value(sender ? check_rank : 2 * (even_size - 1), i);
        check_true(in[i] == want, "index %ld: expected %ld, got %ld", i, want, in[i]);
    }
}

/* The odd group's first rank gets the sum over the even group. */
static void reduce(long count)
{
    bool receiver = check_rank == 1;
    int root = receiver ? MPI_ROOT : check_rank % 2 == 1 ? MPI_PROC_NULL : 0;
    check_note("MPI_Reduce of %ld between groups", count);
    prepare(count);
    check_ok(MPI_Reduce(in, out, (int)count, MPI_LONG, MPI_SUM, root, inter),
             "MPI_Reduce");
    for (long i = 0; i < count; i++) {
        compare(i, receiver ? remote_sum(i) : -1);
    }
}

/* All groups' vectors have as many elements as both kinds of parts make. */
static void reduce_scatter_block(long part)
{
    long each = part * remote_size;
    long total = each * local_size;
    check_note("MPI_Reduce_scatter_block of %ld between groups", total);
    prepare(total);
    check_ok(MPI_Reduce_scatter_block(in, out, (int)each, MPI_LONG, MPI_SUM, inter),
             "MPI_Reduce_scatter_block");
    for (long i = 0; i < each; i++) {
        compare(i, remote_sum(each * local_rank + i));
    }
}

static void merged(void)
{
    MPI_Comm comm;
    long sum = -1;
    int rank;
    check_note("merged groups");
    check_ok(MPI_Intercomm_merge(inter, check_rank % 2, &comm), "MPI_Intercomm_merge");
    MPI_Comm_rank(comm, &rank);
    for (long round = 0; round < ROUNDS; round++) {
        long mine = value(rank, round);
        long want = 0;
        for (int r = 0; r < check_size; r++) {
            want += value(r, round);
        }
        check_ok(MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm), "MPI_Allreduce");
        check_true(sum == want, "expected %ld, got %ld", want, sum);
        check_ok(MPI_Barrier(comm), "MPI_Barrier");
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm group;
    MPI_Comm copy;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (check_too_few(2)) {
        return CHECK_SKIPPED;
    }
    MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, check_rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1 - check_rank % 2, 5, &inter);
    MPI_Comm_rank(inter, &local_rank);
    MPI_Comm_size(inter, &local_size);
    MPI_Comm_remote_size(inter, &remote_size);
    for (int round = 0; round < ROUNDS; round++) {
        long count = round == ROUNDS - 1 ? MOST : 1 + round * 37;
        allreduce(count);
        allgather(count);
        bcast(count);
        reduce(count);
        reduce_scatter_block(round == ROUNDS - 1 ? 500 : 1 + round);
        check_ok(MPI_Barrier(inter), "MPI_Barrier");
    }
    merged();
    MPI_Comm_dup(inter, &copy);
    check_ok(MPI_Barrier(copy), "MPI_Barrier");
    MPI_Comm_free(&copy);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&group);
    return check_finish();
}
