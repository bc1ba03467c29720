// SPDX-License-Identifier: BSD-3-Clause
//
// Stand-in for a header that Debian's libopenmpi-dev does not install; see the README of
// this include folder.
//
// opal/mca/threads/mutex.h builds opal_mutex_t around the mutex that is declared here,
// and Open MPI embeds opal_mutex_t in communicators, lists and requests. So two things
// have to be as in the libraries: the type (a plain pthread_mutex_t in a build on POSIX
// threads) and what lock and unlock do with it. A library built with other threads would
// choose another header by its opal_config.h and not get here.

#ifndef HCCL_COMPAT_THREADS_PTHREADS_MUTEX_H
#define HCCL_COMPAT_THREADS_PTHREADS_MUTEX_H

#include "opal_config.h"

#include <pthread.h>
#include <stdbool.h>

// mutex.h counts on these being there: the object system, and help texts for show_help.
#include "opal/class/opal_object.h"
#include "opal/constants.h"
#include "opal/util/show_help.h"

#if OPAL_ENABLE_DEBUG
// The debugging build checks every call's result and aborts. These functions do not, so
// they would hide what that build is made to find.
#error "hccl's stand-in headers are for Open MPI built without --enable-debug"
#endif

typedef pthread_mutex_t opal_thread_internal_mutex_t;
typedef pthread_cond_t opal_thread_internal_cond_t;

#define OPAL_THREAD_INTERNAL_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define OPAL_THREAD_INTERNAL_COND_INITIALIZER  PTHREAD_COND_INITIALIZER
// glibc's name. Where it is missing, mutex.h offers no static recursive mutex either.
#ifdef PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#define OPAL_THREAD_INTERNAL_RECURSIVE_MUTEX_INITIALIZER                                 \
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#endif

// Open MPI's code for a POSIX call's result: 0, or an error number to be found in errno.
static inline int hccl_opal_code(int error)
{
    return error == 0 ? OPAL_SUCCESS : OPAL_ERR_IN_ERRNO;
}

// Prepares *mutex; a recursive one may be locked again by the thread that holds it.
// Returns OPAL_SUCCESS or OPAL_ERR_IN_ERRNO.
static inline int opal_thread_internal_mutex_init(opal_thread_internal_mutex_t *mutex,
                                                  bool recursive)
{
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);

    if (error == 0) {
        int type = recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_DEFAULT;

        error = pthread_mutexattr_settype(&attributes, type);
        if (error == 0) {
            error = pthread_mutex_init(mutex, &attributes);
        }
        pthread_mutexattr_destroy(&attributes);
    }
    return hccl_opal_code(error);
}

static inline void opal_thread_internal_mutex_lock(opal_thread_internal_mutex_t *mutex)
{
    (void)pthread_mutex_lock(mutex);
}

// Returns 0 when the mutex is now held by the caller, 1 when it is not.
static inline int opal_thread_internal_mutex_trylock(opal_thread_internal_mutex_t *mutex)
{
    return pthread_mutex_trylock(mutex) != 0;
}

static inline void opal_thread_internal_mutex_unlock(opal_thread_internal_mutex_t *mutex)
{
    (void)pthread_mutex_unlock(mutex);
}

static inline void opal_thread_internal_mutex_destroy(opal_thread_internal_mutex_t *mutex)
{
    (void)pthread_mutex_destroy(mutex);
}

// The condition variable of wait_sync.h: a thread that waits for a request sleeps on it
// while another thread makes progress. The caller of wait holds *mutex.
static inline int opal_thread_internal_cond_init(opal_thread_internal_cond_t *condition)
{
    return hccl_opal_code(pthread_cond_init(condition, NULL));
}

static inline void opal_thread_internal_cond_wait(opal_thread_internal_cond_t *condition,
                                                  opal_thread_internal_mutex_t *mutex)
{
    (void)pthread_cond_wait(condition, mutex);
}

static inline void
opal_thread_internal_cond_signal(opal_thread_internal_cond_t *condition)
{
    (void)pthread_cond_signal(condition);
}

static inline void
opal_thread_internal_cond_broadcast(opal_thread_internal_cond_t *condition)
{
    (void)pthread_cond_broadcast(condition);
}

static inline void
opal_thread_internal_cond_destroy(opal_thread_internal_cond_t *condition)
{
    (void)pthread_cond_destroy(condition);
}

#endif
