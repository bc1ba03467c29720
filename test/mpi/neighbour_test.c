// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdlib.h>

/*
 * Neighbourhood collectives on a periodic grid in one dimension and on a directed ring,
 * blocking and nonblocking.
 */

enum { BLOCK = 40, DEGREE = 2 };

enum { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, OPERATIONS };

static const char *const names[OPERATIONS] = {"neighbor_allgather", "neighbor_allgatherv",
                                              "neighbor_alltoall", "neighbor_alltoallv",
                                              "neighbor_alltoallw"};

static long in[DEGREE * BLOCK];
static long out[DEGREE * BLOCK];

static long value(int rank, int index)
{
    return 1000L * (rank + 1) + index;
}

static int call(int operation, bool blocking, MPI_Comm comm, MPI_Request *request)
{
    static const int counts[DEGREE] = {BLOCK, BLOCK - 3};
    static const int sent[DEGREE] = {BLOCK - 3, BLOCK};
    static const int shifts[DEGREE] = {0, BLOCK};
    static const MPI_Aint bytes[DEGREE] = {0, BLOCK * (MPI_Aint)sizeof(long)};
    MPI_Datatype types[DEGREE] = {MPI_LONG, MPI_LONG};
    switch (operation) {
    case ALLGATHER:
        return blocking ? MPI_Neighbor_allgather(in, BLOCK, MPI_LONG, out, BLOCK,
                                                 MPI_LONG, comm)
                        : MPI_Ineighbor_allgather(in, BLOCK, MPI_LONG, out, BLOCK,
                                                  MPI_LONG, comm, request);
    case ALLGATHERV: {
        static const int full[DEGREE] = {BLOCK, BLOCK};
        return blocking ? MPI_Neighbor_allgatherv(in, BLOCK, MPI_LONG, out, full, shifts,
                                                  MPI_LONG, comm)
                        : MPI_Ineighbor_allgatherv(in, BLOCK, MPI_LONG, out, full, shifts,
                                                   MPI_LONG, comm, request);
    }
    case ALLTOALL:
        return blocking ? MPI_Neighbor_alltoall(in, BLOCK, MPI_LONG, out, BLOCK, MPI_LONG,
                                                comm)
                        : MPI_Ineighbor_alltoall(in, BLOCK, MPI_LONG, out, BLOCK,
                                                 MPI_LONG, comm, request);
    case ALLTOALLV:
        return blocking ? MPI_Neighbor_alltoallv(in, sent, shifts, MPI_LONG, out, counts,
                                                 shifts, MPI_LONG, comm)
                        : MPI_Ineighbor_alltoallv(in, sent, shifts, MPI_LONG, out, counts,
                                                  shifts, MPI_LONG, comm, request);
    default:
        return blocking ? MPI_Neighbor_alltoallw(in, sent, bytes, types, out, counts,
                                                 bytes, types, comm)
                        : MPI_Ineighbor_alltoallw(in, sent, bytes, types, out, counts,
                                                  bytes, types, comm, request);
    }
}

/*
 * Neighbours are left and right, in this order. What comes from the left was sent to the
 * right there: the second block.
 */
static void compare(int operation, int rank, int size)
{
    int from[DEGREE] = {(rank + size - 1) % size, (rank + 1) % size};
    bool gathers = operation == ALLGATHER || operation == ALLGATHERV;
    for (int side = 0; side < DEGREE; side++) {
        bool partial = operation == ALLTOALLV || operation == ALLTOALLW;
        int count = partial && side == 1 ? BLOCK - 3 : BLOCK;
        for (int i = 0; i < BLOCK; i++) {
            int sent_at = gathers ? i : (1 - side) * BLOCK + i;
            long want = i < count ? value(from[side], sent_at) : -1;
            long got = out[side * BLOCK + i];
            if (!check_true(got == want, "from the %s, index %d: expected %ld, got %ld",
                            side == 0 ? "left" : "right", i, want, got)) {
                return;
            }
        }
    }
}

static void run_all(MPI_Comm comm, const char *topology, bool nonblocking_works)
{
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int operation = 0; operation < OPERATIONS; operation++) {
        for (int blocking = nonblocking_works ? 0 : 1; blocking <= 1; blocking++) {
            MPI_Request request = MPI_REQUEST_NULL;
            check_note("%s%s on a %s", blocking ? "" : "i", names[operation], topology);
            for (int i = 0; i < DEGREE * BLOCK; i++) {
                in[i] = value(rank, i);
                out[i] = -1;
            }
            check_ok(call(operation, blocking, comm, &request), names[operation]);
            check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
            compare(operation, rank, size);
        }
    }
}

/* An edge that is twice there, or leads to oneself, is told apart by order alone. */
static void on_grid(void)
{
    int extent = check_size;
    int periodic = 1;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &periodic, 0, &grid);
    bool works = check_size > 2;
    if (!works) {
        check_skip("nonblocking forms on a grid of %d: Open MPI swaps the sides there",
                   check_size);
    }
    run_all(grid, "grid", works);
    check_ok(MPI_Barrier(grid), "MPI_Barrier");
    MPI_Comm_free(&grid);
}

static void on_ring(void)
{
    int left = (check_rank + check_size - 1) % check_size;
    int right = (check_rank + 1) % check_size;
    int neighbours[DEGREE] = {left, right};
    int weights[DEGREE] = {1, 1};
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, DEGREE, neighbours, weights, DEGREE,
                                   neighbours, weights, MPI_INFO_NULL, 0, &ring);
    if (check_size > 2) {
        run_all(ring, "graph", true);
    } else {
        check_skip("graph of %d: edges between two ranks can't be told apart",
                   check_size);
    }
    check_ok(MPI_Barrier(ring), "MPI_Barrier");
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    on_grid();
    on_ring();
    return check_finish();
}
