// SPDX-License-Identifier: BSD-3-Clause
#include "check_comm.h"

static _Thread_local uint64_t in[CHECK_COMM_MOST];
static _Thread_local uint64_t out[CHECK_COMM_MOST];

uint64_t check_comm_value(uint64_t seed, int rank, size_t index)
{
    return check_mix(seed, (uint64_t)rank, index);
}

uint64_t check_comm_sum(uint64_t seed, int first, int last, size_t index)
{
    uint64_t sum = 0;
    for (int r = first; r < last; r++) {
        sum += check_comm_value(seed, r, index);
    }
    return sum;
}

static void fill(uint64_t seed, int rank, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        in[i] = check_comm_value(seed, rank, i);
    }
}

static bool same(const char *name, size_t index, uint64_t want, uint64_t got)
{
    return check_true(want == got, "%s: index %zu: expected %#lx, got %#lx", name, index,
                      (unsigned long)want, (unsigned long)got);
}

static bool are_sums(const char *name, uint64_t seed, int size, size_t first,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!same(name, first + i, check_comm_sum(seed, 0, size, first + i), out[i])) {
            return false;
        }
    }
    return true;
}

bool check_comm_allreduce(MPI_Comm comm, uint64_t seed, size_t count)
{
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    fill(seed, rank, count);
    return check_ok(MPI_Allreduce(in, out, (int)count, MPI_UINT64_T, MPI_SUM, comm),
                    "MPI_Allreduce") &&
           are_sums("MPI_Allreduce", seed, size, 0, count);
}

bool check_comm_bcast(MPI_Comm comm, uint64_t seed, size_t count)
{
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int root = (int)(seed % (uint64_t)size);
    for (size_t i = 0; i < count; i++) {
        out[i] = rank == root ? check_comm_value(seed, root, i) : 0;
    }
    bool good =
        check_ok(MPI_Bcast(out, (int)count, MPI_UINT64_T, root, comm), "MPI_Bcast");
    for (size_t i = 0; good && i < count; i++) {
        good = same("MPI_Bcast", i, check_comm_value(seed, root, i), out[i]);
    }
    return good;
}

static bool reduces(MPI_Comm comm, int rank, int size, uint64_t seed, size_t count)
{
    int root = (int)(seed % (uint64_t)size);
    fill(seed, rank, count);
    return check_ok(MPI_Reduce(in, out, (int)count, MPI_UINT64_T, MPI_SUM, root, comm),
                    "MPI_Reduce") &&
           are_sums("MPI_Reduce", seed, size, 0, rank == root ? count : 0);
}

static bool scatters(MPI_Comm comm, int rank, int size, uint64_t seed, size_t count)
{
    size_t part = count / (size_t)size;
    fill(seed, rank, part * (size_t)size);
    return check_ok(
               MPI_Reduce_scatter_block(in, out, (int)part, MPI_UINT64_T, MPI_SUM, comm),
               "MPI_Reduce_scatter_block") &&
           are_sums("MPI_Reduce_scatter_block", seed, size, part * (size_t)rank, part);
}

static bool gathers(MPI_Comm comm, int rank, int size, uint64_t seed, size_t count)
{
    size_t part = count / (size_t)size;
    fill(seed, rank, part);
    bool good = check_ok(
        MPI_Allgather(in, (int)part, MPI_UINT64_T, out, (int)part, MPI_UINT64_T, comm),
        "MPI_Allgather");
    for (size_t i = 0; good && i < part * (size_t)size; i++) {
        int from = (int)(i / part);
        good = same("MPI_Allgather", i, check_comm_value(seed, from, i % part), out[i]);
    }
    return good;
}

bool check_comm_works(MPI_Comm comm, uint64_t seed, size_t count)
{
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    return check_comm_allreduce(comm, seed, count) &&
           check_comm_bcast(comm, seed + 1, count) &&
           reduces(comm, rank, size, seed + 2, count) &&
           scatters(comm, rank, size, seed + 3, count) &&
           gathers(comm, rank, size, seed + 4, count) &&
           check_ok(MPI_Barrier(comm), "MPI_Barrier");
}
