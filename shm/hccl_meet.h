// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_MEET_H
#define HCCL_MEET_H

#include "core/hccl_reduce_stream.h"
#include "hccl_shm.h"

#include <string.h>

/*
 * The first exchange of an operation: post my slot's flag, read the others'.
 * Shared by all paths; nothing here is for callers outside shm/.
 */

/* An operation under way, as this rank sees it. */
struct hccl_call {
    uint64_t seq;
    uint64_t flag;
    unsigned kind; /* enum hccl_kind, HCCL_KIND_HEADED added */
    size_t bytes;
    size_t read_at; /* what this rank reads of each peer's data */
    size_t read_bytes;
};

/** Does the call's flag carry its payload (or nothing) in its own line? */
static inline bool hccl_call_is_plain(const struct hccl_call *call)
{
    return call->bytes < HCCL_BYTES_MASK && (call->kind & HCCL_KIND_HEADED) == 0;
}

static inline struct hccl_call hccl_call_begin(struct hccl_team *team, unsigned kind,
                                               size_t bytes, size_t element)
{
    struct hccl_call call = {
        .seq = hccl_team_begin(team), .kind = kind, .bytes = bytes, .read_bytes = bytes};
    call.flag = hccl_flag_make(call.seq, kind, bytes);
    if (!hccl_call_is_plain(&call)) {
        struct hccl_slot *mine = hccl_team_slot(team, team->rank, call.seq);
        mine->head.header = (struct hccl_header){.bytes = bytes, .element = element};
    }
    return call;
}

/** Show my slot to the others. */
static inline void hccl_call_post(struct hccl_team *team, const struct hccl_call *call)
{
    hccl_wait_post(&hccl_team_slot(team, team->rank, call->seq)->flag, call->flag,
                   &hccl_team_cell(team, team->rank)->sleepers);
}

/** Where `rank` puts the call's small data: beside the flag, behind it, or in a mid slot.
 */
static inline unsigned char *hccl_call_payload(const struct hccl_team *team,
                                               const struct hccl_call *call, int rank)
{
    struct hccl_slot *slot = hccl_team_slot(team, rank, call->seq);
    if (call->bytes <= HCCL_HEAD_BYTES && (call->kind & HCCL_KIND_HEADED) == 0) {
        return slot->head.data;
    }
    if (call->bytes <= HCCL_BODY_BYTES) {
        return slot->body;
    }
    return hccl_team_mid(team, rank, call->seq);
}

/**
 * Wait for the slot of `peer`; the flag is returned.
 * @param each  the slots of all peers are awaited, in turn
 */
static inline uint64_t hccl_call_hear(const struct hccl_team *team,
                                      const struct hccl_call *call, int peer, bool each)
{
    struct hccl_awaited awaited = {
        .word = &hccl_team_slot(team, peer, call->seq)->flag,
        .value = call->seq << HCCL_FLAG_SHIFT,
        .each = each,
    };
    if (call->bytes > HCCL_HEAD_BYTES && call->bytes <= hccl_team_slot_bytes(team)) {
        awaited.data = hccl_call_payload(team, call, peer) + call->read_at;
        awaited.data_bytes = call->read_bytes;
    }
    return hccl_team_await(team, peer, awaited);
}

/** Is the call that `peer` announced by `flag` the same as mine? */
static inline bool hccl_call_agrees(const struct hccl_team *team,
                                    const struct hccl_call *call, int peer, uint64_t flag)
{
    if (flag != call->flag) {
        return false;
    }
    if (hccl_call_is_plain(call)) {
        return true;
    }
    const struct hccl_header *mine =
        &hccl_team_slot(team, team->rank, call->seq)->head.header;
    const struct hccl_header *theirs =
        &hccl_team_slot(team, peer, call->seq)->head.header;
    return mine->bytes == theirs->bytes && mine->element == theirs->element;
}

/** Hear from every other rank. @return true when all calls agree */
static inline bool hccl_call_meet(struct hccl_team *team, const struct hccl_call *call)
{
    bool agree = true;
    for (int peer = team->rank + 1; peer < team->size; peer++) {
        agree &=
            hccl_call_agrees(team, call, peer, hccl_call_hear(team, call, peer, true));
    }
    for (int peer = 0; peer < team->rank; peer++) {
        agree &=
            hccl_call_agrees(team, call, peer, hccl_call_hear(team, call, peer, true));
    }
    hccl_team_heard(team, call->seq);
    return agree;
}

/** What to answer when calls don't agree. */
enum hccl_result hccl_call_differs(const struct hccl_team *team,
                                   const struct hccl_call *call);

/* Where an operation's data goes. */
enum hccl_route {
    HCCL_ROUTE_EAGER,  /* slots, one exchange */
    HCCL_ROUTE_STAGED, /* the ranks' buffers, in steps */
    HCCL_ROUTE_GROW,   /* the stage must be made first */
    HCCL_ROUTE_NONE,   /* not by shared memory */
};

/**
 * Choose by agreed facts only.
 * @param slot_bytes   bytes that each rank would put into its slot
 * @param reads        slots that a rank would read: many slots are cheaper in steps
 */
static inline enum hccl_route hccl_route_find(const struct hccl_team *team,
                                              size_t slot_bytes, int reads)
{
    if (slot_bytes <= HCCL_BODY_BYTES) {
        return HCCL_ROUTE_EAGER;
    }
    if (__builtin_expect(team->stage_state != HCCL_STAGE_READY, 0)) {
        return team->stage_state == HCCL_STAGE_UNTRIED ? HCCL_ROUTE_GROW
                                                       : HCCL_ROUTE_NONE;
    }
    bool eager = slot_bytes <= team->mid_bytes &&
                 slot_bytes * (size_t)reads <= HCCL_EAGER_READS * team->mid_bytes;
    return eager ? HCCL_ROUTE_EAGER : HCCL_ROUTE_STAGED;
}

/**
 * Before the stage is made: do all calls agree? Else ranks would wait for each other in
 * different functions.
 */
enum hccl_result hccl_call_knock(struct hccl_team *team, unsigned kind,
                                 const struct hccl_job *job);

/** Combine the sources that team->source points to; `to` must not overlap when the
 * function is not a kernel. */
static inline void hccl_call_combine(const struct hccl_team *team,
                                     const struct hccl_combine *combine, void *to,
                                     size_t count)
{
    if (count == 0) {
        return;
    }
    if (combine->kernel == NULL) {
        combine->apply(combine->context, to, team->source, team->size, count);
    } else if (team->size <= HCCL_REDUCE_MAX_SOURCES) {
        combine->kernel(to, team->source, team->size, count);
    } else {
        hccl_reduce_many(combine->kernel, combine->element, to, team->source, team->size,
                         count);
    }
}

/** Combine by a kernel past the caches. */
static inline void hccl_combine_stream(const struct hccl_team *team,
                                       const struct hccl_combine *combine, void *stream,
                                       size_t count)
{
    hccl_reduce_stream(combine->op, combine->type, team->isa, stream, NULL, team->source,
                       team->size, count);
}

/**
 * Combine the sources into `count` elements of `out`, beginning `at` bytes into it.
 * @param stream  the operation is too large for the caches
 */
void hccl_call_reduce(const struct hccl_team *team, const struct hccl_job *job, size_t at,
                      size_t count, bool stream);

/* The staged paths, chosen by hccl_shm_*. */
enum hccl_result hccl_staged_one_shot(struct hccl_team *team, unsigned kind,
                                      const struct hccl_job *job);
enum hccl_result hccl_staged_reduction(struct hccl_team *team, unsigned kind,
                                       const struct hccl_job *job);
enum hccl_result hccl_staged_allgather(struct hccl_team *team,
                                       const struct hccl_job *job);

#endif
