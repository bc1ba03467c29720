// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdlib.h>

/*
 * A rank that waits inside a collective operation must move on what else is under way:
 * messages that a peer has to complete before it comes to the operation at all. Without
 * progress inside, these programs hang.
 */

enum {
    LONGS = 131072, /* 1 MiB: a message that needs the receiver's help */
    WARM_UP = 8,
    LATE_US = 3000,
};

enum kind {
    BARRIER,
    ALLREDUCE,
    LARGE_ALLREDUCE,
    BCAST,
    LARGE_BCAST,
    REDUCE,
    REDUCE_SCATTER_BLOCK,
    ALLGATHER,
    KINDS
};

static const char *const names[KINDS] = {
    "MPI_Barrier",     "MPI_Allreduce", "large MPI_Allreduce",      "MPI_Bcast",
    "large MPI_Bcast", "MPI_Reduce",    "MPI_Reduce_scatter_block", "MPI_Allgather"};

static long message[LONGS];
static long in[LONGS];
static long *out;

/* Rank 0, which comes late, is a root that the others wait for. */
static int call(enum kind kind, MPI_Comm comm)
{
    switch (kind) {
    case BARRIER:
        return MPI_Barrier(comm);
    case ALLREDUCE:
        return MPI_Allreduce(in, out, 4, MPI_LONG, MPI_SUM, comm);
    case LARGE_ALLREDUCE:
        return MPI_Allreduce(in, out, LONGS, MPI_LONG, MPI_SUM, comm);
    case BCAST:
        return MPI_Bcast(in, 4, MPI_LONG, 0, comm);
    case LARGE_BCAST:
        return MPI_Bcast(in, LONGS, MPI_LONG, 0, comm);
    case REDUCE:
        return MPI_Reduce(in, out, 4, MPI_LONG, MPI_SUM, 1, comm);
    case REDUCE_SCATTER_BLOCK:
        return MPI_Reduce_scatter_block(in, out, 4, MPI_LONG, MPI_SUM, comm);
    default:
        return MPI_Allgather(in, 4, MPI_LONG, out, 4, MPI_LONG, comm);
    }
}

static void compare_message(long salt)
{
    for (long i = 0; i < LONGS; i++) {
        if (!check_true(message[i] == salt + i,
                        "message, index %ld: expected %ld, got %ld", i, salt + i,
                        message[i])) {
            return;
        }
    }
}

/*
 * The highest rank posts a receive and goes into the operation. Rank 0 comes later, sends
 * the large message, and waits until it is delivered before it goes there itself.
 */
static void receive_inside(enum kind kind, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int receiver = check_size - 1;
    check_note("%s while a message arrives", names[kind]);
    for (long i = 0; i < LONGS; i++) {
        message[i] = check_rank == 0 ? kind + i : -1;
    }
    if (check_rank == receiver) {
        MPI_Irecv(message, LONGS, MPI_LONG, 0, 1, MPI_COMM_WORLD, &request);
    } else if (check_rank == 0) {
        check_sleep(LATE_US);
        MPI_Ssend(message, LONGS, MPI_LONG, receiver, 1, MPI_COMM_WORLD);
    }
    check_ok(call(kind, comm), names[kind]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (check_rank == receiver) {
        compare_message(kind);
    }
}

/* The sender goes into the operation; the receiver must get the message before. */
static void send_inside(enum kind kind, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int sender = check_size - 1;
    check_note("%s while a message leaves", names[kind]);
    for (long i = 0; i < LONGS; i++) {
        message[i] = check_rank == sender ? 100 + i : -1;
    }
    if (check_rank == sender) {
        MPI_Isend(message, LONGS, MPI_LONG, 0, 2, MPI_COMM_WORLD, &request);
    } else if (check_rank == 0) {
        check_sleep(LATE_US);
        MPI_Recv(message, LONGS, MPI_LONG, sender, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    check_ok(call(kind, comm), names[kind]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (check_rank == 0) {
        compare_message(100);
    }
}

/* A nonblocking operation of another communicator must move on, too. */
static void collective_inside(enum kind kind, MPI_Comm comm, MPI_Comm other)
{
    static long mine[LONGS];
    static long sum[LONGS];
    MPI_Request request;
    check_note("%s while an MPI_Iallreduce is under way", names[kind]);
    for (long i = 0; i < LONGS; i++) {
        mine[i] = check_rank + i;
        sum[i] = -1;
    }
    MPI_Iallreduce(mine, sum, LONGS, MPI_LONG, MPI_SUM, other, &request);
    if (check_rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    check_ok(call(kind, comm), names[kind]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (long i = 0; i < LONGS; i++) {
        long want = check_size * i + (long)check_size * (check_size - 1) / 2;
        if (!check_true(sum[i] == want, "index %ld: expected %ld, got %ld", i, want,
                        sum[i])) {
            return;
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Comm other;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (check_too_few(2)) {
        return CHECK_SKIPPED;
    }
    out = calloc((size_t)LONGS * (size_t)check_size, sizeof *out);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int i = 0; i < WARM_UP; i++) {
        check_note("warm-up %d", i);
        call(LARGE_ALLREDUCE, comm);
        call(LARGE_BCAST, comm);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        receive_inside((enum kind)kind, comm);
        send_inside((enum kind)kind, comm);
        /* Rank 0 is waited for by all, but in a broadcast it would never wait. */
        collective_inside((enum kind)kind, comm, other);
    }
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    free(out);
    return check_finish();
}
