// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PAUSE_H
#define HCCL_TEST_PAUSE_H

#include "world.h"

/**
 * Brings all ranks together before a timed call, in the way `pause` (enum hccl_pause)
 * names. `tested` is the communicator of the call; only HCCL_PAUSE_COMM uses it.
 */
void hccl_pause_all(const struct hccl_world *world, int pause, MPI_Comm tested);

#endif
