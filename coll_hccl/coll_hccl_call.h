// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_CALL_H
#define COLL_HCCL_CALL_H

#include "coll_hccl.h"
#include "coll_hccl_buffer.h"
#include "coll_hccl_message.h"
#include "coll_hccl_op.h"
#include "coll_hccl_setup.h"

#include "shm/hccl_shm.h"

/* What the entry points of the collectives have in common. */

/** The slow half of hccl_call_may_share: count the call, set up when it is time (again,
 * when the team's numbers are used up). */
bool hccl_call_warm_up(hccl_module_t *module);

/**
 * May this call go through shared memory? The answer is the same on all ranks: it depends
 * on the communicator's agreed phase and on `bytes`, the packed bytes, of which MPI
 * demands equality. Empty calls are left to others, as some of them never reach a
 * component.
 */
static inline bool hccl_call_may_share(hccl_module_t *module, size_t bytes)
{
    if (__builtin_expect(bytes == 0, 0)) {
        return false;
    }
    bool ready =
        module->phase == HCCL_PHASE_READY && !hccl_team_is_used_up(&module->team);
    return __builtin_expect(ready, 1) || hccl_call_warm_up(module);
}

/** Run `job`, setting the stage up when the first large message asks for it. */
static inline enum hccl_result hccl_call_run(hccl_module_t *module, hccl_shm_fn run,
                                             const struct hccl_job *job)
{
    enum hccl_result result = run(&module->team, job);
    if (__builtin_expect(result == HCCL_NEEDS_STAGE, 0)) {
        hccl_setup_stage(module);
        result = run(&module->team, job);
    }
    return result;
}

/** Count a call that shared memory has served, and turn `result` into MPI's error code.
 */
static inline int hccl_call_answer(hccl_module_t *module, enum hccl_coll coll,
                                   const struct hccl_job *job, enum hccl_result result,
                                   uint64_t start)
{
    if (__builtin_expect(result != HCCL_DONE, 0)) {
        hccl_message_mismatch(module, coll, job->bytes);
        return MPI_ERR_TRUNCATE;
    }
    enum hccl_path path = HCCL_PATH_SLOT;
    if (job->bytes > HCCL_BODY_BYTES) {
        path = job->bytes <= module->team.mid_bytes ? HCCL_PATH_MID : HCCL_PATH_STAGE;
    }
    hccl_report_count(coll, path, job->bytes, start);
    return OMPI_SUCCESS;
}

/* A reduction, ready for shm/. */
struct hccl_reduction {
    struct hccl_job job;
    struct hccl_buffer in;
    struct hccl_buffer out;
    struct hccl_op_context op;
};

/** The part of hccl_reduction_open for operations without a kernel. */
int hccl_reduction_open_other(struct hccl_reduction *call, const void *in,
                              size_t in_count, void *out, size_t out_count,
                              ompi_datatype_t *type, ompi_op_t *op);

/**
 * Describe a reduction of `in_count` items per rank, of which `out_count` are this rank's
 * result. Rank-local facts decide how this rank reads and writes, not what the ranks do.
 */
static inline int hccl_reduction_open(struct hccl_reduction *call, const void *in,
                                      size_t in_count, void *out, size_t out_count,
                                      ompi_datatype_t *type, ompi_op_t *op)
{
    const struct hccl_kernel *kernel =
        hccl_op_is_predefined(op, type) ? hccl_op_kernel(op, type) : NULL;
    if (__builtin_expect(kernel == NULL || kernel->reduce == NULL, 0)) {
        return hccl_reduction_open_other(call, in, in_count, out, out_count, type, op);
    }
    struct hccl_job *job = &call->job;
    job->in.base = (unsigned char *)in;
    job->out.base = out;
    job->bytes = hccl_buffer_bytes(type, in_count);
    job->count = in_count;
    job->headed = false;
    job->combine.kernel = kernel->reduce;
    job->combine.op = kernel->op;
    job->combine.type = kernel->type;
    job->combine.element = type->super.size;
    return OMPI_SUCCESS;
}

void hccl_reduction_close_other(struct hccl_reduction *call);

static inline void hccl_reduction_close(struct hccl_reduction *call)
{
    if (__builtin_expect(call->job.combine.kernel == NULL, 0)) {
        hccl_reduction_close_other(call);
    }
}

#endif
