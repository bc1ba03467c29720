// SPDX-License-Identifier: BSD-3-Clause
#include "check_number.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

/* Whole numbers whose sum over a dozen ranks fits the smallest signed type. */
static int64_t small(uint64_t random)
{
    return (int64_t)(random % 19) - 9;
}

/* Factors: the product over a dozen ranks stays within the smallest signed type. */
static int64_t factor(uint64_t random, int rank)
{
    bool doubles = rank % 3 == 0 && (random & 2) != 0;
    int64_t magnitude = doubles ? 2 : 1;
    return (random & 1) != 0 ? -magnitude : magnitude;
}

static uint64_t mask_of(size_t size)
{
    return size >= 8 ? UINT64_MAX : ((uint64_t)1 << (8 * size)) - 1;
}

static int64_t sign_extend(uint64_t bits, size_t size)
{
    if (size >= 8) {
        return (int64_t)bits;
    }
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return (int64_t)(((bits & mask_of(size)) ^ sign) - sign);
}

/* Zero in half of the cases; what isn't zero has its bits anywhere in the number. */
static uint64_t truth(uint64_t random, int rank)
{
    return (random + (uint64_t)rank) % 2 == 0 ? 0 : (uint64_t)1 << (random >> 8) % 64;
}

static struct check_number make_whole(const struct check_type *type,
                                      const struct check_op *op, int rank,
                                      uint64_t random)
{
    struct check_number number = {0};
    bool is_signed = type->kind == CHECK_SIGNED;
    number.u = random & mask_of(type->size);
    if (op->kind == CHECK_SUM && is_signed) {
        number.u = (uint64_t)small(random);
    } else if (op->kind == CHECK_PROD && is_signed) {
        number.u = (uint64_t)factor(random, rank);
    } else if (op->kind == CHECK_LAND || op->kind == CHECK_LOR ||
               op->kind == CHECK_LXOR) {
        uint64_t bits = truth(random, rank);
        number.u = (bits | bits >> 32 | bits >> 16 | bits >> 8) & mask_of(type->size);
        if (type->size >= 2) {
            number.u &= ~(uint64_t)1; /* a test of the lowest bit alone won't do */
        }
    }
    number.i = sign_extend(number.u, type->size);
    number.u &= mask_of(type->size);
    return number;
}

static struct check_number make_real(const struct check_op *op, int rank, uint64_t random)
{
    struct check_number number = {0};
    if (op->kind == CHECK_PROD) {
        number.re = (long double)factor(random, rank) * ((random & 4) != 0 ? 0.5L : 2.0L);
    } else if (op->kind == CHECK_SUM) {
        number.re = (long double)small(random) + ((random >> 20) % 4) * 0.25L;
    } else {
        number.re = (long double)(int32_t)random / 65536.0L / 256.0L;
        number.re = (long double)(float)number.re;
    }
    return number;
}

static struct check_number make_complex(const struct check_op *op, int rank,
                                        uint64_t random)
{
    struct check_number number = {0};
    if (op->kind == CHECK_PROD) {
        /* A unit times a power of two: products are exact. */
        long double magnitude = (long double)factor(random, rank);
        number.re = (random & 8) != 0 ? magnitude : 0;
        number.im = (random & 8) != 0 ? 0 : magnitude;
    } else {
        number.re = (long double)small(random);
        number.im = (long double)small(random >> 24) + 0.5L;
    }
    return number;
}

/* Few different values, so that ties occur; the index doesn't grow with the rank. */
static struct check_number make_pair(const struct check_type *type, int rank,
                                     size_t index, uint64_t random)
{
    struct check_number number = {0};
    number.i = (int64_t)(random % 4) - 2;
    number.re = (long double)number.i + (type->real ? 0.5L : 0);
    number.index = (long double)((size_t)(rank * 7 + 3) % 11 * 1000 + index % 1000);
    return number;
}

struct check_number check_number_make(const struct check_type *type,
                                      const struct check_op *op, int rank, size_t index)
{
    uint64_t random = check_mix((uint64_t)rank, index, (uint64_t)op->kind);
    struct check_number number = {0};
    switch (type->kind) {
    case CHECK_SIGNED:
    case CHECK_UNSIGNED:
    case CHECK_BYTE:
        return make_whole(type, op, rank, random);
    case CHECK_REAL:
        return make_real(op, rank, random);
    case CHECK_COMPLEX:
        return make_complex(op, rank, random);
    case CHECK_BOOL:
    case CHECK_LOGICAL:
        number.u = truth(random, rank) != 0;
        return number;
    case CHECK_PAIR:
        return make_pair(type, rank, index, random);
    }
    return number;
}

/* Of equal values the one with the smaller index, MPI says. */
static const struct check_number *choose_pair(bool largest,
                                              const struct check_number *left,
                                              const struct check_number *right)
{
    if (left->re == right->re) {
        return left->index < right->index ? left : right;
    }
    return (left->re > right->re) == largest ? left : right;
}

static bool left_is_more(const struct check_type *type, const struct check_number *left,
                         const struct check_number *right)
{
    switch (type->kind) {
    case CHECK_SIGNED:
        return left->i > right->i;
    case CHECK_REAL:
        return left->re > right->re;
    default:
        return left->u > right->u;
    }
}

struct check_number check_number_combine(const struct check_type *type,
                                         const struct check_op *op,
                                         const struct check_number *left,
                                         const struct check_number *right)
{
    struct check_number result = {0};
    switch (op->kind) {
    case CHECK_MAX:
        return left_is_more(type, left, right) ? *left : *right;
    case CHECK_MIN:
        return left_is_more(type, left, right) ? *right : *left;
    case CHECK_SUM:
        result.u = left->u + right->u;
        result.re = left->re + right->re;
        result.im = left->im + right->im;
        break;
    case CHECK_PROD:
        result.u = left->u * right->u;
        result.re = left->re * right->re - left->im * right->im;
        result.im = left->re * right->im + left->im * right->re;
        break;
    case CHECK_LAND:
        result.u = left->u != 0 && right->u != 0;
        break;
    case CHECK_LOR:
        result.u = left->u != 0 || right->u != 0;
        break;
    case CHECK_LXOR:
        result.u = (left->u != 0) != (right->u != 0);
        break;
    case CHECK_BAND:
        result.u = left->u & right->u;
        break;
    case CHECK_BOR:
        result.u = left->u | right->u;
        break;
    case CHECK_BXOR:
        result.u = left->u ^ right->u;
        break;
    case CHECK_MAXLOC:
    case CHECK_MINLOC:
        return *choose_pair(op->kind == CHECK_MAXLOC, left, right);
    default:
        break;
    }
    result.u &= mask_of(type->size);
    result.i = sign_extend(result.u, type->size);
    return result;
}

struct check_number check_number_reduced(const struct check_type *type,
                                         const struct check_op *op, int size,
                                         size_t index)
{
    struct check_number sum = check_number_make(type, op, 0, index);
    for (int r = 1; r < size; r++) {
        struct check_number next = check_number_make(type, op, r, index);
        sum = check_number_combine(type, op, &sum, &next);
    }
    return sum;
}

static void store_real(long double value, size_t size, void *at)
{
    float narrow = (float)value;
    double middle = (double)value;
    if (size == sizeof narrow) {
        memcpy(at, &narrow, sizeof narrow);
    } else if (size == sizeof middle) {
        memcpy(at, &middle, sizeof middle);
    } else {
        memcpy(at, &value, sizeof value);
    }
}

static long double load_real(size_t size, const void *at)
{
    float narrow;
    double middle;
    long double wide;
    if (size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    if (size == sizeof middle) {
        memcpy(&middle, at, sizeof middle);
        return middle;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* Little end first, as all machines that this runs on have it. */
static void store_bits(uint64_t bits, size_t size, void *at)
{
    memcpy(at, &bits, size);
}

static uint64_t load_bits(size_t size, const void *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, size);
    return bits;
}

void check_number_store(const struct check_type *type, const struct check_number *number,
                        void *at)
{
    char *byte = at;
    switch (type->kind) {
    case CHECK_REAL:
        store_real(number->re, type->size, at);
        break;
    case CHECK_COMPLEX:
        store_real(number->re, type->size / 2, byte);
        store_real(number->im, type->size / 2, byte + type->size / 2);
        break;
    case CHECK_PAIR:
        if (type->real) {
            store_real(number->re, type->size, byte);
        } else {
            store_bits((uint64_t)number->i, type->size, byte);
        }
        if (type->real_index) {
            store_real(number->index, type->size, byte + type->index_at);
        } else {
            store_bits((uint64_t)number->index, sizeof(int), byte + type->index_at);
        }
        break;
    default:
        store_bits(number->u, type->size, at);
        break;
    }
}

struct check_number check_number_load(const struct check_type *type, const void *at)
{
    struct check_number number = {0};
    const char *byte = at;
    switch (type->kind) {
    case CHECK_REAL:
        number.re = load_real(type->size, at);
        break;
    case CHECK_COMPLEX:
        number.re = load_real(type->size / 2, byte);
        number.im = load_real(type->size / 2, byte + type->size / 2);
        break;
    case CHECK_PAIR:
        if (type->real) {
            number.re = load_real(type->size, byte);
        } else {
            number.i = sign_extend(load_bits(type->size, byte), type->size);
            number.re = (long double)number.i;
        }
        number.index = type->real_index
                           ? load_real(type->size, byte + type->index_at)
                           : (long double)load_bits(sizeof(int), byte + type->index_at);
        break;
    default:
        number.u = load_bits(type->size, at);
        number.i = sign_extend(number.u, type->size);
        break;
    }
    return number;
}

bool check_number_equal(const struct check_type *type, const struct check_number *a,
                        const struct check_number *b)
{
    switch (type->kind) {
    case CHECK_REAL:
    case CHECK_COMPLEX:
        return a->re == b->re && a->im == b->im;
    case CHECK_PAIR:
        return a->re == b->re && a->index == b->index;
    default:
        return a->u == b->u;
    }
}

void check_number_print(const struct check_type *type, const struct check_number *number,
                        char *text, size_t bytes)
{
    switch (type->kind) {
    case CHECK_SIGNED:
        snprintf(text, bytes, "%lld", (long long)number->i);
        break;
    case CHECK_REAL:
        snprintf(text, bytes, "%.20Lg", number->re);
        break;
    case CHECK_COMPLEX:
        snprintf(text, bytes, "%.20Lg%+.20Lgi", number->re, number->im);
        break;
    case CHECK_PAIR:
        snprintf(text, bytes, "(%.20Lg, %.0Lf)", number->re, number->index);
        break;
    default:
        snprintf(text, bytes, "0x%llx", (unsigned long long)number->u);
        break;
    }
}
