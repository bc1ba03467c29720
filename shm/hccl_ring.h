// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_RING_H
#define HCCL_RING_H

#include "hccl_meet.h"

/*
 * A rank's buffer as a ring of chunks that it sends to all others.
 *
 * The sender waits until all have read what the chunk's place held before, writes the
 * chunk and posts `step`: chunks written. The others wait for that, read the chunk and
 * post `ack`: chunks read.
 *
 * So a sender runs ahead by as much as the ring holds, over several operations too, and
 * copying in overlaps with copying out.
 */

/** Bytes per chunk for a message of `bytes` of which receivers should read while I write.
 */
size_t hccl_ring_chunk(const struct hccl_team *team, size_t bytes);

/** Most bytes that a chunk can have. */
size_t hccl_ring_room(const struct hccl_team *team);

/** Reserve the places of `chunks` chunks; returns the first one's position. */
uint64_t hccl_ring_reserve(struct hccl_team *team, size_t chunks);

/** Write chunk `index` of my data into the ring and say so. */
void hccl_ring_send(struct hccl_team *team, const struct hccl_view *in, uint64_t seq,
                    const struct hccl_header *header, size_t index);

/** Wait for chunk `index` of `sender`, and say where it lies. */
const unsigned char *hccl_ring_receive(struct hccl_team *team, int sender, uint64_t seq,
                                       const struct hccl_header *header, size_t index);

/** Tell the senders that I have read `chunks` chunks of each. */
static inline void hccl_ring_ack(struct hccl_team *team, uint64_t seq, size_t chunks)
{
    struct hccl_cell *mine = hccl_team_cell(team, team->rank);
    hccl_wait_post(&mine->ack, hccl_stamp_make(seq, chunks), &mine->sleepers);
}

/** Chunks of a message. */
static inline size_t hccl_ring_count(const struct hccl_header *header)
{
    return (header->bytes + header->chunk - 1) / header->chunk;
}

/** Bytes of chunk `index`. */
static inline size_t hccl_ring_length(const struct hccl_header *header, size_t index)
{
    size_t at = index * header->chunk;
    return header->bytes - at < header->chunk ? header->bytes - at : header->chunk;
}

#endif
