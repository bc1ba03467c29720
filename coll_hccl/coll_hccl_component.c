// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl.h"

#include "coll_hccl_message.h"
#include "coll_hccl_op.h"
#include "coll_hccl_params.h"
#include "coll_hccl_quota.h"
#include "coll_hccl_report.h"

#include <stdlib.h>
#include <string.h>

static bool all_understood;

static int component_register(void)
{
    int rc = hccl_params_register();
    if (rc == OMPI_SUCCESS) {
        hccl_report_register();
    }
    return rc;
}

/* Is the Open MPI that loads us of the series that we were built for? */
static bool is_our_series(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    const char *number = strstr(version, "Open MPI v");
    return number != NULL && strncmp(number + strlen("Open MPI v"), HCCL_OMPI_SERIES ".",
                                     strlen(HCCL_OMPI_SERIES ".")) == 0;
}

/* What other processes on the node must know of my parameters before the first call. */
static void publish(void)
{
    uint32_t calls = (uint32_t)hccl_params_get()->setup_calls;
    int rc;
    if (hccl_params_get()->deterministic == HCCL_DETERMINISTIC_STRICT) {
        calls = 0;
    }
    OPAL_MODEX_SEND(rc, HCCL_MODEX_LOCAL, &mca_coll_hccl_component.collm_version, &calls,
                    sizeof calls);
    if (rc != OPAL_SUCCESS) {
        hccl_message_say(1, "can't publish my parameters: error %d", rc);
    }
}

unsigned hccl_agreed_setup_calls(const hccl_module_t *module)
{
    ompi_proc_t *leader = ompi_comm_peer_lookup(module->comm, 0);
    uint32_t *calls = NULL;
    size_t bytes = 0;
    int rc;
    OPAL_MODEX_RECV(rc, &mca_coll_hccl_component.collm_version, &leader->super.proc_name,
                    (void **)&calls, &bytes);
    unsigned agreed = (unsigned)hccl_params_get()->setup_calls;
    if (rc == OPAL_SUCCESS && bytes == sizeof *calls) {
        agreed = *calls;
    }
    free(calls);
    return agreed;
}

static int component_open(void)
{
    if (!is_our_series()) {
        opal_output(0,
                    "coll:hccl: built for Open MPI %s, but this is another series: not "
                    "used; build it against this one",
                    HCCL_OMPI_SERIES);
        return OPAL_ERR_NOT_AVAILABLE;
    }
    all_understood = hccl_params_read(hccl_message_bad_value);
    if (all_understood && strcmp(hccl_params_get()->companions, "none") != 0) {
        hccl_companions_open(hccl_params_get()->companions);
    }
    publish();
    return OMPI_SUCCESS;
}

static int component_close(void)
{
    hccl_report_print();
    return OMPI_SUCCESS;
}

/*
 * Called for MPI_COMM_WORLD first, late in MPI_Init. A value that can't be understood
 * ends the job here: if only this rank went on without us, the others would wait for it
 * in the first collective. Not earlier: while ranks still exchange addresses,
 * mpirun 4.1.4 misses one abort in twenty, and waits for ever.
 */
static mca_coll_base_module_t *component_comm_query(ompi_communicator_t *comm,
                                                    int *priority)
{
    if (!all_understood) {
        /* Open MPI 5.0 would not show a text that is handed to the abort. */
        hccl_message_say(0, "%s", hccl_message_refusal());
        ompi_rte_abort(1, NULL);
    }
    return hccl_module_query(comm, priority);
}

static int component_init_query(bool progress_threads, bool mpi_threads)
{
    (void)progress_threads;
    (void)mpi_threads;
    hccl_op_init();
    hccl_report_wanted = hccl_params_get()->report;
    hccl_quota_set(hccl_params_get()->shm_max / (size_t)hccl_ompi_local_processes());
    return OMPI_SUCCESS;
}

hccl_coll_component_t mca_coll_hccl_component = {
    .collm_version =
        {
            HCCL_COLL_VERSION,
            .mca_component_name = "hccl",
            MCA_BASE_MAKE_VERSION(component, HCCL_VERSION_MAJOR, HCCL_VERSION_MINOR,
                                  HCCL_VERSION_RELEASE),
            .mca_register_component_params = component_register,
            .mca_open_component = component_open,
            .mca_close_component = component_close,
        },
    .collm_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .collm_init_query = component_init_query,
    .collm_comm_query = component_comm_query,
};
