// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_COPY_SHARED_H
#define HCCL_COPY_SHARED_H

#include "core/hccl_copy.h"

#include <stdbool.h>

/*
 * Copies into memory that other cores have read.
 *
 * An ordinary store to such a line first fetches it for ownership, about 8 ns a line
 * between distant cores. String moves know that they overwrite whole lines and only
 * invalidate the others' copies: 32 KiB take 1 us instead of 4 on the processors
 * measured. C libraries use them above some size only, and differ in which.
 */

enum {
    HCCL_COPY_STRING_MIN = 384, /* bytes: below, starting a string move costs more */
};

/** Has the processor fast string moves (x86: "enhanced rep movsb")? */
extern bool hccl_copy_has_strings;

/** Copy `bytes` to shared memory at `to`; the places don't overlap. */
static inline void hccl_copy_shared(void *to, const void *from, size_t bytes)
{
#if defined(__x86_64__)
    if (bytes >= HCCL_COPY_STRING_MIN && hccl_copy_has_strings) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
        return;
    }
#endif
    hccl_copy(to, from, bytes);
}

#endif
