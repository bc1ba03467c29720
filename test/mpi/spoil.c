// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include <mpi.h>

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * A library to preload that spoils MPI: it stands before a library that works and does
 * one thing wrong, so that the test programs can show that they notice. HCCL_SPOIL says
 * what:
 *   value   a bit of one result is wrong, now and then
 *   stray   a byte behind one result is overwritten, now and then
 *   lost    a result isn't delivered, now and then
 *   early   barriers don't wait
 *   order   user-defined operations get left and right swapped
 *   leak    each communicator leaves a descriptor and a mapping behind
 *   deaf    a rank that waits for others in a collective lets nothing else move on
 *   quiet   errors aren't returned
 *   nokey   info objects don't arrive
 * HCCL_SPOIL_BOARD is a file of 4 KiB that all ranks share, for deaf.
 */

enum { NOW_AND_THEN = 15, BOARD_BYTES = 4096, MOST_RANKS = 64 };

static bool is(const char *way)
{
    const char *spoil = getenv("HCCL_SPOIL");
    return spoil != NULL && strcmp(spoil, way) == 0;
}

/* True in one call of many. All threads and operations count together. */
static bool now(void)
{
    static atomic_long calls;
    return (atomic_fetch_add(&calls, 1) + 1) % NOW_AND_THEN == 0;
}

/* Spoil a result of `count` elements that the operation below has delivered. */
static void spoil(void *buffer, int count, MPI_Datatype type)
{
    MPI_Aint lower;
    MPI_Aint extent;
    MPI_Aint true_lower;
    MPI_Aint true_extent;
    if (buffer == NULL || count <= 0 || !(is("value") || is("stray")) || !now()) {
        return;
    }
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    unsigned char *last = (unsigned char *)buffer + (count - 1) * extent + true_lower;
    if (true_extent > 0 && is("value")) {
        last[0] ^= 1;
    } else if (true_extent > 0) {
        last[true_extent] ^= 1;
    }
}

/* Memory for a result that gets lost, or NULL when this one isn't. */
static void *lose(int count, MPI_Datatype type, void **memory)
{
    MPI_Aint lower;
    MPI_Aint extent;
    *memory = NULL;
    if (!is("lost") || !now()) {
        return NULL;
    }
    MPI_Type_get_extent(type, &lower, &extent);
    size_t step = (size_t)(extent < 0 ? -extent : extent);
    size_t bytes = ((size_t)count + 2) * (step + 1) + 65536;
    *memory = calloc(2, bytes);
    return (char *)*memory + bytes;
}

/* Wait until all ranks of MPI_COMM_WORLD have come as often, without calling MPI. */
static void be_deaf(MPI_Comm comm)
{
    static _Atomic uint64_t *board;
    static uint64_t calls;
    int rank;
    int size;
    int all;
    const char *name = getenv("HCCL_SPOIL_BOARD");
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_size(MPI_COMM_WORLD, &all);
    if (!is("deaf") || name == NULL || size != all || size > MOST_RANKS) {
        return;
    }
    if (board == NULL) {
        int file = open(name, O_RDWR);
        board = mmap(NULL, BOARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atomic_store(&board[rank], ++calls);
    for (int r = 0; r < size; r++) {
        while (atomic_load(&board[r]) < calls) {
            usleep(100);
        }
    }
}

static int tell(int rc)
{
    return is("quiet") ? MPI_SUCCESS : rc;
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    void *memory;
    void *elsewhere = in != MPI_IN_PLACE ? lose(count, type, &memory) : NULL;
    be_deaf(comm);
    int rc =
        PMPI_Allreduce(in, elsewhere != NULL ? elsewhere : out, count, type, op, comm);
    if (elsewhere != NULL) {
        free(memory);
    } else {
        spoil(out, count, type);
    }
    return tell(rc);
}

int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
               int root, MPI_Comm comm)
{
    int rank;
    be_deaf(comm);
    int rc = PMPI_Reduce(in, out, count, type, op, root, comm);
    PMPI_Comm_rank(comm, &rank);
    if (rank == root || root == MPI_ROOT) {
        spoil(out, count, type);
    }
    return tell(rc);
}

int MPI_Reduce_scatter(const void *in, void *out, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm)
{
    int rank;
    be_deaf(comm);
    int rc = PMPI_Reduce_scatter(in, out, counts, type, op, comm);
    PMPI_Comm_rank(comm, &rank);
    spoil(out, counts[rank], type);
    return tell(rc);
}

int MPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm)
{
    be_deaf(comm);
    int rc = PMPI_Reduce_scatter_block(in, out, count, type, op, comm);
    spoil(out, count, type);
    return tell(rc);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rank;
    void *memory;
    PMPI_Comm_rank(comm, &rank);
    void *elsewhere = rank != root && root >= 0 ? lose(count, type, &memory) : NULL;
    be_deaf(comm);
    int rc = PMPI_Bcast(elsewhere != NULL ? elsewhere : buffer, count, type, root, comm);
    if (elsewhere != NULL) {
        free(memory);
    } else {
        spoil(buffer, count, type);
    }
    return tell(rc);
}

int MPI_Allgather(const void *in, int in_count, MPI_Datatype in_type, void *out,
                  int out_count, MPI_Datatype out_type, MPI_Comm comm)
{
    int size;
    int inter;
    be_deaf(comm);
    int rc = PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) {
        PMPI_Comm_remote_size(comm, &size);
    } else {
        PMPI_Comm_size(comm, &size);
    }
    spoil(out, out_count * size, out_type);
    return tell(rc);
}

int MPI_Barrier(MPI_Comm comm)
{
    be_deaf(comm);
    return is("early") ? MPI_SUCCESS : PMPI_Barrier(comm);
}

int MPI_Neighbor_alltoall(const void *in, int in_count, MPI_Datatype in_type, void *out,
                          int out_count, MPI_Datatype out_type, MPI_Comm comm)
{
    int rc =
        PMPI_Neighbor_alltoall(in, in_count, in_type, out, out_count, out_type, comm);
    if (is("value")) {
        ((unsigned char *)out)[0] ^= 1;
    }
    return rc;
}

static MPI_User_function *user_function;

/* inout = inout op in, where in op inout is wanted. */
static void swapped(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint lower;
    MPI_Aint extent;
    MPI_Aint true_lower;
    MPI_Aint true_extent;
    if (*count <= 0) {
        return;
    }
    MPI_Type_get_extent(*type, &lower, &extent);
    MPI_Type_get_true_extent(*type, &true_lower, &true_extent);
    size_t bytes = (size_t)((*count - 1) * extent + true_extent);
    char *right = malloc(bytes);
    memcpy(right, (char *)inout + true_lower, bytes);
    memcpy((char *)inout + true_lower, (char *)in + true_lower, bytes);
    user_function(right - true_lower, inout, count, type);
    free(right);
}

int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op)
{
    user_function = function;
    return PMPI_Op_create(is("order") ? swapped : function, commutes, op);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    if (is("leak")) {
        void *kept =
            mmap(NULL, BOARD_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        /* Neighbouring mappings become one for the kernel: the descriptors tell. */
        if (kept == MAP_FAILED || dup(0) < 0) {
            return MPI_ERR_OTHER;
        }
    }
    return PMPI_Comm_free(comm);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *copy)
{
    return PMPI_Comm_dup_with_info(comm, is("nokey") ? MPI_INFO_NULL : info, copy);
}
