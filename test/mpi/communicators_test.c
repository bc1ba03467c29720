// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "check_comm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Communicators come and go, by the thousand, and leave nothing behind; many live at the
 * same time; groups overlap; requests outlive the communicator's handle.
 */

enum {
    CHURN = 20000, /* communicators, in the long form */
    LIVE = 2000,
    LIVE_CALLS = 10,
    CALLS = 6,             /* enough to set up shared memory */
    LARGE = 20000,         /* elements that need the large buffers */
    RSS_SLACK_KIB = 12288, /* what the heap may grow by */
    FILE_SLACK = 8,
    MAP_SLACK = 40,
};

/* What a process holds. */
struct holding {
    long rss_kib;
    long files;
    long maps;
};

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
    FILE *file = fopen("/proc/self/maps", "r");
    for (int c; file != NULL && (c = getc(file)) != EOF;) {
        count += c == '\n';
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

static long count_rss(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "VmRSS: %ld", &kib);
    }
    if (file != NULL) {
        fclose(file);
    }
    return kib;
}

static struct holding look(void)
{
    return (struct holding){count_rss(), count_files(), count_maps()};
}

static void compare(const struct holding *before, const struct holding *after)
{
    check_true(after->rss_kib <= before->rss_kib + RSS_SLACK_KIB,
               "resident memory grew from %ld KiB to %ld KiB", before->rss_kib,
               after->rss_kib);
    check_true(after->files <= before->files + FILE_SLACK,
               "open files grew from %ld to %ld", before->files, after->files);
    check_true(after->maps <= before->maps + MAP_SLACK, "mappings grew from %ld to %ld",
               before->maps, after->maps);
}

/* One communicator's life: most are used little, some much. */
static void live_once(long number)
{
    MPI_Comm comm;
    check_ok(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
    for (int call = 0; call < (number % 4 == 0 ? 1 : CALLS); call++) {
        check_comm_allreduce(comm, (uint64_t)(number + call), 3);
    }
    if (number % 16 == 1) {
        check_comm_works(comm, (uint64_t)number, LARGE);
    }
    check_ok(MPI_Comm_free(&comm), "MPI_Comm_free");
}

static void churn(long total)
{
    struct holding before = {0};
    for (long i = 0; i < total; i++) {
        check_note("communicator %ld of %ld, one after the other", i, total);
        if (i == total / 5) {
            before = look();
        }
        live_once(i);
    }
    struct holding after = look();
    check_note("after %ld communicators, one after the other", total);
    compare(&before, &after);
}

/* Fisher and Yates; the same on all ranks. */
static void shuffle(MPI_Comm *comms, long count)
{
    struct check_random random = {.seed = 5};
    for (long i = count - 1; i > 0; i--) {
        long other = (long)check_random_below(&random, (uint32_t)i + 1);
        MPI_Comm kept = comms[i];
        comms[i] = comms[other];
        comms[other] = kept;
    }
}

static void live_together(long total)
{
    MPI_Comm *comms = calloc((size_t)total, sizeof *comms);
    struct holding before = look();
    for (long i = 0; i < total; i++) {
        check_note("communicator %ld of %ld, all alive", i, total);
        MPI_Comm parent = i % 3 == 2 ? comms[i - 1] : MPI_COMM_WORLD; /* dup of dup */
        check_ok(MPI_Comm_dup(parent, &comms[i]), "MPI_Comm_dup");
    }
    for (int call = 0; call < LIVE_CALLS; call++) {
        for (long i = 0; i < total; i++) {
            check_note("communicator %ld of %ld, all alive, call %d", i, total, call);
            check_comm_allreduce(comms[i], (uint64_t)(i + call), 2);
            if (i % 50 == 0) {
                check_comm_works(comms[i], (uint64_t)i, LARGE / 4);
            }
        }
    }
    shuffle(comms, total);
    for (long i = 0; i < total; i++) {
        check_ok(MPI_Comm_free(&comms[i]), "MPI_Comm_free");
    }
    struct holding after = look();
    check_note("after %ld communicators at a time", total);
    check_true(after.files <= before.files + FILE_SLACK,
               "open files grew from %ld to %ld", before.files, after.files);
    check_true(after.maps <= before.maps + MAP_SLACK, "mappings grew from %ld to %ld",
               before.maps, after.maps);
    free(comms);
}

/* Ranks first to last - 1, and the next such group shares all but one of them. */
static void overlap(void)
{
    MPI_Comm comms[64];
    MPI_Group all;
    int count = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int first = 0; first < check_size; first++) {
        for (int last = first + 1; last <= check_size && count < 64; last++) {
            int range[1][3] = {{last - 1, first, -1}};
            MPI_Group part;
            check_note("ranks %d to %d, backwards", first, last - 1);
            MPI_Group_range_incl(all, 1, range, &part);
            check_ok(MPI_Comm_create(MPI_COMM_WORLD, part, &comms[count]),
                     "MPI_Comm_create");
            MPI_Group_free(&part);
            count++;
        }
    }
    MPI_Group_free(&all);
    for (int call = 0; call < 2 * CALLS; call++) {
        for (int c = 0; c < count; c++) {
            check_note("overlapping groups, communicator %d, call %d", c, call);
            if (comms[c] != MPI_COMM_NULL) {
                check_comm_works(comms[c], (uint64_t)(c * 100 + call),
                                 call % 4 == 3 ? LARGE : 30);
            }
        }
    }
    shuffle(comms, count);
    for (int c = 0; c < count; c++) {
        if (comms[c] != MPI_COMM_NULL) {
            check_ok(MPI_Comm_free(&comms[c]), "MPI_Comm_free");
        }
    }
}

/* MPI keeps a communicator alive until the last request on it is done. */
static void free_while_pending(long total)
{
    for (long i = 0; i < total; i++) {
        MPI_Comm comm;
        MPI_Request requests[3];
        uint64_t mine = check_comm_value((uint64_t)i, check_rank, 0);
        uint64_t sum = 0;
        uint64_t heard = 0;
        int left = (check_rank + check_size - 1) % check_size;
        int right = (check_rank + 1) % check_size;
        check_note("freed while requests are pending, %ld", i);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int call = 0; call < CALLS; call++) {
            check_comm_allreduce(comm, (uint64_t)i, 4);
        }
        MPI_Iallreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, comm, &requests[0]);
        MPI_Irecv(&heard, 1, MPI_UINT64_T, left, 1, comm, &requests[1]);
        MPI_Isend(&mine, 1, MPI_UINT64_T, right, 1, comm, &requests[2]);
        check_ok(MPI_Comm_free(&comm), "MPI_Comm_free");
        check_ok(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
        uint64_t want = check_comm_sum((uint64_t)i, 0, check_size, 0);
        check_true(sum == want, "MPI_Iallreduce: expected %#lx, got %#lx",
                   (unsigned long)want, (unsigned long)sum);
        want = check_comm_value((uint64_t)i, left, 0);
        check_true(heard == want, "MPI_Irecv: expected %#lx, got %#lx",
                   (unsigned long)want, (unsigned long)heard);
    }
}

/* A duplicate of a duplicate of a duplicate, freed from the oldest. */
static void chain(void)
{
    enum { LINKS = 12 };
    MPI_Comm comms[LINKS];
    for (int i = 0; i < LINKS; i++) {
        check_note("duplicate %d of a duplicate", i);
        MPI_Comm_dup(i == 0 ? MPI_COMM_WORLD : comms[i - 1], &comms[i]);
        for (int call = 0; call < CALLS; call++) {
            check_comm_works(comms[i], (uint64_t)(i + call), 20);
        }
    }
    for (int i = 0; i < LINKS; i++) {
        MPI_Comm_free(&comms[i]);
        if (i + 1 < LINKS) {
            check_comm_works(comms[LINKS - 1], (uint64_t)i, LARGE);
        }
    }
}

static void alone(void)
{
    MPI_Comm comm;
    check_note("MPI_COMM_SELF");
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    for (int call = 0; call < 2 * CALLS; call++) {
        check_comm_works(MPI_COMM_SELF, (uint64_t)call, 10);
        check_comm_works(comm, (uint64_t)call, LARGE);
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    alone();
    chain();
    overlap();
    free_while_pending(check_scaled(500));
    live_together(check_scaled(LIVE));
    churn(check_scaled(CHURN));
    return check_finish();
}
