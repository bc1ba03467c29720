// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_EXEC_BIND_H
#define HCCL_EXEC_BIND_H

#include "exec/hccl_exec.h"

/* The executor's state, and how a schedule is bound to memory. For exec/ only. */

enum hccl_exec_lane_state {
    LANE_NEXT,    /* the step at hand has not begun */
    LANE_IO,      /* its message is under way */
    LANE_ARRIVED, /* what it reduces has arrived; it may have to wait for other lanes */
};

struct hccl_exec_lane {
    uint32_t at;       /* the step at hand, in the schedule */
    uint32_t end;      /* one past the lane's last */
    uint32_t complete; /* steps of this lane */
    uint8_t state;     /* enum hccl_exec_lane_state */
    enum hccl_io io;
    void *request;
    unsigned char *arrival; /* room for what RECV_REDUCE gets */
};

struct hccl_exec_slice {
    uint32_t left; /* steps that are not complete */
    unsigned tag;
    struct hccl_layout layout;
    size_t rotated;         /* items before the chunk that SCRATCH begins with */
    size_t items;           /* of this slice */
    unsigned char *scratch; /* areas, area_bytes apart */
    unsigned char *aside;   /* room for one step's result */
    struct hccl_exec_lane lane[HCCL_LANES_MAX];
};

struct hccl_exec {
    struct hccl_exec_job job;
    bool failed;
    unsigned window; /* slices that are under way at once */
    size_t area_bytes;
    unsigned char *memory;
    size_t memory_bytes;
    struct hccl_exec_slice slice[HCCL_EXEC_SLICES];
};

/** Find room for scratch and arrivals. @return false without memory */
bool hccl_exec_bind(struct hccl_exec *exec);

/** Slice number `number` begins, in place `s` of the window. */
void hccl_exec_begin_slice(struct hccl_exec *exec, unsigned s, uint32_t number);

/** The address of a chunk in an area. */
void *hccl_exec_address(const struct hccl_exec *exec, const struct hccl_exec_slice *slice,
                        unsigned area, uint32_t chunk);

/** The bytes that a step moves. */
static inline size_t hccl_exec_bytes(const struct hccl_exec *exec,
                                     const struct hccl_exec_slice *slice,
                                     const struct hccl_step *step)
{
    return hccl_layout_range(&slice->layout, step->first, step->count) *
           exec->job.combine.element;
}

#endif
