// SPDX-License-Identifier: BSD-3-Clause
#include "hccl_ring.h"

/*
 * Every rank sends all of its data by its ring and reads everybody's: allgather, and the
 * allreduce of very small teams ("one shot": each rank reduces the whole vector).
 *
 * The first chunk is written before the others are heard, since the ring itself knows
 * what may be overwritten; the flag that announces the operation then needs no exchange
 * of its own. Two ranks move n bytes each way like this, no more than by reducing half
 * each, with one wait per chunk instead of two.
 */

struct exchange {
    struct hccl_team *team;
    const struct hccl_job *job;
    struct hccl_call call;
    struct hccl_header said; /* what I announced; the others' differ in `ring` only */
    bool stream;
};

static const unsigned char *chunk_of(const struct exchange *op, int rank, size_t index)
{
    struct hccl_header theirs = op->said;
    if (rank != op->team->rank) {
        theirs.ring = hccl_team_slot(op->team, rank, op->call.seq)->head.header.ring;
    }
    return hccl_ring_receive(op->team, rank, op->call.seq, &theirs, index);
}

static void gather_chunk(const struct exchange *op, size_t index)
{
    const struct hccl_team *team = op->team;
    const struct hccl_job *job = op->job;
    size_t mine = (size_t)team->rank * job->bytes;
    bool in_place = job->in.base != NULL && job->out.base != NULL &&
                    job->in.base == job->out.base + mine;
    size_t at = index * op->said.chunk;
    for (int k = in_place ? 1 : 0; k < team->size; k++) {
        int peer = (team->rank + k) % team->size;
        hccl_view_write(&job->out, (size_t)peer * job->bytes + at,
                        chunk_of(op, peer, index), hccl_ring_length(&op->said, index),
                        op->stream);
    }
}

static void reduce_chunk(const struct exchange *op, size_t index)
{
    struct hccl_team *team = op->team;
    const struct hccl_job *job = op->job;
    size_t at = index * op->said.chunk;
    size_t bytes = hccl_ring_length(&op->said, index);
    for (int r = 0; r < team->size; r++) {
        bool own = r == team->rank && job->in.base != NULL;
        team->source[r] = own ? job->in.base + at : chunk_of(op, r, index);
    }
    hccl_call_reduce(team, job, at, bytes / job->combine.element, op->stream);
}

static enum hccl_result exchange(struct hccl_team *team, const struct hccl_job *job,
                                 unsigned kind, size_t chunk, size_t received,
                                 void (*use)(const struct exchange *op, size_t index))
{
    struct exchange op = {
        .team = team,
        .job = job,
        .call = hccl_call_begin(team, kind, job->bytes, job->combine.element),
        .said = {.bytes = job->bytes, .element = job->combine.element, .chunk = chunk},
        .stream = received >= team->stream_bytes,
    };
    size_t chunks = hccl_ring_count(&op.said);
    op.said.ring = hccl_ring_reserve(team, chunks);
    hccl_team_slot(team, team->rank, op.call.seq)->head.header = op.said;
    hccl_ring_send(team, &job->in, op.call.seq, &op.said, 0);
    hccl_call_post(team, &op.call);
    enum hccl_result result = HCCL_DONE;
    if (!hccl_call_meet(team, &op.call)) {
        result = hccl_call_differs(team, &op.call);
        chunks = 0;
    }
    for (size_t i = 0; i < chunks; i++) {
        if (i + 1 < chunks) {
            hccl_ring_send(team, &job->in, op.call.seq, &op.said, i + 1);
        }
        use(&op, i);
        hccl_ring_ack(team, op.call.seq, i + 1);
    }
    hccl_team_finish(team, op.call.seq);
    return result;
}

enum hccl_result hccl_staged_allgather(struct hccl_team *team, const struct hccl_job *job)
{
    return exchange(team, job, HCCL_KIND_ALLGATHER, hccl_ring_chunk(team, job->bytes),
                    job->bytes * (size_t)team->size, gather_chunk);
}

enum hccl_result hccl_staged_one_shot(struct hccl_team *team, unsigned kind,
                                      const struct hccl_job *job)
{
    size_t element = job->combine.element;
    size_t chunk = hccl_ring_room(team) / element * element;
    if (chunk == 0) {
        return hccl_staged_reduction(team, kind, job);
    }
    return exchange(team, job, kind, chunk, job->bytes, reduce_chunk);
}
