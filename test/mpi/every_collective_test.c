// SPDX-License-Identifier: BSD-3-Clause
#include "collective_data.h"
#include "mpi_check.h"

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

enum { STARTS = 4 };

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

static int call_allgather(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(
        form, q,
        MPI_Allgather(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG, COMMON),
        MPI_Iallgather(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG, COMMON, q),
        PERSISTENT(Allgather_init)(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG,
                                   COMMON, MPI_INFO_NULL, q));
}

static int call_allgatherv(enum form form, const struct collective_data *d,
                           MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Allgatherv(d->in, d->counts[d->me], MPI_LONG, d->out, d->counts,
                                   d->shifts, MPI_LONG, COMMON),
                    MPI_Iallgatherv(d->in, d->counts[d->me], MPI_LONG, d->out, d->counts,
                                    d->shifts, MPI_LONG, COMMON, q),
                    PERSISTENT(Allgatherv_init)(d->in, d->counts[d->me], MPI_LONG, d->out,
                                                d->counts, d->shifts, MPI_LONG, COMMON,
                                                MPI_INFO_NULL, q));
}

static int call_allreduce(enum form form, const struct collective_data *d, MPI_Request *q)
{
    int n = d->ranks * d->block;
    return FORMS_OF(form, q, MPI_Allreduce(d->in, d->out, n, MPI_LONG, MPI_SUM, COMMON),
                    MPI_Iallreduce(d->in, d->out, n, MPI_LONG, MPI_SUM, COMMON, q),
                    PERSISTENT(Allreduce_init)(d->in, d->out, n, MPI_LONG, MPI_SUM,
                                               COMMON, MPI_INFO_NULL, q));
}

static int call_alltoall(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(
        form, q,
        MPI_Alltoall(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG, COMMON),
        MPI_Ialltoall(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG, COMMON, q),
        PERSISTENT(Alltoall_init)(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG,
                                  COMMON, MPI_INFO_NULL, q));
}

static int call_alltoallv(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Alltoallv(d->in, d->mine, d->shifts, MPI_LONG, d->out, d->counts,
                                  d->shifts, MPI_LONG, COMMON),
                    MPI_Ialltoallv(d->in, d->mine, d->shifts, MPI_LONG, d->out, d->counts,
                                   d->shifts, MPI_LONG, COMMON, q),
                    PERSISTENT(Alltoallv_init)(d->in, d->mine, d->shifts, MPI_LONG,
                                               d->out, d->counts, d->shifts, MPI_LONG,
                                               COMMON, MPI_INFO_NULL, q));
}

static int call_alltoallw(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Alltoallw(d->in, d->mine, d->bytes_at, d->types, d->out,
                                  d->counts, d->bytes_at, d->types, COMMON),
                    MPI_Ialltoallw(d->in, d->mine, d->bytes_at, d->types, d->out,
                                   d->counts, d->bytes_at, d->types, COMMON, q),
                    PERSISTENT(Alltoallw_init)(d->in, d->mine, d->bytes_at, d->types,
                                               d->out, d->counts, d->bytes_at, d->types,
                                               COMMON, MPI_INFO_NULL, q));
}

static int call_barrier(enum form form, const struct collective_data *d, MPI_Request *q)
{
    (void)d;
    return FORMS_OF(form, q, MPI_Barrier(COMMON), MPI_Ibarrier(COMMON, q),
                    PERSISTENT(Barrier_init)(COMMON, MPI_INFO_NULL, q));
}

static int call_bcast(enum form form, const struct collective_data *d, MPI_Request *q)
{
    long *buffer = d->me == d->root ? d->in : d->out;
    return FORMS_OF(form, q, MPI_Bcast(buffer, d->block, MPI_LONG, d->root, COMMON),
                    MPI_Ibcast(buffer, d->block, MPI_LONG, d->root, COMMON, q),
                    PERSISTENT(Bcast_init)(buffer, d->block, MPI_LONG, d->root, COMMON,
                                           MPI_INFO_NULL, q));
}

static int call_exscan(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Exscan(d->in, d->out, d->block, MPI_LONG, MPI_SUM, COMMON),
                    MPI_Iexscan(d->in, d->out, d->block, MPI_LONG, MPI_SUM, COMMON, q),
                    PERSISTENT(Exscan_init)(d->in, d->out, d->block, MPI_LONG, MPI_SUM,
                                            COMMON, MPI_INFO_NULL, q));
}

static int call_gather(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Gather(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG,
                               d->root, COMMON),
                    MPI_Igather(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG,
                                d->root, COMMON, q),
                    PERSISTENT(Gather_init)(d->in, d->block, MPI_LONG, d->out, d->block,
                                            MPI_LONG, d->root, COMMON, MPI_INFO_NULL, q));
}

static int call_gatherv(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Gatherv(d->in, d->counts[d->me], MPI_LONG, d->out, d->counts,
                                d->shifts, MPI_LONG, d->root, COMMON),
                    MPI_Igatherv(d->in, d->counts[d->me], MPI_LONG, d->out, d->counts,
                                 d->shifts, MPI_LONG, d->root, COMMON, q),
                    PERSISTENT(Gatherv_init)(d->in, d->counts[d->me], MPI_LONG, d->out,
                                             d->counts, d->shifts, MPI_LONG, d->root,
                                             COMMON, MPI_INFO_NULL, q));
}

static int call_reduce(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(
        form, q, MPI_Reduce(d->in, d->out, d->block, MPI_LONG, MPI_SUM, d->root, COMMON),
        MPI_Ireduce(d->in, d->out, d->block, MPI_LONG, MPI_SUM, d->root, COMMON, q),
        PERSISTENT(Reduce_init)(d->in, d->out, d->block, MPI_LONG, MPI_SUM, d->root,
                                COMMON, MPI_INFO_NULL, q));
}

static int call_reduce_scatter(enum form form, const struct collective_data *d,
                               MPI_Request *q)
{
    return FORMS_OF(
        form, q, MPI_Reduce_scatter(d->in, d->out, d->counts, MPI_LONG, MPI_SUM, COMMON),
        MPI_Ireduce_scatter(d->in, d->out, d->counts, MPI_LONG, MPI_SUM, COMMON, q),
        PERSISTENT(Reduce_scatter_init)(d->in, d->out, d->counts, MPI_LONG, MPI_SUM,
                                        COMMON, MPI_INFO_NULL, q));
}

static int call_reduce_scatter_block(enum form form, const struct collective_data *d,
                                     MPI_Request *q)
{
    return FORMS_OF(
        form, q,
        MPI_Reduce_scatter_block(d->in, d->out, d->block, MPI_LONG, MPI_SUM, COMMON),
        MPI_Ireduce_scatter_block(d->in, d->out, d->block, MPI_LONG, MPI_SUM, COMMON, q),
        PERSISTENT(Reduce_scatter_block_init)(d->in, d->out, d->block, MPI_LONG, MPI_SUM,
                                              COMMON, MPI_INFO_NULL, q));
}

static int call_scan(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q, MPI_Scan(d->in, d->out, d->block, MPI_LONG, MPI_SUM, COMMON),
                    MPI_Iscan(d->in, d->out, d->block, MPI_LONG, MPI_SUM, COMMON, q),
                    PERSISTENT(Scan_init)(d->in, d->out, d->block, MPI_LONG, MPI_SUM,
                                          COMMON, MPI_INFO_NULL, q));
}

static int call_scatter(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Scatter(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG,
                                d->root, COMMON),
                    MPI_Iscatter(d->in, d->block, MPI_LONG, d->out, d->block, MPI_LONG,
                                 d->root, COMMON, q),
                    PERSISTENT(Scatter_init)(d->in, d->block, MPI_LONG, d->out, d->block,
                                             MPI_LONG, d->root, COMMON, MPI_INFO_NULL,
                                             q));
}

static int call_scatterv(enum form form, const struct collective_data *d, MPI_Request *q)
{
    return FORMS_OF(form, q,
                    MPI_Scatterv(d->in, d->counts, d->shifts, MPI_LONG, d->out,
                                 d->counts[d->me], MPI_LONG, d->root, COMMON),
                    MPI_Iscatterv(d->in, d->counts, d->shifts, MPI_LONG, d->out,
                                  d->counts[d->me], MPI_LONG, d->root, COMMON, q),
                    PERSISTENT(Scatterv_init)(d->in, d->counts, d->shifts, MPI_LONG,
                                              d->out, d->counts[d->me], MPI_LONG, d->root,
                                              COMMON, MPI_INFO_NULL, q));
}

static const struct {
    const char *name;
    int (*call)(enum form form, const struct collective_data *d, MPI_Request *request);
    void (*check)(const struct collective_data *d);
} operations[] = {
    {"allgather", call_allgather, collective_check_allgather},
    {"allgatherv", call_allgatherv, collective_check_allgatherv},
    {"allreduce", call_allreduce, collective_check_allreduce},
    {"alltoall", call_alltoall, collective_check_alltoall},
    {"alltoallv", call_alltoallv, collective_check_alltoallv},
    {"alltoallw", call_alltoallw, collective_check_alltoallv},
    {"barrier", call_barrier, collective_check_barrier},
    {"bcast", call_bcast, collective_check_bcast},
    {"exscan", call_exscan, collective_check_exscan},
    {"gather", call_gather, collective_check_gather},
    {"gatherv", call_gatherv, collective_check_gatherv},
    {"reduce", call_reduce, collective_check_reduce},
    {"reduce_scatter", call_reduce_scatter, collective_check_reduce_scatter},
    {"reduce_scatter_block", call_reduce_scatter_block,
     collective_check_reduce_scatter_block},
    {"scan", call_scan, collective_check_scan},
    {"scatter", call_scatter, collective_check_scatter},
    {"scatterv", call_scatterv, collective_check_scatterv},
};

static void run(size_t number, enum form form, struct collective_data *d)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int starts = form == PERSISTENT_FORM ? STARTS : 1;
    check_note("%s, %s, %d elements a rank, root %d", operations[number].name,
               form_names[form], d->block, d->root);
    collective_data_fill(d);
    check_ok(operations[number].call(form, d, &request), "the call");
    for (int s = 0; s < starts; s++) {
        if (form == PERSISTENT_FORM) {
            collective_data_fill(d);
            check_ok(MPI_Start(&request), "MPI_Start");
        }
        if (form != BLOCKING) {
            check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        }
        operations[number].check(d);
    }
    if (form == PERSISTENT_FORM) {
        check_ok(MPI_Request_free(&request), "MPI_Request_free");
    }
}

static void run_all(int block, int root)
{
    struct collective_data data;
    collective_data_make(&data, block, root);
    for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++) {
        for (int form = 0; form < (HAS_PERSISTENT ? FORMS : PERSISTENT_FORM); form++) {
            run(o, (enum form)form, &data);
        }
    }
    collective_data_free(&data);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (check_size > COLLECTIVE_MOST_RANKS) {
        check_skip("more than %d ranks", COLLECTIVE_MOST_RANKS);
        MPI_Finalize();
        return CHECK_SKIPPED;
    }
    if (!HAS_PERSISTENT) {
        check_skip("persistent forms: this MPI has none");
    }
    for (int root = 0; root < check_size; root++) {
        run_all(1, root);
        run_all(50, root);
        run_all(3000, root);
    }
    return check_finish();
}
