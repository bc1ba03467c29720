// SPDX-License-Identifier: BSD-3-Clause
#ifndef CHECK_BOARD_H
#define CHECK_BOARD_H

#include "mpi_check.h"

/*
 * A board of counters that all ranks of one node see: one page of memory shared through a
 * file without a name. With it a test sees who has reached a point without sending
 * anything. Only for ranks on one node.
 */

enum { CHECK_BOARD_LINES = 64 }; /* ranks at most */

/** Make the board. All ranks of MPI_COMM_WORLD call it. @return false: not possible */
bool check_board_open(void);

/** Give the memory back. */
void check_board_close(void);

/** Say that this rank (of MPI_COMM_WORLD) has reached `point`; points only grow. */
void check_board_reach(uint64_t point);

/** The point that a rank (of MPI_COMM_WORLD) has reached. */
uint64_t check_board_reached(int rank);

#endif
