// SPDX-License-Identifier: BSD-3-Clause
#include "hccl_meet.h"

/*
 * Small data: every rank writes its contribution into its slot, raises the flag, and
 * reads the others' slots. One exchange of cache lines, no further synchronisation.
 *
 * All ranks combine in rank order with the same function, so all get the same bits.
 */

static unsigned kind_of(enum hccl_kind kind, const struct hccl_job *job)
{
    return job->headed ? (unsigned)kind | HCCL_KIND_HEADED : (unsigned)kind;
}

enum hccl_result hccl_shm_barrier(struct hccl_team *team)
{
    struct hccl_call call = hccl_call_begin(team, HCCL_KIND_BARRIER, 0, 0);
    hccl_call_post(team, &call);
    return hccl_call_meet(team, &call) ? HCCL_DONE : HCCL_MISMATCH;
}

/* My own contribution is read where it is, unless only its packed copy is usable. */
static const void *own_source(const struct hccl_job *job, const unsigned char *packed,
                              size_t offset)
{
    const unsigned char *base = job->in.base != NULL ? job->in.base : packed;
    return base + offset;
}

/*
 * Combine `count` elements that begin `offset` bytes into every rank's slot, and write
 * the result to the first bytes of `out`.
 */
static void combine_slots(struct hccl_team *team, const struct hccl_call *call,
                          const struct hccl_job *job, size_t offset, size_t count)
{
    for (int r = 0; r < team->size; r++) {
        const unsigned char *payload = hccl_call_payload(team, call, r);
        team->source[r] =
            r == team->rank ? own_source(job, payload, offset) : payload + offset;
    }
    hccl_call_reduce(team, job, 0, count, false);
}

static enum hccl_result eager_allreduce(struct hccl_team *team,
                                        const struct hccl_job *job)
{
    struct hccl_call call = hccl_call_begin(team, kind_of(HCCL_KIND_ALLREDUCE, job),
                                            job->bytes, job->combine.element);
    hccl_view_read(&job->in, 0, hccl_call_payload(team, &call, team->rank), job->bytes);
    hccl_call_post(team, &call);
    if (!hccl_call_meet(team, &call)) {
        return hccl_call_differs(team, &call);
    }
    combine_slots(team, &call, job, 0, job->count);
    return HCCL_DONE;
}

enum hccl_result hccl_shm_allreduce(struct hccl_team *team, const struct hccl_job *job)
{
    switch (hccl_route_find(team, job->bytes, team->size - 1)) {
    case HCCL_ROUTE_EAGER:
        return eager_allreduce(team, job);
    case HCCL_ROUTE_STAGED:
        return team->size <= HCCL_ONE_SHOT_RANKS
                   ? hccl_staged_one_shot(team, kind_of(HCCL_KIND_ALLREDUCE, job), job)
                   : hccl_staged_reduction(team, kind_of(HCCL_KIND_ALLREDUCE, job), job);
    case HCCL_ROUTE_GROW:
        return hccl_call_knock(team, kind_of(HCCL_KIND_ALLREDUCE, job), job);
    default:
        return HCCL_NOT_SERVED;
    }
}

/* The root waits for all; the others go on at once, as far as slots last. Operations with
 * a header are checked by all ranks, since all must agree on who serves them. */
static enum hccl_result eager_reduce(struct hccl_team *team, const struct hccl_job *job)
{
    struct hccl_call call = hccl_call_begin(team, kind_of(HCCL_KIND_REDUCE, job),
                                            job->bytes, job->combine.element);
    if (team->rank != job->root || job->in.base == NULL) {
        hccl_view_read(&job->in, 0, hccl_call_payload(team, &call, team->rank),
                       job->bytes);
    }
    hccl_call_post(team, &call);
    enum hccl_result result = HCCL_DONE;
    if ((team->rank == job->root || job->headed) && !hccl_call_meet(team, &call)) {
        result = hccl_call_differs(team, &call);
    } else if (team->rank == job->root) {
        combine_slots(team, &call, job, 0, job->count);
    }
    hccl_team_finish(team, call.seq);
    return result;
}

enum hccl_result hccl_shm_reduce(struct hccl_team *team, const struct hccl_job *job)
{
    switch (hccl_route_find(team, job->bytes, team->size - 1)) {
    case HCCL_ROUTE_EAGER:
        return eager_reduce(team, job);
    case HCCL_ROUTE_STAGED:
        return hccl_staged_reduction(team, kind_of(HCCL_KIND_REDUCE, job), job);
    case HCCL_ROUTE_GROW:
        return hccl_call_knock(team, kind_of(HCCL_KIND_REDUCE, job), job);
    default:
        return HCCL_NOT_SERVED;
    }
}

/* Does somebody get nothing? All ranks know all parts, so all give the same answer. */
static bool has_empty_part(const struct hccl_team *team)
{
    for (int r = 0; r < team->size; r++) {
        if (team->part[r] == team->part[r + 1]) {
            return true;
        }
    }
    return false;
}

/*
 * Everything but my own part is for others to read. A rank that gets nothing only gives:
 * it goes on at once, as far as slots last, and all then tell when they are done.
 */
static enum hccl_result eager_reduce_scatter(struct hccl_team *team,
                                             const struct hccl_job *job)
{
    size_t element = job->combine.element;
    struct hccl_call call = hccl_call_begin(team, kind_of(HCCL_KIND_REDUCE_SCATTER, job),
                                            job->bytes, element);
    size_t count = team->part[team->rank + 1] - team->part[team->rank];
    size_t from = team->part[team->rank] * element;
    size_t to = from + count * element;
    call.read_at = from;
    call.read_bytes = to - from;
    unsigned char *mine = hccl_call_payload(team, &call, team->rank);
    if (job->in.base != NULL && job->bytes > HCCL_LINE) {
        hccl_view_read(&job->in, 0, mine, from);
        hccl_view_read(&job->in, to, mine + to, job->bytes - to);
    } else {
        hccl_view_read(&job->in, 0, mine, job->bytes);
    }
    hccl_call_post(team, &call);
    enum hccl_result result = HCCL_DONE;
    if (count > 0 || job->headed) {
        if (hccl_call_meet(team, &call)) {
            combine_slots(team, &call, job, from, count);
        } else {
            result = hccl_call_differs(team, &call);
        }
    }
    if (has_empty_part(team)) {
        hccl_team_finish(team, call.seq);
    }
    return result;
}

enum hccl_result hccl_shm_reduce_scatter(struct hccl_team *team,
                                         const struct hccl_job *job)
{
    /* Each rank reads one part of every slot: together about one slot. */
    switch (hccl_route_find(team, job->bytes, 1)) {
    case HCCL_ROUTE_EAGER:
        return eager_reduce_scatter(team, job);
    case HCCL_ROUTE_STAGED:
        return hccl_staged_reduction(team, kind_of(HCCL_KIND_REDUCE_SCATTER, job), job);
    case HCCL_ROUTE_GROW:
        return hccl_call_knock(team, kind_of(HCCL_KIND_REDUCE_SCATTER, job), job);
    default:
        return HCCL_NOT_SERVED;
    }
}

static enum hccl_result eager_allgather(struct hccl_team *team,
                                        const struct hccl_job *job)
{
    struct hccl_call call = hccl_call_begin(team, HCCL_KIND_ALLGATHER, job->bytes, 0);
    hccl_view_read(&job->in, 0, hccl_call_payload(team, &call, team->rank), job->bytes);
    hccl_call_post(team, &call);
    if (!hccl_call_meet(team, &call)) {
        return HCCL_MISMATCH;
    }
    for (int r = 0; r < team->size; r++) {
        /* In place, my part is where it belongs already. */
        size_t at = (size_t)r * job->bytes;
        bool there = r == team->rank && job->out.base != NULL &&
                     job->in.base == job->out.base + at;
        if (!there) {
            hccl_view_write(&job->out, at, hccl_call_payload(team, &call, r), job->bytes,
                            false);
        }
    }
    return HCCL_DONE;
}

enum hccl_result hccl_shm_allgather(struct hccl_team *team, const struct hccl_job *job)
{
    switch (hccl_route_find(team, job->bytes, team->size - 1)) {
    case HCCL_ROUTE_EAGER:
        return eager_allgather(team, job);
    case HCCL_ROUTE_STAGED:
        return hccl_staged_allgather(team, job);
    case HCCL_ROUTE_GROW:
        return hccl_call_knock(team, HCCL_KIND_ALLGATHER, job);
    default:
        return HCCL_NOT_SERVED;
    }
}
