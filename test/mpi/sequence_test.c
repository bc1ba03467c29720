// SPDX-License-Identifier: BSD-3-Clause
#include "check_board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Thousands of collective operations, drawn at random, on several communicators at once,
 * with random sizes, roots and delays. All ranks draw the same numbers, so all know what
 * everybody does, and every result is compared with what it has to be.
 */

enum {
    COMMS = 7,
    STEPS = 20000, /* in the long form */
    DELAY_US = 300,
};

enum kind {
    ALLREDUCE,
    BCAST,
    REDUCE_SCATTER_BLOCK,
    REDUCE_SCATTER,
    REDUCE,
    ALLGATHER,
    BARRIER,
    IALLREDUCE,
    GATHER,
    KINDS,
};

static const char *const kind_names[KINDS] = {
    "MPI_Allreduce",      "MPI_Bcast",      "MPI_Reduce_scatter_block",
    "MPI_Reduce_scatter", "MPI_Reduce",     "MPI_Allgather",
    "MPI_Barrier",        "MPI_Iallreduce", "MPI_Gather",
};

struct member {
    MPI_Comm comm;
    int rank;
    int size;
    int *world; /* ranks of the members in MPI_COMM_WORLD */
};

/* What a step does; drawn alike on all ranks. */
struct step {
    long number;
    enum kind kind;
    size_t count;
    uint32_t root; /* modulo the size of the communicator */
    bool in_place;
};

static struct member members[COMMS];
static struct check_buffer in;
static struct check_buffer out;
static int *counts;

static void join(struct member *member, MPI_Comm comm)
{
    MPI_Group group;
    MPI_Group all;
    member->comm = comm;
    if (comm == MPI_COMM_NULL) {
        return;
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &member->rank);
    MPI_Comm_size(comm, &member->size);
    member->world = calloc((size_t)member->size, sizeof *member->world);
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int r = 0; r < member->size; r++) {
        MPI_Group_translate_ranks(group, 1, &r, all, &member->world[r]);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

static void split(struct member *member, int color, int key)
{
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    join(member, comm);
}

static void make_comms(void)
{
    MPI_Comm comm;
    join(&members[0], MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    join(&members[1], comm);
    split(&members[2], 0, -check_rank);
    split(&members[3], check_rank % 2, check_rank);
    split(&members[4], check_rank / 2, -check_rank);
    split(&members[5], check_rank == 0 ? MPI_UNDEFINED : 1, check_rank);
    MPI_Comm_dup(members[2].comm, &comm);
    join(&members[6], comm);
}

static void free_comms(void)
{
    for (int c = COMMS - 1; c >= 0; c--) {
        free(members[c].world);
        if (c > 0 && members[c].comm != MPI_COMM_NULL) {
            MPI_Comm_free(&members[c].comm);
        }
    }
}

static struct step draw(struct check_random *random, long number)
{
    struct step step = {.number = number};
    uint32_t scale = check_random_below(random, 100);
    uint32_t most = scale < 50 ? 16 : scale < 80 ? 600 : scale < 97 ? 9000 : 120000;
    step.kind = (enum kind)check_random_below(random, KINDS);
    step.count = check_random_below(random, most);
    step.root = check_random_below(random, 1000);
    step.in_place = check_random_below(random, 3) == 0;
    return step;
}

/* What the rank (in the communicator) contributes. */
static uint64_t value(const struct step *step, int rank, size_t index)
{
    return check_mix((uint64_t)step->number, (uint64_t)rank, index);
}

static uint64_t sum(const struct step *step, int size, size_t index)
{
    uint64_t total = 0;
    for (int r = 0; r < size; r++) {
        total += value(step, r, index);
    }
    return total;
}

static void fill(const struct step *step, int rank, size_t count, void *at)
{
    uint64_t *numbers = at;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = value(step, rank, i);
    }
}

static void compare_sums(const struct step *step, const struct member *member,
                         size_t first, size_t count)
{
    const uint64_t *got = (const void *)out.data;
    for (size_t i = 0; i < count; i++) {
        uint64_t want = sum(step, member->size, first + i);
        if (!check_true(got[i] == want, "index %zu: expected %#lx, got %#lx", first + i,
                        (unsigned long)want, (unsigned long)got[i])) {
            return;
        }
    }
}

/* Values of one rank: of the root, or of each member one after the other. */
static void compare_values(const struct step *step, int rank, size_t count, size_t at)
{
    const uint64_t *got = (const uint64_t *)(const void *)out.data + at;
    for (size_t i = 0; i < count; i++) {
        uint64_t want = value(step, rank, i);
        if (!check_true(got[i] == want,
                        "from rank %d, index %zu: expected %#lx, got %#lx", rank, i,
                        (unsigned long)want, (unsigned long)got[i])) {
            return;
        }
    }
}

static void arm(const struct step *step, size_t sent, size_t received)
{
    size_t shift = (size_t)(step->number % 8) * sizeof(uint64_t);
    check_buffer_arm(&in, sent * sizeof(uint64_t), shift);
    check_buffer_arm(&out, received * sizeof(uint64_t), 56 - shift);
}

static void allreduce(const struct step *step, const struct member *member)
{
    MPI_Request request = MPI_REQUEST_NULL;
    arm(step, step->count, step->count);
    fill(step, member->rank, step->count, step->in_place ? out.data : in.data);
    const void *from = step->in_place ? MPI_IN_PLACE : in.data;
    if (step->kind == ALLREDUCE) {
        check_ok(MPI_Allreduce(from, out.data, (int)step->count, MPI_UINT64_T, MPI_SUM,
                               member->comm),
                 "MPI_Allreduce");
    } else {
        check_ok(MPI_Iallreduce(from, out.data, (int)step->count, MPI_UINT64_T, MPI_SUM,
                                member->comm, &request),
                 "MPI_Iallreduce");
        check_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    }
    compare_sums(step, member, 0, step->count);
}

static void bcast(const struct step *step, const struct member *member)
{
    int root = (int)(step->root % (uint32_t)member->size);
    arm(step, 0, step->count);
    if (root == member->rank) {
        fill(step, root, step->count, out.data);
    }
    check_ok(MPI_Bcast(out.data, (int)step->count, MPI_UINT64_T, root, member->comm),
             "MPI_Bcast");
    compare_values(step, root, step->count, 0);
}

static void reduce(const struct step *step, const struct member *member)
{
    int root = (int)(step->root % (uint32_t)member->size);
    bool mine = root == member->rank;
    arm(step, step->count, mine ? step->count : 0);
    fill(step, member->rank, step->count, step->in_place && mine ? out.data : in.data);
    check_ok(MPI_Reduce(step->in_place && mine ? MPI_IN_PLACE : in.data,
                        mine ? out.data : NULL, (int)step->count, MPI_UINT64_T, MPI_SUM,
                        root, member->comm),
             "MPI_Reduce");
    compare_sums(step, member, 0, mine ? step->count : 0);
}

static void reduce_scatter_block(const struct step *step, const struct member *member)
{
    size_t part = step->count / (size_t)member->size;
    size_t all = part * (size_t)member->size;
    arm(step, all, step->in_place ? all : part);
    fill(step, member->rank, all, step->in_place ? out.data : in.data);
    check_ok(MPI_Reduce_scatter_block(step->in_place ? MPI_IN_PLACE : in.data, out.data,
                                      (int)part, MPI_UINT64_T, MPI_SUM, member->comm),
             "MPI_Reduce_scatter_block");
    compare_sums(step, member, part * (size_t)member->rank, part);
}

static void reduce_scatter(const struct step *step, const struct member *member)
{
    size_t first = 0;
    size_t all = 0;
    struct check_random random = {.seed = (uint64_t)step->number * 2 + 1};
    for (int r = 0; r < member->size; r++) {
        uint32_t most = (uint32_t)(2 * step->count / (size_t)member->size + 2);
        counts[r] = (int)check_random_below(&random, most);
        counts[r] = check_random_below(&random, 4) == 0 ? 0 : counts[r];
        first += r < member->rank ? (size_t)counts[r] : 0;
        all += (size_t)counts[r];
    }
    size_t part = (size_t)counts[member->rank];
    arm(step, all, step->in_place ? all : part);
    fill(step, member->rank, all, step->in_place ? out.data : in.data);
    check_ok(MPI_Reduce_scatter(step->in_place ? MPI_IN_PLACE : in.data, out.data, counts,
                                MPI_UINT64_T, MPI_SUM, member->comm),
             "MPI_Reduce_scatter");
    compare_sums(step, member, first, part);
}

static void gather(const struct step *step, const struct member *member)
{
    size_t part = step->count / (size_t)member->size;
    int root = (int)(step->root % (uint32_t)member->size);
    bool all = step->kind == ALLGATHER;
    bool mine = all || root == member->rank;
    bool in_place = step->in_place && mine;
    arm(step, part, mine ? part * (size_t)member->size : 0);
    fill(step, member->rank, part,
         in_place ? out.data + part * (size_t)member->rank * sizeof(uint64_t) : in.data);
    const void *from = in_place ? MPI_IN_PLACE : in.data;
    if (all) {
        check_ok(MPI_Allgather(from, (int)part, MPI_UINT64_T, out.data, (int)part,
                               MPI_UINT64_T, member->comm),
                 "MPI_Allgather");
    } else {
        check_ok(MPI_Gather(from, (int)part, MPI_UINT64_T, out.data, (int)part,
                            MPI_UINT64_T, root, member->comm),
                 "MPI_Gather");
    }
    for (int r = 0; mine && r < member->size; r++) {
        compare_values(step, r, part, part * (size_t)r);
    }
}

/* Nobody leaves before everybody has come. */
static void barrier(const struct step *step, const struct member *member)
{
    check_board_reach((uint64_t)step->number + 1);
    check_ok(MPI_Barrier(member->comm), "MPI_Barrier");
    for (int r = 0; r < member->size; r++) {
        uint64_t reached = check_board_reached(member->world[r]);
        check_true(reached >= (uint64_t)step->number + 1,
                   "left although rank %d had not come: expected %ld, got %lu", r,
                   step->number + 1, (unsigned long)reached);
    }
    arm(step, 0, 0);
}

static void run(const struct step *step, const struct member *member)
{
    switch (step->kind) {
    case ALLREDUCE:
    case IALLREDUCE:
        allreduce(step, member);
        break;
    case BCAST:
        bcast(step, member);
        break;
    case REDUCE_SCATTER_BLOCK:
        reduce_scatter_block(step, member);
        break;
    case REDUCE_SCATTER:
        reduce_scatter(step, member);
        break;
    case REDUCE:
        reduce(step, member);
        break;
    case ALLGATHER:
    case GATHER:
        gather(step, member);
        break;
    default:
        barrier(step, member);
        break;
    }
    check_buffer_guards(&in, "send buffer");
    check_buffer_guards(&out, "receive buffer");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (!check_board_open()) {
        check_skip("the ranks have no memory in common, or are too many");
        MPI_Finalize();
        return CHECK_SKIPPED;
    }
    struct check_random random = {.seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1};
    counts = calloc((size_t)check_size, sizeof *counts);
    make_comms();
    for (long s = 0; s < check_scaled(STEPS); s++) {
        struct step step = draw(&random, s);
        uint32_t comm = check_random_below(&random, COMMS);
        uint32_t late = check_random_below(&random, 20 * (uint32_t)check_size);
        check_note("step %ld: %s on communicator %u, count %zu, root %u%s", s,
                   kind_names[step.kind], comm, step.count, step.root,
                   step.in_place ? ", in place" : "");
        if (late == (uint32_t)check_rank) {
            check_sleep(check_random_below(&(struct check_random){.seed = (uint64_t)s},
                                           DELAY_US));
        }
        if (members[comm].comm != MPI_COMM_NULL) {
            run(&step, &members[comm]);
        }
    }
    free_comms();
    free(counts);
    check_buffer_free(&in);
    check_buffer_free(&out);
    check_board_close();
    return check_finish();
}
