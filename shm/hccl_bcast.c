// SPDX-License-Identifier: BSD-3-Clause
#include "hccl_ring.h"

/*
 * Broadcast: small data beside or behind the flag of the root's slot, large data by the
 * root's ring. The root waits for nobody as long as slots and ring last.
 *
 * Receivers follow what the sender's header says, not their own arguments: a receiver
 * whose size differs drains the operation and reports it.
 */

static enum hccl_result bcast_root(struct hccl_team *team, const struct hccl_job *job)
{
    enum hccl_route route = hccl_route_find(team, job->bytes, 1);
    if (route == HCCL_ROUTE_NONE) {
        return HCCL_NOT_SERVED;
    }
    struct hccl_call call = hccl_call_begin(team, HCCL_KIND_BCAST, job->bytes, 0);
    struct hccl_header said = {.bytes = job->bytes};
    if (route == HCCL_ROUTE_EAGER) {
        hccl_view_read(&job->in, 0, hccl_call_payload(team, &call, team->rank),
                       job->bytes);
    } else if (route == HCCL_ROUTE_STAGED) {
        said.chunk = hccl_ring_chunk(team, job->bytes);
        said.ring = hccl_ring_reserve(team, hccl_ring_count(&said));
        hccl_team_slot(team, team->rank, call.seq)->head.header = said;
    }
    hccl_call_post(team, &call);
    for (size_t i = 0; said.chunk > 0 && i < hccl_ring_count(&said); i++) {
        hccl_ring_send(team, &job->in, call.seq, &said, i);
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

static void drain(struct hccl_team *team, const struct hccl_job *job, uint64_t seq,
                  const struct hccl_header *header)
{
    bool stream = header->bytes >= team->stream_bytes;
    for (size_t i = 0; i < hccl_ring_count(header); i++) {
        const unsigned char *from = hccl_ring_receive(team, job->root, seq, header, i);
        keep(job, i * header->chunk, from, hccl_ring_length(header, i), stream);
        hccl_ring_ack(team, seq, i + 1);
    }
}

static enum hccl_result bcast_leaf(struct hccl_team *team, const struct hccl_job *job)
{
    if (hccl_route_find(team, job->bytes, 1) == HCCL_ROUTE_NONE) {
        return HCCL_NOT_SERVED;
    }
    /* No slot of mine is written, so none has to be free. */
    struct hccl_call call = {.seq = ++team->seq,
                             .kind = HCCL_KIND_BCAST,
                             .bytes = job->bytes,
                             .read_bytes = job->bytes};
    uint64_t flag = hccl_call_hear(team, &call, job->root, false);
    unsigned kind = (unsigned)(flag >> HCCL_KIND_SHIFT) & HCCL_KIND_MASK;
    if (kind != HCCL_KIND_BCAST) {
        hccl_team_finish(team, call.seq);
        return HCCL_MISMATCH;
    }
    const struct hccl_header *header =
        &hccl_team_slot(team, job->root, call.seq)->head.header;
    call.bytes = flag & HCCL_BYTES_MASK;
    if (call.bytes == HCCL_BYTES_MASK) {
        call.bytes = header->bytes;
    }
    enum hccl_result result = call.bytes == job->bytes ? HCCL_DONE : HCCL_MISMATCH;
    enum hccl_route route = hccl_route_find(team, call.bytes, 1);
    if (route == HCCL_ROUTE_EAGER) {
        keep(job, 0, hccl_call_payload(team, &call, job->root), call.bytes, false);
    } else if (route == HCCL_ROUTE_STAGED) {
        /* A staged broadcast has a header, also when its size fits the flag. */
        drain(team, job, call.seq, header);
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
