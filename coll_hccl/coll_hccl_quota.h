// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_QUOTA_H
#define COLL_HCCL_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The limit of shared memory per node (coll_hccl_shm_max), without a shared counter: each
 * process of the job on this node may take an equal share of it, and is charged its part
 * of every segment that it maps. All parts together never exceed the limit. Thread safe.
 */

/** Set this process's share, in bytes. */
void hccl_quota_set(size_t bytes);

/** Would `bytes` more fit? */
bool hccl_quota_allows(size_t bytes);

/** Charge `bytes`, and add them to *charged. @return false when the share is used up */
bool hccl_quota_take(size_t *charged, size_t bytes);

/** Give *charged bytes back, and clear it. */
void hccl_quota_give(size_t *charged);

#endif
