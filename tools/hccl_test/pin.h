// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PIN_H
#define HCCL_TEST_PIN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { HCCL_PIN_BYTES = 1024 }; // a set of 8192 processors

/** The processors a process may run on; bit c of byte c/8 is processor c. */
struct hccl_cpus {
    int current; // the one it runs on now
    unsigned char set[HCCL_PIN_BYTES];
};

/** What hccl_pin_pair() changed. */
struct hccl_pin {
    bool held;
    struct hccl_cpus before;
};

/** Reads the set of this process; all zero when the system does not tell. */
void hccl_cpus_read(struct hccl_cpus *cpus);

/** How many there are. */
int hccl_cpus_count(const struct hccl_cpus *cpus);

/** Writes them as "0-3,8" into `text`, cut where it is full. */
void hccl_cpus_print(const struct hccl_cpus *cpus, char *text, size_t room);

/**
 * Holds ranks 0 and 1 of `node` on two different processors out of those they may use.
 * Collective over `node`: when it returns, every rank has entered. True on all ranks when
 * the two are apart.
 */
bool hccl_pin_pair(struct hccl_pin *pin, MPI_Comm node);

/** Lets this rank run where it could before. */
void hccl_pin_release(struct hccl_pin *pin);

#endif
