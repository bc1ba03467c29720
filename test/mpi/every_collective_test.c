// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdlib.h>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

/*
 * Every collective operation of MPI in its blocking, nonblocking and persistent form:
 * does it exist and give the right result? That is what a program finds when one
 * collective component is asked for by name and has to bring along what it doesn't do
 * itself.
 */

/* From MPI 4 on persistent collectives are MPI_X_init; before, an extension. */
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define PERSISTENT(call) MPI_##call
#define HAS_PERSISTENT   1
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT(call) MPIX_##call
#define HAS_PERSISTENT   1
#else
#define HAS_PERSISTENT 0
#endif

enum form { BLOCKING, NONBLOCKING, PERSISTENT_FORM, FORMS };

static const char *const form_names[FORMS] = {"blocking", "nonblocking", "persistent"};

enum { MOST_RANKS = 64, STARTS = 4 };

/* The arguments of all operations: each rank has `block` elements for each rank. */
static int ranks;
static int me;
static int block;
static int root;
static long *in;
static long *out;
static int counts[MOST_RANKS];   /* r + 1 elements for rank r, at most block */
static int shifts[MOST_RANKS];   /* where they lie: block apart */
static int bytes_at[MOST_RANKS]; /* the same in bytes */
static MPI_Datatype types[MOST_RANKS];

/* The element that rank `from` has at index `at`. */
static long value(int from, int at)
{
    return 100000L * (from + 1) + at;
}

static void prepare(void)
{
    for (int i = 0; i < ranks * block; i++) {
        in[i] = value(me, i);
        out[i] = -1;
    }
}

static void expect(int at, long want)
{
    check_true(out[at] == want, "index %d: expected %ld, got %ld", at, want, out[at]);
}

static long sum_over(int first, int last, int at)
{
    long sum = 0;
    for (int r = first; r < last; r++) {
        sum += value(r, at);
    }
    return sum;
}

/*
 * One function per operation. Each makes the call in the wanted form, with a request for
 * the last two; the persistent form only prepares it.
 */
#define COMMON MPI_COMM_WORLD
#if HAS_PERSISTENT
#define FORMS_OF(form, request, blocking, nonblocking, persistent)                       \
    ((form) == BLOCKING ? blocking : (form) == NONBLOCKING ? nonblocking : persistent)
#else
#define FORMS_OF(form, request, blocking, nonblocking, persistent)                       \
    ((form) == BLOCKING ? blocking : nonblocking)
#endif

static int call_allgather(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Allgather(in, block, MPI_LONG, out, block, MPI_LONG, COMMON),
                    MPI_Iallgather(in, block, MPI_LONG, out, block, MPI_LONG, COMMON, q),
                    PERSISTENT(Allgather_init)(in, block, MPI_LONG, out, block, MPI_LONG,
                                               COMMON, MPI_INFO_NULL, q));
}

static void check_allgather(void)
{
    for (int i = 0; i < ranks * block; i++) {
        expect(i, value(i / block, i % block));
    }
}

static int call_allgatherv(enum form form, MPI_Request *q)
{
    return FORMS_OF(
        form, q,
        MPI_Allgatherv(in, counts[me], MPI_LONG, out, counts, shifts, MPI_LONG, COMMON),
        MPI_Iallgatherv(in, counts[me], MPI_LONG, out, counts, shifts, MPI_LONG, COMMON,
                        q),
        PERSISTENT(Allgatherv_init)(in, counts[me], MPI_LONG, out, counts, shifts,
                                    MPI_LONG, COMMON, MPI_INFO_NULL, q));
}

static void check_allgatherv(void)
{
    for (int i = 0; i < ranks * block; i++) {
        int from = i / block;
        int at = i % block;
        expect(i, at < counts[from] ? value(from, at) : -1);
    }
}

static int call_allreduce(enum form form, MPI_Request *q)
{
    int n = ranks * block;
    return FORMS_OF(form, q, MPI_Allreduce(in, out, n, MPI_LONG, MPI_SUM, COMMON),
                    MPI_Iallreduce(in, out, n, MPI_LONG, MPI_SUM, COMMON, q),
                    PERSISTENT(Allreduce_init)(in, out, n, MPI_LONG, MPI_SUM, COMMON,
                                               MPI_INFO_NULL, q));
}

static void check_allreduce(void)
{
    for (int i = 0; i < ranks * block; i++) {
        expect(i, sum_over(0, ranks, i));
    }
}

static int call_alltoall(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Alltoall(in, block, MPI_LONG, out, block, MPI_LONG, COMMON),
                    MPI_Ialltoall(in, block, MPI_LONG, out, block, MPI_LONG, COMMON, q),
                    PERSISTENT(Alltoall_init)(in, block, MPI_LONG, out, block, MPI_LONG,
                                              COMMON, MPI_INFO_NULL, q));
}

static void check_alltoall(void)
{
    for (int i = 0; i < ranks * block; i++) {
        expect(i, value(i / block, me * block + i % block));
    }
}

/* To rank r go counts[me] elements, so that counts[r] come from there. */
static int mine[MOST_RANKS];

static int call_alltoallv(enum form form, MPI_Request *q)
{
    return FORMS_OF(
        form, q,
        MPI_Alltoallv(in, mine, shifts, MPI_LONG, out, counts, shifts, MPI_LONG, COMMON),
        MPI_Ialltoallv(in, mine, shifts, MPI_LONG, out, counts, shifts, MPI_LONG, COMMON,
                       q),
        PERSISTENT(Alltoallv_init)(in, mine, shifts, MPI_LONG, out, counts, shifts,
                                   MPI_LONG, COMMON, MPI_INFO_NULL, q));
}

static int call_alltoallw(enum form form, MPI_Request *q)
{
    return FORMS_OF(
        form, q,
        MPI_Alltoallw(in, mine, bytes_at, types, out, counts, bytes_at, types, COMMON),
        MPI_Ialltoallw(in, mine, bytes_at, types, out, counts, bytes_at, types, COMMON,
                       q),
        PERSISTENT(Alltoallw_init)(in, mine, bytes_at, types, out, counts, bytes_at,
                                   types, COMMON, MPI_INFO_NULL, q));
}

static void check_alltoallv(void)
{
    for (int i = 0; i < ranks * block; i++) {
        int from = i / block;
        int at = i % block;
        expect(i, at < counts[from] ? value(from, me * block + at) : -1);
    }
}

static int call_barrier(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q, MPI_Barrier(COMMON), MPI_Ibarrier(COMMON, q),
                    PERSISTENT(Barrier_init)(COMMON, MPI_INFO_NULL, q));
}

static void check_barrier(void)
{
    expect(0, -1);
}

static int call_bcast(enum form form, MPI_Request *q)
{
    long *buffer = me == root ? in : out;
    return FORMS_OF(
        form, q, MPI_Bcast(buffer, block, MPI_LONG, root, COMMON),
        MPI_Ibcast(buffer, block, MPI_LONG, root, COMMON, q),
        PERSISTENT(Bcast_init)(buffer, block, MPI_LONG, root, COMMON, MPI_INFO_NULL, q));
}

static void check_bcast(void)
{
    for (int i = 0; i < block; i++) {
        expect(i, me == root ? -1 : value(root, i));
    }
}

static int call_exscan(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q, MPI_Exscan(in, out, block, MPI_LONG, MPI_SUM, COMMON),
                    MPI_Iexscan(in, out, block, MPI_LONG, MPI_SUM, COMMON, q),
                    PERSISTENT(Exscan_init)(in, out, block, MPI_LONG, MPI_SUM, COMMON,
                                            MPI_INFO_NULL, q));
}

static void check_exscan(void)
{
    for (int i = 0; i < block && me > 0; i++) {
        expect(i, sum_over(0, me, i));
    }
}

static int call_gather(enum form form, MPI_Request *q)
{
    return FORMS_OF(
        form, q, MPI_Gather(in, block, MPI_LONG, out, block, MPI_LONG, root, COMMON),
        MPI_Igather(in, block, MPI_LONG, out, block, MPI_LONG, root, COMMON, q),
        PERSISTENT(Gather_init)(in, block, MPI_LONG, out, block, MPI_LONG, root, COMMON,
                                MPI_INFO_NULL, q));
}

static void check_gather(void)
{
    for (int i = 0; i < ranks * block; i++) {
        expect(i, me == root ? value(i / block, i % block) : -1);
    }
}

static int call_gatherv(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Gatherv(in, counts[me], MPI_LONG, out, counts, shifts, MPI_LONG,
                                root, COMMON),
                    MPI_Igatherv(in, counts[me], MPI_LONG, out, counts, shifts, MPI_LONG,
                                 root, COMMON, q),
                    PERSISTENT(Gatherv_init)(in, counts[me], MPI_LONG, out, counts,
                                             shifts, MPI_LONG, root, COMMON,
                                             MPI_INFO_NULL, q));
}

static void check_gatherv(void)
{
    for (int i = 0; i < ranks * block; i++) {
        bool filled = me == root && i % block < counts[i / block];
        expect(i, filled ? value(i / block, i % block) : -1);
    }
}

static int call_reduce(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q, MPI_Reduce(in, out, block, MPI_LONG, MPI_SUM, root, COMMON),
                    MPI_Ireduce(in, out, block, MPI_LONG, MPI_SUM, root, COMMON, q),
                    PERSISTENT(Reduce_init)(in, out, block, MPI_LONG, MPI_SUM, root,
                                            COMMON, MPI_INFO_NULL, q));
}

static void check_reduce(void)
{
    for (int i = 0; i < block; i++) {
        expect(i, me == root ? sum_over(0, ranks, i) : -1);
    }
}

static int call_reduce_scatter(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Reduce_scatter(in, out, counts, MPI_LONG, MPI_SUM, COMMON),
                    MPI_Ireduce_scatter(in, out, counts, MPI_LONG, MPI_SUM, COMMON, q),
                    PERSISTENT(Reduce_scatter_init)(in, out, counts, MPI_LONG, MPI_SUM,
                                                    COMMON, MPI_INFO_NULL, q));
}

static void check_reduce_scatter(void)
{
    int first = 0;
    for (int r = 0; r < me; r++) {
        first += counts[r];
    }
    for (int i = 0; i < block; i++) {
        expect(i, i < counts[me] ? sum_over(0, ranks, first + i) : -1);
    }
}

static int call_reduce_scatter_block(enum form form, MPI_Request *q)
{
    return FORMS_OF(
        form, q, MPI_Reduce_scatter_block(in, out, block, MPI_LONG, MPI_SUM, COMMON),
        MPI_Ireduce_scatter_block(in, out, block, MPI_LONG, MPI_SUM, COMMON, q),
        PERSISTENT(Reduce_scatter_block_init)(in, out, block, MPI_LONG, MPI_SUM, COMMON,
                                              MPI_INFO_NULL, q));
}

static void check_reduce_scatter_block(void)
{
    for (int i = 0; i < block; i++) {
        expect(i, sum_over(0, ranks, me * block + i));
    }
}

static int call_scan(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q, MPI_Scan(in, out, block, MPI_LONG, MPI_SUM, COMMON),
                    MPI_Iscan(in, out, block, MPI_LONG, MPI_SUM, COMMON, q),
                    PERSISTENT(Scan_init)(in, out, block, MPI_LONG, MPI_SUM, COMMON,
                                          MPI_INFO_NULL, q));
}

static void check_scan(void)
{
    for (int i = 0; i < block; i++) {
        expect(i, sum_over(0, me + 1, i));
    }
}

static int call_scatter(enum form form, MPI_Request *q)
{
    return FORMS_OF(
        form, q, MPI_Scatter(in, block, MPI_LONG, out, block, MPI_LONG, root, COMMON),
        MPI_Iscatter(in, block, MPI_LONG, out, block, MPI_LONG, root, COMMON, q),
        PERSISTENT(Scatter_init)(in, block, MPI_LONG, out, block, MPI_LONG, root, COMMON,
                                 MPI_INFO_NULL, q));
}

static void check_scatter(void)
{
    for (int i = 0; i < block; i++) {
        expect(i, value(root, me * block + i));
    }
}

static int call_scatterv(enum form form, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Scatterv(in, counts, shifts, MPI_LONG, out, counts[me], MPI_LONG,
                                 root, COMMON),
                    MPI_Iscatterv(in, counts, shifts, MPI_LONG, out, counts[me], MPI_LONG,
                                  root, COMMON, q),
                    PERSISTENT(Scatterv_init)(in, counts, shifts, MPI_LONG, out,
                                              counts[me], MPI_LONG, root, COMMON,
                                              MPI_INFO_NULL, q));
}

static void check_scatterv(void)
{
    for (int i = 0; i < block; i++) {
        expect(i, i < counts[me] ? value(root, me * block + i) : -1);
    }
}

static const struct {
    const char *name;
    int (*call)(enum form form, MPI_Request *request);
    void (*check)(void);
} operations[] = {
    {"allgather", call_allgather, check_allgather},
    {"allgatherv", call_allgatherv, check_allgatherv},
    {"allreduce", call_allreduce, check_allreduce},
    {"alltoall", call_alltoall, check_alltoall},
    {"alltoallv", call_alltoallv, check_alltoallv},
    {"alltoallw", call_alltoallw, check_alltoallv},
    {"barrier", call_barrier, check_barrier},
    {"bcast", call_bcast, check_bcast},
    {"exscan", call_exscan, check_exscan},
    {"gather", call_gather, check_gather},
    {"gatherv", call_gatherv, check_gatherv},
    {"reduce", call_reduce, check_reduce},
    {"reduce_scatter", call_reduce_scatter, check_reduce_scatter},
    {"reduce_scatter_block", call_reduce_scatter_block, check_reduce_scatter_block},
    {"scan", call_scan, check_scan},
    {"scatter", call_scatter, check_scatter},
    {"scatterv", call_scatterv, check_scatterv},
};

static void run(size_t number, enum form form)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int starts = form == PERSISTENT_FORM ? STARTS : 1;
    check_note("%s, %s, %d elements a rank, root %d", operations[number].name,
               form_names[form], block, root);
    prepare();
    check_ok(operations[number].call(form, &request), "the call");
    for (int s = 0; s < starts; s++) {
        if (form == PERSISTENT_FORM) {
            prepare();
            check_ok(MPI_Start(&request), "MPI_Start");
        }
        if (form != BLOCKING) {
            check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        }
        operations[number].check();
    }
    if (form == PERSISTENT_FORM) {
        check_ok(MPI_Request_free(&request), "MPI_Request_free");
    }
}

static void run_all(int elements, int to)
{
    block = elements;
    root = to;
    in = malloc(sizeof *in * (size_t)(ranks * block));
    out = malloc(sizeof *out * (size_t)(ranks * block));
    for (int r = 0; r < ranks; r++) {
        counts[r] = r % 4 == 3 ? 0 : (r * 13 + elements / 2) % (elements + 1);
        shifts[r] = r * block;
        bytes_at[r] = shifts[r] * (int)sizeof(long);
        types[r] = MPI_LONG;
    }
    for (int r = 0; r < ranks; r++) {
        mine[r] = counts[me];
    }
    for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++) {
        for (int form = 0; form < (HAS_PERSISTENT ? FORMS : PERSISTENT_FORM); form++) {
            run(o, (enum form)form);
        }
    }
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    ranks = check_size;
    me = check_rank;
    if (ranks > MOST_RANKS) {
        check_skip("more than %d ranks", MOST_RANKS);
        MPI_Finalize();
        return CHECK_SKIPPED;
    }
    if (!HAS_PERSISTENT) {
        check_skip("persistent forms: this MPI has none");
    }
    for (int to = 0; to < ranks; to++) {
        run_all(1, to);
        run_all(50, to);
        run_all(3000, to);
    }
    return check_finish();
}
