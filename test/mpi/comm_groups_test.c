// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_check.h"

#include <stdlib.h>

/*
 * Communicators that overlap, nest, and are freed in unusual ways: rows and columns,
 * pairs within a larger group, duplicates of duplicates, frees with requests outstanding,
 * frees in different orders on different ranks.
 */

enum { ROUNDS = 12, LARGE = 30000 };

/* Sum over the members of a communicator, by what they are in MPI_COMM_WORLD. */
static long expected_sum(MPI_Comm comm, long salt)
{
    MPI_Group group;
    MPI_Group all;
    int size;
    long sum = 0;
    MPI_Comm_size(comm, &size);
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int r = 0; r < size; r++) {
        int world;
        MPI_Group_translate_ranks(group, 1, &r, all, &world);
        sum += 100 * world + salt;
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    return sum;
}

static void use(MPI_Comm comm, long salt, const char *name)
{
    static long in[LARGE];
    static long out[LARGE];
    int count = salt % 5 == 4 ? LARGE : 1 + (int)(salt % 3);
    long want = expected_sum(comm, salt);
    check_note("%s, use %ld", name, salt);
    for (int i = 0; i < count; i++) {
        in[i] = 100 * check_rank + salt;
        out[i] = -1;
    }
    check_ok(MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm), "MPI_Allreduce");
    check_true(out[0] == want && out[count - 1] == want, "expected %ld, got %ld and %ld",
               want, out[0], out[count - 1]);
    check_ok(MPI_Barrier(comm), "MPI_Barrier");
}

static void rows_and_columns(void)
{
    int width = check_size > 3 ? 2 : 1;
    MPI_Comm row;
    MPI_Comm column;
    MPI_Comm_split(MPI_COMM_WORLD, check_rank / width, check_rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, check_rank % width, check_rank, &column);
    for (long round = 0; round < ROUNDS; round++) {
        use(row, round, "row");
        use(column, round, "column");
        use(MPI_COMM_WORLD, round, "MPI_COMM_WORLD");
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
}

/* First and last rank only, made by these two alone. */
static void pair_among_many(void)
{
    int ends[2] = {0, check_size - 1};
    MPI_Group all;
    MPI_Group pair;
    MPI_Comm comm;
    if (check_size < 2) {
        return;
    }
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ends, &pair);
    if (check_rank == ends[0] || check_rank == ends[1]) {
        MPI_Comm_create_group(MPI_COMM_WORLD, pair, 9, &comm);
        for (long round = 0; round < ROUNDS; round++) {
            use(comm, round, "first and last rank");
        }
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&pair);
}

/* A duplicate of a duplicate, freed from the inside, from the outside, and mixed. */
static void nested(void)
{
    for (int order = 0; order < 3; order++) {
        MPI_Comm comm[3];
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
        MPI_Comm_dup(comm[0], &comm[1]);
        MPI_Comm_split(comm[1], check_rank % 2, 0, &comm[2]);
        for (long round = 0; round < ROUNDS; round++) {
            use(comm[round % 3], round, "nested");
        }
        for (int i = 0; i < 3; i++) {
            int next = order == 0 ? i : order == 1 ? 2 - i : (i + 1) % 3;
            MPI_Comm_free(&comm[next]);
            if (i == 0 && next != 2) {
                use(comm[2], 3, "nested, after another was freed");
            }
        }
    }
}

/* Freed on each rank in another order; Open MPI frees without asking others. */
static void free_in_any_order(void)
{
    enum { COMMS = 7 };
    MPI_Comm comm[COMMS];
    for (int c = 0; c < COMMS; c++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[c]);
        for (long round = 0; round < ROUNDS; round++) {
            use(comm[c], round, "to be freed in any order");
        }
    }
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_free(&comm[(i * 3 + check_rank) % COMMS]);
    }
    use(MPI_COMM_WORLD, 1, "after freeing in any order");
}

/* Freed while requests on it are under way; they must complete. */
static void free_with_requests(long round)
{
    static long in[LARGE];
    static long out[LARGE];
    long token = check_rank == 0 ? round : -1;
    long from_left = -1;
    int left = (check_rank + check_size - 1) % check_size;
    int right = (check_rank + 1) % check_size;
    MPI_Request request[5];
    MPI_Comm comm;
    check_note("freed with requests outstanding, round %ld", round);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (long use_number = 0; use_number < 6 * (round % 2); use_number++) {
        use(comm, use_number, "to be freed with requests");
    }
    for (int i = 0; i < LARGE; i++) {
        in[i] = check_rank + i;
        out[i] = -1;
    }
    MPI_Irecv(&from_left, 1, MPI_LONG, left, 3, comm, &request[0]);
    MPI_Isend(&round, 1, MPI_LONG, right, 3, comm, &request[1]);
    MPI_Iallreduce(in, out, LARGE, MPI_LONG, MPI_SUM, comm, &request[2]);
    MPI_Ibcast(&token, 1, MPI_LONG, 0, comm, &request[3]);
    MPI_Ibarrier(comm, &request[4]);
    check_ok(MPI_Comm_free(&comm), "MPI_Comm_free");
    check_ok(MPI_Waitall(5, request, MPI_STATUSES_IGNORE), "MPI_Waitall");
    check_true(from_left == round, "message: expected %ld, got %ld", round, from_left);
    check_true(token == round, "MPI_Ibcast: expected %ld, got %ld", round, token);
    for (int i = 0; i < LARGE; i++) {
        long want = (long)check_size * i + (long)check_size * (check_size - 1) / 2;
        if (!check_true(out[i] == want, "MPI_Iallreduce: index %d: expected %ld, got %ld",
                        i, want, out[i])) {
            break;
        }
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    rows_and_columns();
    pair_among_many();
    nested();
    free_in_any_order();
    for (long round = 0; round < ROUNDS; round++) {
        free_with_requests(round);
    }
    for (long round = 0; round < ROUNDS; round++) {
        use(MPI_COMM_SELF, round, "MPI_COMM_SELF");
    }
    return check_finish();
}
