// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

static int by_previous(hccl_module_t *module, const void *sbuf, void *rbuf, int count,
                       ompi_datatype_t *type, ompi_op_t *op)
{
    uint64_t start = hccl_report_start();
    int rc = module->previous.allreduce(sbuf, rbuf, count, type, op, module->comm,
                                        module->previous.allreduce_module);
    hccl_report_count(HCCL_COLL_ALLREDUCE, HCCL_PATH_PREVIOUS,
                      hccl_buffer_bytes(type, (size_t)count), start);
    return rc;
}

/** MPI_Allreduce (MPI 4.0, section 6.9.6). */
int hccl_allreduce(const void *sbuf, void *rbuf, int count, ompi_datatype_t *type,
                   ompi_op_t *op, ompi_communicator_t *comm, mca_coll_base_module_t *base)
{
    hccl_module_t *module = (hccl_module_t *)base;
    size_t items = (size_t)count;
    (void)comm;
    if (!hccl_call_may_share(module, hccl_buffer_bytes(type, items))) {
        return by_previous(module, sbuf, rbuf, count, type, op);
    }
    struct hccl_reduction call;
    const void *from = sbuf == MPI_IN_PLACE ? rbuf : sbuf;
    int rc = hccl_reduction_open(&call, from, items, rbuf, items, type, op);
    if (rc != OMPI_SUCCESS) {
        return rc;
    }
    uint64_t start = hccl_report_start();
    enum hccl_result result = hccl_call_run(module, hccl_shm_allreduce, &call.job);
    hccl_reduction_close(&call);
    if (__builtin_expect(result == HCCL_NOT_SERVED, 0)) {
        return by_previous(module, sbuf, rbuf, count, type, op);
    }
    return hccl_call_answer(module, HCCL_COLL_ALLREDUCE, &call.job, result, start);
}
