// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * MPI_THREAD_MULTIPLE: several threads of each rank, each in collectives on a
 * communicator of its own, and one that exchanges messages, all at once.
 */

enum {
    TEAMS = 3,    /* threads in collectives */
    CALLS = 4000, /* in the long form */
    MOST = 6000,
    MESSAGE = 20000,
};

struct team {
    MPI_Comm comm;
    long number;
    long calls;
};

static void sum_check(const struct team *team, const long *got, long call, int count)
{
    for (int i = 0; i<count; i += count> 10 ? count / 10 : 1) {
        long want = (team->number * 1000 + call + i) * check_size +
                    (long)check_size * (check_size - 1) / 2;
        if (!check_true(got[i] == want, "index %d: expected %ld, got %ld", i, want,
                        got[i])) {
            return;
        }
    }
}

static void one_call(const struct team *team, long call, long *in, long *out)
{
    int count = call % 97 == 0 ? MOST : 1 + (int)(call % 50);
    int root = (int)(call % check_size);
    check_note("thread %ld, call %ld", team->number, call);
    for (int i = 0; i < count; i++) {
        in[i] = team->number * 1000 + call + i + check_rank;
        out[i] = -1;
    }
    switch (call % 4) {
    case 0:
        check_ok(MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, team->comm),
                 "MPI_Allreduce");
        sum_check(team, out, call, count);
        break;
    case 1:
        check_ok(MPI_Bcast(in, count, MPI_LONG, root, team->comm), "MPI_Bcast");
        check_true(in[count - 1] == team->number * 1000 + call + count - 1 + root,
                   "MPI_Bcast: got %ld", in[count - 1]);
        break;
    case 2:
        check_ok(MPI_Barrier(team->comm), "MPI_Barrier");
        break;
    default:
        check_ok(MPI_Reduce(in, out, count, MPI_LONG, MPI_SUM, root, team->comm),
                 "MPI_Reduce");
        if (check_rank == root) {
            sum_check(team, out, call, count);
        }
        break;
    }
}

static void *work(void *argument)
{
    struct team *team = argument;
    long *in = calloc(MOST, sizeof *in);
    long *out = calloc(MOST, sizeof *out);
    for (long call = 0; call < team->calls; call++) {
        one_call(team, call, in, out);
    }
    free(in);
    free(out);
    return NULL;
}

/* Messages around a ring: small ones, and large ones that need the peer's help. */
static void *talk(void *argument)
{
    struct team *team = argument;
    long *in = calloc(MESSAGE, sizeof *in);
    long *out = calloc(MESSAGE, sizeof *out);
    int right = (check_rank + 1) % check_size;
    int left = (check_rank + check_size - 1) % check_size;
    for (long call = 0; call < team->calls / 4; call++) {
        int count = call % 10 == 0 ? MESSAGE : 4;
        check_note("messages, exchange %ld", call);
        out[0] = check_rank * 100000L + call;
        out[count - 1] = out[0];
        check_ok(MPI_Sendrecv(out, count, MPI_LONG, right, 7, in, count, MPI_LONG, left,
                              7, team->comm, MPI_STATUS_IGNORE),
                 "MPI_Sendrecv");
        check_true(in[0] == left * 100000L + call && in[count - 1] == in[0],
                   "expected %ld, got %ld and %ld", left * 100000L + call, in[0],
                   in[count - 1]);
    }
    free(in);
    free(out);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[TEAMS + 1];
    struct team team[TEAMS + 1];
    int provided = check_init(&argc, &argv, MPI_THREAD_MULTIPLE);
    if (provided < MPI_THREAD_MULTIPLE) {
        check_skip("this MPI has no MPI_THREAD_MULTIPLE");
        MPI_Finalize();
        return CHECK_SKIPPED;
    }
    for (long t = 0; t <= TEAMS; t++) {
        team[t] = (struct team){.number = t, .calls = check_scaled(CALLS)};
        MPI_Comm_dup(MPI_COMM_WORLD, &team[t].comm);
        MPI_Comm_set_errhandler(team[t].comm, MPI_ERRORS_RETURN);
    }
    check_note("threads at work");
    for (int t = 0; t <= TEAMS; t++) {
        pthread_create(&thread[t], NULL, t < TEAMS ? work : talk, &team[t]);
    }
    for (int t = 0; t <= TEAMS; t++) {
        pthread_join(thread[t], NULL);
    }
    for (int t = 0; t <= TEAMS; t++) {
        MPI_Comm_free(&team[t].comm);
    }
    return check_finish();
}
