// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Many communicators: made, used and freed one after another, with memory, descriptors
 * and mappings staying flat; then many alive at once, each used.
 */

enum {
    CHURNED = 20000, /* in the long form */
    ALIVE = 2000,
    USES = 6,             /* calls on each: more than hccl waits for */
    SETTLED = 10,         /* so many percent into the run memory is compared */
    MEMORY_SLACK = 24576, /* KiB that a rank may grow after that */
    OBJECT_SLACK = 16,    /* descriptors, mappings */
};

struct usage {
    long memory; /* KiB in use */
    long files;
    long maps;
};

static long memory_in_use(void)
{
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) {
            kib = strtol(line + 6, NULL, 10);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
    return kib;
}

static long count_files(void)
{
    long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL) {
        count++;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

static long count_maps(void)
{
    long count = 0;
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        count += strchr(line, '\n') != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return count;
}

static struct usage measure(void)
{
    return (struct usage){memory_in_use(), count_files(), count_maps()};
}

static void compare_usage(const struct usage *before, const struct usage *after)
{
    check_true(after->memory - before->memory < MEMORY_SLACK,
               "memory has grown from %ld to %ld KiB", before->memory, after->memory);
    check_true(after->files - before->files < OBJECT_SLACK,
               "open descriptors: %ld, now %ld", before->files, after->files);
    check_true(after->maps - before->maps < OBJECT_SLACK, "mappings: %ld, now %ld",
               before->maps, after->maps);
}

/* A different operation each time; large ones now and then. */
static void use(MPI_Comm comm, long number)
{
    enum { MOST = 40000 };
    static int in[MOST];
    static int out[MOST];
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int count = number % 500 == 17 ? MOST : 1 + (int)(number % 7);
    int root = (int)(number % size);
    int wanted = 0;
    for (int r = 0; r < size; r++) {
        wanted += (int)(number % 1000) + r;
    }
    for (int i = 0; i < count; i++) {
        in[i] = (int)(number % 1000) + rank;
        out[i] = -1;
    }
    if (number % 3 == 0) {
        check_ok(MPI_Bcast(in, count, MPI_INT, root, comm), "MPI_Bcast");
        wanted = (int)(number % 1000) + root;
        check_true(in[0] == wanted && in[count - 1] == wanted,
                   "expected %d, got %d and %d", wanted, in[0], in[count - 1]);
    } else if (number % 3 == 1) {
        check_ok(MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm), "MPI_Allreduce");
        check_true(out[0] == wanted && out[count - 1] == wanted,
                   "expected %d, got %d and %d", wanted, out[0], out[count - 1]);
    } else {
        check_ok(MPI_Barrier(comm), "MPI_Barrier");
    }
}

static void use_all(MPI_Comm comm, long number)
{
    for (int u = 0; u < USES; u++) {
        use(comm, number + u);
    }
}

static void churn(long comms)
{
    struct usage before = {0};
    for (long c = 0; c < comms; c++) {
        MPI_Comm comm;
        check_note("communicator %ld, made and freed", c);
        if (c == comms * SETTLED / 100) {
            before = measure();
        }
        if (c % 4 == 3) {
            check_ok(MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, -check_rank, &comm),
                     "MPI_Comm_split");
        } else {
            check_ok(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
        }
        use_all(comm, c);
        check_ok(MPI_Comm_free(&comm), "MPI_Comm_free");
    }
    struct usage after = measure();
    compare_usage(&before, &after);
}

static void keep_alive(int comms)
{
    MPI_Comm *comm = calloc((size_t)comms, sizeof(MPI_Comm));
    struct usage before = measure();
    for (int c = 0; c < comms; c++) {
        check_note("communicator %d of %d alive", c, comms);
        check_ok(MPI_Comm_dup(MPI_COMM_WORLD, &comm[c]), "MPI_Comm_dup");
        use(comm[c], c);
    }
    for (int round = 0; round < USES; round++) {
        for (int c = 0; c < comms; c++) {
            check_note("use %d of communicator %d of %d", round, c, comms);
            use(comm[c], (long)c + round);
        }
    }
    struct usage most = measure();
    for (int c = 0; c < comms; c++) {
        check_ok(MPI_Comm_free(&comm[(c * 7) % comms]), "MPI_Comm_free");
    }
    struct usage after = measure();
    check_note("%d communicators alive", comms);
    if (check_rank == 0) {
        printf("%d live communicators: %ld KiB more, %ld descriptors, %ld mappings\n",
               comms, most.memory - before.memory, most.files - before.files,
               most.maps - before.maps);
    }
    /* Memory may stay with the allocator; descriptors and mappings may not stay. */
    check_true(after.files - before.files < OBJECT_SLACK,
               "open descriptors: %ld, now %ld", before.files, after.files);
    check_true(after.maps - before.maps < 10 * OBJECT_SLACK, "mappings: %ld, now %ld",
               before.maps, after.maps);
    free(comm);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    churn(check_scaled(CHURNED));
    keep_alive(ALIVE + 1); /* odd, so that steps of seven meet each once */
    return check_finish();
}
