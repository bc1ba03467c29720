// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * More than 2^31 bytes in one call, by counts of large elements and by derived types.
 * Needs about 5 GiB for two ranks, so one buffer at a time, and only where memory is.
 */

enum { KIB_PER_RANK = 5 * 1024 * 1024 / 2 };

static const size_t past_int = ((size_t)1 << 31) + 4096; /* bytes */

/* A stamp at every page is enough: what is copied is copied in long runs. */
static const size_t stride = 4096;

static long available_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *info = fopen("/proc/meminfo", "r");
    while (info != NULL && fgets(line, sizeof line, info) != NULL) {
        if (strncmp(line, "MemAvailable:", 13) == 0) {
            kib = strtol(line + 13, NULL, 10);
        }
    }
    if (info != NULL) {
        fclose(info);
    }
    return kib;
}

static unsigned char *allocate(size_t bytes)
{
    unsigned char *memory = malloc(bytes);
    if (memory == NULL) {
        fprintf(stderr, "big_count_test: no memory for %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void stamp(unsigned char *memory, size_t bytes, uint64_t seed)
{
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += stride) {
        uint64_t value = check_mix(seed, at, 0) >> 8; /* sums of these don't overflow */
        memcpy(memory + at, &value, sizeof value);
    }
}

static void compare(const unsigned char *memory, size_t from, size_t bytes,
                    uint64_t first_seed, uint64_t seeds)
{
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += stride) {
        uint64_t got;
        uint64_t want = 0;
        memcpy(&got, memory + at, sizeof got);
        for (uint64_t s = 0; s < seeds; s++) {
            want += check_mix(first_seed + s, from + at, 0) >> 8;
        }
        if (!check_true(got == want, "byte %zu: expected %#lx, got %#lx", from + at,
                        (unsigned long)want, (unsigned long)got)) {
            return;
        }
    }
}

/* The root has one type for all, the others count blocks of 4 KiB. */
static void broadcast(void)
{
    MPI_Datatype block;
    MPI_Datatype whole;
    bool is_root = check_rank == check_size - 1;
    int blocks = (int)(past_int / 4096);
    check_note("MPI_Bcast of %zu bytes", past_int);
    MPI_Type_contiguous(4096, MPI_BYTE, &block);
    MPI_Type_contiguous(blocks, block, &whole);
    MPI_Type_commit(&block);
    MPI_Type_commit(&whole);
    unsigned char *memory = allocate(past_int);
    memset(memory, 0, past_int);
    if (is_root) {
        stamp(memory, past_int, 1);
    }
    check_ok(MPI_Bcast(memory, is_root ? 1 : blocks, is_root ? whole : block,
                       check_size - 1, MPI_COMM_WORLD),
             "MPI_Bcast");
    compare(memory, 0, past_int, 1, 1);
    free(memory);
    MPI_Type_free(&block);
    MPI_Type_free(&whole);
}

static void allreduce(void)
{
    size_t count = past_int / sizeof(uint64_t);
    check_note("MPI_Allreduce of %zu bytes, in place", past_int);
    unsigned char *memory = allocate(past_int);
    memset(memory, 0, past_int);
    stamp(memory, past_int, 10 + (uint64_t)check_rank);
    check_ok(MPI_Allreduce(MPI_IN_PLACE, memory, (int)count, MPI_UINT64_T, MPI_SUM,
                           MPI_COMM_WORLD),
             "MPI_Allreduce");
    compare(memory, 0, past_int, 10, (uint64_t)check_size);
    free(memory);
}

static void reduce_scatter_block(void)
{
    size_t part = past_int / sizeof(uint64_t) / (size_t)check_size / 512 * 512;
    size_t bytes = part * sizeof(uint64_t);
    check_note("MPI_Reduce_scatter_block of %zu bytes", bytes * (size_t)check_size);
    unsigned char *memory = allocate(bytes * (size_t)check_size);
    memset(memory, 0, bytes * (size_t)check_size);
    stamp(memory, bytes * (size_t)check_size, 20 + (uint64_t)check_rank);
    check_ok(MPI_Reduce_scatter_block(MPI_IN_PLACE, memory, (int)part, MPI_UINT64_T,
                                      MPI_SUM, MPI_COMM_WORLD),
             "MPI_Reduce_scatter_block");
    compare(memory, bytes * (size_t)check_rank, bytes, 20, (uint64_t)check_size);
    free(memory);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    double enough = available_kib() > (long)KIB_PER_RANK * check_size;
    if (check_extreme(enough, false) == 0) {
        check_skip("%d ranks need %ld GiB of memory", check_size,
                   (long)KIB_PER_RANK * check_size / 1024 / 1024);
        MPI_Finalize();
        return CHECK_SKIPPED;
    }
    /* The first calls on a communicator are few and small: get past them. */
    for (int i = 0; i < 10; i++) {
        int one = 1;
        int sum = 0;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    broadcast();
    allreduce();
    reduce_scatter_block();
    return check_finish();
}
