// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_builder.h"

#include <stdlib.h>
#include <string.h>

/*
 * What is known of a chunk in an area: the step that wrote it last, and those that have
 * read it since. Steps are named by number + 1, so that 0 is "none".
 */
struct cell {
    uint32_t writer;
    uint32_t readers; /* the head of a list, in builder->readers */
};

struct reader {
    uint32_t step;
    uint32_t next;
};

struct hccl_builder {
    bool failed;
    uint32_t chunks;
    uint32_t rotation;
    uint32_t areas; /* seen so far, IN and OUT always */
    uint32_t lanes;

    struct hccl_step *steps; /* in the order they were told */
    uint32_t *index;         /* of each step in its lane */
    uint32_t count;
    uint32_t room;

    struct cell *cells; /* [area][chunk] */
    size_t cells_room;
    struct reader *readers; /* number 0 is not used */
    uint32_t reader_count;
    uint32_t reader_room;

    uint32_t lane_count[HCCL_LANES_MAX];
    /* How many steps of another lane are complete before the next step of a lane starts.
     */
    uint32_t known[HCCL_LANES_MAX][HCCL_LANES_MAX];
    uint32_t needed[HCCL_LANES_MAX]; /* what the step at hand needs */
};

struct hccl_builder *hccl_builder_new(void)
{
    return calloc(1, sizeof(struct hccl_builder));
}

void hccl_builder_free(struct hccl_builder *builder)
{
    if (builder != NULL) {
        free(builder->steps);
        free(builder->index);
        free(builder->cells);
        free(builder->readers);
        free(builder);
    }
}

/* Room for `areas` areas; cells of new ones are empty. */
static bool make_cells(struct hccl_builder *builder, uint32_t areas)
{
    size_t wanted = (size_t)areas * builder->chunks;
    if (wanted > builder->cells_room) {
        struct cell *cells = realloc(builder->cells, wanted * sizeof *cells);
        if (cells == NULL) {
            builder->failed = true;
            return false;
        }
        builder->cells = cells;
        builder->cells_room = wanted;
    }
    size_t had = (size_t)builder->areas * builder->chunks;
    memset(builder->cells + had, 0, (wanted - had) * sizeof *builder->cells);
    builder->areas = areas;
    return true;
}

void hccl_builder_begin(struct hccl_builder *builder, uint32_t chunks, uint32_t rotation)
{
    builder->failed = chunks == 0 || rotation >= chunks;
    builder->chunks = chunks;
    builder->rotation = rotation;
    builder->areas = 0;
    builder->count = 0;
    builder->reader_count = 1;
    for (uint32_t lane = 0; lane < builder->lanes; lane++) {
        builder->lane_count[lane] = 0;
        memset(builder->known[lane], 0, builder->lanes * sizeof builder->known[lane][0]);
    }
    builder->lanes = 0;
    if (!builder->failed) {
        make_cells(builder, HCCL_AREA_SCRATCH);
    }
}

static bool make_room(struct hccl_builder *builder)
{
    if (builder->count < builder->room) {
        return true;
    }
    uint32_t room = builder->room == 0 ? 256 : builder->room * 2;
    struct hccl_step *steps = realloc(builder->steps, room * sizeof *steps);
    if (steps != NULL) {
        builder->steps = steps;
    }
    uint32_t *index = realloc(builder->index, room * sizeof *index);
    if (index != NULL) {
        builder->index = index;
    }
    if (steps == NULL || index == NULL) {
        builder->failed = true;
        return false;
    }
    builder->room = room;
    return true;
}

/* The step at hand, in `lane`, must wait for `step` (number + 1). */
static void need(struct hccl_builder *builder, unsigned lane, uint32_t step)
{
    if (step == 0) {
        return;
    }
    unsigned other = builder->steps[step - 1].lane;
    uint32_t complete = builder->index[step - 1] + 1;
    if (other != lane && complete > builder->known[lane][other] &&
        complete > builder->needed[other]) {
        builder->needed[other] = complete;
    }
}

static void remember_reader(struct hccl_builder *builder, struct cell *cell,
                            uint32_t step)
{
    if (builder->reader_count == builder->reader_room || builder->readers == NULL) {
        uint32_t room = builder->reader_room == 0 ? 256 : builder->reader_room * 2;
        struct reader *readers = realloc(builder->readers, room * sizeof *readers);
        if (readers == NULL) {
            builder->failed = true;
            return;
        }
        builder->readers = readers;
        builder->reader_room = room;
    }
    uint32_t at = builder->reader_count++;
    builder->readers[at] = (struct reader){.step = step, .next = cell->readers};
    cell->readers = at;
}

static struct cell *cell_of(struct hccl_builder *builder, unsigned area, uint32_t chunk)
{
    if (chunk >= builder->chunks) {
        chunk -= builder->chunks;
    }
    return &builder->cells[(size_t)area * builder->chunks + chunk];
}

static void need_for_read(struct hccl_builder *builder, const struct hccl_step *step,
                          unsigned area)
{
    for (uint32_t i = 0; i < step->count; i++) {
        need(builder, step->lane, cell_of(builder, area, step->first + i)->writer);
    }
}

static void need_readers(struct hccl_builder *builder, unsigned lane,
                         const struct cell *cell)
{
    for (uint32_t r = cell->readers; r != 0; r = builder->readers[r].next) {
        need(builder, lane, builder->readers[r].step);
    }
}

/* With MPI_IN_PLACE, OUT is where IN is: who writes there waits for readers of both. */
static void need_for_write(struct hccl_builder *builder, const struct hccl_step *step)
{
    for (uint32_t i = 0; i < step->count; i++) {
        const struct cell *cell = cell_of(builder, step->to, step->first + i);
        need(builder, step->lane, cell->writer);
        need_readers(builder, step->lane, cell);
        if (step->to == HCCL_AREA_OUT) {
            need_readers(builder, step->lane,
                         cell_of(builder, HCCL_AREA_IN, step->first + i));
        }
    }
}

static bool reads(const struct hccl_step *step, unsigned area)
{
    if (area == HCCL_AREA_PEER) {
        return false;
    }
    switch (step->kind) {
    case HCCL_STEP_SEND:
    case HCCL_STEP_COPY:
        return area == step->left;
    case HCCL_STEP_RECV_REDUCE:
    case HCCL_STEP_REDUCE:
        return area == step->left || area == step->right;
    default:
        return false;
    }
}

static bool writes(const struct hccl_step *step)
{
    return step->kind != HCCL_STEP_SEND && step->kind != HCCL_STEP_WAIT;
}

static void mark(struct hccl_builder *builder, const struct hccl_step *step,
                 uint32_t number)
{
    for (unsigned area = 0; area < builder->areas; area++) {
        bool written = writes(step) && area == step->to;
        if (!written && !reads(step, area)) {
            continue;
        }
        for (uint32_t i = 0; i < step->count; i++) {
            struct cell *cell = cell_of(builder, area, step->first + i);
            if (written) {
                *cell = (struct cell){.writer = number};
            } else {
                remember_reader(builder, cell, number);
            }
        }
    }
}

static void append(struct hccl_builder *builder, const struct hccl_step *step)
{
    if (make_room(builder)) {
        builder->steps[builder->count] = *step;
        builder->index[builder->count] = builder->lane_count[step->lane]++;
        builder->count++;
    }
}

/* All waits but the last become steps of their own. */
static void append_with_waits(struct hccl_builder *builder, struct hccl_step *step)
{
    uint32_t *known = builder->known[step->lane];
    for (unsigned lane = 0; lane < builder->lanes; lane++) {
        if (builder->needed[lane] == 0) {
            continue;
        }
        if (step->wait != 0) {
            struct hccl_step wait = {.kind = HCCL_STEP_WAIT,
                                     .lane = step->lane,
                                     .wait_lane = step->wait_lane,
                                     .wait = step->wait};
            append(builder, &wait);
        }
        step->wait_lane = (uint8_t)lane;
        step->wait = builder->needed[lane];
        known[lane] = builder->needed[lane];
        builder->needed[lane] = 0;
    }
    append(builder, step);
}

/* The peer's data is an operand of what receives, and of nothing else. */
static bool has_good_areas(const struct hccl_step *step)
{
    bool left = step->left < HCCL_AREAS_MAX;
    bool right = step->right < HCCL_AREAS_MAX;
    if (step->to >= HCCL_AREAS_MAX || (writes(step) && step->to == HCCL_AREA_IN) ||
        (!left && step->left != HCCL_AREA_PEER) ||
        (!right && step->right != HCCL_AREA_PEER)) {
        return false;
    }
    switch (step->kind) {
    case HCCL_STEP_RECV_REDUCE:
        return left != right;
    case HCCL_STEP_REDUCE:
        return left && right;
    default:
        return left != (step->kind == HCCL_STEP_RECV);
    }
}

/* Are the chunks neighbours in the area? IN and OUT begin with chunk 0, scratch areas
 * with the rotation's, and chunk 0 follows the last one there. */
static bool is_stretch(const struct hccl_builder *builder, const struct hccl_step *step,
                       unsigned area)
{
    uint32_t begin = area < HCCL_AREA_SCRATCH ? 0 : builder->rotation;
    uint32_t ahead = step->first >= begin ? step->first - begin
                                          : step->first + builder->chunks - begin;
    return (uint64_t)ahead + step->count <= builder->chunks;
}

static bool fits(const struct hccl_builder *builder, const struct hccl_step *step)
{
    return step->first < builder->chunks && step->count <= builder->chunks &&
           (!writes(step) || is_stretch(builder, step, step->to)) &&
           (step->left == HCCL_AREA_PEER || is_stretch(builder, step, step->left)) &&
           (step->right == HCCL_AREA_PEER || is_stretch(builder, step, step->right));
}

static unsigned highest_area(const struct hccl_step *step)
{
    unsigned highest = step->to;
    if (step->left != HCCL_AREA_PEER && step->left > highest) {
        highest = step->left;
    }
    if (step->right != HCCL_AREA_PEER && step->right > highest) {
        highest = step->right;
    }
    return highest;
}

static void add(struct hccl_builder *builder, struct hccl_step step, unsigned lane,
                unsigned channel)
{
    if (builder->failed || step.count == 0) {
        return;
    }
    if (lane >= HCCL_LANES_MAX || channel >= HCCL_CHANNELS_MAX ||
        !has_good_areas(&step) || !fits(builder, &step)) {
        builder->failed = true;
        return;
    }
    step.lane = (uint8_t)lane;
    step.channel = (uint8_t)channel;
    if (lane >= builder->lanes) {
        builder->lanes = lane + 1;
    }
    unsigned areas = highest_area(&step) + 1;
    if (areas > builder->areas && !make_cells(builder, areas)) {
        return;
    }
    for (unsigned area = 0; area < builder->areas; area++) {
        if (reads(&step, area)) {
            need_for_read(builder, &step, area);
        }
    }
    if (writes(&step)) {
        need_for_write(builder, &step);
    }
    append_with_waits(builder, &step);
    mark(builder, &step, builder->count);
}

void hccl_builder_send(struct hccl_builder *builder, unsigned lane, unsigned channel,
                       int peer, unsigned from, uint32_t first, uint32_t count)
{
    struct hccl_step step = {.kind = HCCL_STEP_SEND,
                             .peer = peer,
                             .left = (uint8_t)from,
                             .right = HCCL_AREA_PEER,
                             .first = first,
                             .count = count};
    add(builder, step, lane, channel);
}

void hccl_builder_recv(struct hccl_builder *builder, unsigned lane, unsigned channel,
                       int peer, unsigned to, uint32_t first, uint32_t count)
{
    struct hccl_step step = {.kind = HCCL_STEP_RECV,
                             .peer = peer,
                             .to = (uint8_t)to,
                             .left = HCCL_AREA_PEER,
                             .right = HCCL_AREA_PEER,
                             .first = first,
                             .count = count};
    add(builder, step, lane, channel);
}

void hccl_builder_recv_reduce(struct hccl_builder *builder, unsigned lane,
                              unsigned channel, int peer, unsigned to, unsigned left,
                              unsigned right, uint32_t first, uint32_t count)
{
    struct hccl_step step = {.kind = HCCL_STEP_RECV_REDUCE,
                             .peer = peer,
                             .to = (uint8_t)to,
                             .left = (uint8_t)left,
                             .right = (uint8_t)right,
                             .first = first,
                             .count = count};
    add(builder, step, lane, channel);
}

void hccl_builder_copy(struct hccl_builder *builder, unsigned lane, unsigned to,
                       unsigned from, uint32_t first, uint32_t count)
{
    struct hccl_step step = {.kind = HCCL_STEP_COPY,
                             .to = (uint8_t)to,
                             .left = (uint8_t)from,
                             .right = HCCL_AREA_PEER,
                             .first = first,
                             .count = count};
    add(builder, step, lane, 0);
}

void hccl_builder_reduce(struct hccl_builder *builder, unsigned lane, unsigned to,
                         unsigned left, unsigned right, uint32_t first, uint32_t count)
{
    struct hccl_step step = {.kind = HCCL_STEP_REDUCE,
                             .to = (uint8_t)to,
                             .left = (uint8_t)left,
                             .right = (uint8_t)right,
                             .first = first,
                             .count = count};
    add(builder, step, lane, 0);
}

struct hccl_sched *hccl_builder_finish(struct hccl_builder *builder)
{
    if (builder->failed) {
        return NULL;
    }
    struct hccl_sched *sched =
        malloc(sizeof *sched + builder->count * sizeof sched->steps[0]);
    if (sched == NULL) {
        return NULL;
    }
    sched->chunks = builder->chunks;
    sched->rotation = builder->rotation;
    sched->scratch = builder->areas - HCCL_AREA_SCRATCH;
    sched->lanes = builder->lanes;
    sched->count = builder->count;
    memset(sched->lane_begin, 0, sizeof sched->lane_begin);
    for (uint32_t lane = 0; lane < builder->lanes; lane++) {
        sched->lane_begin[lane + 1] = sched->lane_begin[lane] + builder->lane_count[lane];
    }
    for (uint32_t s = 0; s < builder->count; s++) {
        uint32_t at = sched->lane_begin[builder->steps[s].lane] + builder->index[s];
        sched->steps[at] = builder->steps[s];
    }
    return sched;
}
