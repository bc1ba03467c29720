// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_H
#define COLL_HCCL_H

#include "compat/hccl_ompi.h"
#include "shm/hccl_team.h"

/* The component, and its module: what one communicator keeps. */

/* How far a communicator is. Phases change in the same call on all of its ranks. */
enum hccl_phase {
    HCCL_PHASE_WARMING, /* previous components serve until it has been used enough */
    HCCL_PHASE_SETUP,   /* collectives called meanwhile come from the set-up itself */
    HCCL_PHASE_READY,
    HCCL_PHASE_OFF, /* not by shared memory: see `reason` */
};

/* The functions that we replace, as the component below us had set them. */
struct hccl_previous {
    mca_coll_base_module_allgather_fn_t allgather;
    mca_coll_base_module_t *allgather_module;
    mca_coll_base_module_allreduce_fn_t allreduce;
    mca_coll_base_module_t *allreduce_module;
    mca_coll_base_module_barrier_fn_t barrier;
    mca_coll_base_module_t *barrier_module;
    mca_coll_base_module_bcast_fn_t bcast;
    mca_coll_base_module_t *bcast_module;
    mca_coll_base_module_reduce_fn_t reduce;
    mca_coll_base_module_t *reduce_module;
    mca_coll_base_module_reduce_scatter_fn_t reduce_scatter;
    mca_coll_base_module_t *reduce_scatter_module;
    mca_coll_base_module_reduce_scatter_block_fn_t reduce_scatter_block;
    mca_coll_base_module_t *reduce_scatter_block_module;
};

/* Parameter values that all ranks of a communicator must share; rank 0's are used. */
struct hccl_agreed {
    uint64_t mid_bytes;
    uint64_t buffer_bytes;
    uint64_t chunk_bytes;
    uint64_t stream_bytes;
};

typedef struct hccl_module {
    mca_coll_base_module_t super;
    ompi_communicator_t *comm;
    int rank;
    int size;
    bool wish; /* this rank's opinion: info key, else parameter; counts at set-up */
    enum hccl_phase phase;
    unsigned calls;       /* while warming */
    unsigned setup_calls; /* after how many to set up: rank 0's value, once calls > 0 */
    const char *reason;   /* why the previous components serve */
    size_t charged;       /* bytes of the node's shared memory that this rank pays for */
    struct hccl_agreed agreed;
    struct hccl_previous previous;
    struct hccl_team team;
} hccl_module_t;
OBJ_CLASS_DECLARATION(hccl_module_t);

/* The only symbol that the plugin shows. */
extern hccl_coll_component_t mca_coll_hccl_component
    __attribute__((visibility("default")));

/** Make the module of a communicator, or NULL when it is not for us (coll_comm_query). */
mca_coll_base_module_t *hccl_module_query(ompi_communicator_t *comm, int *priority);

/** Bring in the components that the user's list left out. */
void hccl_companions_open(const char *names);

/** The number of warm-up calls that rank 0 of the communicator stands for. */
unsigned hccl_agreed_setup_calls(const hccl_module_t *module);

int hccl_allgather(const void *sbuf, int scount, ompi_datatype_t *stype, void *rbuf,
                   int rcount, ompi_datatype_t *rtype, ompi_communicator_t *comm,
                   mca_coll_base_module_t *base);
int hccl_allreduce(const void *sbuf, void *rbuf, int count, ompi_datatype_t *type,
                   ompi_op_t *op, ompi_communicator_t *comm,
                   mca_coll_base_module_t *base);
int hccl_barrier(ompi_communicator_t *comm, mca_coll_base_module_t *base);
int hccl_bcast(void *buf, int count, ompi_datatype_t *type, int root,
               ompi_communicator_t *comm, mca_coll_base_module_t *base);
int hccl_reduce(const void *sbuf, void *rbuf, int count, ompi_datatype_t *type,
                ompi_op_t *op, int root, ompi_communicator_t *comm,
                mca_coll_base_module_t *base);
int hccl_reduce_scatter(const void *sbuf, void *rbuf, const int *rcounts,
                        ompi_datatype_t *type, ompi_op_t *op, ompi_communicator_t *comm,
                        mca_coll_base_module_t *base);
int hccl_reduce_scatter_block(const void *sbuf, void *rbuf, int rcount,
                              ompi_datatype_t *type, ompi_op_t *op,
                              ompi_communicator_t *comm, mca_coll_base_module_t *base);

#endif
