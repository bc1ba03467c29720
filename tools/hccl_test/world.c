// SPDX-License-Identifier: BSD-3-Clause
#include "world.h"

#include <stddef.h>

// A duplicate with the info key hccl_enable; with NULL, without info.
static MPI_Comm duplicate(MPI_Comm comm, const char *enable)
{
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Info info = MPI_INFO_NULL;

    if (enable == NULL) {
        MPI_Comm_dup(comm, &copy);
        return copy;
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "hccl_enable", enable);
    MPI_Comm_dup_with_info(comm, info, &copy);
    MPI_Info_free(&info);
    return copy;
}

MPI_Comm hccl_world_duplicate(const char *enable)
{
    return duplicate(MPI_COMM_WORLD, enable);
}

void hccl_world_create(struct hccl_world *world)
{
    int limits[2];

    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->ranks);
    world->control = hccl_world_duplicate("0");
    // a split does not hand the key on
    MPI_Comm split = MPI_COMM_NULL;
    MPI_Comm_split_type(world->control, MPI_COMM_TYPE_SHARED, world->rank, MPI_INFO_NULL,
                        &split);
    world->node = duplicate(split, "0");
    MPI_Comm_free(&split);
    MPI_Comm_rank(world->node, &world->node_rank);
    MPI_Comm_size(world->node, &world->node_ranks);

    int lowest = world->rank;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, world->node);
    world->first_node = lowest == 0;

    // one maximum of (-n, n) gives both ends
    limits[0] = -world->node_ranks;
    limits[1] = world->node_ranks;
    MPI_Allreduce(MPI_IN_PLACE, limits, 2, MPI_INT, MPI_MAX, world->control);
    world->node_least = -limits[0];
    world->node_most = limits[1];
}

void hccl_world_destroy(struct hccl_world *world)
{
    MPI_Comm_free(&world->node);
    MPI_Comm_free(&world->control);
}
