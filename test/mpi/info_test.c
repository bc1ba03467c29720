// SPDX-License-Identifier: BSD-3-Clause
#include "check_comm.h"

#include <stdio.h>
#include <string.h>

/*
 * The info key hccl_enable: one communicator opts out, or in; ranks that differ, or that
 * give a value that makes no sense, get an agreement and right results. Which path serves
 * a communicator is read from the component's counters (MPI_T performance variables).
 */

enum { CALLS = 20, LARGE = 20000 };

static MPI_T_pvar_session session;
static MPI_T_pvar_handle handle;
static bool has_counter;

/* Calls of MPI_Allreduce that went through shared memory, small ones. */
static void find_counter(void)
{
    int index;
    int count;
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    has_counter =
        MPI_T_pvar_get_index("coll_hccl_allreduce_slot_calls", MPI_T_PVAR_CLASS_COUNTER,
                             &index) == MPI_SUCCESS &&
        MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS;
}

static unsigned long long count_calls(void)
{
    unsigned long long calls = 0;
    if (has_counter) {
        check_true(MPI_T_pvar_read(session, handle, &calls) == MPI_SUCCESS,
                   "MPI_T_pvar_read failed");
    }
    return calls;
}

/* @return calls that shared memory served, of CALLS */
static unsigned long long use(MPI_Comm comm)
{
    unsigned long long before = count_calls();
    for (uint64_t i = 0; i < CALLS; i++) {
        check_comm_allreduce(comm, i, 2);
    }
    unsigned long long served = count_calls() - before;
    check_comm_works(comm, 1, LARGE);
    check_comm_works(comm, 2, 100);
    return served;
}

static MPI_Comm duplicate(MPI_Comm parent, const char *value)
{
    MPI_Info info;
    MPI_Comm comm;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hccl_enable", value);
    check_ok(MPI_Comm_dup_with_info(parent, info, &comm), "MPI_Comm_dup_with_info");
    MPI_Info_free(&info);
    return comm;
}

static void expect(MPI_Comm comm, bool served)
{
    unsigned long long calls = use(comm);
    if (has_counter) {
        check_true(served ? calls > 0 : calls == 0,
                   "%llu of %d calls went through shared memory: expected %s", calls,
                   CALLS, served ? "some" : "none");
    }
}

static void try_value(const char *value, bool served)
{
    check_note("hccl_enable=%s", value);
    MPI_Comm comm = duplicate(MPI_COMM_WORLD, value);
    expect(comm, served);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (check_too_few(2)) {
        return CHECK_SKIPPED;
    }
    find_counter();
    check_note("MPI_COMM_WORLD");
    expect(MPI_COMM_WORLD, true);
    try_value("no", false);
    try_value("yes", true);
    try_value("0", false);
    try_value("FALSE", false);
    try_value("On", true);
    try_value("perhaps", true); /* not understood: told, and ignored */
    check_note("hccl_enable differs between ranks");
    comm = duplicate(MPI_COMM_WORLD, check_rank == 0 ? "yes" : "no");
    expect(comm, false);
    MPI_Comm_free(&comm);
    comm = duplicate(MPI_COMM_WORLD, check_rank == check_size - 1 ? "yes" : "no");
    expect(comm, false);
    MPI_Comm_free(&comm);
    comm = duplicate(MPI_COMM_WORLD, check_rank == check_size - 1 ? "no" : "yes");
    expect(comm, false);
    MPI_Comm_free(&comm);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    if (!has_counter) {
        check_skip("which path served: there are no counters of coll/hccl");
    }
    return check_finish();
}
