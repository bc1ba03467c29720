// SPDX-License-Identifier: BSD-3-Clause
#include "check_layout.h"

#include <stdlib.h>
#include <string.h>

/* Sizes of the items of a mixed row, which come in turn. */
static const size_t mixed_size[] = {sizeof(double), sizeof(int), sizeof(short)};

enum { TURNS = sizeof mixed_size / sizeof mixed_size[0], CELL = 16 };

static size_t item_size(const struct check_layout *layout, size_t item)
{
    return layout->mixed ? mixed_size[item % TURNS] : sizeof(int);
}

static MPI_Datatype item_type(const struct check_layout *layout, size_t item)
{
    const MPI_Datatype mixed_type[] = {MPI_DOUBLE, MPI_INT, MPI_SHORT};
    return layout->mixed ? mixed_type[item % TURNS] : MPI_INT;
}

/* Items lie in cells of 4 bytes (16 in mixed rows); which cell is the item's? */
static ptrdiff_t cell_of(const struct check_layout *layout, size_t item)
{
    ptrdiff_t i = (ptrdiff_t)item;
    switch (layout->kind) {
    case CHECK_LAYOUT_VECTOR:
        return 2 * i;
    case CHECK_LAYOUT_BACKWARDS:
        return -2 * i;
    case CHECK_LAYOUT_RESIZED:
        return 3 * i;
    case CHECK_LAYOUT_BLOCKS:
    case CHECK_LAYOUT_STRUCT:
        /* Six items in blocks of 1, 2 and 3, each followed by an empty cell. */
        return i / 6 * 9 +
               (i % 6 == 0   ? 0
                : i % 6 <= 2 ? i % 6 + 1
                             : i % 6 + 2) +
               (layout->kind == CHECK_LAYOUT_STRUCT ? 5 : 0);
    default:
        return i;
    }
}

static void place_items(struct check_layout *layout)
{
    ptrdiff_t cell = layout->mixed ? CELL : (ptrdiff_t)sizeof(int);
    layout->at = calloc(layout->items > 0 ? layout->items : 1, sizeof *layout->at);
    for (size_t i = 0; i < layout->items; i++) {
        ptrdiff_t from = cell_of(layout, i) * cell;
        ptrdiff_t to = from + (ptrdiff_t)item_size(layout, i);
        layout->at[i] = from;
        layout->low = i == 0 || from < layout->low ? from : layout->low;
        layout->high = i == 0 || to > layout->high ? to : layout->high;
    }
}

/* Any row, told item by item; `blocks` in one go where neighbours touch. */
static void build_by_list(struct check_layout *layout)
{
    size_t n = layout->items;
    int *length = calloc(n + 1, sizeof *length);
    MPI_Aint *at = calloc(n + 1, sizeof *at);
    MPI_Datatype *type = calloc(n + 1, sizeof(MPI_Datatype));
    int blocks = 0;
    for (size_t i = 0; i < n; i++) {
        bool joins = i > 0 && !layout->mixed &&
                     layout->at[i] == layout->at[i - 1] + (ptrdiff_t)sizeof(int);
        if (joins) {
            length[blocks - 1]++;
        } else {
            length[blocks] = 1;
            at[blocks] = layout->at[i];
            type[blocks++] = item_type(layout, i);
        }
    }
    if (layout->mixed || layout->kind == CHECK_LAYOUT_STRUCT) {
        MPI_Type_create_struct(blocks, length, at, type, &layout->type);
    } else {
        MPI_Type_create_hindexed(blocks, length, at, MPI_INT, &layout->type);
    }
    free(length);
    free(at);
    free(type);
}

/* Extents that MPI would give depend on alignment rules; ours are told to it. */
static void resize(struct check_layout *layout, MPI_Aint lower, MPI_Aint extent)
{
    MPI_Datatype resized;
    MPI_Type_create_resized(layout->type, lower, extent, &resized);
    if (layout->derived) {
        MPI_Type_free(&layout->type);
    }
    layout->type = resized;
    layout->extent = extent;
    layout->derived = true;
}

static void build(struct check_layout *layout)
{
    int n = (int)layout->items;
    MPI_Aint cell = (MPI_Aint)sizeof(int);
    layout->type = MPI_INT;
    layout->extent = cell;
    layout->count = n;
    if (layout->kind == CHECK_LAYOUT_PLAIN && !layout->mixed) {
        return;
    }
    if (layout->kind == CHECK_LAYOUT_RESIZED && !layout->mixed) {
        resize(layout, -cell, 3 * cell);
        return;
    }
    layout->count = 1;
    layout->derived = true;
    if (layout->mixed || layout->kind == CHECK_LAYOUT_BLOCKS ||
        layout->kind == CHECK_LAYOUT_STRUCT) {
        build_by_list(layout);
    } else if (layout->kind == CHECK_LAYOUT_CONTIGUOUS) {
        MPI_Type_contiguous(n, MPI_INT, &layout->type);
    } else if (layout->kind == CHECK_LAYOUT_VECTOR) {
        MPI_Type_vector(n, 1, 2, MPI_INT, &layout->type);
    } else {
        MPI_Type_create_hvector(n, 1, -2 * cell, MPI_INT, &layout->type);
    }
    resize(layout, layout->low, layout->high - layout->low + CELL);
}

struct check_layout check_layout_make(enum check_layout_kind kind, size_t items,
                                      bool mixed)
{
    struct check_layout layout = {.kind = kind, .items = items, .mixed = mixed};
    place_items(&layout);
    build(&layout);
    if (layout.derived) {
        MPI_Type_commit(&layout.type);
    }
    return layout;
}

void check_layout_free(struct check_layout *layout)
{
    if (layout->derived) {
        MPI_Type_free(&layout->type);
    }
    free(layout->at);
    *layout = (struct check_layout){0};
}

const char *check_layout_name(const struct check_layout *layout)
{
    static const char *const names[CHECK_LAYOUT_KINDS] = {
        [CHECK_LAYOUT_PLAIN] = "plain",         [CHECK_LAYOUT_CONTIGUOUS] = "contiguous",
        [CHECK_LAYOUT_VECTOR] = "vector",       [CHECK_LAYOUT_BLOCKS] = "blocks",
        [CHECK_LAYOUT_BACKWARDS] = "backwards", [CHECK_LAYOUT_RESIZED] = "resized",
        [CHECK_LAYOUT_STRUCT] = "struct",
    };
    return names[layout->kind];
}

static ptrdiff_t step_of(const struct check_layout *layout)
{
    return layout->extent * layout->count;
}

void *check_layout_arm(const struct check_layout *layout, struct check_buffer *buffer,
                       size_t repeats)
{
    size_t bytes = (size_t)(layout->high - layout->low);
    if (repeats > 0) {
        bytes += (repeats - 1) * (size_t)step_of(layout);
    } else {
        bytes = 0;
    }
    /* MPI_DOUBLE has to be aligned, whatever lies before the first item. */
    size_t shift = (size_t)((layout->low % 8 + 8) % 8);
    check_buffer_arm(buffer, bytes, shift);
    return buffer->data - layout->low;
}

/* The bytes of an item; a double may be anything but is compared as bytes. */
static void make_item(const struct check_layout *layout, uint64_t seed, size_t item,
                      void *bytes)
{
    uint64_t bits = check_mix(seed, item, 3);
    memcpy(bytes, &bits, item_size(layout, item));
}

void check_layout_fill(const struct check_layout *layout, void *address, size_t repeat,
                       uint64_t seed)
{
    char *base = (char *)address + (ptrdiff_t)repeat * step_of(layout);
    for (size_t i = 0; i < layout->items; i++) {
        make_item(layout, seed, i, base + layout->at[i]);
    }
}

bool check_layout_compare(const struct check_layout *layout, const void *address,
                          size_t repeat, uint64_t seed, const char *name)
{
    const char *base = (const char *)address + (ptrdiff_t)repeat * step_of(layout);
    for (size_t i = 0; i < layout->items; i++) {
        uint64_t want = 0;
        uint64_t got = 0;
        make_item(layout, seed, i, &want);
        memcpy(&got, base + layout->at[i], item_size(layout, i));
        if (got != want) {
            return check_true(false,
                              "%s (%s): part %zu item %zu: expected %#lx, got %#lx", name,
                              check_layout_name(layout), repeat, i, (unsigned long)want,
                              (unsigned long)got);
        }
    }
    return check_true(true, "%s", name);
}

bool check_layout_gaps(const struct check_layout *layout,
                       const struct check_buffer *buffer, const void *address,
                       size_t repeats, const char *name)
{
    bool *covered = calloc(buffer->bytes + 1, sizeof *covered);
    ptrdiff_t first = (const unsigned char *)address - buffer->data;
    for (size_t r = 0; r < repeats; r++) {
        ptrdiff_t base = first + (ptrdiff_t)r * step_of(layout);
        for (size_t i = 0; i < layout->items; i++) {
            memset(covered + base + layout->at[i], true, item_size(layout, i));
        }
    }
    bool good = check_buffer_guards(buffer, name);
    for (size_t b = 0; b < buffer->bytes && good; b++) {
        good = covered[b] || check_buffer_untouched(buffer, b, b + 1, name);
    }
    free(covered);
    return check_true(good, "%s (%s): bytes between the items have changed", name,
                      check_layout_name(layout));
}
