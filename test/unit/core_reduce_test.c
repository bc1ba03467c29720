// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reduction kernels of every instruction set that this processor has, against the
 * scalar reference: all operations, types, numbers of sources, lengths and alignments,
 * and the permitted overlaps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_reference.h"

#define MAX_SOURCES 40
#define MAX_BYTES   (20 * 1024)
#define MARGIN      192 /* room for misalignment, and a guard on either side */
#define GUARD       0xa5

static unsigned char *inputs[MAX_SOURCES];
static unsigned char *output, *expected;

/* What a test does with one operation on one type. */
typedef void (*check_fn)(enum hccl_op op, enum hccl_type type);

static int setup(void **state)
{
    (void)state;
    for (int k = 0; k < MAX_SOURCES; k++) {
        inputs[k] = aligned_alloc(64, MAX_BYTES + 2 * MARGIN);
    }
    output = aligned_alloc(64, MAX_BYTES + 2 * MARGIN);
    expected = aligned_alloc(64, MAX_BYTES + 2 * MARGIN);
    printf("kernels up to %s on this processor\n", hccl_isa_name(hccl_isa_detect()));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int k = 0; k < MAX_SOURCES; k++) {
        free(inputs[k]);
    }
    free(output);
    free(expected);
    return 0;
}

static void for_all_pairs(check_fn check)
{
    for (int op = 0; op < HCCL_OP_COUNT; op++) {
        for (int type = 0; type < HCCL_TYPE_COUNT; type++) {
            if (reference_defined((enum hccl_op)op, (enum hccl_type)type)) {
                check((enum hccl_op)op, (enum hccl_type)type);
            }
        }
    }
}

/* Offsets within a cache line: different for each source, `base` for the result. */
static size_t shift(int k, size_t base)
{
    return base == 0 ? 0 : (base + (size_t)k * base) % 64;
}

/* Fills the sources, points src[] at them, and computes what is expected. */
static void prepare(enum hccl_op op, enum hccl_type type, const void **src, int sources,
                    size_t count, size_t base)
{
    for (int k = 0; k < sources; k++) {
        unsigned char *at = inputs[k] + MARGIN / 2 + shift(k, base);
        reference_fill(type, at, count);
        src[k] = at;
    }
    reference_reduce(op, type, expected, src, sources, count);
}

static void check_guards(const unsigned char *dst, size_t bytes, const char *label)
{
    for (int i = 0; i < 64; i++) {
        if (dst[-1 - i] != GUARD || dst[bytes + (size_t)i] != GUARD) {
            fail_msg("%s: wrote outside its %zu bytes", label, bytes);
        }
    }
}

/* The result of each instruction set's kernel, and the bytes around it. */
static void check_call(enum hccl_op op, enum hccl_type type, const void *const *src,
                       int sources, size_t count, size_t base)
{
    size_t size = hccl_type_size(type);
    unsigned char *dst = output + MARGIN / 2 + base;
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        memset(dst - 64, GUARD, count * size + 128);
        hccl_reduce_many(hccl_reduce_find(op, type, isa), size, dst, src, sources, count);
        if (!reference_same(op, type, dst, expected, count)) {
            fail_msg("%s: wrong with %d sources, %zu elements, offset %zu",
                     reference_label(op, type, isa), sources, count, base);
        }
        check_guards(dst, count * size, reference_label(op, type, isa));
    }
}

/* Each result depends on its own element alone, so one reference serves all lengths. */
static void check_lengths(enum hccl_op op, enum hccl_type type)
{
    static const int sources[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 22, 23, MAX_SOURCES};
    const size_t bases[] = {0, 1, hccl_type_size(type)};
    const void *src[MAX_SOURCES];
    for (size_t s = 0; s < sizeof(sources) / sizeof(*sources); s++) {
        for (size_t b = 0; b < sizeof(bases) / sizeof(*bases); b++) {
            prepare(op, type, src, sources[s], 200, bases[b]);
            for (size_t count = 0; count <= 200; count++) {
                check_call(op, type, src, sources[s], count, bases[b]);
            }
        }
    }
}

static void check_long(enum hccl_op op, enum hccl_type type)
{
    static const size_t lengths[] = {4080, 4096, 4112, 4176,  4224,
                                     4400, 8192, 8432, 12304, MAX_BYTES};
    static const size_t bases[] = {0, 1, 4, 16, 24, 63};
    static const int sources[] = {1, 2, 3, 4, 8, 11};
    size_t size = hccl_type_size(type);
    const void *src[MAX_SOURCES];
    for (size_t b = 0; b < sizeof(bases) / sizeof(*bases); b++) {
        for (size_t s = 0; s < sizeof(sources) / sizeof(*sources); s++) {
            prepare(op, type, src, sources[s], MAX_BYTES / size, bases[b]);
            for (size_t n = 0; n < sizeof(lengths) / sizeof(*lengths); n++) {
                check_call(op, type, src, sources[s], lengths[n] / size, bases[b]);
            }
        }
    }
}

/* dst begins `below` bytes before source `over`; with 0 it is that source. */
static void check_overlap_of(enum hccl_op op, enum hccl_type type, int sources, int over,
                             size_t below, size_t count)
{
    size_t size = hccl_type_size(type);
    const void *src[MAX_SOURCES];
    prepare(op, type, src, sources, count, size);
    unsigned char *source = inputs[over] + MARGIN / 2 + shift(over, size);
    unsigned char *saved = inputs[MAX_SOURCES - 1];
    memcpy(saved, source, count * size);
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        unsigned char *dst = source - below;
        memcpy(source, saved, count * size);
        hccl_reduce_many(hccl_reduce_find(op, type, isa), size, dst, src, sources, count);
        if (!reference_same(op, type, dst, expected, count)) {
            fail_msg("%s: wrong with source %d of %d %zu bytes above, %zu elements",
                     reference_label(op, type, isa), over, sources, below, count);
        }
    }
}

static void check_overlap(enum hccl_op op, enum hccl_type type)
{
    static const size_t lengths[] = {1, 16, 144, 1000, 4096, 4200, 12000};
    static const size_t belows[] = {0, 1, 2, 4, 8, 16, 24, 63, 64};
    static const int numbers[] = {1, 2, 3, 8, 9, 17};
    size_t size = hccl_type_size(type);
    for (size_t s = 0; s < sizeof(numbers) / sizeof(*numbers); s++) {
        for (size_t n = 0; n < sizeof(lengths) / sizeof(*lengths); n++) {
            /* A different source each time; any residue meets any length. */
            size_t b = (s + n) % (sizeof(belows) / sizeof(*belows));
            int over = (int)(n % (size_t)numbers[s]);
            size_t count = (lengths[n] + size - 1) / size;
            check_overlap_of(op, type, numbers[s], over, 0, count);
            check_overlap_of(op, type, numbers[s], over, belows[b], count);
        }
    }
}

static void every_length_and_alignment(void **state)
{
    (void)state;
    for_all_pairs(check_lengths);
}

static void long_arrays(void **state)
{
    (void)state;
    for_all_pairs(check_long);
}

static void result_over_a_source(void **state)
{
    (void)state;
    for_all_pairs(check_overlap);
}

static void defined_as_mpi_says(void **state)
{
    (void)state;
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        int defined = 0;
        for (int op = 0; op < HCCL_OP_COUNT; op++) {
            for (int type = 0; type < HCCL_TYPE_COUNT; type++) {
                hccl_reduce_fn kernel =
                    hccl_reduce_find((enum hccl_op)op, (enum hccl_type)type, isa);
                assert_int_equal(kernel != NULL, reference_defined((enum hccl_op)op,
                                                                   (enum hccl_type)type));
                defined += kernel != NULL;
            }
        }
        assert_int_equal(defined, 8 * 10 + 2 * 4 + 2 * 2 + 3);
    }
}

static void out_of_range(void **state)
{
    (void)state;
    assert_null(hccl_reduce_find(HCCL_OP_COUNT, HCCL_INT8, HCCL_ISA_PORTABLE));
    assert_null(hccl_reduce_find(HCCL_SUM, HCCL_TYPE_COUNT, HCCL_ISA_PORTABLE));
    assert_null(hccl_reduce_find(HCCL_SUM, HCCL_INT8, HCCL_ISA_COUNT));
    assert_int_equal(hccl_type_size(HCCL_TYPE_COUNT), 0);
    assert_string_equal(hccl_type_name(HCCL_TYPE_COUNT), "unknown");
    assert_string_equal(hccl_op_name(HCCL_OP_COUNT), "unknown");
    assert_string_equal(hccl_isa_name(HCCL_ISA_COUNT), "unknown");
}

/* Two elements with known answers, so that a mistake shared with the reference shows. */
static void check_known(enum hccl_op op, enum hccl_type type, const void *a,
                        const void *b, const void *want)
{
    const void *src[2] = {a, b};
    size_t size = hccl_type_size(type);
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        unsigned char got[16];
        hccl_reduce_find(op, type, isa)(got, src, 2, 1);
        if (memcmp(got, want, size) != 0) {
            fail_msg("%s: wrong", reference_label(op, type, isa));
        }
    }
}

static void known_integers(void **state)
{
    (void)state;
    const uint64_t top = UINT64_C(1) << 63, one = 1, zero = 0;
    check_known(HCCL_MAX, HCCL_UINT64, &one, &top, &top);
    check_known(HCCL_MIN, HCCL_UINT64, &one, &top, &one);
    check_known(HCCL_MAX, HCCL_INT64, &one, &top, &one);
    check_known(HCCL_MIN, HCCL_INT64, &one, &top, &top);
    check_known(HCCL_SUM, HCCL_UINT64, &top, &top, &zero);
    check_known(HCCL_LXOR, HCCL_UINT64, &top, &one, &zero);
    check_known(HCCL_LAND, HCCL_INT64, &top, &one, &one);
    check_known(HCCL_BAND, HCCL_INT64, &top, &one, &zero);
    const uint16_t big = 65535, product = 1;
    check_known(HCCL_PROD, HCCL_UINT16, &big, &big, &product);
    check_known(HCCL_PROD, HCCL_INT16, &big, &big, &product);
    const int8_t minus = -128, fewer = -1, wrapped = 127;
    check_known(HCCL_SUM, HCCL_INT8, &minus, &fewer, &wrapped);
    const uint8_t two = 2, four = 4, yes = 1, no = 0;
    check_known(HCCL_LAND, HCCL_BOOL, &two, &four, &yes);
    check_known(HCCL_LOR, HCCL_BOOL, &no, &four, &yes);
    check_known(HCCL_LXOR, HCCL_BOOL, &two, &four, &no);
}

static void known_reals(void **state)
{
    (void)state;
    const float nan = NAN, one = 1, zero = 0, minus_zero = -0.0f;
    check_known(HCCL_MIN, HCCL_FLOAT, &nan, &one, &one);
    check_known(HCCL_MIN, HCCL_FLOAT, &one, &nan, &nan);
    check_known(HCCL_MAX, HCCL_FLOAT, &nan, &one, &one);
    check_known(HCCL_MAX, HCCL_FLOAT, &one, &nan, &nan);
    check_known(HCCL_MIN, HCCL_FLOAT, &minus_zero, &zero, &zero);
    check_known(HCCL_MAX, HCCL_FLOAT, &zero, &minus_zero, &minus_zero);
    const float a[2] = {1, 2}, b[2] = {3, -5}, ab[2] = {13, 1}, sum[2] = {4, -3};
    check_known(HCCL_PROD, HCCL_FLOAT_COMPLEX, a, b, ab);
    check_known(HCCL_SUM, HCCL_FLOAT_COMPLEX, a, b, sum);
    const double c[2] = {1, 2}, d[2] = {3, -5}, cd[2] = {13, 1}, dsum[2] = {4, -3};
    check_known(HCCL_PROD, HCCL_DOUBLE_COMPLEX, c, d, cd);
    check_known(HCCL_SUM, HCCL_DOUBLE_COMPLEX, c, d, dsum);
}

/* 1e8 + 1 loses the 1 in single precision: the order of operands shows in the bits. */
static void folds_from_the_left(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static float values[17][COUNT], got[COUNT];
    const void *src[17];
    for (int k = 0; k < 17; k++) {
        for (int i = 0; i < COUNT; i++) {
            values[k][i] = k == 0 ? 1e8f : k == 16 ? -1e8f : 1.0f;
        }
        src[k] = values[k];
    }
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        hccl_reduce_many(hccl_reduce_find(HCCL_SUM, HCCL_FLOAT, isa), sizeof(float), got,
                         src, 17, COUNT);
        for (int i = 0; i < COUNT; i++) {
            assert_true(got[i] == 0.0f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defined_as_mpi_says),
        cmocka_unit_test(out_of_range),
        cmocka_unit_test(known_integers),
        cmocka_unit_test(known_reals),
        cmocka_unit_test(folds_from_the_left),
        cmocka_unit_test(every_length_and_alignment),
        cmocka_unit_test(long_arrays),
        cmocka_unit_test(result_over_a_source),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
