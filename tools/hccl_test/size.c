// SPDX-License-Identifier: BSD-3-Clause
#include "size.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const char units[] = "KMG";

// The shift that a suffix stands for: 0, 10, 20, 30; -1 for an unknown one.
static int suffix_shift(const char *suffix)
{
    if (suffix[0] == '\0' || strcasecmp(suffix, "B") == 0) {
        return 0;
    }
    for (int i = 0; units[i] != '\0'; i++) {
        if (toupper((unsigned char)suffix[0]) == units[i]) {
            const char *rest = suffix + 1;
            bool known = rest[0] == '\0' || strcasecmp(rest, "B") == 0 ||
                         strcasecmp(rest, "iB") == 0;
            return known ? 10 * (i + 1) : -1;
        }
    }
    return -1;
}

int hccl_size_parse(const char *text, uint64_t *bytes)
{
    char *end = NULL;

    if (!isdigit((unsigned char)text[0])) {
        return -1;
    }
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    int shift = suffix_shift(end);
    if (errno != 0 || shift < 0 || number > (UINT64_C(1) << 62) >> shift) {
        return -1;
    }
    *bytes = (uint64_t)number << shift;
    return 0;
}

int hccl_number_parse(const char *text, long least, long most, long *number)
{
    char *end = NULL;

    if (!isdigit((unsigned char)text[0]) && text[0] != '-') {
        return -1;
    }
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most) {
        return -1;
    }
    *number = value;
    return 0;
}

int hccl_real_parse(const char *text, double least, double most, double *number)
{
    char *end = NULL;

    if (!isdigit((unsigned char)text[0]) && text[0] != '.') {
        return -1;
    }
    double value = strtod(text, &end);
    if (*end != '\0' || !isfinite(value) || value < least || value > most) {
        return -1;
    }
    *number = value;
    return 0;
}

const char *hccl_size_print(uint64_t bytes, char text[HCCL_SIZE_TEXT])
{
    int unit = -1;

    while (bytes != 0 && bytes % 1024 == 0 && units[unit + 1] != '\0') {
        bytes /= 1024;
        unit++;
    }
    if (unit < 0) {
        snprintf(text, HCCL_SIZE_TEXT, "%" PRIu64, bytes);
    } else {
        snprintf(text, HCCL_SIZE_TEXT, "%" PRIu64 "%c", bytes, units[unit]);
    }
    return text;
}
