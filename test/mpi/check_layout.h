// SPDX-License-Identifier: BSD-3-Clause
#ifndef CHECK_LAYOUT_H
#define CHECK_LAYOUT_H

#include "mpi_check.h"

/*
 * One and the same row of items (an MPI_INT each, or an MPI_DOUBLE, an MPI_INT and an
 * MPI_SHORT in turn), laid out in memory in many ways: MPI lets each rank of a collective
 * operation choose another (count, datatype) for the same signature. Where each item lies
 * is computed here, not asked from MPI.
 */

enum check_layout_kind {
    CHECK_LAYOUT_PLAIN,      /* count items of the predefined type */
    CHECK_LAYOUT_CONTIGUOUS, /* one contiguous type of all items */
    CHECK_LAYOUT_VECTOR,     /* every second place */
    CHECK_LAYOUT_BLOCKS,     /* blocks of 1, 2, 3, 1, 2, 3 ... items with gaps between */
    CHECK_LAYOUT_BACKWARDS,  /* negative stride: the first item lies last */
    CHECK_LAYOUT_RESIZED,    /* count items, each with a gap before and behind */
    CHECK_LAYOUT_STRUCT,     /* like blocks, by a structure, first item not at zero */
    CHECK_LAYOUT_KINDS,
};

struct check_layout {
    enum check_layout_kind kind;
    MPI_Datatype type;
    int count;    /* of `type` in a call */
    bool derived; /* `type` has to be freed */
    bool mixed;   /* items are of three types */
    size_t items;
    ptrdiff_t *at;    /* byte offset of each item from the buffer's address in a call */
    ptrdiff_t low;    /* lowest byte that belongs to an item */
    ptrdiff_t high;   /* behind the highest byte */
    ptrdiff_t extent; /* of one type */
};

/** Make the layout of `items` items; free it with check_layout_free. */
struct check_layout check_layout_make(enum check_layout_kind kind, size_t items,
                                      bool mixed);

void check_layout_free(struct check_layout *layout);

/** Name of the kind. */
const char *check_layout_name(const struct check_layout *layout);

/**
 * Arm a buffer for `repeats` layouts behind one another, as a collective operation places
 * the parts of several ranks.
 * @return the address to pass to MPI
 */
void *check_layout_arm(const struct check_layout *layout, struct check_buffer *buffer,
                       size_t repeats);

/** Write the items first to first + items - 1 of the stream `seed` into one repeat. */
void check_layout_fill(const struct check_layout *layout, void *address, size_t repeat,
                       uint64_t seed);

/**
 * Compare one repeat with the stream `seed`.
 * @param name  of the buffer, for the message
 */
bool check_layout_compare(const struct check_layout *layout, const void *address,
                          size_t repeat, uint64_t seed, const char *name);

/** Check that all bytes of the buffer that belong to no item still have the poison. */
bool check_layout_gaps(const struct check_layout *layout,
                       const struct check_buffer *buffer, const void *address,
                       size_t repeats, const char *name);

#endif
