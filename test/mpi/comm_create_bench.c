// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a communicator costs that never communicates: MPI_Comm_dup and MPI_Comm_free, in
 * microseconds, median and least of several rounds. Whether hccl is there is mpirun's
 * affair:
 *
 *   for c in hccl ^hccl hccl ^hccl; do mpirun -n 2 --mca coll $c comm_create_bench; done
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 41, COMMS = 200 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds per communicator: made, all alive at once, then freed. */
static double one_round(void)
{
    static MPI_Comm comm[COMMS];
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    }
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_free(&comm[i]);
    }
    return (MPI_Wtime() - start) / COMMS * 1e6;
}

int main(int argc, char **argv)
{
    double times[ROUNDS];
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    one_round();
    for (int i = 0; i < ROUNDS; i++) {
        times[i] = one_round();
    }
    qsort(times, ROUNDS, sizeof times[0], compare);
    if (rank == 0) {
        printf("dup and free: median %.2f us, least %.2f us\n", times[ROUNDS / 2],
               times[0]);
    }
    MPI_Finalize();
    return 0;
}
