// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEAM_H
#define HCCL_TEAM_H

#include "core/hccl_isa.h"
#include "hccl_cell.h"
#include "hccl_crowd.h"
#include "hccl_segment.h"
#include "hccl_wait.h"

#include <stdbool.h>

/*
 * One rank's view of the ranks that share memory in one communicator.
 *
 * The cells (two pages per rank) are made when a communicator has proved to be used; the
 * stage (about a MiB per rank) when it first moves more than a slot holds. A rank's part
 * of the stage is `HCCL_CELL_SLOTS` mid slots for messages of up to `mid_bytes`, then a
 * buffer for everything larger.
 */

enum {
    HCCL_STAGE_HEAD = 2 * HCCL_LINE, /* keeps the token's line of the first part free */
    HCCL_EAGER_READS = 4,    /* mid slots that one rank reads at most in one exchange */
    HCCL_ONE_SHOT_RANKS = 2, /* teams in which each rank had better reduce everything */
    HCCL_RING_PLACES = 16,   /* chunks in flight from one sender */
};

/* What a shared-memory path answers. All but HCCL_MISMATCH are agreed on all ranks. */
enum hccl_result {
    HCCL_DONE = 0,
    HCCL_MISMATCH,    /* another rank's call differs in size or kind */
    HCCL_NEEDS_STAGE, /* set the stage up (all ranks), then call again */
    HCCL_NOT_SERVED, /* not for shared memory: another component must do it (all ranks) */
};

enum hccl_stage_state {
    HCCL_STAGE_UNTRIED = 0,
    HCCL_STAGE_READY,
    HCCL_STAGE_REFUSED,
};

struct hccl_team {
    int rank;
    int size;
    uint64_t seq;         /* operations begun */
    uint64_t quiet;       /* stamp: every rank is known to have finished all before it */
    unsigned char *cells; /* base of the cell array, in `segment` */
    enum hccl_isa isa;    /* instruction set of the kernels */
    struct hccl_wait wait;
    struct hccl_crowd crowd; /* used by `wait` when ranks share processors */
    struct hccl_segment segment;

    enum hccl_stage_state stage_state;
    struct hccl_segment stage;
    size_t stage_rank_bytes; /* distance between two ranks' parts */
    size_t mid_bytes;        /* bytes of a mid slot */
    size_t buffer_bytes;     /* bytes of a rank's buffer */
    size_t chunk_bytes;      /* most bytes that a rank handles per step of a reduction */
    size_t stream_bytes;     /* operations of this size and more bypass the caches */
    /* When all ranks have reached it, steps of reductions no longer use my buffer. */
    uint64_t sides_stamp;
    uint64_t ring;      /* chunks that I have sent by my ring */
    uint64_t ring_last; /* stamp of the newest */
    /* As sides_stamp, for each place of the ring. */
    uint64_t ring_stamp[HCCL_RING_PLACES];

    const void **source; /* room for one pointer per rank */
    size_t *part;        /* first element of each rank's part, size + 1 entries */
    /* Private memory for results on their way, scratch_bytes long. */
    unsigned char *scratch;
    size_t scratch_bytes;
};

/** Bytes of the segment that a team of `size` ranks needs for its cells. */
size_t hccl_team_cell_bytes(int size);

/** Bytes of the stage of a team: `mid` per mid slot and `buffer` per rank. */
size_t hccl_team_stage_bytes(int size, size_t mid, size_t buffer);

/**
 * Prepare a team's private memory; nothing is shared yet.
 * @return false when memory is short (nothing is left behind then)
 */
bool hccl_team_init(struct hccl_team *team, int rank, int size);

/** Adopt an attached or created segment, reserve and fill my own cell. */
enum hccl_segment_error hccl_team_join(struct hccl_team *team,
                                       struct hccl_segment *segment);

/** Adopt an attached or created stage segment; reserve my own part. */
enum hccl_segment_error hccl_team_join_stage(struct hccl_team *team,
                                             struct hccl_segment *stage, size_t mid,
                                             size_t buffer);

/**
 * Choose how to wait, when all ranks have joined.
 * @param neighbours  processes of the job on this node, the team's included
 */
void hccl_team_tune(struct hccl_team *team, int neighbours, uint32_t spin_us, bool sleep);

/** Unmap and free all; harmless on a zeroed team. */
void hccl_team_fini(struct hccl_team *team);

/** Wait until every other rank has published a stamp of at least `stamp`. */
void hccl_team_wait_quiet(struct hccl_team *team, uint64_t stamp);

static inline struct hccl_cell *hccl_team_cell(const struct hccl_team *team, int rank)
{
    return (struct hccl_cell *)(void *)(team->cells + (size_t)rank * HCCL_CELL_BYTES);
}

static inline struct hccl_slot *hccl_team_slot(const struct hccl_team *team, int rank,
                                               uint64_t seq)
{
    return &hccl_team_cell(team, rank)->slot[seq % HCCL_CELL_SLOTS];
}

static inline unsigned char *hccl_team_mid(const struct hccl_team *team, int rank,
                                           uint64_t seq)
{
    return team->stage.base + (size_t)rank * team->stage_rank_bytes + HCCL_STAGE_HEAD +
           (size_t)(seq % HCCL_CELL_SLOTS) * team->mid_bytes;
}

/** Bytes that a rank can show at most without using its buffer. */
static inline size_t hccl_team_slot_bytes(const struct hccl_team *team)
{
    return team->mid_bytes > HCCL_BODY_BYTES ? team->mid_bytes : HCCL_BODY_BYTES;
}

static inline unsigned char *hccl_team_buffer(const struct hccl_team *team, int rank)
{
    return team->stage.base + (size_t)rank * team->stage_rank_bytes + HCCL_STAGE_HEAD +
           HCCL_CELL_SLOTS * team->mid_bytes;
}

/** Wait for a word in the cell of `peer` (`sleepers` is filled in); it is returned. */
static inline uint64_t hccl_team_await(const struct hccl_team *team, int peer,
                                       struct hccl_awaited awaited)
{
    awaited.sleepers = &hccl_team_cell(team, peer)->sleepers;
    return hccl_wait_for(&team->wait, &awaited);
}

/** Make sure that every rank has finished all operations before `stamp`. */
static inline void hccl_team_quiet(struct hccl_team *team, uint64_t stamp)
{
    if (__builtin_expect(team->quiet < stamp, 0)) {
        hccl_team_wait_quiet(team, stamp);
    }
}

/** Begin an operation: its number is returned, and my slot for it may be written. */
static inline uint64_t hccl_team_begin(struct hccl_team *team)
{
    uint64_t seq = ++team->seq;
    hccl_team_quiet(team, hccl_stamp_make(seq - HCCL_CELL_SLOTS + 1, 0));
    return seq;
}

/**
 * Have the team's numbers come to their end? Stamps have 40 bits for the operation, which
 * last for days of nothing but small operations. Same answer on all ranks.
 */
static inline bool hccl_team_is_used_up(const struct hccl_team *team)
{
    return team->seq >= HCCL_TEAM_OPERATIONS;
}

/** Tell the others that I am done with operation `seq` and all before. */
static inline void hccl_team_finish(struct hccl_team *team, uint64_t seq)
{
    struct hccl_cell *mine = hccl_team_cell(team, team->rank);
    hccl_wait_post(&mine->ack, hccl_stamp_make(seq + 1, 0), &mine->sleepers);
}

/** After hearing from every rank in operation `seq`: all have finished those before it.
 */
static inline void hccl_team_heard(struct hccl_team *team, uint64_t seq)
{
    team->quiet = hccl_stamp_make(seq, 0);
}

#endif
