// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_CLOCK_H
#define HCCL_TEST_CLOCK_H

#include <time.h>

/**
 * Microseconds of the monotonic clock. Read through the vDSO, it costs some tens of
 * nanoseconds; hccl_clock_cost_us() in stats.c measures what it costs here.
 */
static inline double hccl_clock_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

#endif
