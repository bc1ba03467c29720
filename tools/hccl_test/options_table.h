// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_OPTIONS_TABLE_H
#define HCCL_TEST_OPTIONS_TABLE_H

#include "options.h"

/** One option: how it is spelt, what it takes, what it is for. */
struct hccl_option {
    char letter; // '\0': long form only
    const char *name;
    const char *value;    // placeholder of the argument; NULL: a switch
    const char *accepted; // what the argument may be, for errors
    const char *doc;
    int (*take)(struct hccl_options *options, const char *text); // 0, or -1: not accepted
};

/** Number of options. */
int hccl_option_count(void);

/** Option `index`, 0 .. hccl_option_count()-1. */
const struct hccl_option *hccl_option_get(int index);

/** Adds the collectives of a comma-separated list; 0, or -1 for an unknown one. */
int hccl_option_take_collectives(struct hccl_options *options, const char *text);

/** Names of the collectives, for messages. */
const char *hccl_option_collectives(void);

#endif
