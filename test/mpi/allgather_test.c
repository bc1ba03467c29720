// SPDX-License-Identifier: BSD-3-Clause
#include "check_layout.h"

/* MPI_Allgather: every length class, in place, layouts that differ between the ranks and
 * between a rank's two buffers. */

static const size_t lengths[] = {0,   1,    2,    3,    5,    7,    13,   14,    15,
                                 16,  31,   63,   64,   111,  112,  113,  224,   225,
                                 256, 1000, 1023, 1025, 2049, 4096, 5000, 16385, 65537};

static struct check_buffer in;
static struct check_buffer out;

static void gather(size_t items, bool mixed, enum check_layout_kind from_kind,
                   enum check_layout_kind to_kind, bool in_place)
{
    struct check_layout from = check_layout_make(from_kind, items, mixed);
    struct check_layout to = check_layout_make(to_kind, items, mixed);
    void *source = check_layout_arm(&from, &in, 1);
    void *target = check_layout_arm(&to, &out, (size_t)check_size);
    uint64_t seed = check_mix(items, (uint64_t)mixed, 1);
    check_note("%zu %s, from %s to %s%s", items, mixed ? "mixed items" : "MPI_INT",
               check_layout_name(&from), check_layout_name(&to),
               in_place ? ", in place" : "");
    if (in_place) {
        check_layout_fill(&to, target, (size_t)check_rank, seed + (uint64_t)check_rank);
    } else {
        check_layout_fill(&from, source, 0, seed + (uint64_t)check_rank);
    }
    /* With MPI_IN_PLACE what is said of the send buffer doesn't count. */
    int rc = MPI_Allgather(in_place ? MPI_IN_PLACE : source, in_place ? 0 : from.count,
                           in_place ? MPI_DATATYPE_NULL : from.type, target, to.count,
                           to.type, MPI_COMM_WORLD);
    check_ok(rc, "MPI_Allgather");
    for (int r = 0; r < check_size; r++) {
        check_layout_compare(&to, target, (size_t)r, seed + (uint64_t)r,
                             "receive buffer");
    }
    check_layout_gaps(&to, &out, target, (size_t)check_size, "receive buffer");
    if (!in_place) {
        check_layout_compare(&from, source, 0, seed + (uint64_t)check_rank,
                             "send buffer");
        check_layout_gaps(&from, &in, source, 1, "send buffer");
    }
    check_layout_free(&from);
    check_layout_free(&to);
}

static enum check_layout_kind draw(struct check_random *random)
{
    return (enum check_layout_kind)check_random_below(random, CHECK_LAYOUT_KINDS);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    struct check_random random = {.seed = (uint64_t)check_rank};
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        bool is_long = lengths[l] > 5000;
        int ways = is_long && !check_is_full() ? 2 : 12;
        for (int way = 0; way < ways; way++) {
            gather(lengths[l], false, CHECK_LAYOUT_PLAIN, CHECK_LAYOUT_PLAIN, way % 2);
            /* Open MPI returns at once for a count of zero, but not for a datatype
             * without bytes: with nothing to send, ranks had better agree. */
            if (lengths[l] == 0) {
                continue;
            }
            gather(lengths[l], false, draw(&random), draw(&random), way % 2);
            if (!is_long) {
                gather(lengths[l], true, draw(&random), draw(&random), way % 2);
            }
        }
    }
    check_buffer_free(&in);
    check_buffer_free(&out);
    return check_finish();
}
