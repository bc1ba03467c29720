// SPDX-License-Identifier: BSD-3-Clause
#include "check_layout.h"

/* MPI_Bcast: every root, every length class, layouts that differ between the ranks. */

static const size_t lengths[] = {
    0,    1,    2,    3,     5,     7,     13,    14,     15,     16,    31,
    63,   64,   111,  112,   113,   224,   225,   1000,   1023,   1025,  2047,
    2049, 4096, 5000, 16383, 16385, 65535, 65537, 262143, 262145, 300000};

static struct check_buffer buffer;

static void broadcast(size_t items, bool mixed, int root, enum check_layout_kind kind)
{
    struct check_layout layout = check_layout_make(kind, items, mixed);
    uint64_t seed = check_mix(items, (uint64_t)root, mixed);
    void *address = check_layout_arm(&layout, &buffer, 1);
    check_note("%zu %s from root %d, here %s", items, mixed ? "mixed items" : "MPI_INT",
               root, check_layout_name(&layout));
    if (check_rank == root) {
        check_layout_fill(&layout, address, 0, seed);
    }
    int rc = MPI_Bcast(address, layout.count, layout.type, root, MPI_COMM_WORLD);
    check_ok(rc, "MPI_Bcast");
    check_layout_compare(&layout, address, 0, seed, "buffer");
    check_layout_gaps(&layout, &buffer, address, 1, "buffer");
    check_layout_free(&layout);
}

/*
 * Root and leaves use any pair of layouts; which one is drawn from the case's number.
 * Where there is nothing to send they all use the same one: MPI_Bcast of Open MPI returns
 * at once for a count of zero, but not for a datatype without bytes.
 */
static enum check_layout_kind kind_of(long number, size_t items, int rank)
{
    long way = items == 0 ? 1 : number % 4;
    if (way == 0) {
        return CHECK_LAYOUT_PLAIN;
    }
    if (way == 1) {
        return (enum check_layout_kind)(number / 4 % CHECK_LAYOUT_KINDS);
    }
    uint64_t random = check_mix((uint64_t)number, (uint64_t)rank, 5);
    return (enum check_layout_kind)(random % CHECK_LAYOUT_KINDS);
}

int main(int argc, char **argv)
{
    long number = 0;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        bool is_long = lengths[l] > 5000;
        int ways = is_long && !check_is_full() ? 4 : 4 * CHECK_LAYOUT_KINDS;
        for (int way = 0; way < ways; way++) {
            /* Each root sometimes, whatever the way. */
            int root = (int)((number * 5 + number / 7) % check_size);
            broadcast(lengths[l], false, root, kind_of(number, lengths[l], check_rank));
            if (!is_long && way % 3 == 0) {
                broadcast(lengths[l], true, root,
                          kind_of(number, lengths[l], check_rank));
            }
            number++;
        }
        for (int root = 0; root < check_size; root++) {
            broadcast(lengths[l], false, root, CHECK_LAYOUT_PLAIN);
        }
    }
    check_buffer_free(&buffer);
    return check_finish();
}
