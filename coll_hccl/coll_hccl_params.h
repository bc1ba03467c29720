// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_PARAMS_H
#define COLL_HCCL_PARAMS_H

#include "core/hccl_param.h"

#include <stdbool.h>

/* The component's parameters, as MCA variables. */

/**
 * Register them all, as text: so that sizes may have units and errors are told in our
 * words.
 * @return OMPI_SUCCESS, or an error of Open MPI's
 */
int hccl_params_register(void);

/**
 * Read what the user has set.
 * @param bad  called for each value that can't be understood
 * @return whether all were understood
 */
bool hccl_params_read(void (*bad)(const struct hccl_param *param, const char *text));

/** The values of all parameters. */
const struct hccl_params *hccl_params_get(void);

#endif
