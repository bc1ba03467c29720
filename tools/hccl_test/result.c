// SPDX-License-Identifier: BSD-3-Clause
#include "result.h"

#include <stdlib.h>

int hccl_report_add(struct hccl_report *report, const struct hccl_result *result)
{
    if (report->count == report->room) {
        size_t room = report->room == 0 ? 64 : 2 * report->room;
        struct hccl_result *more = realloc(report->results, room * sizeof(*more));
        if (more == NULL) {
            return -1;
        }
        report->results = more;
        report->room = room;
    }
    report->results[report->count] = *result;
    report->count++;
    return 0;
}

void hccl_report_destroy(struct hccl_report *report)
{
    free(report->results);
    report->results = NULL;
    report->count = 0;
    report->room = 0;
}

double hccl_result_bandwidth(const struct hccl_result *result, double us)
{
    return us > 0 ? (double)result->bytes / us / 1e3 : 0;
}

double hccl_result_bus(const struct hccl_report *report, const struct hccl_result *result,
                       double bandwidth)
{
    return bandwidth * hccl_op_bus_factor(result->op, report->ranks);
}

const char *hccl_result_check(const struct hccl_report *report,
                              const struct hccl_result *result)
{
    uint64_t wrong = 0;

    if (report->options->check == 0) {
        return "NULL";
    }
    for (int i = 0; i < result->sides; i++) {
        wrong += result->side[i].wrong;
    }
    return wrong == 0 ? "success" : "failed";
}

uint64_t hccl_report_wrong(const struct hccl_report *report)
{
    uint64_t wrong = 0;

    for (size_t r = 0; r < report->count; r++) {
        for (int i = 0; i < report->results[r].sides; i++) {
            wrong += report->results[r].side[i].wrong;
        }
    }
    return wrong;
}
