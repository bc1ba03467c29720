// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PLOT_H
#define HCCL_TEST_PLOT_H

#include "result.h"

/** Whether gnuplot can be run. */
bool hccl_plot_available(void);

/**
 * Draws the report into options->plot (.svg or .png): time against size, both
 * logarithmic, one column per operation; below it the speed-up with its spread, or the
 * bus bandwidth when nothing was compared. The gnuplot script, which contains the data,
 * stays beside it as FILE.gp. Runs a program: call it after MPI_Finalize. 0, or -1 when a
 * file or gnuplot failed.
 */
int hccl_plot_write(const struct hccl_report *report);

#endif
