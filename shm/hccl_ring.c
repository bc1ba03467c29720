// SPDX-License-Identifier: BSD-3-Clause
#include "hccl_ring.h"

enum {
    CHUNK_MIN = 4096, /* bytes: smaller chunks cost more in flags than overlap gains */
    PIPELINE = 4,     /* a message is cut into this many chunks, if they aren't tiny */
};

size_t hccl_ring_room(const struct hccl_team *team)
{
    return team->buffer_bytes / HCCL_RING_PLACES / HCCL_LINE * HCCL_LINE;
}

size_t hccl_ring_chunk(const struct hccl_team *team, size_t bytes)
{
    size_t room = hccl_ring_room(team);
    size_t chunk = bytes / PIPELINE / HCCL_LINE * HCCL_LINE;
    chunk = chunk < CHUNK_MIN ? CHUNK_MIN : chunk;
    return chunk < room ? chunk : room;
}

static unsigned char *place_at(const struct hccl_team *team, int rank, uint64_t position)
{
    return hccl_team_buffer(team, rank) +
           (size_t)(position % HCCL_RING_PLACES) * hccl_ring_room(team);
}

uint64_t hccl_ring_reserve(struct hccl_team *team, size_t chunks)
{
    uint64_t first = team->ring;
    team->ring += chunks;
    return first;
}

void hccl_ring_send(struct hccl_team *team, const struct hccl_view *in, uint64_t seq,
                    const struct hccl_header *header, size_t index)
{
    uint64_t position = header->ring + index;
    uint64_t *used = &team->ring_stamp[position % HCCL_RING_PLACES];
    hccl_team_quiet(team, *used > team->sides_stamp ? *used : team->sides_stamp);
    hccl_view_read(in, index * header->chunk, place_at(team, team->rank, position),
                   hccl_ring_length(header, index));
    *used = hccl_stamp_make(seq, index + 1);
    team->ring_last = *used;
    struct hccl_cell *mine = hccl_team_cell(team, team->rank);
    hccl_wait_post(&mine->step, *used, &mine->sleepers);
}

const unsigned char *hccl_ring_receive(struct hccl_team *team, int sender, uint64_t seq,
                                       const struct hccl_header *header, size_t index)
{
    const unsigned char *place = place_at(team, sender, header->ring + index);
    hccl_team_await(team, sender,
                    (struct hccl_awaited){.word = &hccl_team_cell(team, sender)->step,
                                          .value = hccl_stamp_make(seq, index + 1),
                                          .data = place,
                                          .data_bytes = hccl_ring_length(header, index)});
    return place;
}
