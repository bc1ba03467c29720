// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PROGRESS_H
#define HCCL_TEST_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** Tells on stderr what is being measured: one line rewritten on a terminal, else line by
 * line. */
struct hccl_progress {
    bool wanted;
    bool terminal;
    int total; // measurements in the whole run, 0 when there is no end
    int done;
};

/** `asked`: even if stderr is no terminal. */
void hccl_progress_create(struct hccl_progress *progress, bool asked, int total);

/** A measurement of `op` at `bytes` bytes begins. */
void hccl_progress_step(struct hccl_progress *progress, const char *op, uint64_t bytes);

/** Takes the line off the terminal, so that other output can follow. */
void hccl_progress_clear(const struct hccl_progress *progress);

#endif
