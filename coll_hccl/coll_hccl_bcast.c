// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

static int by_previous(hccl_module_t *module, void *buf, int count, ompi_datatype_t *type,
                       int root)
{
    uint64_t start = hccl_report_start();
    int rc = module->previous.bcast(buf, count, type, root, module->comm,
                                    module->previous.bcast_module);
    hccl_report_count(HCCL_COLL_BCAST, HCCL_PATH_PREVIOUS,
                      hccl_buffer_bytes(type, (size_t)count), start);
    return rc;
}

/** MPI_Bcast (MPI 4.0, section 6.4): ranks may describe the same bytes by different
 * types. */
int hccl_bcast(void *buf, int count, ompi_datatype_t *type, int root,
               ompi_communicator_t *comm, mca_coll_base_module_t *base)
{
    hccl_module_t *module = (hccl_module_t *)base;
    size_t bytes = hccl_buffer_bytes(type, (size_t)count);
    (void)comm;
    if (!hccl_call_may_share(module, bytes)) {
        return by_previous(module, buf, count, type, root);
    }
    struct hccl_buffer buffer;
    hccl_buffer_open(&buffer, buf, (size_t)count, type);
    struct hccl_job job;
    job.in = buffer.view;
    job.out = buffer.view;
    job.bytes = bytes;
    job.root = root;
    job.combine.element = 0;
    uint64_t start = hccl_report_start();
    enum hccl_result result = hccl_call_run(module, hccl_shm_bcast, &job);
    hccl_buffer_close(&buffer);
    if (__builtin_expect(result == HCCL_NOT_SERVED, 0)) {
        return by_previous(module, buf, count, type, root);
    }
    return hccl_call_answer(module, HCCL_COLL_BCAST, &job, result, start);
}
