// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdlib.h>

/* MPI_Comm_spawn of two children; collectives with them, between the groups and merged.
 */

enum { CHILDREN = 2, ROUNDS = 10 };

/* Parents come first in the merged communicator, so values depend on its rank alone. */
static void use_merged(MPI_Comm comm, bool is_child)
{
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (long round = 0; round < ROUNDS; round++) {
        long mine = 100 * rank + round;
        long sum = -1;
        long want = 0;
        long token = rank == size - 1 ? round : -1;
        check_note("%s: merged communicator, round %ld", is_child ? "child" : "parent",
                   round);
        check_ok(MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm), "MPI_Allreduce");
        check_ok(MPI_Bcast(&token, 1, MPI_LONG, size - 1, comm), "MPI_Bcast");
        check_ok(MPI_Barrier(comm), "MPI_Barrier");
        check_true(token == round, "MPI_Bcast: expected %ld, got %ld", round, token);
        for (int r = 0; r < size; r++) {
            want += 100L * r + round;
        }
        check_true(sum == want, "MPI_Allreduce: expected %ld, got %ld", want, sum);
    }
}

static void use_both(MPI_Comm inter, bool is_child)
{
    MPI_Comm merged;
    long mine = is_child ? 7 : 5;
    long sum = -1;
    int remote;
    MPI_Comm_remote_size(inter, &remote);
    check_note("%s: between parents and children", is_child ? "child" : "parent");
    check_ok(MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, inter), "MPI_Allreduce");
    check_true(sum == (is_child ? 5 : 7) * remote, "MPI_Allreduce: got %ld", sum);
    check_ok(MPI_Barrier(inter), "MPI_Barrier");
    check_ok(MPI_Intercomm_merge(inter, is_child, &merged), "MPI_Intercomm_merge");
    use_merged(merged, is_child);
    MPI_Comm_free(&merged);
    check_ok(MPI_Comm_disconnect(&inter), "MPI_Comm_disconnect");
}

int main(int argc, char **argv)
{
    MPI_Comm parents;
    MPI_Comm children;
    int errors[CHILDREN];
    char *program = argv[0];
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        use_both(parents, true);
        return check_finish();
    }
    check_note("MPI_Comm_spawn");
    int rc = MPI_Comm_spawn(program, MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0,
                            MPI_COMM_WORLD, &children, errors);
    if (check_ok(rc, "MPI_Comm_spawn")) {
        use_both(children, false);
    }
    return check_finish();
}
