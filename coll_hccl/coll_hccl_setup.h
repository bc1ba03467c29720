// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_SETUP_H
#define COLL_HCCL_SETUP_H

#include "coll_hccl.h"

/*
 * Setting shared memory up for a communicator, and deciding together whether it is used.
 *
 * Both functions are collective over the communicator; they talk through the components
 * that were chosen before us. Afterwards all ranks use the shared memory, or none does.
 */

/** Make the cells. Called once, when the communicator has been used often enough. */
void hccl_setup_team(hccl_module_t *module);

/** Make the stage. Called once, when a message is too large for the cells. */
void hccl_setup_stage(hccl_module_t *module);

/** Give everything back; local. */
void hccl_setup_undo(hccl_module_t *module);

#endif
