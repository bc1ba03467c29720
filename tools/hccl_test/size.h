// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_SIZE_H
#define HCCL_TEST_SIZE_H

#include <stddef.h>
#include <stdint.h>

enum { HCCL_SIZE_TEXT = 24 };

/**
 * Reads a number of bytes: digits and perhaps K, M or G (powers of 1024; k, KB and KiB
 * too). 0, or -1 for anything else and for numbers beyond 2^62; `bytes` is set only on
 * success.
 */
int hccl_size_parse(const char *text, uint64_t *bytes);

/** Reads a whole number from `least` to `most`; 0 or -1. */
int hccl_number_parse(const char *text, long least, long most, long *number);

/** Reads a decimal number from `least` to `most`; 0 or -1. */
int hccl_real_parse(const char *text, double least, double most, double *number);

/** Writes "64K", "3M", "1000": the shortest form that is exact. Returns `text`. */
const char *hccl_size_print(uint64_t bytes, char text[HCCL_SIZE_TEXT]);

#endif
