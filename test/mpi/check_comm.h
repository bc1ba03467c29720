// SPDX-License-Identifier: BSD-3-Clause
#ifndef CHECK_COMM_H
#define CHECK_COMM_H

#include "mpi_check.h"

/*
 * Does a communicator work? A few collective operations on it, with values checked. For
 * tests about communicators, where the operations themselves are not in doubt.
 */

enum { CHECK_COMM_MOST = 65536 }; /* elements */

/** MPI_Allreduce of `count` numbers; `seed` must be the same on all ranks. */
bool check_comm_allreduce(MPI_Comm comm, uint64_t seed, size_t count);

/** MPI_Bcast of `count` numbers; the seed chooses the root. */
bool check_comm_bcast(MPI_Comm comm, uint64_t seed, size_t count);

/** Several operations, `count` numbers each (per rank where they are gathered). */
bool check_comm_works(MPI_Comm comm, uint64_t seed, size_t count);

/** The number that a rank contributes. */
uint64_t check_comm_value(uint64_t seed, int rank, size_t index);

/** The sum over ranks first to last - 1. */
uint64_t check_comm_sum(uint64_t seed, int first, int last, size_t index);

#endif
