// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PRINT_H
#define HCCL_TEST_PRINT_H

#include "result.h"

#include <stdio.h>

/** One output format. Rows come as they are measured; what is NULL prints nothing. */
struct hccl_printer {
    void (*begin)(FILE *to, const struct hccl_report *report);
    void (*op)(FILE *to, const struct hccl_report *report, const struct hccl_op *op);
    void (*row)(FILE *to, const struct hccl_report *report,
                const struct hccl_result *result);
    void (*end)(FILE *to, const struct hccl_report *report);
};

extern const struct hccl_printer hccl_print_table; // the real tool's columns, and more
extern const struct hccl_printer hccl_print_osu;   // as the OSU micro-benchmarks
extern const struct hccl_printer hccl_print_nccl;  // as nccl-tests
extern const struct hccl_printer hccl_print_csv;   // one line per side
extern const struct hccl_printer hccl_print_json;  // one object, written at the end

/** The printer of a format (enum hccl_format). */
const struct hccl_printer *hccl_print_get(int format);

/** The lines about the machine and the run that text formats begin with, after "# ". */
void hccl_print_heading(FILE *to, const struct hccl_report *report);

/** "far", or "far>near" when the cores were moved; "-" when not known. */
const char *hccl_print_place(const struct hccl_result *result);

#endif
