// SPDX-License-Identifier: BSD-3-Clause
/*
 * A program that calls a bit of everything, for the tests of launching.
 *
 *   launch_app [-c CVAR] [-e VALUE] [-n CALLS]
 *
 * -c CVAR   print the value of an MPI_T control variable, a number, as "CVAR = 30"; MPI_T
 *           is started before MPI
 * -e VALUE  call the collectives on a communicator with the info key hccl_enable
 * -n CALLS  allreduces of 4 KiB, broadcasts of 1 MiB and barriers [8]
 *
 * Rank 0 prints "launch_app: all right" at the end. Exit: 0, or 1 after a wrong result.
 */
#include <mpi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SHORT = 1024,  /* elements */
    LONG = 262144, /* elements */
};

static int rank;
static int size;
static bool failed;

static void expect(bool holds, const char *what)
{
    if (!holds && !failed) {
        fprintf(stderr, "launch_app: rank %d of %d: wrong: %s\n", rank, size, what);
        failed = true;
    }
}

static int sum_of_ranks(void)
{
    return size * (size - 1) / 2;
}

static void blocking(MPI_Comm comm, int calls)
{
    int *in = malloc(LONG * sizeof *in);
    int *out = malloc(LONG * sizeof *out);
    if (in == NULL || out == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    for (int call = 0; call < calls; call++) {
        for (int i = 0; i < SHORT; i++) {
            in[i] = rank + i + call;
        }
        MPI_Allreduce(in, out, SHORT, MPI_INT, MPI_SUM, comm);
        for (int i = 0; i < SHORT; i++) {
            expect(out[i] == sum_of_ranks() + size * (i + call), "allreduce");
        }
        for (int i = 0; i < LONG; i++) {
            in[i] = rank == call % size ? i + call : -1;
        }
        MPI_Bcast(in, LONG, MPI_INT, call % size, comm);
        for (int i = 0; i < LONG; i++) {
            expect(in[i] == i + call, "bcast");
        }
        MPI_Barrier(comm);
    }
    free(in);
    free(out);
}

/* Operations that hccl leaves to others. */
static void of_others(MPI_Comm comm)
{
    int prefix = -1;
    int sum = -1;
    int *all = malloc((size_t)size * sizeof *all);
    int *mine = malloc((size_t)size * sizeof *mine);
    MPI_Request request;
    if (all == NULL || mine == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    MPI_Scan(&rank, &prefix, 1, MPI_INT, MPI_SUM, comm);
    expect(prefix == rank * (rank + 1) / 2, "scan");
    for (int r = 0; r < size; r++) {
        mine[r] = rank;
    }
    MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int r = 0; r < size; r++) {
        expect(all[r] == r, "alltoall");
    }
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(sum == sum_of_ranks(), "iallreduce");
    free(all);
    free(mine);
}

/* Even and odd ranks, with a bridge between them. */
static void intercommunicator(MPI_Comm comm)
{
    MPI_Comm half;
    MPI_Comm bridge;
    int sum = -1;
    int other = 0;
    if (size < 2) {
        return;
    }
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 0, &bridge);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, bridge);
    for (int r = 1 - rank % 2; r < size; r += 2) {
        other += r;
    }
    expect(sum == other, "allreduce between groups");
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&half);
}

static void neighbours(MPI_Comm comm)
{
    MPI_Comm ring;
    int periodic = 1;
    int from[2] = {-1, -1};
    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, ring);
    expect(from[0] == (rank + size - 1) % size && from[1] == (rank + 1) % size,
           "neighbour allgather");
    MPI_Comm_free(&ring);
}

/* Print a control variable that is a number. */
static void print_variable(const char *name)
{
    int index;
    int count;
    int value = 0;
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) {
        printf("%s is unknown\n", name);
        return;
    }
    MPI_T_cvar_read(handle, &value);
    printf("%s = %d\n", name, value);
    MPI_T_cvar_handle_free(&handle);
}

int main(int argc, char **argv)
{
    const char *variable = NULL;
    const char *enable = NULL;
    int calls = 8;
    int option;
    int provided;
    while ((option = getopt(argc, argv, "c:e:n:")) != -1) {
        switch (option) {
        case 'c':
            variable = optarg;
            break;
        case 'e':
            enable = optarg;
            break;
        case 'n':
            calls = atoi(optarg);
            break;
        default:
            return 2;
        }
    }
    if (variable != NULL) {
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm comm = MPI_COMM_WORLD;
    if (enable != NULL) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "hccl_enable", enable);
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
        MPI_Info_free(&info);
    }
    blocking(comm, calls);
    of_others(comm);
    intercommunicator(comm);
    neighbours(comm);
    if (variable != NULL && rank == 0) {
        print_variable(variable);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && !failed) {
        printf("launch_app: all right\n");
    }
    if (comm != MPI_COMM_WORLD) {
        MPI_Comm_free(&comm);
    }
    if (variable != NULL) {
        MPI_T_finalize();
    }
    MPI_Finalize();
    return failed ? 1 : 0;
}
