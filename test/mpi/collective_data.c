// SPDX-License-Identifier: BSD-3-Clause
#include "collective_data.h"

#include "mpi_check.h"

#include <stdlib.h>

void collective_data_make(struct collective_data *d, int block, int root)
{
    *d = (struct collective_data){
        .ranks = check_size, .me = check_rank, .block = block, .root = root};
    d->in = malloc(sizeof *d->in * (size_t)(d->ranks * block));
    d->out = malloc(sizeof *d->out * (size_t)(d->ranks * block));
    for (int r = 0; r < d->ranks; r++) {
        d->counts[r] = r % 4 == 3 ? 0 : (r * 13 + block / 2) % (block + 1);
        d->shifts[r] = r * block;
        d->bytes_at[r] = d->shifts[r] * (int)sizeof(long);
        d->types[r] = MPI_LONG;
    }
    for (int r = 0; r < d->ranks; r++) {
        d->mine[r] = d->counts[d->me];
    }
}

/* The element that rank `from` has at index `at`. */
static long value(int from, int at)
{
    return 100000L * (from + 1) + at;
}

void collective_data_fill(struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        d->in[i] = value(d->me, i);
        d->out[i] = -1;
    }
}

void collective_data_free(struct collective_data *d)
{
    free(d->in);
    free(d->out);
}

static void expect(const struct collective_data *d, int at, long want)
{
    check_true(d->out[at] == want, "index %d: expected %ld, got %ld", at, want,
               d->out[at]);
}

static long sum_over(int first, int last, int at)
{
    long sum = 0;
    for (int r = first; r < last; r++) {
        sum += value(r, at);
    }
    return sum;
}

void collective_check_allgather(const struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        expect(d, i, value(i / d->block, i % d->block));
    }
}

void collective_check_allgatherv(const struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        int from = i / d->block;
        int at = i % d->block;
        expect(d, i, at < d->counts[from] ? value(from, at) : -1);
    }
}

void collective_check_allreduce(const struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        expect(d, i, sum_over(0, d->ranks, i));
    }
}

void collective_check_alltoall(const struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        expect(d, i, value(i / d->block, d->me * d->block + i % d->block));
    }
}

void collective_check_alltoallv(const struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        int from = i / d->block;
        int at = i % d->block;
        expect(d, i, at < d->counts[from] ? value(from, d->me * d->block + at) : -1);
    }
}

void collective_check_barrier(const struct collective_data *d)
{
    expect(d, 0, -1);
}

void collective_check_bcast(const struct collective_data *d)
{
    for (int i = 0; i < d->block; i++) {
        expect(d, i, d->me == d->root ? -1 : value(d->root, i));
    }
}

void collective_check_exscan(const struct collective_data *d)
{
    for (int i = 0; i < d->block && d->me > 0; i++) {
        expect(d, i, sum_over(0, d->me, i));
    }
}

void collective_check_gather(const struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        expect(d, i, d->me == d->root ? value(i / d->block, i % d->block) : -1);
    }
}

void collective_check_gatherv(const struct collective_data *d)
{
    for (int i = 0; i < d->ranks * d->block; i++) {
        bool filled = d->me == d->root && i % d->block < d->counts[i / d->block];
        expect(d, i, filled ? value(i / d->block, i % d->block) : -1);
    }
}

void collective_check_reduce(const struct collective_data *d)
{
    for (int i = 0; i < d->block; i++) {
        expect(d, i, d->me == d->root ? sum_over(0, d->ranks, i) : -1);
    }
}

void collective_check_reduce_scatter(const struct collective_data *d)
{
    int first = 0;
    for (int r = 0; r < d->me; r++) {
        first += d->counts[r];
    }
    for (int i = 0; i < d->block; i++) {
        expect(d, i, i < d->counts[d->me] ? sum_over(0, d->ranks, first + i) : -1);
    }
}

void collective_check_reduce_scatter_block(const struct collective_data *d)
{
    for (int i = 0; i < d->block; i++) {
        expect(d, i, sum_over(0, d->ranks, d->me * d->block + i));
    }
}

void collective_check_scan(const struct collective_data *d)
{
    for (int i = 0; i < d->block; i++) {
        expect(d, i, sum_over(0, d->me + 1, i));
    }
}

void collective_check_scatter(const struct collective_data *d)
{
    for (int i = 0; i < d->block; i++) {
        expect(d, i, value(d->root, d->me * d->block + i));
    }
}

void collective_check_scatterv(const struct collective_data *d)
{
    for (int i = 0; i < d->block; i++) {
        expect(d, i, i < d->counts[d->me] ? value(d->root, d->me * d->block + i) : -1);
    }
}
