// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_call.h"

static int by_previous(hccl_module_t *module, const void *sbuf, int scount,
                       ompi_datatype_t *stype, void *rbuf, int rcount,
                       ompi_datatype_t *rtype)
{
    uint64_t start = hccl_report_start();
    int rc = module->previous.allgather(sbuf, scount, stype, rbuf, rcount, rtype,
                                        module->comm, module->previous.allgather_module);
    hccl_report_count(HCCL_COLL_ALLGATHER, HCCL_PATH_PREVIOUS,
                      hccl_buffer_bytes(rtype, (size_t)rcount), start);
    return rc;
}

/** MPI_Allgather (MPI 4.0, section 6.7). */
int hccl_allgather(const void *sbuf, int scount, ompi_datatype_t *stype, void *rbuf,
                   int rcount, ompi_datatype_t *rtype, ompi_communicator_t *comm,
                   mca_coll_base_module_t *base)
{
    hccl_module_t *module = (hccl_module_t *)base;
    size_t items = (size_t)rcount;
    size_t bytes = hccl_buffer_bytes(rtype, items);
    (void)comm;
    if (!hccl_call_may_share(module, bytes)) {
        return by_previous(module, sbuf, scount, stype, rbuf, rcount, rtype);
    }
    struct hccl_buffer in;
    struct hccl_buffer out;
    if (sbuf == MPI_IN_PLACE) {
        ptrdiff_t lb;
        ptrdiff_t extent;
        ompi_datatype_get_extent(rtype, &lb, &extent);
        const char *mine = (const char *)rbuf + extent * (ptrdiff_t)items * module->rank;
        hccl_buffer_open(&in, mine, items, rtype);
    } else {
        hccl_buffer_open(&in, sbuf, (size_t)scount, stype);
    }
    hccl_buffer_open(&out, rbuf, items * (size_t)module->size, rtype);
    struct hccl_job job;
    job.in = in.view;
    job.out = out.view;
    job.bytes = bytes;
    job.combine.element = 0;
    uint64_t start = hccl_report_start();
    enum hccl_result result = hccl_call_run(module, hccl_shm_allgather, &job);
    hccl_buffer_close(&in);
    hccl_buffer_close(&out);
    if (__builtin_expect(result == HCCL_NOT_SERVED, 0)) {
        return by_previous(module, sbuf, scount, stype, rbuf, rcount, rtype);
    }
    return hccl_call_answer(module, HCCL_COLL_ALLGATHER, &job, result, start);
}
