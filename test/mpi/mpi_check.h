// SPDX-License-Identifier: BSD-3-Clause
#ifndef MPI_CHECK_H
#define MPI_CHECK_H

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What every MPI test program shares: start and end, counting failures, reproducible
 * numbers, buffers that notice stray writes, and the few exchanges between ranks that a
 * test needs for itself. Those use point-to-point calls only: a collective operation is
 * never the judge of another one.
 *
 * Environment: HCCL_TEST_LEVEL   "full" makes the long tests longer
 *              HCCL_TEST_SECONDS after so many seconds a rank says what it waits in, and
 *                                ends (default: never)
 *              HCCL_TEST_STOCK   1: known defects of the stock library are told, but
 *                                don't count
 */

enum {
    CHECK_SKIPPED = 77, /* exit status of a program that can't test anything here */
    CHECK_GUARD = 256,  /* bytes of guard before and after each buffer */
};

extern int check_rank; /* in MPI_COMM_WORLD */
extern int check_size;

/**
 * Start MPI with the given thread level. Must be the first call.
 * @return the thread level that MPI provides
 */
int check_init(int *argc, char ***argv, int threads);

/** End MPI. @return the exit status: 0, or 1 when this or another rank has failed. */
int check_finish(void);

/** Say what is being tested now: shown with each failure, and when a test hangs. */
void check_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Count a check; when it is not good, print the text with the note in front. */
bool check_true(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A check that the stock library is known to fail: see HCCL_TEST_STOCK. */
bool check_true_unless_stock(bool good, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Is it the stock library that is tested, without our component? */
bool check_is_stock(void);

/** Check that an MPI call has returned MPI_SUCCESS. */
bool check_ok(int rc, const char *call);

/** Rank 0 prints that something is left out, and why. */
void check_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Is this the long form? */
bool check_is_full(void);

/** `full` in the long form, else a tenth of it. */
long check_scaled(long full);

/** Does MPI_COMM_WORLD have fewer ranks than that? Then say that the program is skipped.
 */
bool check_too_few(int ranks);

/** 64 well-mixed bits that depend on all arguments. */
uint64_t check_mix(uint64_t a, uint64_t b, uint64_t c);

/** Seconds of a clock that all processes of a node share. */
double check_now(void);

/** Sleep for so many microseconds. */
void check_sleep(unsigned us);

/* A reproducible stream of numbers. */
struct check_random {
    uint64_t seed;
    uint64_t drawn;
};

/** The next number below `bound`. */
uint32_t check_random_below(struct check_random *random, uint32_t bound);

/* Memory with guard bytes on both sides. */
struct check_buffer {
    unsigned char *memory;
    unsigned char *data; /* where the `bytes` bytes begin */
    size_t bytes;
    size_t room;
    uint64_t seed; /* of the poison: differs between buffers, calls and ranks */
};

/**
 * Make the buffer `bytes` long, `shift` bytes beyond a 64-byte boundary, and poison all
 * of it, guards included. Memory grows as needed and is kept.
 */
void check_buffer_arm(struct check_buffer *buffer, size_t bytes, size_t shift);

/** Check that the guards are intact. */
bool check_buffer_guards(const struct check_buffer *buffer, const char *name);

/** Check that all bytes from `from` to `to` still have the poison. */
bool check_buffer_untouched(const struct check_buffer *buffer, size_t from, size_t to,
                            const char *name);

/** Free the memory. */
void check_buffer_free(struct check_buffer *buffer);

/** The byte of the poison at a place; `at` counts from `data` and may be negative. */
unsigned char check_poison(const struct check_buffer *buffer, ptrdiff_t at);

/** A checksum of memory, to compare ranks and runs. */
uint64_t check_hash(const void *data, size_t bytes);

/** Check that all ranks of the communicator pass the same value. Point-to-point. */
bool check_same_everywhere(MPI_Comm comm, uint64_t value, const char *name);

/** The largest (or smallest) value of any rank of MPI_COMM_WORLD. Point-to-point. */
double check_extreme(double value, bool largest);

#endif
