// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

static int by_previous(hccl_module_t *module, const void *sbuf, void *rbuf,
                       const int *rcounts, ompi_datatype_t *type, ompi_op_t *op,
                       size_t bytes)
{
    uint64_t start = hccl_report_start();
    int rc = module->previous.reduce_scatter(sbuf, rbuf, rcounts, type, op, module->comm,
                                             module->previous.reduce_scatter_module);
    hccl_report_count(HCCL_COLL_REDUCE_SCATTER, HCCL_PATH_PREVIOUS, bytes, start);
    return rc;
}

static size_t sum_of(const int *counts, int size)
{
    size_t sum = 0;
    for (int r = 0; r < size; r++) {
        sum += (size_t)counts[r];
    }
    return sum;
}

/* Where each rank's part begins, in items. */
static void lay_parts(struct hccl_team *team, const int *counts)
{
    size_t at = 0;
    for (int r = 0; r < team->size; r++) {
        team->part[r] = at;
        at += (size_t)counts[r];
    }
    team->part[team->size] = at;
}

/** MPI_Reduce_scatter (MPI 4.0, section 6.10.2). */
int hccl_reduce_scatter(const void *sbuf, void *rbuf, const int *rcounts,
                        ompi_datatype_t *type, ompi_op_t *op, ompi_communicator_t *comm,
                        mca_coll_base_module_t *base)
{
    hccl_module_t *module = (hccl_module_t *)base;
    size_t items = sum_of(rcounts, module->size);
    size_t bytes = hccl_buffer_bytes(type, items);
    (void)comm;
    if (!hccl_call_may_share(module, bytes)) {
        return by_previous(module, sbuf, rbuf, rcounts, type, op, bytes);
    }
    lay_parts(&module->team, rcounts);
    struct hccl_reduction call;
    const void *from = sbuf == MPI_IN_PLACE ? rbuf : sbuf;
    int rc = hccl_reduction_open(&call, from, items, rbuf, (size_t)rcounts[module->rank],
                                 type, op);
    if (rc != OMPI_SUCCESS) {
        return rc;
    }
    uint64_t start = hccl_report_start();
    enum hccl_result result = hccl_call_run(module, hccl_shm_reduce_scatter, &call.job);
    hccl_reduction_close(&call);
    if (__builtin_expect(result == HCCL_NOT_SERVED, 0)) {
        return by_previous(module, sbuf, rbuf, rcounts, type, op, bytes);
    }
    return hccl_call_answer(module, HCCL_COLL_REDUCE_SCATTER, &call.job, result, start);
}
