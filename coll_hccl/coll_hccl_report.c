// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_report.h"

#include "coll_hccl.h"

#include <stdio.h>
#include <string.h>

struct hccl_tally hccl_tallies[HCCL_COLL_COUNT][HCCL_PATH_COUNT];
bool hccl_report_wanted;

enum { MOST_REASONS = 16 };

static struct {
    const char *why;
    unsigned long count;
} fallbacks[MOST_REASONS];

void hccl_report_fallback(const char *why)
{
    for (size_t i = 0; i < MOST_REASONS; i++) {
        if (fallbacks[i].why == NULL) {
            fallbacks[i].why = why;
        }
        if (strcmp(fallbacks[i].why, why) == 0) {
            fallbacks[i].count++;
            return;
        }
    }
}

const char *hccl_coll_name(enum hccl_coll coll)
{
    static const char *const names[HCCL_COLL_COUNT] = {
        [HCCL_COLL_ALLREDUCE] = "allreduce",
        [HCCL_COLL_REDUCE_SCATTER] = "reduce_scatter",
        [HCCL_COLL_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
        [HCCL_COLL_BCAST] = "bcast",
        [HCCL_COLL_REDUCE] = "reduce",
        [HCCL_COLL_ALLGATHER] = "allgather",
        [HCCL_COLL_BARRIER] = "barrier",
    };
    return names[coll];
}

const char *hccl_path_name(enum hccl_path path)
{
    static const char *const names[HCCL_PATH_COUNT] = {
        [HCCL_PATH_SLOT] = "slot",
        [HCCL_PATH_MID] = "mid",
        [HCCL_PATH_STAGE] = "stage",
        [HCCL_PATH_PREVIOUS] = "previous",
    };
    return names[path];
}

static void register_one(enum hccl_coll coll, enum hccl_path path, const char *what,
                         unsigned long long *value)
{
    char name[96];
    char text[128];
    snprintf(name, sizeof name, "%s_%s_%s", hccl_coll_name(coll), hccl_path_name(path),
             what);
    snprintf(text, sizeof text, "%s of %s served by path %s",
             value == &hccl_tallies[coll][path].calls ? "Calls" : "Bytes",
             hccl_coll_name(coll), hccl_path_name(path));
    (void)mca_base_component_pvar_register(
        &mca_coll_hccl_component.collm_version, name, text, OPAL_INFO_LVL_4,
        MPI_T_PVAR_CLASS_COUNTER, MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG, NULL,
        MCA_BASE_VAR_BIND_NO_OBJECT,
        MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, NULL, NULL, NULL,
        value);
}

void hccl_report_register(void)
{
    for (int coll = 0; coll < HCCL_COLL_COUNT; coll++) {
        for (int path = 0; path < HCCL_PATH_COUNT; path++) {
            struct hccl_tally *tally = &hccl_tallies[coll][path];
            register_one((enum hccl_coll)coll, (enum hccl_path)path, "calls",
                         &tally->calls);
            register_one((enum hccl_coll)coll, (enum hccl_path)path, "bytes",
                         &tally->bytes);
        }
    }
}

static void print_row(int coll, int path)
{
    const struct hccl_tally *tally = &hccl_tallies[coll][path];
    if (tally->calls == 0) {
        return;
    }
    double us = (double)tally->ns / 1000.0;
    opal_output(0, "coll:hccl: %-21s %-9s %12llu %16llu %14.0f %12.2f",
                hccl_coll_name((enum hccl_coll)coll),
                hccl_path_name((enum hccl_path)path), tally->calls, tally->bytes, us,
                us / (double)tally->calls);
}

void hccl_report_print(void)
{
    if (!hccl_report_wanted || OMPI_PROC_MY_NAME->vpid != 0) {
        return;
    }
    opal_output(0, "coll:hccl: report of rank 0");
    opal_output(0, "coll:hccl: %-21s %-9s %12s %16s %14s %12s", "operation", "path",
                "calls", "bytes", "time(us)", "us per call");
    for (int coll = 0; coll < HCCL_COLL_COUNT; coll++) {
        for (int path = 0; path < HCCL_PATH_COUNT; path++) {
            print_row(coll, path);
        }
    }
    for (size_t i = 0; i < MOST_REASONS && fallbacks[i].why != NULL; i++) {
        opal_output(0, "coll:hccl: left to other components: %lu communicators, %s",
                    fallbacks[i].count, fallbacks[i].why);
    }
}
