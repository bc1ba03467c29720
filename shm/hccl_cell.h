// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_CELL_H
#define HCCL_CELL_H

#include "hccl_crowd.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What one rank of a team shows to the others.
 *
 * A team (the ranks of one communicator on one node) shares an array of cells, one per
 * rank. Every word of a cell has one writer, its owner, but for `sleepers`. Words only
 * grow, so a reader waits with >= and may be late without harm.
 *
 * There are two clocks. The sequence number counts a team's operations: all ranks run the
 * same ones in the same order (MPI demands it), so the numbers agree. A stamp is the
 * sequence number << HCCL_STAMP_SHIFT, plus the steps done inside the operation: the
 * stamp of the next operation means "all of this one is done".
 *
 * Small data travels in slots, which rotate with the sequence number. A slot is written
 * again HCCL_CELL_SLOTS operations later, when all ranks are known to have read it:
 * operations in which everybody hears from everybody prove that by themselves; after the
 * others each rank publishes `ack` (see hccl_team_quiet).
 */

enum {
    HCCL_LINE = 64,        /* bytes in a cache line; lines are the unit of transfer */
    HCCL_CELL_SLOTS = 8,   /* slots per cell: how far a root may run ahead */
    HCCL_HEAD_BYTES = 56,  /* payload that shares the flag's line */
    HCCL_BODY_BYTES = 896, /* payload behind the flag's line */
    HCCL_CELL_BYTES = 8192,
    HCCL_STAMP_SHIFT = 24, /* 2^24 steps per operation, 2^40 operations per team */
    HCCL_FLAG_SHIFT = 16,  /* a flag's low bits describe the operation */
    HCCL_KIND_SHIFT = 12,
    HCCL_KIND_MASK = 0xf,
    HCCL_BYTES_MASK = 0xfff, /* this many bytes or more: see the slot's header */
    HCCL_CPU_WORDS = 16,     /* affinity masks are compared over 1,024 processors */
};

/* Operations that a team is used for at most; another one takes its place then. */
#ifdef HCCL_DEBUG_DELAYS
#define HCCL_TEAM_OPERATIONS UINT64_C(300)
#else
#define HCCL_TEAM_OPERATIONS ((UINT64_C(1) << (64 - HCCL_STAMP_SHIFT)) - 1024)
#endif

/* Kinds of operation, as flags show them. */
enum hccl_kind {
    HCCL_KIND_BARRIER = 1,
    HCCL_KIND_BCAST,
    HCCL_KIND_REDUCE,
    HCCL_KIND_ALLREDUCE,
    HCCL_KIND_REDUCE_SCATTER,
    HCCL_KIND_ALLGATHER,
    HCCL_KIND_MAX = 7, /* bit 3 marks operations that carry a header although small */
    HCCL_KIND_HEADED = 8,
};

/* What a rank says about its call when the flag's 12 bits do not suffice. */
struct hccl_header {
    uint64_t bytes;   /* packed bytes of the whole operation */
    uint64_t element; /* packed bytes of one element; 0 where no operation is applied */
    uint64_t ring;    /* broadcast: ring position of the first chunk */
    uint64_t chunk;   /* broadcast: bytes per chunk; 0: the data is in the slot */
};

/* One operation's small data. Writer: the cell's owner. Readers: every rank. */
struct hccl_slot {
    /* Released after the rest of the slot is written; acquired by readers in hccl_wait.
     */
    alignas(HCCL_LINE) _Atomic uint64_t flag;
    union {
        unsigned char data[HCCL_HEAD_BYTES];
        struct hccl_header header;
    } head;
    unsigned char body[HCCL_BODY_BYTES];
};

struct hccl_cell {
    /* Stamp: staged steps that the owner has finished. Pairs with waits of all ranks. */
    alignas(2 * HCCL_LINE) _Atomic uint64_t step;
    /* The segment's token, in the first cell (HCCL_SEGMENT_TOKEN_AT). */
    alignas(HCCL_LINE) uint64_t token;
    /* Stamp: the owner will not read anything older. Pairs with hccl_team_quiet. */
    alignas(2 * HCCL_LINE) _Atomic uint64_t ack;
    /* What the owner waits for; advice to ranks on the same processor (hccl_crowd.h). */
    alignas(HCCL_LINE) struct hccl_want want;
    /* Ranks asleep on a word of this cell. Writers: the sleepers (atomic add). Reader:
     * the owner, who wakes them after a store. */
    alignas(2 * HCCL_LINE) _Atomic uint32_t sleepers;
    /* Where the owner ran last (hccl_crowd.h). */
    alignas(HCCL_LINE) struct hccl_seat seat;
    /* Written by the owner before set-up is agreed, read by all afterwards. */
    alignas(2 * HCCL_LINE) uint64_t cpus[HCCL_CPU_WORDS];
    struct hccl_slot slot[HCCL_CELL_SLOTS];
};

_Static_assert(sizeof(struct hccl_header) <= HCCL_HEAD_BYTES,
               "header shares the flag's line");
_Static_assert(offsetof(struct hccl_slot, head) == 8, "payload follows the flag");
_Static_assert(offsetof(struct hccl_slot, body) == HCCL_LINE, "body starts its own line");
_Static_assert(sizeof(struct hccl_slot) == 960, "slots are whole lines");
_Static_assert(offsetof(struct hccl_cell, ack) == 128, "each hot word has a line pair");
_Static_assert(offsetof(struct hccl_cell, sleepers) == 256,
               "each hot word has a line pair");
_Static_assert(offsetof(struct hccl_cell, slot) == 512, "slots start on a line");
_Static_assert(sizeof(struct hccl_cell) <= HCCL_CELL_BYTES, "a cell is two pages");

/** The flag of operation `seq` of kind `kind` on `bytes` packed bytes. */
static inline uint64_t hccl_flag_make(uint64_t seq, unsigned kind, size_t bytes)
{
    uint64_t shown = bytes < HCCL_BYTES_MASK ? bytes : HCCL_BYTES_MASK;
    return seq << HCCL_FLAG_SHIFT | (uint64_t)kind << HCCL_KIND_SHIFT | shown;
}

/** The stamp reached when `steps` steps of operation `seq` are done. */
static inline uint64_t hccl_stamp_make(uint64_t seq, uint64_t steps)
{
    return (seq << HCCL_STAMP_SHIFT) + steps;
}

#endif
