// SPDX-License-Identifier: BSD-3-Clause
#include "core_reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_real(enum hccl_type type)
{
    return type == HCCL_FLOAT || type == HCCL_DOUBLE;
}

static int is_complex(enum hccl_type type)
{
    return type == HCCL_FLOAT_COMPLEX || type == HCCL_DOUBLE_COMPLEX;
}

static int is_signed(enum hccl_type type)
{
    return type == HCCL_INT8 || type == HCCL_INT16 || type == HCCL_INT32 ||
           type == HCCL_INT64;
}

int reference_defined(enum hccl_op op, enum hccl_type type)
{
    switch (op) {
    case HCCL_SUM:
    case HCCL_PROD:
        return type != HCCL_BOOL;
    case HCCL_MIN:
    case HCCL_MAX:
        return type != HCCL_BOOL && !is_complex(type);
    case HCCL_LAND:
    case HCCL_LOR:
    case HCCL_LXOR:
        return !is_real(type) && !is_complex(type);
    default:
        return type != HCCL_BOOL && !is_real(type) && !is_complex(type);
    }
}

/* The integer at `p`, extended to 64 bits as its type asks. */
static uint64_t get_integer(enum hccl_type type, const void *p)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (hccl_type_size(type)) {
    case 1:
        memcpy(&u8, p, 1);
        return is_signed(type) ? (uint64_t)(int8_t)u8 : u8;
    case 2:
        memcpy(&u16, p, 2);
        return is_signed(type) ? (uint64_t)(int16_t)u16 : u16;
    case 4:
        memcpy(&u32, p, 4);
        return is_signed(type) ? (uint64_t)(int32_t)u32 : u32;
    default:
        memcpy(&u64, p, 8);
        return u64;
    }
}

static void put_integer(enum hccl_type type, void *p, uint64_t value)
{
    uint8_t u8 = (uint8_t)value;
    uint16_t u16 = (uint16_t)value;
    uint32_t u32 = (uint32_t)value;
    switch (hccl_type_size(type)) {
    case 1:
        memcpy(p, &u8, 1);
        break;
    case 2:
        memcpy(p, &u16, 2);
        break;
    case 4:
        memcpy(p, &u32, 4);
        break;
    default:
        memcpy(p, &value, 8);
        break;
    }
}

static uint64_t apply_integer(enum hccl_op op, int is_signed_type, uint64_t a, uint64_t b)
{
    int less = is_signed_type ? (int64_t)a < (int64_t)b : a < b;
    int more = is_signed_type ? (int64_t)a > (int64_t)b : a > b;
    switch (op) {
    case HCCL_SUM:
        return a + b;
    case HCCL_PROD:
        return a * b;
    case HCCL_MIN:
        return less ? a : b;
    case HCCL_MAX:
        return more ? a : b;
    case HCCL_LAND:
        return a && b;
    case HCCL_LOR:
        return a || b;
    case HCCL_LXOR:
        return !a != !b;
    case HCCL_BAND:
        return a & b;
    case HCCL_BOR:
        return a | b;
    default:
        return a ^ b;
    }
}

static float apply_float(enum hccl_op op, float a, float b)
{
    switch (op) {
    case HCCL_SUM:
        return a + b;
    case HCCL_PROD:
        return a * b;
    case HCCL_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static double apply_double(enum hccl_op op, double a, double b)
{
    switch (op) {
    case HCCL_SUM:
        return a + b;
    case HCCL_PROD:
        return a * b;
    case HCCL_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

/* volatile: neither a fused operation nor extra precision may slip in. */
static void apply_float_complex(enum hccl_op op, float *a, const float *b)
{
    if (op == HCCL_SUM) {
        a[0] += b[0];
        a[1] += b[1];
    } else {
        volatile float rr = a[0] * b[0], ii = a[1] * b[1];
        volatile float ri = a[0] * b[1], ir = a[1] * b[0];
        a[0] = rr - ii;
        a[1] = ri + ir;
    }
}

static void apply_double_complex(enum hccl_op op, double *a, const double *b)
{
    if (op == HCCL_SUM) {
        a[0] += b[0];
        a[1] += b[1];
    } else {
        volatile double rr = a[0] * b[0], ii = a[1] * b[1];
        volatile double ri = a[0] * b[1], ir = a[1] * b[0];
        a[0] = rr - ii;
        a[1] = ri + ir;
    }
}

static void apply(enum hccl_op op, enum hccl_type type, void *to, const void *from)
{
    float f[2], g[2];
    double d[2], e[2];
    size_t size = hccl_type_size(type);
    switch (type) {
    case HCCL_FLOAT:
    case HCCL_FLOAT_COMPLEX:
        memcpy(f, to, size);
        memcpy(g, from, size);
        if (type == HCCL_FLOAT) {
            f[0] = apply_float(op, f[0], g[0]);
        } else {
            apply_float_complex(op, f, g);
        }
        memcpy(to, f, size);
        break;
    case HCCL_DOUBLE:
    case HCCL_DOUBLE_COMPLEX:
        memcpy(d, to, size);
        memcpy(e, from, size);
        if (type == HCCL_DOUBLE) {
            d[0] = apply_double(op, d[0], e[0]);
        } else {
            apply_double_complex(op, d, e);
        }
        memcpy(to, d, size);
        break;
    default:
        put_integer(type, to,
                    apply_integer(op, is_signed(type), get_integer(type, to),
                                  get_integer(type, from)));
        break;
    }
}

void reference_reduce(enum hccl_op op, enum hccl_type type, void *dst,
                      const void *const *src, int sources, size_t count)
{
    size_t size = hccl_type_size(type);
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)dst + i * size, (const char *)src[0] + i * size, size);
        for (int k = 1; k < sources; k++) {
            apply(op, type, (char *)dst + i * size, (const char *)src[k] + i * size);
        }
    }
}

static int same_reals(const void *a, const void *b, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const void *p = (const char *)a + i * size;
        const void *q = (const char *)b + i * size;
        float f, g;
        double d, e;
        if (memcmp(p, q, size) == 0) {
            continue;
        }
        if (size == sizeof(float)) {
            memcpy(&f, p, size);
            memcpy(&g, q, size);
            d = f;
            e = g;
        } else {
            memcpy(&d, p, size);
            memcpy(&e, q, size);
        }
        if (!isnan(d) || !isnan(e)) {
            return 0;
        }
    }
    return 1;
}

int reference_same(enum hccl_op op, enum hccl_type type, const void *a, const void *b,
                   size_t count)
{
    size_t size = hccl_type_size(type);
    if (memcmp(a, b, count * size) == 0) {
        return 1;
    }
    if (op != HCCL_SUM && op != HCCL_PROD) {
        return 0;
    }
    if (is_real(type)) {
        return same_reals(a, b, size, count);
    }
    return is_complex(type) && same_reals(a, b, size / 2, 2 * count);
}

uint64_t reference_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double random_real(void)
{
    uint64_t bits = reference_random();
    double value = ((double)(bits >> 20) / 8796093022208.0 - 1.0) * 3.0;
    switch (bits % 64) {
    case 0:
        return 0.0;
    case 1:
        return -0.0;
    case 2:
        return (bits & 64) != 0 ? INFINITY : -INFINITY;
    case 3:
        return NAN;
    default:
        return value;
    }
}

void reference_fill(enum hccl_type type, void *array, size_t count)
{
    size_t size = hccl_type_size(type);
    size_t part = is_complex(type) ? size / 2 : size;
    for (size_t i = 0; i < count * size / part; i++) {
        char *p = (char *)array + i * part;
        if (is_real(type) || is_complex(type)) {
            double d = random_real();
            float f = (float)d;
            memcpy(p, part == sizeof(float) ? (const void *)&f : (const void *)&d, part);
        } else {
            uint64_t bits = reference_random();
            put_integer(type, p, bits % 4 == 0 ? 0 : bits * 3);
        }
    }
}

const char *reference_label(enum hccl_op op, enum hccl_type type, enum hccl_isa isa)
{
    static char text[64];
    snprintf(text, sizeof(text), "%s of %s, %s", hccl_op_name(op), hccl_type_name(type),
             hccl_isa_name(isa));
    return text;
}
