// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_BUILDER_H
#define HCCL_BUILDER_H

#include "core/hccl_sched.h"

/*
 * Makes schedules. An algorithm tells the steps of one rank in the order of a program
 * that does one after the other, and puts them into lanes. Which steps of other lanes a
 * step must wait for follows from what they read and write.
 *
 * Errors (no memory, numbers that don't fit) stay until the next begin; finish returns
 * NULL. One builder makes many schedules, one after the other, without allocating in
 * between but for the results.
 */
struct hccl_builder;

/** @return NULL without memory */
struct hccl_builder *hccl_builder_new(void);

void hccl_builder_free(struct hccl_builder *builder);

/**
 * Begin a schedule.
 * @param chunks    that the vector is cut into, at least 1
 * @param rotation  the chunk that scratch areas begin with
 */
void hccl_builder_begin(struct hccl_builder *builder, uint32_t chunks, uint32_t rotation);

/** Send chunks [first, first + count) of `from` to `peer`. */
void hccl_builder_send(struct hccl_builder *builder, unsigned lane, unsigned channel,
                       int peer, unsigned from, uint32_t first, uint32_t count);

/** Receive chunks into `to`. */
void hccl_builder_recv(struct hccl_builder *builder, unsigned lane, unsigned channel,
                       int peer, unsigned to, uint32_t first, uint32_t count);

/** to = left op right, one of which is HCCL_AREA_PEER: what `peer` sends. */
void hccl_builder_recv_reduce(struct hccl_builder *builder, unsigned lane,
                              unsigned channel, int peer, unsigned to, unsigned left,
                              unsigned right, uint32_t first, uint32_t count);

/** to = from */
void hccl_builder_copy(struct hccl_builder *builder, unsigned lane, unsigned to,
                       unsigned from, uint32_t first, uint32_t count);

/** to = left op right; `to` may be one of them. */
void hccl_builder_reduce(struct hccl_builder *builder, unsigned lane, unsigned to,
                         unsigned left, unsigned right, uint32_t first, uint32_t count);

/** @return the schedule, to be given back by free(), or NULL */
struct hccl_sched *hccl_builder_finish(struct hccl_builder *builder);

#endif
