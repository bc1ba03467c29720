// SPDX-License-Identifier: BSD-3-Clause
/*
 * Reductions that write past the caches, and to a second place as well, against the
 * scalar reference: all operations and types, alignments, and the permitted overlaps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/hccl_reduce_stream.h"
#include "core_reference.h"

#define MAX_SOURCES 17
#define MAX_BYTES   (20 * 1024)
#define MARGIN      192
#define GUARD       0xa5

static unsigned char *inputs[MAX_SOURCES + 1]; /* the last keeps a copy of another */
static unsigned char *streamed, *cached, *expected;

static int setup(void **state)
{
    (void)state;
    for (int k = 0; k <= MAX_SOURCES; k++) {
        inputs[k] = aligned_alloc(64, MAX_BYTES + 2 * MARGIN);
    }
    streamed = aligned_alloc(64, MAX_BYTES + 2 * MARGIN);
    cached = aligned_alloc(64, MAX_BYTES + 2 * MARGIN);
    expected = aligned_alloc(64, MAX_BYTES + 2 * MARGIN);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int k = 0; k <= MAX_SOURCES; k++) {
        free(inputs[k]);
    }
    free(streamed);
    free(cached);
    free(expected);
    return 0;
}

static void prepare(enum hccl_op op, enum hccl_type type, const void **src, int sources,
                    size_t count)
{
    for (int k = 0; k < sources; k++) {
        unsigned char *at = inputs[k] + MARGIN / 2 + (size_t)k * 12 % 64;
        reference_fill(type, at, count);
        src[k] = at;
    }
    reference_reduce(op, type, expected, src, sources, count);
}

static void check_result(enum hccl_op op, enum hccl_type type, enum hccl_isa isa,
                         const unsigned char *got, size_t count, const char *which)
{
    size_t bytes = count * hccl_type_size(type);
    if (!reference_same(op, type, got, expected, count)) {
        fail_msg("%s: wrong %s, %zu elements", reference_label(op, type, isa), which,
                 count);
    }
    for (int i = 0; i < 64; i++) {
        if (got[-1 - i] != GUARD || got[bytes + (size_t)i] != GUARD) {
            fail_msg("%s: wrote outside %s, %zu elements", reference_label(op, type, isa),
                     which, count);
        }
    }
}

/* With and without the second place. */
static void check_call(enum hccl_op op, enum hccl_type type, const void *const *src,
                       int sources, size_t count, size_t base)
{
    size_t bytes = count * hccl_type_size(type);
    unsigned char *to = streamed + MARGIN / 2 + base;
    unsigned char *also = cached + MARGIN / 2 + base / 2;
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        memset(to - 64, GUARD, bytes + 128);
        memset(also - 64, GUARD, bytes + 128);
        hccl_reduce_stream(op, type, isa, to, NULL, src, sources, count);
        check_result(op, type, isa, to, count, "stream");
        memset(to - 64, GUARD, bytes + 128);
        hccl_reduce_stream(op, type, isa, to, also, src, sources, count);
        check_result(op, type, isa, to, count, "stream beside cached");
        check_result(op, type, isa, also, count, "cached");
    }
}

static void check_pair(enum hccl_op op, enum hccl_type type)
{
    static const size_t lengths[] = {0,    16,   48,   128,  144,  192,
                                     1040, 4096, 4224, 4288, 8192, MAX_BYTES};
    static const size_t bases[] = {0, 1, 4, 16, 24, 63};
    static const int sources[] = {1, 2, 4, 8, 9, MAX_SOURCES};
    size_t size = hccl_type_size(type);
    const void *src[MAX_SOURCES];
    for (size_t s = 0; s < sizeof(sources) / sizeof(*sources); s++) {
        prepare(op, type, src, sources[s], MAX_BYTES / size);
        for (size_t b = 0; b < sizeof(bases) / sizeof(*bases); b++) {
            for (size_t n = 0; n < sizeof(lengths) / sizeof(*lengths); n++) {
                check_call(op, type, src, sources[s], lengths[n] / size, bases[b]);
            }
        }
    }
}

static void every_pair(void **state)
{
    (void)state;
    for (enum hccl_op op = 0; op < HCCL_OP_COUNT; op++) {
        for (enum hccl_type type = 0; type < HCCL_TYPE_COUNT; type++) {
            if (reference_defined(op, type)) {
                check_pair(op, type);
            }
        }
    }
}

/* One of the results lies over source `over`, or begins `below` bytes before it. */
static void check_overlap(enum hccl_type type, int sources, int over, size_t below,
                          size_t count, int cached_is_over)
{
    const enum hccl_op op = HCCL_SUM;
    const void *src[MAX_SOURCES];
    size_t bytes = count * hccl_type_size(type);
    prepare(op, type, src, sources, count);
    unsigned char *source =
        inputs[over] + ((const unsigned char *)src[over] - inputs[over]);
    unsigned char *saved = inputs[MAX_SOURCES];
    memcpy(saved, source, bytes);
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        unsigned char *stream = cached_is_over ? streamed : source - below;
        unsigned char *also = cached_is_over ? source - below : cached;
        memcpy(source, saved, bytes);
        hccl_reduce_stream(op, type, isa, stream, also, src, sources, count);
        if (!reference_same(op, type, stream, expected, count) ||
            !reference_same(op, type, also, expected, count)) {
            fail_msg(
                "%s: wrong with source %d of %d %zu bytes above a result, %zu elements",
                reference_label(op, type, isa), over, sources, below, count);
        }
    }
}

static void result_over_a_source(void **state)
{
    (void)state;
    static const enum hccl_type types[] = {HCCL_UINT8, HCCL_FLOAT, HCCL_DOUBLE_COMPLEX};
    static const size_t lengths[] = {16, 200, 1000, 4112, 12000};
    static const size_t belows[] = {0, 0, 1, 4, 16, 24, 63, 64};
    static const int sources[] = {1, 2, 3, 8, 9, MAX_SOURCES};
    for (size_t t = 0; t < 3; t++) {
        for (size_t i = 0; i < 8 * 6 * 5; i++) {
            int number = sources[i % 6];
            size_t count = lengths[i % 5] / hccl_type_size(types[t]);
            for (int cached_is_over = 0; cached_is_over < 2; cached_is_over++) {
                check_overlap(types[t], number, (int)(i / 3) % number, belows[i / 30],
                              count, cached_is_over);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair),
        cmocka_unit_test(result_over_a_source),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
