// SPDX-License-Identifier: BSD-3-Clause
#include "exec/hccl_exec_bind.h"

#include <stdlib.h>

enum { LINE = 64 };

static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* The most bytes that a step moves in any slice. */
static size_t most_bytes(const struct hccl_exec_job *job, const struct hccl_step *step)
{
    struct hccl_layout layout = job->layout;
    layout.slice = 0;
    size_t items = hccl_layout_range(&layout, step->first, step->count);
    /* Slices of a stretch, and chunks of a slice, differ by one item at most. */
    size_t spare = layout.slices > 1 ? 2 * (size_t)step->count : 0;
    return (items + spare) * job->combine.element;
}

/* Room that one slice needs for arrivals, by lane; and for a result that is put aside. */
static size_t measure(const struct hccl_exec_job *job, size_t room[], size_t *aside)
{
    const struct hccl_sched *sched = job->sched;
    size_t sum = 0;
    *aside = 0;
    for (uint32_t l = 0; l < sched->lanes; l++) {
        room[l] = 0;
        for (uint32_t s = sched->lane_begin[l]; s < sched->lane_begin[l + 1]; s++) {
            const struct hccl_step *step = &sched->steps[s];
            if (step->kind != HCCL_STEP_RECV_REDUCE && step->kind != HCCL_STEP_REDUCE) {
                continue;
            }
            size_t bytes = whole_lines(most_bytes(job, step));
            if (step->kind == HCCL_STEP_RECV_REDUCE && bytes > room[l]) {
                room[l] = bytes;
            }
            if (job->combine.kernel == NULL && bytes > *aside) {
                *aside = bytes;
            }
        }
        sum += room[l];
    }
    return sum + *aside;
}

static bool grow(struct hccl_exec *exec, size_t bytes)
{
    if (bytes <= exec->memory_bytes) {
        return true;
    }
    void *memory = NULL;
    if (posix_memalign(&memory, LINE, bytes) != 0) {
        return false;
    }
    free(exec->memory);
    exec->memory = memory;
    exec->memory_bytes = bytes;
    return true;
}

bool hccl_exec_bind(struct hccl_exec *exec)
{
    const struct hccl_exec_job *job = &exec->job;
    size_t room[HCCL_LANES_MAX];
    size_t aside;
    size_t arrivals = measure(job, room, &aside);
    exec->window =
        job->layout.slices < HCCL_EXEC_SLICES ? job->layout.slices : HCCL_EXEC_SLICES;
    exec->area_bytes =
        whole_lines(hccl_layout_slice_items(&job->layout) * job->combine.element);
    size_t scratch = exec->area_bytes * job->sched->scratch;
    if (!grow(exec, (scratch + arrivals) * exec->window)) {
        return false;
    }
    unsigned char *at = exec->memory;
    for (unsigned s = 0; s < exec->window; s++) {
        struct hccl_exec_slice *slice = &exec->slice[s];
        slice->scratch = at;
        at += scratch;
        slice->aside = at;
        at += aside;
        for (uint32_t l = 0; l < job->sched->lanes; l++) {
            slice->lane[l].arrival = at;
            at += room[l];
        }
    }
    return true;
}

void hccl_exec_begin_slice(struct hccl_exec *exec, unsigned s, uint32_t number)
{
    const struct hccl_exec_job *job = &exec->job;
    struct hccl_exec_slice *slice = &exec->slice[s];
    slice->layout = job->layout;
    slice->layout.slice = number;
    slice->tag = job->tag + s * HCCL_CHANNELS_MAX;
    slice->left = job->sched->count;
    slice->items = hccl_layout_range(&slice->layout, 0, job->sched->chunks);
    slice->rotated = hccl_layout_range(&slice->layout, 0, job->sched->rotation);
    for (uint32_t l = 0; l < job->sched->lanes; l++) {
        struct hccl_exec_lane *lane = &slice->lane[l];
        lane->at = job->sched->lane_begin[l];
        lane->end = job->sched->lane_begin[l + 1];
        lane->complete = 0;
        lane->state = LANE_NEXT;
    }
}

/* Scratch has the chunks of one slice side by side, from the rotation's on. */
static size_t scratch_items(const struct hccl_exec_slice *slice, uint32_t chunk)
{
    size_t before =
        slice->layout.parts == 0 || slice->layout.slices == 1
            ? hccl_layout_at(&slice->layout, chunk) - hccl_layout_at(&slice->layout, 0)
            : hccl_layout_range(&slice->layout, 0, chunk);
    return before >= slice->rotated ? before - slice->rotated
                                    : before + slice->items - slice->rotated;
}

void *hccl_exec_address(const struct hccl_exec *exec, const struct hccl_exec_slice *slice,
                        unsigned area, uint32_t chunk)
{
    const struct hccl_exec_job *job = &exec->job;
    size_t element = job->combine.element;
    switch (area) {
    case HCCL_AREA_IN:
        return (unsigned char *)job->in + hccl_layout_at(&slice->layout, chunk) * element;
    case HCCL_AREA_OUT:
        return (unsigned char *)job->out +
               (hccl_layout_at(&slice->layout, chunk) - job->out_start) * element;
    default:
        return slice->scratch + exec->area_bytes * (area - HCCL_AREA_SCRATCH) +
               scratch_items(slice, chunk) * element;
    }
}
