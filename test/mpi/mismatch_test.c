// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

/*
 * One rank passes another count than the rest: an error of the program. Nobody may hang,
 * nobody may write beyond its buffer, and a rank that can see it gets MPI_ERR_TRUNCATE.
 * Only for coll/hccl: other components may hang, or crash.
 *
 * Each case has a communicator of its own, because one that has seen a mismatch promises
 * nothing any more.
 */

enum {
    WARM_UP = 12, /* calls until shared memory is in use */
    SHORT_COUNT = 5,
};

enum kind { ALLREDUCE, REDUCE_SCATTER_BLOCK, BCAST, REDUCE, ALLGATHER, KINDS };

static const char *const names[KINDS] = {"MPI_Allreduce", "MPI_Reduce_scatter_block",
                                         "MPI_Bcast", "MPI_Reduce", "MPI_Allgather"};

/*
 * Element counts of most ranks, and of the odd one. No zeros: Open MPI itself returns at
 * once from a call without elements, and the component is never asked.
 */
static const int counts[][2] = {
    {1, 2},       {2, 1},       {3, 500},       {500, 3},         {500, 501},
    {600, 20000}, {20000, 600}, {20000, 20001}, {20001, 200},     {7, 300000},
    {300000, 7},  {1, 20000},   {300000, 600},  {300000, 299999},
};

static int call(enum kind kind, int count, int root, MPI_Comm comm,
                const struct check_buffer *in, const struct check_buffer *out)
{
    switch (kind) {
    case ALLREDUCE:
        return MPI_Allreduce(in->data, out->data, count, MPI_INT, MPI_SUM, comm);
    case REDUCE_SCATTER_BLOCK:
        return MPI_Reduce_scatter_block(in->data, out->data, count, MPI_INT, MPI_SUM,
                                        comm);
    case BCAST:
        return MPI_Bcast(out->data, count, MPI_INT, root, comm);
    case REDUCE:
        return MPI_Reduce(in->data, out->data, count, MPI_INT, MPI_SUM, root, comm);
    default:
        return MPI_Allgather(in->data, count, MPI_INT, out->data, count, MPI_INT, comm);
    }
}

static size_t in_bytes(enum kind kind, int count)
{
    size_t parts = kind == REDUCE_SCATTER_BLOCK ? (size_t)check_size : 1;
    return parts * (size_t)count * sizeof(int);
}

static size_t out_bytes(enum kind kind, int count)
{
    size_t parts = kind == ALLGATHER ? (size_t)check_size : 1;
    return parts * (size_t)count * sizeof(int);
}

/* @return 1 when this rank was told, else 0 */
static int mismatch(enum kind kind, int most, int odd_count, int odd, int root)
{
    MPI_Comm comm;
    struct check_buffer in = {0};
    struct check_buffer out = {0};
    int token = 1;
    int sum = 0;
    int class = MPI_SUCCESS;
    int count = check_rank == odd ? odd_count : most;
    check_note("%s, count %d, at rank %d count %d, root %d", names[kind], most, odd,
               odd_count, root);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < WARM_UP; i++) {
        check_ok(MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, comm), "warm-up");
    }
    check_buffer_arm(&in, in_bytes(kind, count), 0);
    check_buffer_arm(&out, out_bytes(kind, count), 0);
    int rc = call(kind, count, root, comm, &in, &out);
    if (rc != MPI_SUCCESS) {
        MPI_Error_class(rc, &class);
    }
    check_true(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE,
               "expected MPI_SUCCESS or MPI_ERR_TRUNCATE, got error class %d", class);
    check_buffer_guards(&in, "send buffer");
    check_buffer_guards(&out, "receive buffer");
    check_buffer_free(&in);
    check_buffer_free(&out);
    /* Freeing is local for us: what is checked is that the next communicator works. */
    MPI_Comm_free(&comm);
    return class == MPI_ERR_TRUNCATE ? 1 : 0;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (check_too_few(2)) {
        return CHECK_SKIPPED;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (int odd = 0; odd < check_size; odd += check_size - 1) {
                int told = mismatch((enum kind)kind, counts[c][0], counts[c][1], odd, 0);
                double any = check_extreme(told, true);
                check_true(any > 0, "no rank was told MPI_ERR_TRUNCATE");
            }
        }
    }
    return check_finish();
}
