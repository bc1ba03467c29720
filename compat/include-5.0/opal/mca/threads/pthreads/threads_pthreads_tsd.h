// SPDX-License-Identifier: BSD-3-Clause
//
// Stand-in for a header that Debian's libopenmpi-dev does not install; see the README of
// this include folder.
//
// Data of a thread's own, for opal/mca/threads/tsd.h: keys are POSIX keys.

#ifndef HCCL_COMPAT_THREADS_PTHREADS_TSD_H
#define HCCL_COMPAT_THREADS_PTHREADS_TSD_H

#include <pthread.h>

#include "opal/constants.h"

typedef pthread_key_t opal_tsd_key_t;

// Gives the key back; destructors are not run. OPAL_SUCCESS or OPAL_ERR_IN_ERRNO.
static inline int opal_tsd_key_delete(opal_tsd_key_t key)
{
    return pthread_key_delete(key) == 0 ? OPAL_SUCCESS : OPAL_ERR_IN_ERRNO;
}

// Sets the calling thread's value. OPAL_SUCCESS or OPAL_ERR_IN_ERRNO.
static inline int opal_tsd_set(opal_tsd_key_t key, void *value)
{
    return pthread_setspecific(key, value) == 0 ? OPAL_SUCCESS : OPAL_ERR_IN_ERRNO;
}

// Sets *value to the calling thread's value, NULL before it was set. Always OPAL_SUCCESS.
static inline int opal_tsd_get(opal_tsd_key_t key, void **value)
{
    *value = pthread_getspecific(key);
    return OPAL_SUCCESS;
}

#endif
