// SPDX-License-Identifier: BSD-3-Clause
#include "options_table.h"
#include "ops.h"
#include "size.h"
#include "types.h"

#include <string.h>

static int take_begin(struct hccl_options *o, const char *text)
{
    return hccl_size_parse(text, &o->min_bytes) != 0 || o->min_bytes == 0 ? -1 : 0;
}

static int take_end(struct hccl_options *o, const char *text)
{
    return hccl_size_parse(text, &o->max_bytes) != 0 || o->max_bytes == 0 ? -1 : 0;
}

static int take_factor(struct hccl_options *o, const char *text)
{
    o->by_step = false;
    return hccl_number_parse(text, 2, 1L << 30, &o->factor);
}

static int take_step(struct hccl_options *o, const char *text)
{
    o->by_step = true;
    o->step_given = true;
    return hccl_size_parse(text, &o->step_bytes);
}

static int take_iterations(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 1, 1000000, &o->iterations);
}

static int take_warmup(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 0, 1000000, &o->warmup);
}

static int take_dtype(struct hccl_options *o, const char *text)
{
    o->dtype = hccl_dtype_find(text);
    return o->dtype < 0 ? -1 : 0;
}

int hccl_option_take_collectives(struct hccl_options *o, const char *text)
{
    char copy[HCCL_OPTIONS_TEXT];
    char *rest = NULL;

    if (strlen(text) >= sizeof(copy)) {
        return -1;
    }
    strcpy(copy, text);
    for (char *name = strtok_r(copy, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        int op = hccl_op_find(name);
        if (op < 0 || o->ops == HCCL_OPTIONS_OPS) {
            return -1;
        }
        o->op[o->ops] = op;
        o->ops++;
    }
    return o->ops == 0 ? -1 : 0;
}

// "--op sum" is the reduction, as in the tools people know; names of collectives are
// unlike it.
static int take_op(struct hccl_options *o, const char *text)
{
    int redop = hccl_redop_find(text);

    if (redop < 0) {
        return hccl_option_take_collectives(o, text);
    }
    o->redop = redop;
    return 0;
}

static int take_root(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 0, INT_MAX, &o->root);
}

static int take_check(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 0, 2, &o->check);
}

static int take_ranks(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 1, INT_MAX, &o->ranks_per_node);
}

static int take_zero_copy(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 0, 1, &o->zero_copy);
}

static int take_align(struct hccl_options *o, const char *text)
{
    uint64_t align = 0;

    if (hccl_size_parse(text, &align) != 0 || align < 8 || align > 1u << 21 ||
        (align & (align - 1)) != 0) {
        return -1;
    }
    o->align = align;
    return 0;
}

static int take_in_place(struct hccl_options *o, const char *text)
{
    (void)text;
    o->in_place = true;
    return 0;
}

static int take_compare(struct hccl_options *o, const char *text)
{
    (void)text;
    o->compare = true;
    return 0;
}

static int take_word(int *target, const char *text, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            *target = i;
            return 0;
        }
    }
    return -1;
}

static int take_comm(struct hccl_options *o, const char *text)
{
    static const char *const words[] = {"default", "hccl", "stock", NULL};

    return take_word(&o->choice, text, words);
}

static const char *const pauses[] = {"stock", "comm", "own", "none", NULL};

static int take_pause(struct hccl_options *o, const char *text)
{
    return take_word(&o->pause, text, pauses);
}

const char *hccl_options_pause_name(int pause)
{
    return pauses[pause];
}

static int take_typical(struct hccl_options *o, const char *text)
{
    static const char *const words[] = {"auto", "median", "mean", NULL};
    return take_word(&o->typical, text, words);
}

static int take_across(struct hccl_options *o, const char *text)
{
    static const char *const words[] = {"avg", "max", NULL};
    int word = 0;
    int rc = take_word(&word, text, words);

    o->across_max = word == 1;
    return rc;
}

static int take_dirty(struct hccl_options *o, const char *text)
{
    (void)text;
    o->dirt = HCCL_DIRT_ALWAYS;
    return 0;
}

static int take_clean(struct hccl_options *o, const char *text)
{
    (void)text;
    o->dirt = HCCL_DIRT_NEVER;
    return 0;
}

static int take_dirty_from(struct hccl_options *o, const char *text)
{
    o->dirt = HCCL_DIRT_FROM;
    return hccl_size_parse(text, &o->dirt_from);
}

static int take_seconds(struct hccl_options *o, const char *text)
{
    return hccl_real_parse(text, 0.001, 3600, &o->seconds);
}

static int take_blocks(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 1, 10000, &o->blocks);
}

static int take_cycles(struct hccl_options *o, const char *text)
{
    return hccl_number_parse(text, 0, 1000000000, &o->cycles);
}

static int take_format(struct hccl_options *o, const char *text)
{
    static const char *const words[] = {"table", "osu", "nccl", "csv", "json", NULL};

    return take_word(&o->format, text, words);
}

static int take_text(char target[HCCL_OPTIONS_TEXT], const char *text)
{
    size_t length = strlen(text);

    if (length == 0 || length >= HCCL_OPTIONS_TEXT - 8) {
        return -1; // room for an ending that the plot adds
    }
    memcpy(target, text, length + 1);
    return 0;
}

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text);
    size_t part = strlen(ending);

    return length > part && strcmp(text + length - part, ending) == 0;
}

static int take_output(struct hccl_options *o, const char *text)
{
    if (!ends_in(text, ".csv") && !ends_in(text, ".json")) {
        return -1;
    }
    return take_text(o->output, text);
}

static int take_plot(struct hccl_options *o, const char *text)
{
    if (!ends_in(text, ".svg") && !ends_in(text, ".png")) {
        return -1;
    }
    return take_text(o->plot, text);
}

static int take_progress(struct hccl_options *o, const char *text)
{
    (void)text;
    o->progress = true;
    return 0;
}

static int take_no_probe(struct hccl_options *o, const char *text)
{
    (void)text;
    o->probe = false;
    return 0;
}

#define SIZE_TEXT "a number of bytes from 1, with K, M or G"
#define COLLECTIVES                                                                      \
    "allreduce reduce_scatter reduce_scatter_block bcast reduce allgather barrier"

static const struct hccl_option entries[] = {
    {'b', "minbytes", "SIZE", SIZE_TEXT, "first message size [4]", take_begin},
    {'e', "maxbytes", "SIZE", SIZE_TEXT,
     "last message size [64M; -b's if that is larger]", take_end},
    {'f', "stepfactor", "N", "a whole number from 2", "each size is N times the last [2]",
     take_factor},
    {'i', "stepbytes", "SIZE", "a number of bytes, with K, M or G",
     "each size is SIZE larger than the last; 0: the first size over and over",
     take_step},
    {'\0', "cycles", "N", "a whole number from 0",
     "go through the sizes N times; 0: until stopped [1]", take_cycles},
    {'n', "iters", "N", "a whole number from 1 to 1000000",
     "timed calls per size [as many as --time allows, 3 at least]", take_iterations},
    {'w', "warmup_iters", "N", "a whole number from 0 to 1000000",
     "calls before them [10; 3 above 1 MiB]", take_warmup},
    {'\0', "time", "SECONDS", "seconds from 0.001 to 3600",
     "time to spend on one size when -n is not given [0.4]", take_seconds},
    {'\0', "blocks", "N", "a whole number from 1 to 10000",
     "blocks the timed calls come in; compared sides alternate by block [20]",
     take_blocks},
    {'d', "datatype", "TYPE",
     "fp32 fp64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 (MPI has no fp16, "
     "bf16)",
     "type of the elements [fp32]", take_dtype},
    {'o', "op", "NAME", "sum prod max min, or " COLLECTIVES " separated by commas",
     "the reduction [sum]; or the collectives, like --coll", take_op},
    {'\0', "coll", "LIST", COLLECTIVES ", separated by commas",
     "the collectives; may also be given without a flag [allreduce]",
     hccl_option_take_collectives},
    {'r', "root", "RANK", "a rank", "root of bcast and reduce [0]", take_root},
    {'c', "check", "N", "0, 1 or 2",
     "check results: 0 never, 1 around each block, 2 every call [1]", take_check},
    {'p', "npus", "N", "a whole number from 1",
     "ranks per node; an error if that is not so", take_ranks},
    {'z', "zero_copy", "N", "0 or 1",
     "1: buffers from MPI_Alloc_mem, which a library may use without a copy [0]",
     take_zero_copy},
    {'a', "align", "SIZE", "a power of two from 8 to 2M",
     "buffers start at a multiple of SIZE, not of 2 SIZE; 4K and more: at pages [16]",
     take_align},
    {'\0', "in_place", NULL, NULL, "MPI_IN_PLACE; implies --dirty for reductions",
     take_in_place},
    {'\0', "dirty", NULL, NULL, "rewrite the input before every timed call", take_dirty},
    {'\0', "clean", NULL, NULL, "never rewrite it", take_clean},
    {'\0', "dirty_from", "SIZE", "a number of bytes, with K, M or G",
     "rewrite it for messages of SIZE and more [64K]", take_dirty_from},
    {'\0', "compare", NULL, NULL,
     "hccl and stock Open MPI side by side in this job, in alternating blocks",
     take_compare},
    {'\0', "comm", "WHICH", "default, hccl or stock",
     "without --compare: communicator as is, or with hccl_enable 1 or 0", take_comm},
    {'\0', "barrier", "WHICH", "stock, comm, own or none",
     "what separates timed calls, the same for both sides [stock]", take_pause},
    {'\0', "across", "WHICH", "avg or max",
     "a call's time is the ranks' average or the slowest rank's [avg]", take_across},
    {'\0', "typical", "WHICH", "auto, median or mean",
     "what stands for many calls: their median, or (auto) the mean with more ranks than "
     "cores [auto]",
     take_typical},
    {'\0', "format", "NAME", "table, osu, nccl, csv or json", "what to print [table]",
     take_format},
    {'\0', "output", "FILE", "a file name ending in .csv or .json", "write that as well",
     take_output},
    {'\0', "plot", "FILE", "a file name ending in .svg or .png",
     "draw time (and speed-up, or bandwidth) by size; needs gnuplot", take_plot},
    {'\0', "no_probe", NULL, NULL, "do not measure how near the cores are to each other",
     take_no_probe},
    {'\0', "progress", NULL, NULL, "say on stderr what runs (always on a terminal)",
     take_progress},
};

enum { ENTRY_COUNT = sizeof(entries) / sizeof(entries[0]) };

int hccl_option_count(void)
{
    return ENTRY_COUNT;
}

const struct hccl_option *hccl_option_get(int index)
{
    return &entries[index];
}

const char *hccl_option_collectives(void)
{
    return COLLECTIVES;
}
