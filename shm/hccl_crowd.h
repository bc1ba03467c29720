// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_CROWD_H
#define HCCL_CROWD_H

#include "hccl_wait.h"

/*
 * Ranks that share processors: whom would it help if I gave up mine?
 *
 * A yield to a rank that has to wait as well costs two switches (5 us each in a virtual
 * machine) and helps nobody. So a rank that begins to wait shows on which processor and
 * for what. Another one on the same processor can tell then whether that rank could go
 * on, and spins for a while when all its neighbours are stuck.
 *
 * All of this is advice. A rank that has moved to another processor since, or is busy
 * outside of the team, costs a little time.
 */

/* Where a rank ran last. Writer: the cell's owner. Readers: ranks that wait. */
struct hccl_seat {
    /* Processor number plus one; 0: never shown. Written when it changes only, so that
     * reading it mostly hits the cache. */
    _Atomic uint32_t cpu;
};

/* What a rank waits for. Writer: the cell's owner. Readers: ranks on its processor. */
struct hccl_want {
    /* 0: the rank doesn't wait. Else (bytes from the team's cells to the word + 1) * 2,
     * plus 1 when the same word of every rank's cell is awaited. Released after `value`
     * was written; acquired before it is read. */
    _Atomic uint64_t word;
    _Atomic uint64_t value;
};

struct hccl_crowd {
    unsigned char *cells; /* base of the team's cells */
    int rank;
    int size;
};

/** Show where I am and what I wait for: before waiting, and after each yield. */
void hccl_crowd_show(const struct hccl_crowd *crowd, const struct hccl_awaited *awaited);

/** Show that I go on. */
void hccl_crowd_hide(const struct hccl_crowd *crowd);

/** Could another rank use the processor that I am on, as far as is known? */
bool hccl_crowd_is_pressing(const struct hccl_crowd *crowd);

#endif
