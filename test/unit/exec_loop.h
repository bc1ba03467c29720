// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXEC_LOOP_H
#define EXEC_LOOP_H

#include "exec/hccl_transport.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A transport between ranks that live in one thread. Messages take a random number of
 * tests to move; half of the sends end when their data has been taken (as by rendezvous),
 * half at once with a copy. It checks what the interface promises.
 */

struct exec_loop;

struct exec_loop *exec_loop_new(int ranks, uint64_t seed);

/** How rank `rank` reaches the others. */
const struct hccl_transport *exec_loop_transport(struct exec_loop *loop, int rank);

/** Let the n-th message from now on fail. */
void exec_loop_fail(struct exec_loop *loop, int n);

/** Is nothing under way any more? */
bool exec_loop_is_idle(const struct exec_loop *loop);

void exec_loop_free(struct exec_loop *loop);

/** xorshift: a random number, for tests. */
uint64_t exec_loop_random(uint64_t *state);

#endif
