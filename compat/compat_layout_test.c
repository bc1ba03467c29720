// SPDX-License-Identifier: BSD-3-Clause
//
// Do the headers we compile with describe the libraries we link with?
//
// Stand-in headers (compat/include-*) replace a few of Open MPI's; a wrong type there
// would shift everything that follows it. Open MPI's classes carry the size that the
// libraries were compiled with, so each structure of interest is compared with its class,
// and a mutex inside a communicator is locked to see that Open MPI waits for it.
//
// A singleton program: run it without mpirun. Exit: 0 all agree, 1 something does not.

#include "ompi_config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <mpi.h>

#include "opal/class/opal_object.h"
#include "opal/datatype/opal_convertor.h"
#include "opal/util/info_subscriber.h"
#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/base/base.h"
#include "ompi/mca/coll/base/coll_base_functions.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/op/op.h"
#include "ompi/proc/proc.h"

// What both series have on a 64-bit machine with glibc: the object header (class and
// reference count), the mutex, and the byte or word of the atomic lock, padded.
_Static_assert(offsetof(opal_mutex_t, m_lock_atomic) >=
                   sizeof(opal_object_t) + sizeof(pthread_mutex_t),
               "opal_mutex_t holds a whole pthread mutex");
_Static_assert(sizeof(opal_mutex_t) == 64 || sizeof(void *) != 8 ||
                   sizeof(pthread_mutex_t) != 40,
               "opal_mutex_t as Open MPI 4.1 and 5.0 have it");

static int failed;
static int passed;

static void expect(int holds, const char *what)
{
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("FAILED: %s\n", what);
    }
}

struct class_size {
    const char *name;
    const opal_class_t *class;
    size_t here; // bytes, as the headers have it
};

static void test_sizes(void)
{
    const struct class_size list[] = {
        {"opal_mutex_t", OBJ_CLASS(opal_mutex_t), sizeof(opal_mutex_t)},
        {"opal_recursive_mutex_t", OBJ_CLASS(opal_recursive_mutex_t),
         sizeof(opal_recursive_mutex_t)},
        {"opal_infosubscriber_t", OBJ_CLASS(opal_infosubscriber_t),
         sizeof(opal_infosubscriber_t)},
        {"opal_convertor_t", OBJ_CLASS(opal_convertor_t), sizeof(opal_convertor_t)},
        {"ompi_communicator_t", OBJ_CLASS(ompi_communicator_t),
         sizeof(ompi_communicator_t)},
        {"ompi_datatype_t", OBJ_CLASS(ompi_datatype_t), sizeof(ompi_datatype_t)},
        {"ompi_group_t", OBJ_CLASS(ompi_group_t), sizeof(ompi_group_t)},
        {"ompi_op_t", OBJ_CLASS(ompi_op_t), sizeof(ompi_op_t)},
        {"ompi_proc_t", OBJ_CLASS(ompi_proc_t), sizeof(ompi_proc_t)},
        {"mca_coll_base_comm_t", OBJ_CLASS(mca_coll_base_comm_t),
         sizeof(mca_coll_base_comm_t)},
        {"mca_coll_base_module_t", OBJ_CLASS(mca_coll_base_module_t),
         sizeof(mca_coll_base_module_t)},
    };

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        size_t there = list[i].class->cls_sizeof;

        if (there != list[i].here) {
            printf("%s: %zu bytes in the headers, %zu in the library\n", list[i].name,
                   list[i].here, there);
        }
        expect(there == list[i].here, list[i].name);
    }
}

static atomic_int is_named;

// MPI_Comm_set_name takes the communicator's lock while it writes the name.
static void *set_name(void *unused)
{
    (void)unused;
    MPI_Comm_set_name(MPI_COMM_WORLD, "everyone");
    atomic_store(&is_named, 1);
    return NULL;
}

static void sleep_milliseconds(long milliseconds)
{
    struct timespec pause = {0, milliseconds * 1000000};

    nanosleep(&pause, NULL);
}

// Ours, taken first, keeps Open MPI's own code out until it is given back.
static void test_lock(void)
{
    ompi_communicator_t *world = MPI_COMM_WORLD;
    pthread_t thread;

    expect(opal_mutex_trylock(&world->c_lock) == 0, "a free lock can be taken");
    expect(opal_mutex_trylock(&world->c_lock) != 0, "a taken lock cannot be taken");
    if (pthread_create(&thread, NULL, set_name, NULL) != 0) {
        expect(0, "a thread can be started");
        return;
    }
    sleep_milliseconds(200);
    expect(!atomic_load(&is_named), "Open MPI waits for the lock we hold");
    opal_mutex_unlock(&world->c_lock);
    pthread_join(thread, NULL);
    expect(atomic_load(&is_named), "Open MPI goes on once we gave it back");
    expect(opal_mutex_trylock(&world->c_lock) == 0, "Open MPI gave it back too");
    opal_mutex_unlock(&world->c_lock);
}

// A mutex that the library's constructor made (it chooses the kind), used through ours.
static void test_recursive(void)
{
    opal_recursive_mutex_t *mutex = OBJ_NEW(opal_recursive_mutex_t);

    opal_mutex_lock(mutex);
    expect(opal_mutex_trylock(mutex) == 0, "a recursive mutex is taken twice");
    opal_mutex_unlock(mutex);
    opal_mutex_unlock(mutex);
    OBJ_RELEASE(mutex);
}

int main(int argc, char **argv)
{
    int level;

    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) {
        return 1;
    }
    test_sizes();
    test_recursive();
    // Open MPI locks nothing in a process that promised to have one thread.
    if (level == MPI_THREAD_MULTIPLE) {
        test_lock();
    } else {
        printf("SKIPPED: locking: this Open MPI has no MPI_THREAD_MULTIPLE\n");
    }
    MPI_Finalize();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
