// SPDX-License-Identifier: BSD-3-Clause
#include "check_board.h"

#include <string.h>

/*
 * Ranks that are late, and ranks that run ahead: a broadcast's root doesn't wait for its
 * leaves, a reduction's leaves don't wait for the root, so slots and counters go round
 * many times while somebody sleeps. Senders spoil their buffer as soon as a call returns.
 */

enum {
    SMALL = 100000, /* calls, in the long form */
    MEDIUM = 10000,
    LARGE = 1000,
    MOST_BYTES = 2 * 1024 * 1024,
};

/* Who sends, in a run of calls. */
enum roots {
    ONE_ROOT,
    TURNS,  /* another root in each call */
    BLOCKS, /* another root after many calls */
    CHANCE,
    ROOT_WAYS,
};

static const char *const root_names[ROOT_WAYS] = {"one root", "roots in turn",
                                                  "roots in blocks", "roots by chance"};

static struct check_buffer buffer;
static struct check_buffer result;

static int root_of(enum roots way, long call)
{
    long size = check_size;
    switch (way) {
    case ONE_ROOT:
        return 0;
    case TURNS:
        return (int)(call % size);
    case BLOCKS:
        return (int)(call / 40 % size);
    default:
        return (int)(check_mix(99, (uint64_t)call, 0) % (uint64_t)size);
    }
}

/* The last rank sleeps now and then, for longer than anybody spins. */
static void be_late(int rank, long call, long every)
{
    if (check_rank == rank && call % every == every / 2) {
        check_sleep(call % (3 * every) == every / 2 ? 3000 : 100);
    }
}

static void write_words(long call, int rank, size_t words)
{
    uint64_t *to = (void *)buffer.data;
    for (size_t i = 0; i < words; i++) {
        to[i] = check_mix((uint64_t)call, (uint64_t)rank, i / 8);
    }
}

static bool compare_words(long call, int root, size_t words)
{
    const uint64_t *got = (const void *)buffer.data;
    for (size_t i = 0; i < words; i++) {
        uint64_t want = check_mix((uint64_t)call, (uint64_t)root, i / 8);
        if (!check_true(got[i] == want,
                        "call %ld from rank %d, word %zu: expected %#lx, got %#lx", call,
                        root, i, (unsigned long)want, (unsigned long)got[i])) {
            return false;
        }
    }
    return true;
}

static void broadcasts(long calls, size_t bytes, enum roots way)
{
    size_t words = bytes / sizeof(uint64_t);
    check_buffer_arm(&buffer, words * sizeof(uint64_t), 0);
    for (long call = 0; call < calls; call++) {
        int root = root_of(way, call);
        check_note("MPI_Bcast of %zu bytes, %s, call %ld", bytes, root_names[way], call);
        be_late(check_size - 1, call, calls / 50 + 1);
        if (root == check_rank) {
            write_words(call, root, words);
        }
        check_ok(MPI_Bcast(buffer.data, (int)words, MPI_UINT64_T, root, MPI_COMM_WORLD),
                 "MPI_Bcast");
        if (!compare_words(call, root, words)) {
            break;
        }
        if (root == check_rank) {
            memset(buffer.data, 0xEE, words * sizeof(uint64_t));
        }
    }
    check_buffer_guards(&buffer, "buffer");
}

/* The root is late: leaves are done early and come again. */
static void reductions(long calls, size_t bytes, enum roots way)
{
    size_t words = bytes / sizeof(uint64_t);
    check_buffer_arm(&buffer, words * sizeof(uint64_t), 0);
    check_buffer_arm(&result, words * sizeof(uint64_t), 0);
    const uint64_t *got = (const void *)result.data;
    for (long call = 0; call < calls; call++) {
        int root = root_of(way, call);
        check_note("MPI_Reduce of %zu bytes, %s, call %ld", bytes, root_names[way], call);
        be_late(root_of(way, 0), call, calls / 50 + 1);
        write_words(call, check_rank, words);
        check_ok(MPI_Reduce(buffer.data, result.data, (int)words, MPI_UINT64_T, MPI_SUM,
                            root, MPI_COMM_WORLD),
                 "MPI_Reduce");
        memset(buffer.data, 0xEE, words * sizeof(uint64_t));
        for (size_t i = 0; root == check_rank && i < words; i++) {
            uint64_t want = 0;
            for (int r = 0; r < check_size; r++) {
                want += check_mix((uint64_t)call, (uint64_t)r, i / 8);
            }
            if (!check_true(got[i] == want, "word %zu: expected %#lx, got %#lx", i,
                            (unsigned long)want, (unsigned long)got[i])) {
                return;
            }
        }
    }
    check_buffer_guards(&result, "receive buffer");
}

/* Nobody leaves a barrier before everybody has come, and nobody misses one. */
static void barriers(long calls)
{
    for (long call = 1; call <= calls; call++) {
        check_note("MPI_Barrier, call %ld", call);
        be_late((int)(call / 100 % check_size), call, calls / 50 + 1);
        check_board_reach((uint64_t)call);
        check_ok(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
        for (int r = 0; r < check_size; r++) {
            uint64_t reached = check_board_reached(r);
            if (!check_true(reached >= (uint64_t)call && reached <= (uint64_t)call + 1,
                            "rank %d: expected %ld or one more, got %lu", r, call,
                            (unsigned long)reached)) {
                return;
            }
        }
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (!check_board_open()) {
        check_skip("the ranks have no memory in common, or are too many");
        MPI_Finalize();
        return CHECK_SKIPPED;
    }
    for (int way = 0; way < ROOT_WAYS; way++) {
        broadcasts(check_scaled(SMALL), 8, (enum roots)way);
        broadcasts(check_scaled(MEDIUM), 1024, (enum roots)way);
        broadcasts(check_scaled(MEDIUM) / 4, 12000, (enum roots)way);
        broadcasts(check_scaled(LARGE) / 2, 100000, (enum roots)way);
        reductions(check_scaled(MEDIUM), 8, (enum roots)way);
        reductions(check_scaled(MEDIUM) / 4, 5000, (enum roots)way);
        reductions(check_scaled(LARGE) / 4, 100000, (enum roots)way);
    }
    broadcasts(check_scaled(LARGE) / 20, MOST_BYTES, TURNS);
    broadcasts(check_scaled(LARGE) / 20, MOST_BYTES, ONE_ROOT);
    barriers(check_scaled(SMALL));
    check_buffer_free(&buffer);
    check_buffer_free(&result);
    check_board_close();
    return check_finish();
}
