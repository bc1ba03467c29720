// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "coll_hccl_message.h"

#include "coll_hccl_params.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_file[] = "help-coll-hccl.txt";

/* The help texts lie beside the component. Open MPI looks there once it is told. */
static void find_help(void)
{
    static bool told;
    Dl_info self;
    if (told || dladdr(help_file, &self) == 0) {
        return;
    }
    char *path = strdup(self.dli_fname);
    if (path != NULL) {
        opal_show_help_add_dir(dirname(path));
        free(path);
    }
    told = true;
}

void hccl_message_say(int level, const char *format, ...)
{
    if ((int)hccl_params_get()->verbose < level) {
        return;
    }
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        opal_output(0, "coll:hccl: %s", line);
        free(line);
    }
}

/*
 * The long form of a message comes from one process of a node; the others say the same in
 * a line.
 */
static bool is_speaker(void)
{
    return hccl_ompi_local_rank() == 0;
}

/*
 * Print a text of the help file. Not by opal_show_help(), which hands it to mpirun: that
 * of Open MPI 4.1 at times can't read what it gets, and the text is lost.
 */
static void show(const char *topic, ...)
{
    va_list arguments;
    find_help();
    va_start(arguments, topic);
    char *text = opal_show_help_vstring(help_file, topic, true, arguments);
    va_end(arguments);
    if (text != NULL) {
        fputs(text, stderr);
        free(text);
    }
}

static char refusal[512];

void hccl_message_bad_value(const struct hccl_param *param, const char *text)
{
    char accepted[256];
    char name[128];
    hccl_param_accepts(param, accepted, sizeof accepted);
    const char *spelled = param->environment != NULL ? getenv(param->environment) : NULL;
    if (spelled != NULL && strcmp(spelled, text) == 0) {
        snprintf(name, sizeof name, "environment variable %s", param->environment);
    } else {
        snprintf(name, sizeof name, "MCA parameter coll_hccl_%s", param->name);
    }
    snprintf(refusal, sizeof refusal, "the %s has the value \"%s\", accepted is %s", name,
             text, accepted);
    if (is_speaker()) {
        show("bad-value", name, text, accepted);
    }
}

const char *hccl_message_refusal(void)
{
    return refusal;
}

void hccl_message_bad_info(const ompi_communicator_t *comm, const char *text)
{
    if (is_speaker()) {
        show("bad-info", comm->c_name, text);
    } else {
        hccl_message_say(0,
                         "the info key hccl_enable of communicator %s has the value "
                         "\"%s\" and is ignored, accepted are yes and no",
                         comm->c_name, text);
    }
}

/* True the first time. */
static bool is_news(bool *said)
{
    bool news = !*said;
    *said = true;
    return news;
}

void hccl_message_no_segment(const hccl_module_t *module, const char *name, size_t bytes,
                             int error, int cause)
{
    static bool said;
    const char *reason = hccl_segment_reason((enum hccl_segment_error)error);
    const char *comm = module->comm->c_name;
    if (!is_news(&said)) {
        return;
    }
    if (is_speaker()) {
        show("no-segment", name, (unsigned long)bytes, reason, strerror(cause), comm,
             module->rank);
    } else {
        hccl_message_say(0, "can't share memory by %s, %lu bytes: %s (%s); %s, rank %d",
                         name, (unsigned long)bytes, reason, strerror(cause), comm,
                         module->rank);
    }
}

void hccl_message_disagree(const hccl_module_t *module, const char *name, uint64_t mine,
                           uint64_t used)
{
    static bool said;
    const char *comm = module->comm->c_name;
    if (!is_news(&said)) {
        return;
    }
    if (is_speaker()) {
        show("disagree", name, (unsigned long)mine, comm, module->rank,
             (unsigned long)used);
    } else {
        hccl_message_say(0,
                         "ranks have different values of %s: here %lu (%s, rank %d), "
                         "rank 0: %lu, which is used",
                         name, (unsigned long)mine, comm, module->rank,
                         (unsigned long)used);
    }
}

void hccl_message_mismatch(const hccl_module_t *module, enum hccl_coll coll, size_t bytes)
{
    static bool said;
    const char *comm = module->comm->c_name;
    if (!is_news(&said)) {
        return;
    }
    if (is_speaker()) {
        show("mismatch", hccl_coll_name(coll), comm, module->rank, (unsigned long)bytes);
    } else {
        hccl_message_say(0,
                         "ranks call %s with different sizes: %lu bytes here (%s, rank "
                         "%d); the call returns MPI_ERR_TRUNCATE",
                         hccl_coll_name(coll), (unsigned long)bytes, comm, module->rank);
    }
}

static void say_range(const hccl_module_t *module, const char *what, size_t from,
                      size_t to, const char *path)
{
    char upper[32] = "";
    if (to != SIZE_MAX) {
        snprintf(upper, sizeof upper, "%zu", to);
    }
    hccl_message_say(1, "%s  %-28s %9zu - %9s bytes  %s", module->comm->c_name, what,
                     from, upper, path);
}

void hccl_message_paths(const hccl_module_t *module)
{
    if (hccl_params_get()->verbose < 1 || module->rank != 0) {
        return;
    }
    const char *name = module->comm->c_name;
    if (module->phase == HCCL_PHASE_OFF) {
        hccl_message_say(1, "%s, %d ranks: previous components, because %s", name,
                         module->size, module->reason);
        return;
    }
    const char *waiting = module->team.wait.spin_rounds > 0
                              ? "each has a processor"
                              : "they share processors: little spinning";
    hccl_message_say(1, "%s, %d ranks on this node, %s", name, module->size, waiting);
    size_t mid = (size_t)module->agreed.mid_bytes;
    say_range(module, "all operations", 1, HCCL_BODY_BYTES, "slot: fits beside the flag");
    say_range(module, "all operations", HCCL_BODY_BYTES + 1, mid,
              "mid: one exchange by a larger slot");
    const char *reductions = module->size <= HCCL_ONE_SHOT_RANKS
                                 ? "stage: every rank reduces all, by rings of chunks"
                                 : "stage: every rank reduces its share, in steps";
    say_range(module, "allreduce", mid + 1, SIZE_MAX, reductions);
    say_range(module, "reduce, reduce_scatter", mid + 1, SIZE_MAX,
              "stage: every rank reduces its share, in steps");
    say_range(module, "bcast, allgather", mid + 1, SIZE_MAX,
              "stage: rings of chunks, copying in and out overlap");
    if (module->team.stage_state == HCCL_STAGE_REFUSED) {
        hccl_message_say(1, "%s: but over %d bytes previous components, because %s", name,
                         HCCL_BODY_BYTES, module->reason);
    }
}
