// SPDX-License-Identifier: BSD-3-Clause
// A library for the self-test, loaded before MPI: it spoils results, so that the test
// sees whether the benchmark notices. Which operation, on which rank, in which way, comes
// from the environment:
//   HCCL_CORRUPT_OP    allreduce, bcast, reduce_scatter, ...
//   HCCL_CORRUPT_HOW   flip (one bit of the last element), skip (no call at all), overrun
//   (a byte
//                      after the end), input (a byte of the send buffer), late (flip, but
//                      only from the 20th call on)
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static int chosen(const char *op, MPI_Comm comm)
{
    const char *wanted = getenv("HCCL_CORRUPT_OP");
    int rank = 0;
    int ranks = 0;

    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    return wanted != NULL && strcmp(wanted, op) == 0 && rank == ranks - 1;
}

static int is_how(const char *how)
{
    const char *wanted = getenv("HCCL_CORRUPT_HOW");

    return wanted != NULL && strcmp(wanted, how) == 0;
}

static void spoil(const void *send, void *recv, long count, MPI_Datatype type)
{
    int size = 0;

    PMPI_Type_size(type, &size);
    unsigned char *end = (unsigned char *)recv + count * size;
    calls++;
    if (count > 0 && (is_how("flip") || (is_how("late") && calls > 20))) {
        end[-size] ^= 1;
    } else if (is_how("overrun")) {
        *end ^= 1;
    } else if (is_how("input") && send != MPI_IN_PLACE && send != NULL) {
        *(unsigned char *)(size_t)send ^= 1;
    }
}

// The benchmark's own calls are short; those it measures here have more elements than
// this.
enum { SHORT = 4 };

int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    int spoilt = count > SHORT && chosen("allreduce", comm);
    int skip = spoilt && is_how("skip");
    // every rank has to take part, so a skipped call goes to another place
    void *to = skip ? malloc((size_t)count * 16) : recv;
    int rc = PMPI_Allreduce(send, to, count, type, op, comm);

    if (spoilt && !skip) {
        spoil(send, recv, count, type);
    }
    if (skip) {
        free(to);
    }
    return rc;
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rc = PMPI_Bcast(data, count, type, root, comm);

    if (count > SHORT && type == MPI_FLOAT && chosen("bcast", comm)) {
        spoil(NULL, data, count, type);
    }
    return rc;
}

int MPI_Reduce_scatter(const void *send, void *recv, const int counts[],
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int rc = PMPI_Reduce_scatter(send, recv, counts, type, op, comm);
    int rank = 0;

    PMPI_Comm_rank(comm, &rank);
    if (chosen("reduce_scatter", comm)) {
        spoil(send, recv, counts[rank], type);
    }
    return rc;
}

int MPI_Reduce_scatter_block(const void *send, void *recv, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm)
{
    int rc = PMPI_Reduce_scatter_block(send, recv, count, type, op, comm);

    if (chosen("reduce_scatter_block", comm)) {
        spoil(send, recv, count, type);
    }
    return rc;
}

int MPI_Allgather(const void *send, int count, MPI_Datatype type, void *recv,
                  int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    int rc = PMPI_Allgather(send, count, type, recv, recv_count, recv_type, comm);
    int ranks = 0;

    PMPI_Comm_size(comm, &ranks);
    if (chosen("allgather", comm)) {
        spoil(send, recv, (long)recv_count * ranks, recv_type);
    }
    return rc;
}

int MPI_Reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
               int root, MPI_Comm comm)
{
    int rc = PMPI_Reduce(send, recv, count, type, op, root, comm);

    if (count > SHORT && type == MPI_FLOAT && chosen("reduce", comm)) {
        spoil(send, recv, count, type);
    }
    return rc;
}
