// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

/** MPI_Barrier (MPI 4.0, section 6.3). */
int hccl_barrier(ompi_communicator_t *comm, mca_coll_base_module_t *base)
{
    enum { NOT_EMPTY = 1 };
    hccl_module_t *module = (hccl_module_t *)base;
    uint64_t start = hccl_report_start();
    if (!hccl_call_may_share(module, NOT_EMPTY)) {
        int rc = module->previous.barrier(comm, module->previous.barrier_module);
        hccl_report_count(HCCL_COLL_BARRIER, HCCL_PATH_PREVIOUS, 0, start);
        return rc;
    }
    if (hccl_shm_barrier(&module->team) != HCCL_DONE) {
        hccl_message_mismatch(module, HCCL_COLL_BARRIER, 0);
        return MPI_ERR_TRUNCATE;
    }
    hccl_report_count(HCCL_COLL_BARRIER, HCCL_PATH_SLOT, 0, start);
    return OMPI_SUCCESS;
}
