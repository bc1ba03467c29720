// SPDX-License-Identifier: BSD-3-Clause
#include "pattern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// An element in the widest form of its kind; which member counts, the kind says.
union value {
    int64_t i;
    uint64_t u;
    double f;
};

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit moves every
// output bit.
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// True for at most `most` of the ranks at each index: who may add to a result with little
// room.
static bool has_turn(int rank, int ranks, int index, int64_t most)
{
    int64_t every = (ranks + most - 1) / most;

    return ((int64_t)rank + index) % every == 0;
}

// Cuts a value down to the bits of the type, as storing and loading it would.
static union value narrow(union value v, const struct hccl_dtype *type)
{
    unsigned drop = 64 - 8 * (unsigned)type->size;

    if (type->kind == HCCL_KIND_UNSIGNED) {
        v.u = v.u << drop >> drop;
    } else if (type->kind == HCCL_KIND_SIGNED) {
        v.u <<= drop;
        v.i >>= drop;
    }
    return v;
}

// Sums neither overflow nor round, in whatever order: what an overflow gives, MPI does
// not say (Open MPI saturates small unsigned integers).
static union value summand(const struct hccl_dtype *type, uint64_t hash, int rank,
                           int ranks, int index)
{
    union value v = {.u = 0};

    if (type->kind == HCCL_KIND_FLOAT) {
        // quarters: a sum stays below 2^24 of them, the room of a 32-bit float
        int64_t reach = smaller((INT64_C(1) << 24) / ranks, 4095);
        v.f = (double)((int64_t)(hash % (uint64_t)(2 * reach + 1)) - reach) / 4;
        return v;
    }
    bool is_signed = type->kind == HCCL_KIND_SIGNED;
    uint64_t limit = UINT64_MAX >> (64 - 8 * type->size + (is_signed ? 1 : 0));
    uint64_t reach = limit / (uint64_t)ranks;
    bool turn = reach > 0 || has_turn(rank, ranks, index, (int64_t)limit);
    reach = reach == 0 ? 1 : reach;
    uint64_t size = turn ? hash % (reach == UINT64_MAX ? reach : reach + 1) : 0;
    if (is_signed) {
        v.i = (hash >> 63) != 0 ? -(int64_t)size : (int64_t)size;
    } else {
        v.u = size;
    }
    return v;
}

// Products: powers of two with a bounded exponent are exact; odd factors wrap without
// loss.
static union value factor(const struct hccl_dtype *type, uint64_t hash, int rank,
                          int ranks, int index)
{
    union value v = {.u = hash | 1};
    bool negative = (hash & 2) != 0;

    if (type->kind == HCCL_KIND_FLOAT) {
        bool turn = has_turn(rank, ranks, index, 100);
        double size = !turn ? 1.0 : (hash & 4) != 0 ? 2.0 : 0.5;
        v.f = negative ? -size : size;
    } else if (type->kind == HCCL_KIND_SIGNED) {
        bool turn = has_turn(rank, ranks, index, 8 * (int64_t)type->size - 2);
        int64_t size = turn && (hash & 4) != 0 ? 2 : 1;
        v.i = negative ? -size : size;
    }
    return v;
}

static union value contribution(const struct hccl_dtype *type, int redop, int rank,
                                int ranks, int index)
{
    uint64_t hash = mix(((uint64_t)(unsigned)rank << 32) + (uint64_t)(unsigned)index);
    union value v = {.u = hash};

    if (redop == HCCL_REDOP_SUM) {
        v = summand(type, hash, rank, ranks, index);
    } else if (redop == HCCL_REDOP_PROD) {
        v = factor(type, hash, rank, ranks, index);
    } else if (type->kind == HCCL_KIND_FLOAT) {
        v.f = (double)((int64_t)(hash % 2000001) - 1000000) / 8;
    }
    return narrow(v, type); // minima and maxima of integers use all bits
}

static double reduce_float(int redop, double a, double b)
{
    switch (redop) {
    case HCCL_REDOP_SUM:
        return a + b;
    case HCCL_REDOP_PROD:
        return a * b;
    case HCCL_REDOP_MAX:
        return a > b ? a : b;
    default:
        return a < b ? a : b;
    }
}

static int64_t reduce_signed(int redop, int64_t a, int64_t b)
{
    switch (redop) {
    case HCCL_REDOP_SUM:
        return a + b;
    case HCCL_REDOP_PROD:
        return a * b;
    case HCCL_REDOP_MAX:
        return a > b ? a : b;
    default:
        return a < b ? a : b;
    }
}

static uint64_t reduce_unsigned(int redop, uint64_t a, uint64_t b)
{
    switch (redop) {
    case HCCL_REDOP_SUM:
        return a + b;
    case HCCL_REDOP_PROD:
        return a * b;
    case HCCL_REDOP_MAX:
        return a > b ? a : b;
    default:
        return a < b ? a : b;
    }
}

static union value reduce(const struct hccl_dtype *type, int redop, union value a,
                          union value b)
{
    if (type->kind == HCCL_KIND_FLOAT) {
        a.f = reduce_float(redop, a.f, b.f);
    } else if (type->kind == HCCL_KIND_SIGNED) {
        a.i = reduce_signed(redop, a.i, b.i);
    } else {
        a.u = reduce_unsigned(redop, a.u, b.u);
    }
    return a;
}

static void store(const struct hccl_dtype *type, unsigned char *to, union value v)
{
    if (type->kind == HCCL_KIND_FLOAT && type->size == 4) {
        float f = (float)v.f;
        memcpy(to, &f, sizeof(f));
        return;
    }
    if (type->kind == HCCL_KIND_FLOAT) {
        memcpy(to, &v.f, sizeof(v.f));
        return;
    }
    // through the exact width, which is right for either byte order
    switch (type->size) {
    case 1: {
        uint8_t x = (uint8_t)v.u;
        memcpy(to, &x, sizeof(x));
        break;
    }
    case 2: {
        uint16_t x = (uint16_t)v.u;
        memcpy(to, &x, sizeof(x));
        break;
    }
    case 4: {
        uint32_t x = (uint32_t)v.u;
        memcpy(to, &x, sizeof(x));
        break;
    }
    default:
        memcpy(to, &v.u, sizeof(v.u));
        break;
    }
}

int hccl_pattern_create(struct hccl_pattern *pattern, const struct hccl_dtype *type)
{
    pattern->size = type->size;
    pattern->table = malloc(HCCL_PATTERN_PERIOD * type->size);
    return pattern->table == NULL ? -1 : 0;
}

void hccl_pattern_destroy(struct hccl_pattern *pattern)
{
    free(pattern->table);
    pattern->table = NULL;
}

void hccl_pattern_of_rank(struct hccl_pattern *pattern, const struct hccl_dtype *type,
                          int redop, int rank, int ranks)
{
    for (int i = 0; i < HCCL_PATTERN_PERIOD; i++) {
        union value v = contribution(type, redop, rank, ranks, i);
        store(type, pattern->table + (size_t)i * type->size, v);
    }
}

void hccl_pattern_of_all(struct hccl_pattern *pattern, const struct hccl_dtype *type,
                         int redop, int ranks)
{
    for (int i = 0; i < HCCL_PATTERN_PERIOD; i++) {
        union value v = contribution(type, redop, 0, ranks, i);
        for (int r = 1; r < ranks; r++) {
            v = reduce(type, redop, v, contribution(type, redop, r, ranks, i));
        }
        store(type, pattern->table + (size_t)i * type->size, v);
    }
}

// How many elements of the pattern follow `start` before it wraps, at most `count`.
static size_t run_length(uint64_t start, size_t count)
{
    size_t left = HCCL_PATTERN_PERIOD - (size_t)(start % HCCL_PATTERN_PERIOD);

    return left < count ? left : count;
}

static const unsigned char *element(const struct hccl_pattern *pattern, uint64_t start)
{
    return pattern->table + (size_t)(start % HCCL_PATTERN_PERIOD) * pattern->size;
}

void hccl_pattern_fill(const struct hccl_pattern *pattern, unsigned char *to,
                       uint64_t start, size_t count)
{
    while (count > 0) {
        size_t run = run_length(start, count);
        memcpy(to, element(pattern, start), run * pattern->size);
        to += run * pattern->size;
        start += run;
        count -= run;
    }
}

void hccl_pattern_poison(const struct hccl_pattern *pattern, unsigned char *to,
                         uint64_t start, size_t count)
{
    while (count > 0) {
        size_t run = run_length(start, count);
        const unsigned char *from = element(pattern, start);
        for (size_t i = 0; i < run * pattern->size; i++) {
            to[i] = (unsigned char)~from[i];
        }
        to += run * pattern->size;
        start += run;
        count -= run;
    }
}

static uint64_t count_differences(const unsigned char *a, const unsigned char *b,
                                  size_t size, size_t count)
{
    uint64_t wrong = 0;

    for (size_t i = 0; i < count; i++) {
        wrong += memcmp(a + i * size, b + i * size, size) != 0;
    }
    return wrong;
}

uint64_t hccl_pattern_wrong(const struct hccl_pattern *pattern, const unsigned char *at,
                            uint64_t start, size_t count)
{
    uint64_t wrong = 0;

    while (count > 0) {
        size_t run = run_length(start, count);
        const unsigned char *expected = element(pattern, start);
        if (memcmp(at, expected, run * pattern->size) != 0) {
            wrong += count_differences(at, expected, pattern->size, run);
        }
        at += run * pattern->size;
        start += run;
        count -= run;
    }
    return wrong;
}
