// SPDX-License-Identifier: BSD-3-Clause
#include "stats.h"
#include "clock.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

void hccl_stats_sort(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare);
}

double hccl_stats_quantile(const double *sorted, size_t count, double part)
{
    double place = part * (double)(count - 1);
    size_t below = (size_t)place;

    if (below + 1 >= count) {
        return sorted[count - 1];
    }
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

double hccl_stats_mean(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum / (double)count;
}

double hccl_stats_median(double *values, size_t count)
{
    hccl_stats_sort(values, count);
    return hccl_stats_quantile(values, count, 0.5);
}

struct hccl_stats hccl_stats_of(double *values, size_t count)
{
    struct hccl_stats stats = {.count = (long)count};

    hccl_stats_sort(values, count);
    stats.mean = hccl_stats_mean(values, count);
    stats.min = values[0];
    stats.max = values[count - 1];
    stats.p50 = hccl_stats_quantile(values, count, 0.50);
    stats.typical = stats.p50;
    stats.p99 = hccl_stats_quantile(values, count, 0.99);
    return stats;
}

double hccl_stats_geometric_mean(const double *values, size_t count)
{
    double sum = 0;

    if (count == 0) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        sum += log(values[i]);
    }
    return exp(sum / (double)count);
}

double hccl_clock_cost_us(void)
{
    enum { READINGS = 1000 };
    double start = hccl_clock_us();
    double last = start;

    for (int i = 0; i < READINGS; i++) {
        last = hccl_clock_us();
    }
    return (last - start) / READINGS;
}
