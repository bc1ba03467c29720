// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_EXEC_H
#define HCCL_EXEC_H

#include "core/hccl_combine.h"
#include "core/hccl_layout.h"
#include "core/hccl_sched.h"
#include "exec/hccl_transport.h"

/*
 * Executes a schedule: binds it to a call's buffers, and moves on whenever it is asked
 * to.
 *
 * A large vector is worked through in slices, all by the same schedule. Several slices
 * are under way at once, each with scratch memory and tags of its own, so that one
 * slice's reductions hide behind another's messages.
 *
 * Nothing is allocated once the memory has grown to what the calls need, nothing blocks
 * and nothing recurses.
 */

enum {
    HCCL_EXEC_SLICES = 4, /* under way at once, at most */
    HCCL_EXEC_TAGS = HCCL_EXEC_SLICES * HCCL_CHANNELS_MAX,
};

/* What a call wants. */
struct hccl_exec_job {
    const struct hccl_sched *sched;
    const struct hccl_transport *transport;
    const void *in;   /* vector of items; not used by bcast */
    void *out;        /* vector of items; of reduce_scatter, my part of it */
    size_t out_start; /* the item of the vector that `out` begins with */
    /* How the vector is cut; `slice` is set by the executor. Parts must outlive the call.
     */
    struct hccl_layout layout;
    struct hccl_combine combine; /* element: the bytes of an item, for bcast as well */
    unsigned tag;                /* the first of HCCL_EXEC_TAGS tags that are ours */
};

enum hccl_exec_state {
    HCCL_EXEC_DONE,
    HCCL_EXEC_BUSY,
    HCCL_EXEC_FAILED,
};

struct hccl_exec;

/** @return NULL without memory */
struct hccl_exec *hccl_exec_new(void);

void hccl_exec_free(struct hccl_exec *exec);

/**
 * Begin a call; `job` is copied. No other call of this executor may be under way.
 * @return HCCL_EXEC_FAILED without memory: nothing has begun
 */
enum hccl_exec_state hccl_exec_start(struct hccl_exec *exec,
                                     const struct hccl_exec_job *job);

/** Move on as far as possible, by a bounded number of steps. */
enum hccl_exec_state hccl_exec_progress(struct hccl_exec *exec);

/** The bytes that the executor holds for scratch and for what arrives. */
size_t hccl_exec_memory(const struct hccl_exec *exec);

#endif
