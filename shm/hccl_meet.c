// SPDX-License-Identifier: BSD-3-Clause
#include "hccl_meet.h"

enum hccl_result hccl_call_differs(const struct hccl_team *team,
                                   const struct hccl_call *call)
{
    /* Equal sizes and kinds but different elements: legal, with a user-defined operation.
     */
    for (int r = 0; r < team->size; r++) {
        const struct hccl_slot *slot = hccl_team_slot(team, r, call->seq);
        if (atomic_load_explicit(&slot->flag, memory_order_relaxed) != call->flag) {
            return HCCL_MISMATCH;
        }
        if (!hccl_call_is_plain(call) && slot->head.header.bytes != call->bytes) {
            return HCCL_MISMATCH;
        }
    }
    return HCCL_NOT_SERVED;
}

enum hccl_result hccl_call_knock(struct hccl_team *team, unsigned kind,
                                 const struct hccl_job *job)
{
    struct hccl_call call = hccl_call_begin(team, kind, job->bytes, job->combine.element);
    hccl_call_post(team, &call);
    enum hccl_result result = HCCL_NEEDS_STAGE;
    if (!hccl_call_meet(team, &call)) {
        result = hccl_call_differs(team, &call);
    }
    hccl_team_finish(team, call.seq);
    return result;
}

void hccl_call_reduce(const struct hccl_team *team, const struct hccl_job *job, size_t at,
                      size_t count, bool stream)
{
    const struct hccl_combine *combine = &job->combine;
    bool direct = combine->kernel != NULL && job->out.base != NULL;
    if (direct && stream) {
        hccl_combine_stream(team, combine, job->out.base + at, count);
    } else if (direct) {
        hccl_call_combine(team, combine, job->out.base + at, count);
    } else {
        hccl_call_combine(team, combine, team->scratch, count);
        hccl_view_write(&job->out, at, team->scratch, count * combine->element, stream);
    }
}
