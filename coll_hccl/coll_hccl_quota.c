// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_quota.h"

#include <stdatomic.h>

static size_t share;
static atomic_size_t used;

void hccl_quota_set(size_t bytes)
{
    share = bytes;
}

bool hccl_quota_allows(size_t bytes)
{
    return bytes <= share && atomic_load(&used) <= share - bytes;
}

bool hccl_quota_take(size_t *charged, size_t bytes)
{
    size_t now = atomic_fetch_add(&used, bytes) + bytes;
    if (now > share) {
        atomic_fetch_sub(&used, bytes);
        return false;
    }
    *charged += bytes;
    return true;
}

void hccl_quota_give(size_t *charged)
{
    atomic_fetch_sub(&used, *charged);
    *charged = 0;
}
