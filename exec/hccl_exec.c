// SPDX-License-Identifier: BSD-3-Clause
#include "exec/hccl_exec.h"

#include "exec/hccl_exec_bind.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_PROGRESS = 256 };

struct hccl_exec *hccl_exec_new(void)
{
    return calloc(1, sizeof(struct hccl_exec));
}

void hccl_exec_free(struct hccl_exec *exec)
{
    if (exec != NULL) {
        free(exec->memory);
        free(exec);
    }
}

size_t hccl_exec_memory(const struct hccl_exec *exec)
{
    return exec->memory_bytes;
}

static void complete(struct hccl_exec_slice *slice, struct hccl_exec_lane *lane)
{
    lane->at++;
    lane->complete++;
    lane->state = LANE_NEXT;
    slice->left--;
}

static bool may_go_on(const struct hccl_exec_slice *slice, const struct hccl_step *step)
{
    return slice->lane[step->wait_lane].complete >= step->wait;
}

static void start_send(struct hccl_exec *exec, struct hccl_exec_slice *slice,
                       struct hccl_exec_lane *lane, const struct hccl_step *step)
{
    const struct hccl_transport *transport = exec->job.transport;
    size_t bytes = hccl_exec_bytes(exec, slice, step);
    lane->io =
        bytes == 0
            ? HCCL_IO_DONE
            : transport->send(transport->context, step->peer, slice->tag + step->channel,
                              hccl_exec_address(exec, slice, step->left, step->first),
                              bytes, &lane->request);
}

static void start_recv(struct hccl_exec *exec, struct hccl_exec_slice *slice,
                       struct hccl_exec_lane *lane, const struct hccl_step *step,
                       void *to)
{
    const struct hccl_transport *transport = exec->job.transport;
    size_t bytes = hccl_exec_bytes(exec, slice, step);
    lane->io = bytes == 0 ? HCCL_IO_DONE
                          : transport->recv(transport->context, step->peer,
                                            slice->tag + step->channel, to, bytes,
                                            &lane->request);
}

static void combine(const struct hccl_exec *exec, const struct hccl_exec_slice *slice,
                    const struct hccl_step *step, unsigned char *arrived)
{
    const struct hccl_combine *how = &exec->job.combine;
    size_t items = hccl_layout_range(&slice->layout, step->first, step->count);
    if (items == 0) {
        return;
    }
    void *to = hccl_exec_address(exec, slice, step->to, step->first);
    const void *source[2] = {
        step->left == HCCL_AREA_PEER
            ? arrived
            : hccl_exec_address(exec, slice, step->left, step->first),
        step->right == HCCL_AREA_PEER
            ? arrived
            : hccl_exec_address(exec, slice, step->right, step->first),
    };
    if (how->kernel != NULL) {
        how->kernel(to, source, 2, items);
    } else if (to != source[0]) {
        how->apply(how->context, to, source, 2, items);
    } else {
        /* Such a function builds its result where the last source is, or elsewhere. */
        how->apply(how->context, slice->aside, source, 2, items);
        memcpy(to, slice->aside, items * how->element);
    }
}

static void copy(const struct hccl_exec *exec, const struct hccl_exec_slice *slice,
                 const struct hccl_step *step)
{
    const void *from = hccl_exec_address(exec, slice, step->left, step->first);
    void *to = hccl_exec_address(exec, slice, step->to, step->first);
    if (from != to) {
        memcpy(to, from, hccl_exec_bytes(exec, slice, step));
    }
}

/* Begin the step at hand, if it may begin. */
static bool begin(struct hccl_exec *exec, struct hccl_exec_slice *slice,
                  struct hccl_exec_lane *lane, const struct hccl_step *step)
{
    if (step->kind == HCCL_STEP_RECV_REDUCE) {
        start_recv(exec, slice, lane, step, lane->arrival);
        lane->state = LANE_IO;
        return true;
    }
    if (!may_go_on(slice, step)) {
        return false;
    }
    switch (step->kind) {
    case HCCL_STEP_SEND:
        start_send(exec, slice, lane, step);
        lane->state = LANE_IO;
        return true;
    case HCCL_STEP_RECV:
        start_recv(exec, slice, lane, step,
                   hccl_exec_address(exec, slice, step->to, step->first));
        lane->state = LANE_IO;
        return true;
    case HCCL_STEP_COPY:
        copy(exec, slice, step);
        break;
    case HCCL_STEP_REDUCE:
        combine(exec, slice, step, NULL);
        break;
    default:
        break;
    }
    complete(slice, lane);
    return true;
}

/* Has the message of the step at hand arrived, or left? */
static bool test_io(struct hccl_exec *exec, struct hccl_exec_slice *slice,
                    struct hccl_exec_lane *lane, const struct hccl_step *step)
{
    if (lane->io == HCCL_IO_PENDING) {
        const struct hccl_transport *transport = exec->job.transport;
        lane->io = transport->test(transport->context, &lane->request);
    }
    switch (lane->io) {
    case HCCL_IO_PENDING:
        return false;
    case HCCL_IO_ERROR:
        exec->failed = true;
        return false;
    default:
        break;
    }
    if (step->kind == HCCL_STEP_RECV_REDUCE) {
        lane->state = LANE_ARRIVED;
    } else {
        complete(slice, lane);
    }
    return true;
}

/* One state further. @return false when the lane can't move now */
static bool move(struct hccl_exec *exec, struct hccl_exec_slice *slice,
                 struct hccl_exec_lane *lane)
{
    if (lane->at == lane->end) {
        return false;
    }
    const struct hccl_step *step = &exec->job.sched->steps[lane->at];
    switch (lane->state) {
    case LANE_NEXT:
        return begin(exec, slice, lane, step);
    case LANE_IO:
        return test_io(exec, slice, lane, step);
    default: /* LANE_ARRIVED */
        if (!may_go_on(slice, step)) {
            return false;
        }
        combine(exec, slice, step, lane->arrival);
        complete(slice, lane);
        return true;
    }
}

/* Until no lane moves, or the budget is spent. */
static void run_slice(struct hccl_exec *exec, struct hccl_exec_slice *slice, int *budget)
{
    bool moved = true;
    while (moved && slice->left > 0 && *budget > 0) {
        moved = false;
        for (uint32_t l = 0; l < exec->job.sched->lanes; l++) {
            while (*budget > 0 && move(exec, slice, &slice->lane[l])) {
                moved = true;
                --*budget;
            }
        }
    }
}

static void drop_requests(struct hccl_exec *exec)
{
    const struct hccl_transport *transport = exec->job.transport;
    for (unsigned s = 0; s < exec->window; s++) {
        struct hccl_exec_slice *slice = &exec->slice[s];
        for (uint32_t l = 0; slice->left > 0 && l < exec->job.sched->lanes; l++) {
            struct hccl_exec_lane *lane = &slice->lane[l];
            if (lane->state == LANE_IO && lane->io == HCCL_IO_PENDING) {
                transport->drop(transport->context, &lane->request);
            }
        }
        slice->left = 0;
    }
}

enum hccl_exec_state hccl_exec_progress(struct hccl_exec *exec)
{
    int budget = STEPS_PER_PROGRESS;
    uint32_t under_way = 0;
    for (unsigned s = 0; s < exec->window && !exec->failed; s++) {
        struct hccl_exec_slice *slice = &exec->slice[s];
        run_slice(exec, slice, &budget);
        /* Slices take turns in a place of the window, so that tags agree between ranks.
         */
        uint32_t next = slice->layout.slice + exec->window;
        if (slice->left == 0 && next < exec->job.layout.slices) {
            hccl_exec_begin_slice(exec, s, next);
        }
        under_way += slice->left > 0;
    }
    if (exec->failed) {
        drop_requests(exec);
        return HCCL_EXEC_FAILED;
    }
    return under_way > 0 ? HCCL_EXEC_BUSY : HCCL_EXEC_DONE;
}

enum hccl_exec_state hccl_exec_start(struct hccl_exec *exec,
                                     const struct hccl_exec_job *job)
{
    exec->job = *job;
    exec->failed = false;
    if (!hccl_exec_bind(exec)) {
        return HCCL_EXEC_FAILED;
    }
    for (unsigned s = 0; s < exec->window; s++) {
        hccl_exec_begin_slice(exec, s, s);
    }
    return hccl_exec_progress(exec);
}
