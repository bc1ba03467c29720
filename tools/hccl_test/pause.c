// SPDX-License-Identifier: BSD-3-Clause
#include "pause.h"
#include "options.h"

#include <stddef.h>

// Dissemination barrier (Hensgen, Finkel, Manber 1988): in round k every rank tells the
// one 2^k further; after ceil(log2 p) rounds everyone has heard of everyone.
static void disseminate(const struct hccl_world *world)
{
    enum { TAG = 77 };

    for (int distance = 1; distance < world->ranks; distance *= 2) {
        int to = (world->rank + distance) % world->ranks;
        int from = (world->rank - distance + world->ranks) % world->ranks;
        MPI_Sendrecv(NULL, 0, MPI_BYTE, to, TAG, NULL, 0, MPI_BYTE, from, TAG,
                     world->control, MPI_STATUS_IGNORE);
    }
}

void hccl_pause_all(const struct hccl_world *world, int pause, MPI_Comm tested)
{
    switch (pause) {
    case HCCL_PAUSE_STOCK:
        MPI_Barrier(world->control);
        break;
    case HCCL_PAUSE_COMM:
        MPI_Barrier(tested);
        break;
    case HCCL_PAUSE_OWN:
        disseminate(world);
        break;
    default:
        break;
    }
}
