// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdio.h>
#include <string.h>

/*
 * The info key hccl_enable of a communicator: no keeps coll/hccl away from it, anything
 * that isn't understood is ignored, and ranks that differ still get right results. The
 * component's own counters tell whether it has served a call.
 */

enum { CALLS = 20, COUNTERS = 3 };

enum outcome { SERVED, NOT_SERVED, ANY };

static MPI_T_pvar_session session;
static MPI_T_pvar_handle handle[COUNTERS];
static int counters;

/* Calls of allreduce by the shared-memory paths, where there is a component that counts.
 */
static void find_counters(void)
{
    static const char *const names[COUNTERS] = {"coll_hccl_allreduce_slot_calls",
                                                "coll_hccl_allreduce_mid_calls",
                                                "coll_hccl_allreduce_stage_calls"};
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    for (int n = 0; n < COUNTERS; n++) {
        int index;
        int count;
        if (MPI_T_pvar_get_index(names[n], MPI_T_PVAR_CLASS_COUNTER, &index) ==
                MPI_SUCCESS &&
            MPI_T_pvar_handle_alloc(session, index, NULL, &handle[counters], &count) ==
                MPI_SUCCESS) {
            counters++;
        }
    }
}

static unsigned long long served(void)
{
    unsigned long long sum = 0;
    for (int n = 0; n < counters; n++) {
        unsigned long long calls = 0;
        MPI_T_pvar_read(session, handle[n], &calls);
        sum += calls;
    }
    return sum;
}

static void forget_counters(void)
{
    for (int n = 0; n < counters; n++) {
        MPI_T_pvar_handle_free(session, &handle[n]);
    }
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

static void use(MPI_Comm comm, enum outcome expected)
{
    unsigned long long before = served();
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (long call = 0; call < CALLS; call++) {
        long mine = 1000 * rank + call;
        long want = 500L * size * (size - 1) + call * size;
        long sum = -1;
        check_ok(MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm), "MPI_Allreduce");
        check_true(sum == want, "expected %ld, got %ld", want, sum);
        check_ok(MPI_Barrier(comm), "MPI_Barrier");
    }
    unsigned long long by_hccl = served() - before;
    if (counters == 0 || size == 1) {
        return;
    }
    if (expected == SERVED) {
        check_true(by_hccl > 0, "no call was served by shared memory");
    } else if (expected == NOT_SERVED) {
        check_true(by_hccl == 0, "%llu calls were served by shared memory", by_hccl);
    }
}

/* @param value  of the key, or NULL for none */
static void duplicate(const char *value, enum outcome expected)
{
    MPI_Info info;
    MPI_Comm comm;
    check_note("MPI_Comm_dup_with_info, hccl_enable %s",
               value != NULL ? value : "not set");
    MPI_Info_create(&info);
    if (value != NULL) {
        MPI_Info_set(info, "hccl_enable", value);
    }
    check_ok(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm),
             "MPI_Comm_dup_with_info");
    MPI_Info_free(&info);
    use(comm, expected);
    MPI_Comm_free(&comm);
}

static void split(const char *value, enum outcome expected)
{
    MPI_Info info;
    MPI_Comm comm;
    check_note("MPI_Comm_split_type, hccl_enable %s", value);
    MPI_Info_create(&info);
    MPI_Info_set(info, "hccl_enable", value);
    check_ok(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &comm),
             "MPI_Comm_split_type");
    MPI_Info_free(&info);
    use(comm, expected);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    find_counters();
    if (counters == 0) {
        check_skip("whether hccl serves a call: it has no counters here");
    }
    duplicate(NULL, SERVED);
    duplicate("no", NOT_SERVED);
    duplicate("yes", SERVED);
    duplicate("false", NOT_SERVED);
    duplicate("1", SERVED);
    duplicate("0", NOT_SERVED);
    duplicate("perhaps", SERVED);
    split("no", NOT_SERVED);
    split("yes", SERVED);
    /* Ranks that differ: one veto is enough. */
    duplicate(check_rank == 0 ? "no" : "yes", NOT_SERVED);
    duplicate(check_rank == check_size - 1 ? "no" : "yes", NOT_SERVED);
    duplicate(check_rank == 0 ? "perhaps" : NULL, SERVED);
    check_note("MPI_COMM_WORLD");
    use(MPI_COMM_WORLD, SERVED);
    forget_counters();
    return check_finish();
}
