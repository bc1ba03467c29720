// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

static int by_previous(hccl_module_t *module, const void *sbuf, void *rbuf, int count,
                       ompi_datatype_t *type, ompi_op_t *op, int root)
{
    uint64_t start = hccl_report_start();
    int rc = module->previous.reduce(sbuf, rbuf, count, type, op, root, module->comm,
                                     module->previous.reduce_module);
    hccl_report_count(HCCL_COLL_REDUCE, HCCL_PATH_PREVIOUS,
                      hccl_buffer_bytes(type, (size_t)count), start);
    return rc;
}

/** MPI_Reduce (MPI 4.0, section 6.9.1). */
int hccl_reduce(const void *sbuf, void *rbuf, int count, ompi_datatype_t *type,
                ompi_op_t *op, int root, ompi_communicator_t *comm,
                mca_coll_base_module_t *base)
{
    hccl_module_t *module = (hccl_module_t *)base;
    size_t items = (size_t)count;
    (void)comm;
    if (!hccl_call_may_share(module, hccl_buffer_bytes(type, items))) {
        return by_previous(module, sbuf, rbuf, count, type, op, root);
    }
    struct hccl_reduction call;
    const void *from = sbuf == MPI_IN_PLACE ? rbuf : sbuf;
    /* Only the root has a receive buffer; elsewhere nothing is written. */
    void *to = module->rank == root ? rbuf : (void *)from;
    int rc = hccl_reduction_open(&call, from, items, to, items, type, op);
    if (rc != OMPI_SUCCESS) {
        return rc;
    }
    call.job.root = root;
    uint64_t start = hccl_report_start();
    enum hccl_result result = hccl_call_run(module, hccl_shm_reduce, &call.job);
    hccl_reduction_close(&call);
    if (__builtin_expect(result == HCCL_NOT_SERVED, 0)) {
        return by_previous(module, sbuf, rbuf, count, type, op, root);
    }
    return hccl_call_answer(module, HCCL_COLL_REDUCE, &call.job, result, start);
}
