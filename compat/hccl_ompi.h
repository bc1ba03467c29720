// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_OMPI_H
#define HCCL_OMPI_H

/*
 * Open MPI's internal headers, in an order that compiles, and everything that differs
 * between its release series. No other file of ours asks for the series.
 */

#include <stdbool.h>
#include <stddef.h>

#include "ompi_config.h"

#include "mpi.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/datatype/ompi_datatype_internal.h"
#include "ompi/mca/coll/base/base.h"
#include "ompi/mca/coll/base/coll_base_functions.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/op/op.h"
#include "ompi/proc/proc.h"
#include "ompi/runtime/mpiruntime.h"
#include "opal/datatype/opal_convertor.h"
#include "opal/mca/base/mca_base_component_repository.h"
#include "opal/mca/base/mca_base_framework.h"
#include "opal/mca/base/mca_base_pvar.h"
#include "opal/mca/base/mca_base_var.h"
#include "opal/mca/hwloc/base/base.h"
#include "opal/runtime/opal_progress.h"
#include "opal/util/info.h"
#include "opal/util/output.h"
#include "opal/util/show_help.h"

#if OMPI_MAJOR_VERSION == 4
#include "ompi/mca/rte/rte.h"
#include "opal/mca/pmix/pmix.h"
#else
#include "ompi/runtime/ompi_rte.h"
#include "opal/mca/pmix/pmix-internal.h"
#include "opal/util/proc.h"
#endif

/* The series that this plugin is built for, as "4.1"; others refuse it. */
#define HCCL_STRING_(text) #text
#define HCCL_STRING(text)  HCCL_STRING_(text)
#define HCCL_OMPI_SERIES                                                                 \
    HCCL_STRING(OMPI_MAJOR_VERSION) "." HCCL_STRING(OMPI_MINOR_VERSION)

#if OMPI_MAJOR_VERSION == 4
typedef mca_coll_base_component_2_0_0_t hccl_coll_component_t;
#define HCCL_COLL_VERSION MCA_COLL_BASE_VERSION_2_0_0
#define HCCL_MODEX_LOCAL  OPAL_PMIX_LOCAL
#else
typedef mca_coll_base_component_2_4_0_t hccl_coll_component_t;
#define HCCL_COLL_VERSION MCA_COLL_BASE_VERSION_2_4_0
#define HCCL_MODEX_LOCAL  PMIX_LOCAL
#endif

/** Processes of my job on this node, me included. */
static inline int hccl_ompi_local_processes(void)
{
#if OMPI_MAJOR_VERSION == 4
    return 1 + (int)ompi_process_info.num_local_peers;
#else
    return 1 + (int)opal_process_info.num_local_peers;
#endif
}

/** My number among the processes of my job on this node. */
static inline int hccl_ompi_local_rank(void)
{
#if OMPI_MAJOR_VERSION == 4
    return (int)ompi_process_info.my_local_rank;
#else
    return (int)opal_process_info.my_local_rank;
#endif
}

/** Let Open MPI progress; for those who take a plain function. */
static inline void hccl_ompi_progress(void)
{
    (void)opal_progress(); /* void in 4.1, int in 5.0 */
}

/**
 * Copy the value of an info key of the communicator into `value`.
 * @return false when it has no such key
 */
static inline bool hccl_ompi_info_get(const ompi_communicator_t *comm, const char *key,
                                      char *value, int room)
{
    int found = 0;
    if (comm->super.s_info == NULL) {
        return false;
    }
#if OMPI_MAJOR_VERSION == 4
    opal_info_get(comm->super.s_info, key, room - 1, value, &found);
#else
    opal_cstring_t *text = NULL;
    opal_info_get(comm->super.s_info, key, &text, &found);
    if (found) {
        snprintf(value, (size_t)room, "%s", text->string);
        OBJ_RELEASE(text);
    }
#endif
    return found != 0;
}

#endif
