// SPDX-License-Identifier: BSD-3-Clause
#include "progress.h"
#include "size.h"

#include <stdio.h>
#include <unistd.h>

void hccl_progress_create(struct hccl_progress *progress, bool asked, int total)
{
    progress->terminal = isatty(STDERR_FILENO) == 1;
    progress->wanted = asked || progress->terminal;
    progress->total = total;
    progress->done = 0;
}

void hccl_progress_step(struct hccl_progress *progress, const char *op, uint64_t bytes)
{
    char size[HCCL_SIZE_TEXT];

    progress->done++;
    if (!progress->wanted) {
        return;
    }
    fprintf(stderr, "%shccl_test: %s at %s (%d", progress->terminal ? "\r\033[K" : "", op,
            hccl_size_print(bytes, size), progress->done);
    if (progress->total > 0) {
        fprintf(stderr, " of %d", progress->total);
    }
    fprintf(stderr, ")%s", progress->terminal ? "" : "\n");
    fflush(stderr);
}

void hccl_progress_clear(const struct hccl_progress *progress)
{
    if (progress->wanted && progress->terminal) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
}
