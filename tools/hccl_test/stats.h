// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_STATS_H
#define HCCL_TEST_STATS_H

#include <stddef.h>

/** What a set of times comes to, in microseconds. */
struct hccl_stats {
    double mean;
    double min;
    double p50;
    double p99;
    double max;
    double typical; // what tables and comparisons use: hccl_measure.mean tells which
    long count;
};

/** Value below which the share `part` (0..1) of the `count` sorted values lies,
 * interpolated. */
double hccl_stats_quantile(const double *sorted, size_t count, double part);

/** Sorts `values` upwards. */
void hccl_stats_sort(double *values, size_t count);

/** Arithmetic mean; `count` at least 1. */
double hccl_stats_mean(const double *values, size_t count);

/** Median of `values`, which are sorted on the way; `count` at least 1. */
double hccl_stats_median(double *values, size_t count);

/** Describes `values`, which are sorted on the way; `count` at least 1. `typical` is the
 * median. */
struct hccl_stats hccl_stats_of(double *values, size_t count);

/** Geometric mean of positive values; 0 for none. */
double hccl_stats_geometric_mean(const double *values, size_t count);

/** What one reading of the clock costs, in microseconds. */
double hccl_clock_cost_us(void);

#endif
