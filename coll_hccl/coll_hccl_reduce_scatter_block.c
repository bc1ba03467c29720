// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

static int by_previous(hccl_module_t *module, const void *sbuf, void *rbuf, int rcount,
                       ompi_datatype_t *type, ompi_op_t *op)
{
    uint64_t start = hccl_report_start();
    int rc = module->previous.reduce_scatter_block(
        sbuf, rbuf, rcount, type, op, module->comm,
        module->previous.reduce_scatter_block_module);
    hccl_report_count(HCCL_COLL_REDUCE_SCATTER_BLOCK, HCCL_PATH_PREVIOUS,
                      hccl_buffer_bytes(type, (size_t)rcount * (size_t)module->size),
                      start);
    return rc;
}

/** MPI_Reduce_scatter_block (MPI 4.0, section 6.10.1). */
int hccl_reduce_scatter_block(const void *sbuf, void *rbuf, int rcount,
                              ompi_datatype_t *type, ompi_op_t *op,
                              ompi_communicator_t *comm, mca_coll_base_module_t *base)
{
    hccl_module_t *module = (hccl_module_t *)base;
    size_t share = (size_t)rcount;
    size_t items = share * (size_t)module->size;
    (void)comm;
    if (!hccl_call_may_share(module, hccl_buffer_bytes(type, items))) {
        return by_previous(module, sbuf, rbuf, rcount, type, op);
    }
    for (size_t r = 0; r <= (size_t)module->size; r++) {
        module->team.part[r] = r * share;
    }
    struct hccl_reduction call;
    const void *from = sbuf == MPI_IN_PLACE ? rbuf : sbuf;
    int rc = hccl_reduction_open(&call, from, items, rbuf, share, type, op);
    if (rc != OMPI_SUCCESS) {
        return rc;
    }
    uint64_t start = hccl_report_start();
    enum hccl_result result = hccl_call_run(module, hccl_shm_reduce_scatter, &call.job);
    hccl_reduction_close(&call);
    if (__builtin_expect(result == HCCL_NOT_SERVED, 0)) {
        return by_previous(module, sbuf, rbuf, rcount, type, op);
    }
    return hccl_call_answer(module, HCCL_COLL_REDUCE_SCATTER_BLOCK, &call.job, result,
                            start);
}
