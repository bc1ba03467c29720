// SPDX-License-Identifier: BSD-3-Clause
//
// Stand-in for a header that Debian's libopenmpi-dev does not install; see the README of
// this include folder.
//
// opal/mca/threads/threads.h leaves one function to the chosen kind of threads: giving
// the processor away. Which way (sched_yield or nanosleep) is the user's choice, kept by
// libopen-pal as a function pointer.

#ifndef HCCL_COMPAT_THREADS_PTHREADS_THREADS_H
#define HCCL_COMPAT_THREADS_PTHREADS_THREADS_H

#include <stdbool.h>

#include "opal/mca/threads/threads.h"

// The kernel schedules these threads: an idle one need not step aside for its siblings.
#define OPAL_THREAD_YIELD_WHEN_IDLE_DEFAULT false

typedef void hccl_opal_yield_fn_t(void);

// Set when libopen-pal opens its thread component, before any component of ours.
extern hccl_opal_yield_fn_t *opal_threads_pthreads_yield_fn;

static inline void opal_thread_yield(void)
{
    (*opal_threads_pthreads_yield_fn)();
}

#endif
