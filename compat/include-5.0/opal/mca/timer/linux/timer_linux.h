// SPDX-License-Identifier: BSD-3-Clause
//
// Stand-in for a header that Debian's libopenmpi-dev does not install; see the README of
// this include folder.
//
// Open MPI's clock on Linux: two function pointers that are set when the library starts
// (cycle counter or system clock) and the counter's frequency. Only Open MPI's own
// performance counters read them; hccl has its own clock.

#ifndef HCCL_COMPAT_TIMER_LINUX_H
#define HCCL_COMPAT_TIMER_LINUX_H

#include "opal_config.h"
#include "opal/sys/timer.h"

typedef opal_timer_t hccl_opal_clock_fn_t(void);

// Cycles, and microseconds, since some moment in the past.
extern hccl_opal_clock_fn_t *opal_timer_base_get_cycles;
extern hccl_opal_clock_fn_t *opal_timer_base_get_usec;

// Cycles per second of that counter.
extern hccl_opal_clock_fn_t opal_timer_base_get_freq;

#endif
