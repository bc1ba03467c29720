// SPDX-License-Identifier: BSD-3-Clause
#include "check_comm.h"

#include <pthread.h>

/*
 * MPI_THREAD_MULTIPLE: several threads of each rank at the same time, each with a
 * communicator of its own, each drawing its own sequence of operations; one more thread
 * sends messages round the ranks meanwhile.
 */

enum {
    THREADS = 3,
    CALLS = 4000, /* of each thread, in the long form */
    MESSAGE = 30000,
};

struct worker {
    pthread_t thread;
    MPI_Comm comm;
    long calls;
    int number;
};

static void *collect(void *argument)
{
    struct worker *worker = argument;
    struct check_random random = {.seed = 1000 + (uint64_t)worker->number};
    for (long call = 0; call < worker->calls; call++) {
        uint32_t scale = check_random_below(&random, 20);
        uint32_t count = check_random_below(&random, scale == 0   ? 30000
                                                     : scale < 10 ? 3000
                                                                  : 30);
        check_note("thread %d, call %ld, count %u", worker->number, call, count);
        if (!check_comm_works(worker->comm, (uint64_t)call, count)) {
            break;
        }
    }
    return NULL;
}

/* Messages of all protocols to the right, and from the left. */
static void *pass_round(void *argument)
{
    static uint64_t mine[MESSAGE];
    static uint64_t theirs[MESSAGE];
    struct worker *worker = argument;
    int left = (check_rank + check_size - 1) % check_size;
    int right = (check_rank + 1) % check_size;
    for (long call = 0; call < worker->calls; call++) {
        int count = call % 3 == 0 ? 1 : call % 3 == 1 ? 500 : MESSAGE;
        check_note("messages, call %ld, count %d", call, count);
        for (int i = 0; i < count; i++) {
            mine[i] = check_comm_value((uint64_t)call, check_rank, (size_t)i);
        }
        check_ok(MPI_Sendrecv(mine, count, MPI_UINT64_T, right, 1, theirs, count,
                              MPI_UINT64_T, left, 1, worker->comm, MPI_STATUS_IGNORE),
                 "MPI_Sendrecv");
        for (int i = 0; i < count; i++) {
            uint64_t want = check_comm_value((uint64_t)call, left, (size_t)i);
            if (!check_true(theirs[i] == want, "index %d: expected %#lx, got %#lx", i,
                            (unsigned long)want, (unsigned long)theirs[i])) {
                break;
            }
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct worker workers[THREADS + 1];
    if (check_init(&argc, &argv, MPI_THREAD_MULTIPLE) < MPI_THREAD_MULTIPLE) {
        check_skip("this MPI has no MPI_THREAD_MULTIPLE");
        MPI_Finalize();
        return CHECK_SKIPPED;
    }
    for (int t = 0; t <= THREADS; t++) {
        workers[t].number = t;
        workers[t].calls = check_scaled(CALLS);
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[t].comm);
        MPI_Comm_set_errhandler(workers[t].comm, MPI_ERRORS_RETURN);
    }
    for (int t = 0; t <= THREADS; t++) {
        pthread_create(&workers[t].thread, NULL, t == THREADS ? pass_round : collect,
                       &workers[t]);
    }
    for (int t = 0; t <= THREADS; t++) {
        pthread_join(workers[t].thread, NULL);
        MPI_Comm_free(&workers[t].comm);
    }
    return check_finish();
}
