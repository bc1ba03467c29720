// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

bool hccl_call_warm_up(hccl_module_t *module)
{
    if (module->phase == HCCL_PHASE_READY) {
        /* All ranks have counted the same operations: they all make a new team now. */
        hccl_setup_undo(module);
        module->phase = HCCL_PHASE_WARMING;
    }
    if (module->phase != HCCL_PHASE_WARMING) {
        return false;
    }
    if (module->calls == 0) {
        module->setup_calls = hccl_agreed_setup_calls(module);
    }
    if (module->calls++ < module->setup_calls) {
        return false;
    }
    hccl_setup_team(module);
    hccl_message_paths(module);
    return module->phase == HCCL_PHASE_READY;
}

int hccl_reduction_open_other(struct hccl_reduction *call, const void *in,
                              size_t in_count, void *out, size_t out_count,
                              ompi_datatype_t *type, ompi_op_t *op)
{
    struct hccl_job *job = &call->job;
    if (!hccl_op_open(&call->op, &job->combine, op, type)) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    hccl_buffer_open(&call->in, in, in_count, type);
    hccl_buffer_open(&call->out, out, out_count, type);
    job->in = call->in.view;
    job->out = call->out.view;
    job->count = in_count;
    job->bytes = in_count * job->combine.element;
    job->headed = !hccl_op_is_predefined(op, type);
    return OMPI_SUCCESS;
}

void hccl_reduction_close_other(struct hccl_reduction *call)
{
    hccl_buffer_close(&call->in);
    hccl_buffer_close(&call->out);
    hccl_op_close(&call->op);
}
