// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/*
 * Calls that have been made before neither allocate memory nor touch a fresh page: both
 * cost more than a small collective. The program's own malloc counts who calls it, the
 * component included.
 */

enum {
    WARM_UP = 12,
    CALLS = 200,
    MOST_LONGS = 1 << 17,
    /* The kernel and Open MPI's other parts have their own life: a few are not ours. */
    FEW = CALLS / 10,
};

static long allocations;

/* glibc's names of what we stand before. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    allocations++;
    return __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    allocations++;
    return __libc_memalign(align, bytes);
}

static long in[MOST_LONGS];
static long out[MOST_LONGS];
static int counts[64];

static int allreduce(int n, MPI_Comm comm)
{
    return MPI_Allreduce(in, out, n, MPI_LONG, MPI_SUM, comm);
}

static int reduce(int n, MPI_Comm comm)
{
    return MPI_Reduce(in, out, n, MPI_LONG, MPI_SUM, 0, comm);
}

static int reduce_scatter(int n, MPI_Comm comm)
{
    for (int r = 0; r < check_size; r++) {
        counts[r] = n / check_size;
    }
    return MPI_Reduce_scatter(in, out, counts, MPI_LONG, MPI_SUM, comm);
}

static int bcast(int n, MPI_Comm comm)
{
    return MPI_Bcast(in, n, MPI_LONG, 0, comm);
}

static int allgather(int n, MPI_Comm comm)
{
    n /= check_size;
    return MPI_Allgather(in, n, MPI_LONG, out, n, MPI_LONG, comm);
}

static int barrier(int n, MPI_Comm comm)
{
    (void)n;
    return MPI_Barrier(comm);
}

static const struct {
    const char *name;
    int (*call)(int n, MPI_Comm comm);
} operations[] = {
    {"allreduce", allreduce},           {"reduce", reduce},
    {"reduce_scatter", reduce_scatter}, {"bcast", bcast},
    {"allgather", allgather},           {"barrier", barrier},
};

static long fresh_pages(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static void try_size(size_t which, int n, MPI_Comm comm)
{
    check_note("%s of %zu bytes", operations[which].name, (size_t)n * sizeof in[0]);
    for (int i = 0; i < WARM_UP; i++) {
        check_ok(operations[which].call(n, comm), operations[which].name);
    }
    long pages = fresh_pages();
    long before = allocations;
    for (int i = 0; i < CALLS; i++) {
        operations[which].call(n, comm);
    }
    long allocated = allocations - before;
    pages = fresh_pages() - pages;
    check_true(allocated <= FEW, "%d calls have allocated memory %ld times", CALLS,
               allocated);
    check_true(pages <= FEW, "%d calls have touched %ld fresh pages", CALLS, pages);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {8, 64, 1024, 8192, MOST_LONGS};
    MPI_Comm comm;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (check_too_few(2)) {
        return CHECK_SKIPPED;
    }
    void *probe = malloc(1);
    bool counting = allocations > 0 && probe != NULL;
    free(probe);
    if (check_true(counting, "the test's malloc is not the one that is used")) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (size_t which = 0; which < sizeof operations / sizeof operations[0];
             which++) {
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                try_size(which, sizes[i], comm);
            }
        }
        MPI_Comm_free(&comm);
    }
    return check_finish();
}
