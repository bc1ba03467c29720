// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "mpi_check.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * A program to which bad things happen; the scripts in test/trouble run it.
 *
 *   victim [calls N] [bytes N] [kill CALL] [nodump] [nocma]
 *
 *   calls   rounds of collective operations, results checked (default 200)
 *   bytes   size of the large ones (default 400000); small ones are done as well
 *   kill    before round CALL this process kills itself
 *   nodump  this process may not be read by others
 *   nocma   this process may not read or write memory of others
 *
 * With several programs to one mpirun (mpirun -n 1 victim kill 9 : -n 3 victim), one rank
 * is hit and the others aren't.
 */

enum { MOST_WORDS = 1 << 20, SMALL = 3 };

struct plan {
    long calls;
    long bytes;
    long kill_at; /* -1: never */
    bool nodump;
    bool nocma;
};

static uint64_t in[MOST_WORDS];
static uint64_t out[MOST_WORDS];

static struct plan read_plan(int argc, char **argv)
{
    struct plan plan = {.calls = 200, .bytes = 400000, .kill_at = -1};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "calls") == 0) {
            plan.calls = atol(next);
        } else if (strcmp(argv[i], "bytes") == 0) {
            plan.bytes = atol(next);
        } else if (strcmp(argv[i], "kill") == 0) {
            plan.kill_at = atol(next);
        }
        plan.nodump = plan.nodump || strcmp(argv[i], "nodump") == 0;
        plan.nocma = plan.nocma || strcmp(argv[i], "nocma") == 0;
    }
    return plan;
}

/* The kernel refuses process_vm_readv and process_vm_writev from now on. */
static bool forbid_cma(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void check_sums(const char *name, long call, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t want = 0;
        for (int r = 0; r < check_size; r++) {
            want += check_mix((uint64_t)call, (uint64_t)r, first + i);
        }
        if (!check_true(out[i] == want, "%s: index %zu: expected %#lx, got %#lx", name,
                        first + i, (unsigned long)want, (unsigned long)out[i])) {
            return;
        }
    }
}

static void run_round(long call, size_t count)
{
    int root = (int)(call % check_size);
    size_t part = count / (size_t)check_size;
    for (size_t i = 0; i < count; i++) {
        in[i] = check_mix((uint64_t)call, (uint64_t)check_rank, i);
    }
    check_ok(MPI_Allreduce(in, out, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
             "MPI_Allreduce");
    check_sums("MPI_Allreduce", call, 0, count);
    check_ok(MPI_Reduce_scatter_block(in, out, (int)part, MPI_UINT64_T, MPI_SUM,
                                      MPI_COMM_WORLD),
             "MPI_Reduce_scatter_block");
    check_sums("MPI_Reduce_scatter_block", call, part * (size_t)check_rank, part);
    check_ok(MPI_Bcast(in, (int)count, MPI_UINT64_T, root, MPI_COMM_WORLD), "MPI_Bcast");
    for (size_t i = 0; i < count; i++) {
        uint64_t want = check_mix((uint64_t)call, (uint64_t)root, i);
        if (!check_true(in[i] == want, "MPI_Bcast: index %zu: expected %#lx, got %#lx", i,
                        (unsigned long)want, (unsigned long)in[i])) {
            return;
        }
    }
}

int main(int argc, char **argv)
{
    struct plan plan = read_plan(argc, argv);
    if ((plan.nodump && prctl(PR_SET_DUMPABLE, 0) != 0) ||
        (plan.nocma && !forbid_cma())) {
        fprintf(stderr, "victim: SKIPPED: %s\n", strerror(errno));
        return CHECK_SKIPPED;
    }
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    size_t large = (size_t)plan.bytes / sizeof(uint64_t);
    large = large < MOST_WORDS ? large : MOST_WORDS;
    for (long call = 0; call < plan.calls; call++) {
        /* Large ones come when shared memory is in use: nothing else is tested here. */
        size_t count = call < 10 ? SMALL : call % 3 == 0 ? large : 50 * (size_t)call;
        check_note("round %ld", call);
        if (call == plan.kill_at) {
            raise(SIGKILL);
        }
        run_round(call, count);
    }
    return check_finish();
}
