// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl.h"

#include "coll_hccl_message.h"
#include "coll_hccl_params.h"
#include "coll_hccl_report.h"
#include "coll_hccl_setup.h"

#include <string.h>

static void module_construct(hccl_module_t *module)
{
    memset((char *)module + sizeof module->super, 0,
           sizeof *module - sizeof module->super);
    module->reason = "not used often enough yet";
}

static void release(mca_coll_base_module_t *module)
{
    if (module != NULL) {
        OBJ_RELEASE(module);
    }
}

static void module_destruct(hccl_module_t *module)
{
    struct hccl_previous *previous = &module->previous;
    hccl_setup_undo(module);
    release(previous->allgather_module);
    release(previous->allreduce_module);
    release(previous->barrier_module);
    release(previous->bcast_module);
    release(previous->reduce_module);
    release(previous->reduce_scatter_module);
    release(previous->reduce_scatter_block_module);
    memset(previous, 0, sizeof *previous);
}

OBJ_CLASS_INSTANCE(hccl_module_t, mca_coll_base_module_t, module_construct,
                   module_destruct);

/* Keep one function of the component below, and its module alive. */
#define KEEP(name)                                                                       \
    previous->name = table->coll_##name;                                                 \
    previous->name##_module = table->coll_##name##_module;                               \
    complete = complete && previous->name != NULL;                                       \
    if (previous->name##_module != NULL) {                                               \
        OBJ_RETAIN(previous->name##_module);                                             \
    }

/*
 * The base enables modules from the lowest priority to the highest: what the table holds
 * now is what would serve without us.
 */
static int module_enable(mca_coll_base_module_t *base, ompi_communicator_t *comm)
{
    hccl_module_t *module = (hccl_module_t *)base;
    struct hccl_previous *previous = &module->previous;
    mca_coll_base_comm_coll_t *table = comm->c_coll;
    bool complete = true;
    KEEP(allgather)
    KEEP(allreduce)
    KEEP(barrier)
    KEEP(bcast)
    KEEP(reduce)
    KEEP(reduce_scatter)
    KEEP(reduce_scatter_block)
    module->comm = comm;
    module->rank = ompi_comm_rank(comm);
    module->size = ompi_comm_size(comm);
    if (!complete) {
        hccl_message_say(
            1, "communicator %s: no component below can serve what hccl hands on",
            comm->c_name);
        return OMPI_ERR_NOT_FOUND;
    }
    return OMPI_SUCCESS;
}

/* Are all processes of the communicator of one job? What is known of another job's
 * processes can differ between ranks. */
static bool of_one_job(ompi_group_t *group)
{
    opal_jobid_t job = ompi_group_get_proc_name(group, 0).jobid;
    for (int r = 1; r < ompi_group_size(group); r++) {
        if (ompi_group_get_proc_name(group, r).jobid != job) {
            return false;
        }
    }
    return true;
}

/*
 * The process of a rank, or NULL when it is not known here. MPI_COMM_WORLD's group holds
 * names ("sentinels") until somebody asks for a process; local ones are known since
 * MPI_Init.
 */
static const opal_proc_t *known_process(ompi_group_t *group, int rank)
{
    ompi_proc_t *proc = ompi_group_get_proc_ptr_raw(group, rank);
    if (proc == NULL) {
        return NULL;
    }
    if (ompi_proc_is_sentinel(proc)) {
        return ompi_proc_lookup(ompi_proc_sentinel_to_name((uintptr_t)proc));
    }
    return &proc->super;
}

/* Is every process of the communicator on my node? All of its ranks see the same. */
static bool on_one_node(const ompi_communicator_t *comm)
{
    ompi_group_t *group = comm->c_local_group;
    if (!of_one_job(group)) {
        return false;
    }
    for (int r = 0; r < ompi_group_size(group); r++) {
        const opal_proc_t *proc = known_process(group, r);
        if (proc == NULL || !OPAL_PROC_ON_LOCAL_NODE(proc->proc_flags)) {
            return false;
        }
    }
    return true;
}

/* What the info key says, else the parameter. Ranks agree at set-up. */
static bool is_wished(const ompi_communicator_t *comm)
{
    enum { ROOM = 32 };
    char value[ROOM];
    bool wish = hccl_params_get()->enable;
    if (hccl_ompi_info_get(comm, "hccl_enable", value, ROOM) &&
        !hccl_param_parse_flag(value, &wish)) {
        hccl_message_bad_info(comm, value);
    }
    return wish;
}

mca_coll_base_module_t *hccl_module_query(ompi_communicator_t *comm, int *priority)
{
    if (OMPI_COMM_IS_INTER(comm) || ompi_comm_size(comm) < 2) {
        return NULL;
    }
    if (!on_one_node(comm)) {
        hccl_report_fallback("its processes are of several nodes or jobs");
        return NULL;
    }
    hccl_module_t *module = OBJ_NEW(hccl_module_t);
    if (module == NULL) {
        return NULL;
    }
    module->wish = is_wished(comm);
    module->super.coll_module_enable = module_enable;
    module->super.coll_allgather = hccl_allgather;
    module->super.coll_allreduce = hccl_allreduce;
    module->super.coll_barrier = hccl_barrier;
    module->super.coll_bcast = hccl_bcast;
    module->super.coll_reduce = hccl_reduce;
    module->super.coll_reduce_scatter = hccl_reduce_scatter;
    module->super.coll_reduce_scatter_block = hccl_reduce_scatter_block;
    *priority = (int)hccl_params_get()->priority;
    return &module->super;
}
