// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_OPTIONS_H
#define HCCL_TEST_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum hccl_format {
    HCCL_FORMAT_TABLE,
    HCCL_FORMAT_OSU,
    HCCL_FORMAT_NCCL,
    HCCL_FORMAT_CSV,
    HCCL_FORMAT_JSON,
};

/** What separates two timed calls. */
enum hccl_pause {
    HCCL_PAUSE_STOCK, // MPI_Barrier on a communicator that hccl leaves alone
    HCCL_PAUSE_COMM,  // MPI_Barrier on the communicator under test, as OSU does
    HCCL_PAUSE_OWN,   // a dissemination barrier of zero-byte messages
    HCCL_PAUSE_NONE,  // nothing: calls back to back
};

/** The time that stands for many calls. */
enum hccl_typical {
    HCCL_TYPICAL_AUTO, // the median; the mean with more ranks than cores
    HCCL_TYPICAL_MEDIAN,
    HCCL_TYPICAL_MEAN,
};

/** When the input is rewritten before each timed call. */
enum hccl_dirt { HCCL_DIRT_FROM, HCCL_DIRT_ALWAYS, HCCL_DIRT_NEVER };

/** Which communicator a run without comparison uses. */
enum hccl_choice { HCCL_CHOICE_DEFAULT, HCCL_CHOICE_HCCL, HCCL_CHOICE_STOCK };

/** What hccl_options_parse() found the caller should do. */
enum hccl_parsed {
    HCCL_PARSED_RUN,
    HCCL_PARSED_HELP,
    HCCL_PARSED_VERSION,
    HCCL_PARSED_BAD
};

enum { HCCL_OPTIONS_OPS = 16, HCCL_OPTIONS_TEXT = 512 };

/** All that a user can choose. Holds no pointer, so that rank 0's can be broadcast as
 * bytes. */
struct hccl_options {
    int op[HCCL_OPTIONS_OPS]; // indices of operations
    int ops;
    uint64_t min_bytes;
    uint64_t max_bytes;
    bool by_step; // add `step_bytes` rather than multiply by `factor`
    bool step_given;
    uint64_t step_bytes;
    long factor;
    long cycles;     // how often the sizes are gone through; 0: for ever
    long iterations; // timed calls per size; 0: adapted to the size
    long warmup;     // untimed calls before; -1: by size
    long blocks;     // blocks (pairs of blocks when comparing) per size
    double seconds;  // time to spend on a size
    int dtype;
    int redop;
    long root;
    long check;          // 0 no, 1 once per block, 2 every call
    long ranks_per_node; // 0: not stated
    long zero_copy;      // 1: buffers from MPI_Alloc_mem
    uint64_t align;
    bool in_place;
    bool compare;
    int typical;     // enum hccl_typical
    bool across_max; // an iteration's time is the slowest rank's, not the average
    bool probe;
    bool progress;
    int choice; // enum hccl_choice
    int pause;  // enum hccl_pause
    int dirt;   // enum hccl_dirt
    uint64_t dirt_from;
    int format; // enum hccl_format
    char output[HCCL_OPTIONS_TEXT];
    char plot[HCCL_OPTIONS_TEXT];
    char error[HCCL_OPTIONS_TEXT]; // HCCL_PARSED_BAD: what was wrong
};

/**
 * Fills `options` from the command line; argv[0] may name the operation
 * (all_reduce_test). Prints nothing.
 */
enum hccl_parsed hccl_options_parse(struct hccl_options *options, int argc, char **argv);

/** Prints the usage text. */
void hccl_options_usage(FILE *to, const char *program);

/** Spelling of the values of an enumerated option, for reports. */
const char *hccl_options_pause_name(int pause);

/**
 * The size after `bytes`, or 0 when that was the last one. `bytes` 0 asks for the first.
 */
uint64_t hccl_options_next_size(const struct hccl_options *options, uint64_t bytes);

/** Whether calls of `bytes` bytes rewrite their input. */
bool hccl_options_is_dirty(const struct hccl_options *options, uint64_t bytes);

#endif
