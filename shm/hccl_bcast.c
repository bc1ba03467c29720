// SPDX-License-Identifier: BSD-3-Clause
#include "hccl_meet.h"

/*
 * Broadcast and allgather of what fits no slot: the sender's buffer is a ring of chunks.
 *
 *   sender   wait until all have read what the chunk's place held before; write the
 * chunk; post `step` = chunks written others   wait for `step`; read the chunk; post
 * `ack` = chunks read
 *
 * So the sender runs ahead by as much as the ring holds, over several operations too, and
 * copying in overlaps with copying out. Receivers follow what the sender's header says,
 * not their own arguments: a receiver whose size differs drains the operation and reports
 * it.
 */

enum {
    RING_CHUNK_MIN =
        4096,          /* bytes: smaller chunks cost more in flags than overlap gains */
    RING_PIPELINE = 4, /* a message is cut into this many chunks, if they aren't tiny */
};

/* Bytes of one place of the ring. */
static size_t ring_room(const struct hccl_team *team)
{
    return team->buffer_bytes / HCCL_RING_PLACES / HCCL_LINE * HCCL_LINE;
}

static unsigned char *ring_at(const struct hccl_team *team, int rank, uint64_t position)
{
    return hccl_team_buffer(team, rank) +
           (size_t)(position % HCCL_RING_PLACES) * ring_room(team);
}

static size_t ring_chunk(const struct hccl_team *team, size_t bytes)
{
    size_t room = ring_room(team);
    size_t chunk = bytes / RING_PIPELINE / HCCL_LINE * HCCL_LINE;
    chunk = chunk < RING_CHUNK_MIN ? RING_CHUNK_MIN : chunk;
    return chunk < room ? chunk : room;
}

static size_t chunk_count(size_t bytes, size_t chunk)
{
    return (bytes + chunk - 1) / chunk;
}

static size_t chunk_length(size_t bytes, size_t chunk, size_t index)
{
    size_t at = index * chunk;
    return bytes - at < chunk ? bytes - at : chunk;
}

/* Write chunk `index` of my data into the ring. */
static void ring_send(struct hccl_team *team, const struct hccl_view *in, size_t bytes,
                      uint64_t seq, const struct hccl_header *header, size_t index)
{
    uint64_t position = header->ring + index;
    uint64_t *used = &team->ring_stamp[position % HCCL_RING_PLACES];
    hccl_team_quiet(team, *used > team->buffer_stamp ? *used : team->buffer_stamp);
    hccl_view_read(in, index * header->chunk, ring_at(team, team->rank, position),
                   chunk_length(bytes, header->chunk, index));
    *used = hccl_stamp_make(seq, index + 1);
    struct hccl_cell *mine = hccl_team_cell(team, team->rank);
    hccl_wait_post(&mine->step, *used, &mine->sleepers);
}

/* Wait for chunk `index` of `sender`, and say where it lies. */
static const unsigned char *ring_receive(struct hccl_team *team, int sender, uint64_t seq,
                                         const struct hccl_header *header, size_t index)
{
    struct hccl_cell *cell = hccl_team_cell(team, sender);
    hccl_wait_until(&team->wait, &cell->step, hccl_stamp_make(seq, index + 1),
                    &cell->sleepers);
    return ring_at(team, sender, header->ring + index);
}

static void ring_ack(struct hccl_team *team, uint64_t seq, size_t chunks)
{
    struct hccl_cell *mine = hccl_team_cell(team, team->rank);
    hccl_wait_post(&mine->ack, hccl_stamp_make(seq, chunks), &mine->sleepers);
}

static enum hccl_result bcast_root(struct hccl_team *team, const struct hccl_job *job)
{
    enum hccl_route route = hccl_route_find(team, job->bytes, 1);
    if (route == HCCL_ROUTE_NONE) {
        return HCCL_NOT_SERVED;
    }
    struct hccl_call call = hccl_call_begin(team, HCCL_KIND_BCAST, job->bytes, 0);
    struct hccl_header *header = &hccl_team_slot(team, team->rank, call.seq)->head.header;
    struct hccl_header said = {.bytes = job->bytes};
    if (route == HCCL_ROUTE_EAGER) {
        hccl_view_read(&job->in, 0, hccl_call_payload(team, &call, team->rank),
                       job->bytes);
    } else if (route == HCCL_ROUTE_STAGED) {
        said.chunk = ring_chunk(team, job->bytes);
        said.ring = team->ring;
        *header = said;
    }
    hccl_call_post(team, &call);
    if (route == HCCL_ROUTE_STAGED) {
        size_t chunks = chunk_count(job->bytes, said.chunk);
        team->ring += chunks;
        for (size_t i = 0; i < chunks; i++) {
            ring_send(team, &job->in, job->bytes, call.seq, &said, i);
        }
    }
    hccl_team_finish(team, call.seq);
    return route == HCCL_ROUTE_GROW ? HCCL_NEEDS_STAGE : HCCL_DONE;
}

/* Write what I have room for: job->bytes may be less than what was sent. */
static void keep(const struct hccl_job *job, size_t at, const unsigned char *from,
                 size_t bytes, bool stream)
{
    size_t room = at < job->bytes ? job->bytes - at : 0;
    hccl_view_write(&job->out, at, from, bytes < room ? bytes : room, stream);
}

static void bcast_drain(struct hccl_team *team, const struct hccl_job *job, uint64_t seq,
                        const struct hccl_header *header)
{
    bool stream = header->bytes >= team->stream_bytes;
    size_t chunks = chunk_count(header->bytes, header->chunk);
    for (size_t i = 0; i < chunks; i++) {
        const unsigned char *from = ring_receive(team, job->root, seq, header, i);
        keep(job, i * header->chunk, from, chunk_length(header->bytes, header->chunk, i),
             stream);
        ring_ack(team, seq, i + 1);
    }
}

static enum hccl_result bcast_leaf(struct hccl_team *team, const struct hccl_job *job)
{
    if (hccl_route_find(team, job->bytes, 1) == HCCL_ROUTE_NONE) {
        return HCCL_NOT_SERVED;
    }
    /* No slot of mine is written, so none has to be free. */
    struct hccl_call call = {.seq = ++team->seq, .kind = HCCL_KIND_BCAST};
    uint64_t flag = hccl_call_hear(team, &call, job->root);
    const struct hccl_slot *slot = hccl_team_slot(team, job->root, call.seq);
    unsigned kind = (unsigned)(flag >> HCCL_KIND_SHIFT) & 0xf;
    if (kind != HCCL_KIND_BCAST) {
        hccl_team_finish(team, call.seq);
        return HCCL_MISMATCH;
    }
    call.bytes = flag & HCCL_BYTES_MASK;
    struct hccl_header header = {0};
    if (call.bytes == HCCL_BYTES_MASK) {
        header = slot->head.header;
        call.bytes = header.bytes;
    }
    enum hccl_result result = call.bytes == job->bytes ? HCCL_DONE : HCCL_MISMATCH;
    enum hccl_route route = hccl_route_find(team, call.bytes, 1);
    if (route == HCCL_ROUTE_EAGER) {
        keep(job, 0, hccl_call_payload(team, &call, job->root), call.bytes, false);
    } else if (route == HCCL_ROUTE_STAGED) {
        bcast_drain(team, job, call.seq, &header);
    } else {
        result = HCCL_NEEDS_STAGE;
    }
    hccl_team_finish(team, call.seq);
    return result;
}

enum hccl_result hccl_shm_bcast(struct hccl_team *team, const struct hccl_job *job)
{
    return team->rank == job->root ? bcast_root(team, job) : bcast_leaf(team, job);
}

/* Read chunk `index` of every rank; my own from the ring as well, unless it is in place.
 */
static void gather_chunk(struct hccl_team *team, const struct hccl_job *job,
                         const struct hccl_call *call, size_t index, bool stream)
{
    size_t mine = (size_t)team->rank * job->bytes;
    bool in_place = job->in.base != NULL && job->out.base != NULL &&
                    job->in.base == job->out.base + mine;
    for (int k = in_place ? 1 : 0; k < team->size; k++) {
        int peer = (team->rank + k) % team->size;
        struct hccl_header header = hccl_team_slot(team, peer, call->seq)->head.header;
        const unsigned char *from = ring_receive(team, peer, call->seq, &header, index);
        size_t at = index * header.chunk;
        hccl_view_write(&job->out, (size_t)peer * job->bytes + at, from,
                        chunk_length(job->bytes, header.chunk, index), stream);
    }
}

/* Every rank sends by its ring and reads the others', chunk by chunk. */
enum hccl_result hccl_staged_allgather(struct hccl_team *team, const struct hccl_job *job)
{
    struct hccl_call call = hccl_call_begin(team, HCCL_KIND_ALLGATHER, job->bytes, 0);
    struct hccl_header said = {
        .bytes = job->bytes, .ring = team->ring, .chunk = ring_chunk(team, job->bytes)};
    hccl_team_slot(team, team->rank, call.seq)->head.header = said;
    hccl_call_post(team, &call);
    if (!hccl_call_meet(team, &call)) {
        hccl_team_finish(team, call.seq);
        return HCCL_MISMATCH;
    }
    bool stream = job->bytes * (size_t)team->size >= team->stream_bytes;
    size_t chunks = chunk_count(job->bytes, said.chunk);
    team->ring += chunks;
    ring_send(team, &job->in, job->bytes, call.seq, &said, 0);
    for (size_t i = 0; i < chunks; i++) {
        if (i + 1 < chunks) {
            ring_send(team, &job->in, job->bytes, call.seq, &said, i + 1);
        }
        gather_chunk(team, job, &call, i, stream);
        ring_ack(team, call.seq, i + 1);
    }
    hccl_team_finish(team, call.seq);
    return HCCL_DONE;
}
