// SPDX-License-Identifier: BSD-3-Clause
#include "check_comm.h"

#include <stdlib.h>

/*
 * While a rank waits inside a collective operation, what else it has begun must go on:
 * its messages, large ones too, and its other collective operations. One rank stays
 * outside until they are done; if the others only waited, nobody would ever come out.
 */

enum {
    WARM_UP = 8,
    ROUNDS = 40, /* in the long form */
    LARGE = 200000,
    SMALL = 3,
    NAP_US = 5000, /* so that the others are asleep, not spinning */
};

enum kind {
    BARRIER,
    ALLREDUCE,
    ALLREDUCE_LARGE,
    BCAST,
    BCAST_LARGE,
    REDUCE,
    ALLGATHER,
    REDUCE_SCATTER_BLOCK,
    KINDS,
};

static const char *const names[KINDS] = {
    "MPI_Barrier",     "MPI_Allreduce", "large MPI_Allreduce", "MPI_Bcast",
    "large MPI_Bcast", "MPI_Reduce",    "MPI_Allgather",       "MPI_Reduce_scatter_block",
};

static uint64_t *mine;
static uint64_t *theirs; /* one message per rank */
static uint64_t *in;
static uint64_t *out;
static MPI_Comm inner; /* where ranks wait */
static MPI_Comm other;

static void collective(enum kind kind, int late)
{
    int rc = MPI_SUCCESS;
    int count = kind == ALLREDUCE_LARGE || kind == BCAST_LARGE ? LARGE : SMALL;
    switch (kind) {
    case BARRIER:
        rc = MPI_Barrier(inner);
        break;
    case ALLREDUCE:
    case ALLREDUCE_LARGE:
        rc = MPI_Allreduce(in, out, count, MPI_UINT64_T, MPI_SUM, inner);
        break;
    case BCAST:
    case BCAST_LARGE:
        rc = MPI_Bcast(in, count, MPI_UINT64_T, late, inner);
        break;
    case REDUCE:
        /* The late rank isn't the root: the root waits. */
        rc = MPI_Reduce(in, out, count, MPI_UINT64_T, MPI_SUM, (late + 1) % check_size,
                        inner);
        break;
    case ALLGATHER:
        rc = MPI_Allgather(in, count, MPI_UINT64_T, out, count, MPI_UINT64_T, inner);
        break;
    default:
        rc = MPI_Reduce_scatter_block(in, out, count, MPI_UINT64_T, MPI_SUM, inner);
        break;
    }
    check_ok(rc, names[kind]);
}

static void compare(int from, uint64_t seed, const uint64_t *got)
{
    for (size_t i = 0; i < LARGE; i++) {
        uint64_t want = check_comm_value(seed, from, i);
        if (!check_true(got[i] == want,
                        "from rank %d, index %zu: expected %#lx, got %#lx", from, i,
                        (unsigned long)want, (unsigned long)got[i])) {
            return;
        }
    }
}

static void fill(uint64_t seed)
{
    for (size_t i = 0; i < LARGE; i++) {
        mine[i] = check_comm_value(seed, check_rank, i);
    }
}

/* The late rank sends to all, and waits for that before it joins them. */
static void send_first(enum kind kind, int late, uint64_t seed)
{
    MPI_Request requests[64];
    MPI_Request request;
    int pending = 0;
    check_note("rank %d sends before %s", late, names[kind]);
    if (check_rank == late) {
        fill(seed);
        check_sleep(NAP_US);
        for (int r = 0; r < check_size; r++) {
            if (r != late) {
                MPI_Isend(mine, LARGE, MPI_UINT64_T, r, 1, MPI_COMM_WORLD,
                          &requests[pending++]);
            }
        }
        check_ok(MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
        collective(kind, late);
    } else {
        MPI_Irecv(theirs, LARGE, MPI_UINT64_T, late, 1, MPI_COMM_WORLD, &request);
        collective(kind, late);
        check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        compare(late, seed, theirs);
    }
}

/* The late rank receives from all first: senders must be at work inside the collective.
 */
static void receive_first(enum kind kind, int late, uint64_t seed)
{
    MPI_Request request;
    check_note("rank %d receives before %s", late, names[kind]);
    if (check_rank == late) {
        check_sleep(NAP_US);
        for (int r = 0; r < check_size; r++) {
            if (r != late) {
                check_ok(MPI_Recv(theirs, LARGE, MPI_UINT64_T, r, 2, MPI_COMM_WORLD,
                                  MPI_STATUS_IGNORE),
                         "MPI_Recv");
                compare(r, seed, theirs);
            }
        }
        collective(kind, late);
    } else {
        fill(seed);
        MPI_Isend(mine, LARGE, MPI_UINT64_T, late, 2, MPI_COMM_WORLD, &request);
        collective(kind, late);
        check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    }
}

/* The late rank waits for a nonblocking reduction that all have begun. */
static void reduce_first(enum kind kind, int late, uint64_t seed)
{
    MPI_Request request;
    check_note("rank %d waits for MPI_Iallreduce before %s", late, names[kind]);
    fill(seed);
    MPI_Iallreduce(mine, theirs, LARGE, MPI_UINT64_T, MPI_SUM, other, &request);
    if (check_rank == late) {
        check_sleep(NAP_US);
        check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    }
    collective(kind, late);
    check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    for (size_t i = 0; i < LARGE; i += 97) {
        uint64_t want = check_comm_sum(seed, 0, check_size, i);
        check_true(theirs[i] == want, "index %zu: expected %#lx, got %#lx", i,
                   (unsigned long)want, (unsigned long)theirs[i]);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (check_too_few(2)) {
        return CHECK_SKIPPED;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &inner);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    mine = calloc(LARGE, sizeof *mine);
    theirs = calloc(LARGE, sizeof *theirs);
    in = calloc(LARGE, sizeof *in);
    out = calloc(LARGE, sizeof *out);
    for (uint64_t i = 0; i < WARM_UP; i++) {
        check_comm_works(inner, i, CHECK_COMM_MOST / 4);
    }
    for (long round = 0; round < check_scaled(ROUNDS); round++) {
        int late = (int)(round % check_size);
        for (int kind = 0; kind < KINDS; kind++) {
            uint64_t seed = (uint64_t)(round * KINDS + kind);
            send_first((enum kind)kind, late, seed);
            receive_first((enum kind)kind, late, seed + 1);
            reduce_first((enum kind)kind, late, seed + 2);
        }
    }
    free(mine);
    free(theirs);
    free(in);
    free(out);
    MPI_Comm_free(&inner);
    MPI_Comm_free(&other);
    return check_finish();
}
