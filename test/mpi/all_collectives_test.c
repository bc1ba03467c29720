// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <mpi-ext.h>
#include <stdlib.h>
#include <string.h>

/*
 * Every collective operation that MPI has, blocking, nonblocking and persistent, each
 * with its result checked: a component that is named alone must serve all of them.
 */

/* Persistent operations: a part of MPI from 4.0 on, an extension before. */
#if MPI_VERSION >= 4
#define PERSISTENT_NAME(name) MPI_##name##_init
#define HAVE_PERSISTENT       true
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT_NAME(name) MPIX_##name##_init
#define HAVE_PERSISTENT       true
#else
#define PERSISTENT_NAME(name) no_persistent_##name
#define HAVE_PERSISTENT       false
#endif

/* One call in the form that is being tested. */
#define CALL(name, iname, ...)                                                           \
    (form == BLOCKING ? MPI_##name(__VA_ARGS__)                                          \
     : form == NONBLOCKING                                                               \
         ? finish(MPI_##iname(__VA_ARGS__, &request))                                    \
         : repeat(PERSISTENT_NAME(name)(__VA_ARGS__, MPI_INFO_NULL, &request)))

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

enum {
    MOST_PART = 4, /* elements that one rank sends to one other */
    NOTHING = -1,
    NEIGHBOURS = 2,
};

static const char *const form_names[FORMS] = {"blocking", "nonblocking", "persistent"};

static enum form form;
static MPI_Comm comm;
static MPI_Comm ring; /* each rank sends to the next two */
static MPI_Request request;
static int rank;
static int size;
static int root;
static long *in;
static long *out;
static int *in_counts;
static int *out_counts;
static int *in_places;
static int *out_places;
static MPI_Aint *in_bytes;
static MPI_Aint *out_bytes;
static MPI_Datatype *types;

static int finish(int rc)
{
    return rc == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : rc;
}

/* Twice, for what is persistent. */
static int repeat(int rc)
{
    for (int i = 0; i < 2 && rc == MPI_SUCCESS; i++) {
        rc = MPI_Start(&request);
        rc = rc == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : rc;
    }
    return rc == MPI_SUCCESS ? MPI_Request_free(&request) : rc;
}

/* What `from` has for `to` at an index. */
static long value(int from, int to, int index)
{
    return from * 10000L + to * 100L + index + 1;
}

/* Elements that `from` has for `to`, where they differ. */
static int part(int from, int to)
{
    return (from + 2 * to) % MOST_PART;
}

/* Elements for each rank, in operations where that doesn't depend on the sender. */
static int share(int to)
{
    return part(to, 1);
}

/* Elements of in and out: two neighbours have room even where there is one rank. */
static int room(void)
{
    return (size > NEIGHBOURS ? size : NEIGHBOURS) * MOST_PART;
}

static void clear(void)
{
    for (int i = 0; i < room(); i++) {
        in[i] = NOTHING;
        out[i] = NOTHING;
    }
}

static void expect(const char *name, int place, long want)
{
    check_true(out[place] == want, "%s: index %d: expected %ld, got %ld", name, place,
               want, out[place]);
}

static void begin(const char *name)
{
    check_note("%s MPI_%s", form_names[form], name);
    clear();
}

static void end(const char *name, int rc, int written)
{
    check_ok(rc, name);
    for (int i = written; i < room(); i++) {
        expect(name, i, NOTHING);
    }
}

static void barrier(void)
{
    begin("Barrier");
    int rc = form == BLOCKING ? MPI_Barrier(comm)
             : form == NONBLOCKING
                 ? finish(MPI_Ibarrier(comm, &request))
                 : repeat(PERSISTENT_NAME(Barrier)(comm, MPI_INFO_NULL, &request));
    end("Barrier", rc, 0);
}

static void bcast(void)
{
    begin("Bcast");
    for (int i = 0; rank == root && i < MOST_PART; i++) {
        out[i] = value(root, 0, i);
    }
    int rc = CALL(Bcast, Ibcast, out, MOST_PART, MPI_LONG, root, comm);
    for (int i = 0; i < MOST_PART; i++) {
        expect("Bcast", i, value(root, 0, i));
    }
    end("Bcast", rc, MOST_PART);
}

/* in: for each rank, as many as fit. */
static void fill_in(void)
{
    for (int i = 0; i < room(); i++) {
        in[i] = value(rank, i / MOST_PART, i % MOST_PART);
    }
}

/* out: from each rank, what it had for `to`. */
static void expect_from_all(const char *name, int to)
{
    for (int i = 0; i < size * MOST_PART; i++) {
        expect(name, i, value(i / MOST_PART, to, i % MOST_PART));
    }
}

static void gather(void)
{
    begin("Gather");
    fill_in();
    int rc = CALL(Gather, Igather, in, MOST_PART, MPI_LONG, out, MOST_PART, MPI_LONG,
                  root, comm);
    if (rank == root) {
        expect_from_all("Gather", 0);
    }
    end("Gather", rc, rank == root ? size * MOST_PART : 0);
}

static void allgather(void)
{
    begin("Allgather");
    fill_in();
    int rc = CALL(Allgather, Iallgather, in, MOST_PART, MPI_LONG, out, MOST_PART,
                  MPI_LONG, comm);
    expect_from_all("Allgather", 0);
    end("Allgather", rc, size * MOST_PART);
}

static void alltoall(void)
{
    begin("Alltoall");
    fill_in();
    int rc = CALL(Alltoall, Ialltoall, in, MOST_PART, MPI_LONG, out, MOST_PART, MPI_LONG,
                  comm);
    expect_from_all("Alltoall", rank);
    end("Alltoall", rc, size * MOST_PART);
}

static void scatter(void)
{
    begin("Scatter");
    fill_in();
    int rc = CALL(Scatter, Iscatter, in, MOST_PART, MPI_LONG, out, MOST_PART, MPI_LONG,
                  root, comm);
    for (int i = 0; i < MOST_PART; i++) {
        expect("Scatter", i, value(root, rank, i));
    }
    end("Scatter", rc, MOST_PART);
}

/* Parts of different lengths lie MOST_PART apart, the last rank's first. */
static void place_parts(bool by_sender)
{
    for (int r = 0; r < size; r++) {
        in_counts[r] = by_sender ? share(r) : part(rank, r);
        out_counts[r] = by_sender ? share(r) : part(r, rank);
        in_places[r] = r * MOST_PART;
        out_places[r] = (size - 1 - r) * MOST_PART;
        in_bytes[r] = in_places[r] * (MPI_Aint)sizeof(long);
        out_bytes[r] = out_places[r] * (MPI_Aint)sizeof(long);
        types[r] = MPI_LONG;
    }
}

static void expect_parts(const char *name, int to)
{
    for (int i = 0; i < size * MOST_PART; i++) {
        int from = size - 1 - i / MOST_PART;
        bool inside = i % MOST_PART < out_counts[from];
        expect(name, i, inside ? value(from, to, i % MOST_PART) : NOTHING);
    }
}

static void gatherv(void)
{
    begin("Gatherv");
    fill_in();
    place_parts(true);
    int rc = CALL(Gatherv, Igatherv, in, share(rank), MPI_LONG, out, out_counts,
                  out_places, MPI_LONG, root, comm);
    if (rank == root) {
        expect_parts("Gatherv", 0);
    }
    end("Gatherv", rc, rank == root ? size * MOST_PART : 0);
}

static void allgatherv(void)
{
    begin("Allgatherv");
    fill_in();
    place_parts(true);
    int rc = CALL(Allgatherv, Iallgatherv, in, share(rank), MPI_LONG, out, out_counts,
                  out_places, MPI_LONG, comm);
    expect_parts("Allgatherv", 0);
    end("Allgatherv", rc, size * MOST_PART);
}

static void scatterv(void)
{
    begin("Scatterv");
    fill_in();
    place_parts(true);
    int rc = CALL(Scatterv, Iscatterv, in, in_counts, in_places, MPI_LONG, out,
                  share(rank), MPI_LONG, root, comm);
    for (int i = 0; i < share(rank); i++) {
        expect("Scatterv", i, value(root, rank, i));
    }
    end("Scatterv", rc, share(rank));
}

static void alltoallv(void)
{
    begin("Alltoallv");
    fill_in();
    place_parts(false);
    int rc = CALL(Alltoallv, Ialltoallv, in, in_counts, in_places, MPI_LONG, out,
                  out_counts, out_places, MPI_LONG, comm);
    expect_parts("Alltoallv", rank);
    end("Alltoallv", rc, size * MOST_PART);
}

static void alltoallw(void)
{
    begin("Alltoallw");
    fill_in();
    place_parts(false);
    for (int r = 0; r < size; r++) {
        in_places[r] *= (int)sizeof(long);
        out_places[r] *= (int)sizeof(long);
    }
    int rc = CALL(Alltoallw, Ialltoallw, in, in_counts, in_places, types, out, out_counts,
                  out_places, types, comm);
    expect_parts("Alltoallw", rank);
    end("Alltoallw", rc, size * MOST_PART);
}

/* The sum of what ranks 0 to last - 1 have at place i. */
static long sum(int last, int i)
{
    long total = 0;
    for (int r = 0; r < last; r++) {
        total += value(r, i / MOST_PART, i % MOST_PART);
    }
    return total;
}

static void reduce(void)
{
    begin("Reduce");
    fill_in();
    int count = rank == root ? size * MOST_PART : 0;
    int rc =
        CALL(Reduce, Ireduce, in, out, size * MOST_PART, MPI_LONG, MPI_SUM, root, comm);
    for (int i = 0; i < count; i++) {
        expect("Reduce", i, sum(size, i));
    }
    end("Reduce", rc, count);
}

static void allreduce(void)
{
    begin("Allreduce");
    fill_in();
    int rc =
        CALL(Allreduce, Iallreduce, in, out, size * MOST_PART, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < size * MOST_PART; i++) {
        expect("Allreduce", i, sum(size, i));
    }
    end("Allreduce", rc, size * MOST_PART);
}

static void reduce_scatter_block(void)
{
    begin("Reduce_scatter_block");
    fill_in();
    int rc = CALL(Reduce_scatter_block, Ireduce_scatter_block, in, out, MOST_PART,
                  MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < MOST_PART; i++) {
        expect("Reduce_scatter_block", i, sum(size, rank * MOST_PART + i));
    }
    end("Reduce_scatter_block", rc, MOST_PART);
}

static void reduce_scatter(void)
{
    int first = 0;
    begin("Reduce_scatter");
    fill_in();
    place_parts(true);
    for (int r = 0; r < rank; r++) {
        first += out_counts[r];
    }
    int rc = CALL(Reduce_scatter, Ireduce_scatter, in, out, out_counts, MPI_LONG, MPI_SUM,
                  comm);
    for (int i = 0; i < share(rank); i++) {
        expect("Reduce_scatter", i, sum(size, first + i));
    }
    end("Reduce_scatter", rc, share(rank));
}

static void scan(void)
{
    begin("Scan");
    fill_in();
    int rc = CALL(Scan, Iscan, in, out, MOST_PART, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < MOST_PART; i++) {
        expect("Scan", i, sum(rank + 1, i));
    }
    end("Scan", rc, MOST_PART);
}

static void exscan(void)
{
    begin("Exscan");
    fill_in();
    int rc = CALL(Exscan, Iexscan, in, out, MOST_PART, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; rank > 0 && i < MOST_PART; i++) {
        expect("Exscan", i, sum(rank, i));
    }
    end("Exscan", rc, MOST_PART);
}

/* From the one before, and from the one before that. */
static int neighbour(int which)
{
    return (rank + NEIGHBOURS * size - 1 - which) % size;
}

/* What comes from neighbour `which` was its part number `which`, or always part 0. */
static void expect_neighbours(const char *name, bool different, const int *lengths)
{
    for (int n = 0; n < NEIGHBOURS; n++) {
        for (int i = 0; i < MOST_PART; i++) {
            bool inside = lengths == NULL || i < lengths[n];
            long want = value(neighbour(n), different ? n : 0, i);
            expect(name, n * MOST_PART + i, inside ? want : NOTHING);
        }
    }
}

static void neighbours_equal(void)
{
    begin("Neighbor_allgather");
    fill_in();
    int rc = CALL(Neighbor_allgather, Ineighbor_allgather, in, MOST_PART, MPI_LONG, out,
                  MOST_PART, MPI_LONG, ring);
    expect_neighbours("Neighbor_allgather", false, NULL);
    end("Neighbor_allgather", rc, NEIGHBOURS * MOST_PART);

    begin("Neighbor_alltoall");
    fill_in();
    rc = CALL(Neighbor_alltoall, Ineighbor_alltoall, in, MOST_PART, MPI_LONG, out,
              MOST_PART, MPI_LONG, ring);
    expect_neighbours("Neighbor_alltoall", true, NULL);
    end("Neighbor_alltoall", rc, NEIGHBOURS * MOST_PART);
}

static void neighbours_unequal(void)
{
    int lengths[NEIGHBOURS] = {share(neighbour(0)), share(neighbour(1))};
    int mine[NEIGHBOURS] = {share(rank), share(rank)};
    int places[NEIGHBOURS] = {0, MOST_PART};
    MPI_Aint bytes[NEIGHBOURS] = {0, MOST_PART * sizeof(long)};
    MPI_Datatype longs[NEIGHBOURS] = {MPI_LONG, MPI_LONG};

    begin("Neighbor_allgatherv");
    fill_in();
    int rc = CALL(Neighbor_allgatherv, Ineighbor_allgatherv, in, share(rank), MPI_LONG,
                  out, lengths, places, MPI_LONG, ring);
    expect_neighbours("Neighbor_allgatherv", false, lengths);
    end("Neighbor_allgatherv", rc, NEIGHBOURS * MOST_PART);

    begin("Neighbor_alltoallv");
    fill_in();
    rc = CALL(Neighbor_alltoallv, Ineighbor_alltoallv, in, mine, places, MPI_LONG, out,
              lengths, places, MPI_LONG, ring);
    expect_neighbours("Neighbor_alltoallv", true, lengths);
    end("Neighbor_alltoallv", rc, NEIGHBOURS * MOST_PART);

    begin("Neighbor_alltoallw");
    fill_in();
    rc = CALL(Neighbor_alltoallw, Ineighbor_alltoallw, in, mine, bytes, longs, out,
              lengths, bytes, longs, ring);
    expect_neighbours("Neighbor_alltoallw", true, lengths);
    end("Neighbor_alltoallw", rc, NEIGHBOURS * MOST_PART);
}

static void (*const operations[])(void) = {
    barrier,
    bcast,
    gather,
    allgather,
    alltoall,
    scatter,
    gatherv,
    scatterv,
    alltoallv,
    alltoallw,
    allgatherv,
    reduce,
    allreduce,
    scan,
    exscan,
    reduce_scatter,
    reduce_scatter_block,
    neighbours_equal,
    neighbours_unequal,
};

static void make_ring(void)
{
    int sources[NEIGHBOURS] = {neighbour(0), neighbour(1)};
    int weights[NEIGHBOURS] = {1, 1};
    int targets[NEIGHBOURS] = {(rank + 1) % size, (rank + 2) % size};
    check_ok(MPI_Dist_graph_create_adjacent(comm, NEIGHBOURS, sources, weights,
                                            NEIGHBOURS, targets, weights, MPI_INFO_NULL,
                                            0, &ring),
             "MPI_Dist_graph_create_adjacent");
}

/* All operations in all forms, several times: a component may change its way later. */
static void run_all(MPI_Comm on)
{
    enum { ROUNDS = 8 };
    comm = on;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    make_ring();
    for (int round = 0; round < ROUNDS; round++) {
        root = round % size;
        for (int f = 0; f < (HAVE_PERSISTENT ? FORMS : PERSISTENT); f++) {
            form = (enum form)f;
            for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++) {
                operations[o]();
            }
        }
    }
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    size_t most = ((size_t)check_size + NEIGHBOURS) * MOST_PART;
    MPI_Comm half;
    in = calloc(most, sizeof *in);
    out = calloc(most, sizeof *out);
    in_counts = calloc((size_t)check_size, sizeof *in_counts);
    out_counts = calloc((size_t)check_size, sizeof *out_counts);
    in_places = calloc((size_t)check_size, sizeof *in_places);
    out_places = calloc((size_t)check_size, sizeof *out_places);
    in_bytes = calloc((size_t)check_size, sizeof *in_bytes);
    out_bytes = calloc((size_t)check_size, sizeof *out_bytes);
    types = calloc((size_t)check_size, sizeof *types);
    run_all(MPI_COMM_WORLD);
    run_all(MPI_COMM_SELF);
    MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, -check_rank, &half);
    run_all(half);
    MPI_Comm_free(&half);
    if (!HAVE_PERSISTENT) {
        check_skip("persistent collectives: this MPI has none");
    }
    free(in);
    free(out);
    free(in_counts);
    free(out_counts);
    free(in_places);
    free(out_places);
    free(in_bytes);
    free(out_bytes);
    free(types);
    return check_finish();
}
