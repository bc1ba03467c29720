// SPDX-License-Identifier: BSD-3-Clause
/* Copies, through the caches and past them: every length and alignment, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/hccl_copy.h"

#define MAX_BYTES 20000
#define GUARD     0xa5

static unsigned char from[MAX_BYTES + 256], to[MAX_BYTES + 256];

static void check(hccl_copy_fn copy, size_t to_at, size_t from_at, size_t bytes)
{
    unsigned char *dst = to + 64 + to_at;
    memset(dst - 64, GUARD, bytes + 128);
    copy(dst, from + from_at, bytes);
    if (memcmp(dst, from + from_at, bytes) != 0) {
        fail_msg("wrong copy of %zu bytes from offset %zu to %zu", bytes, from_at, to_at);
    }
    for (int i = 0; i < 64; i++) {
        if (dst[-1 - i] != GUARD || dst[bytes + (size_t)i] != GUARD) {
            fail_msg("wrote outside %zu bytes at offset %zu", bytes, to_at);
        }
    }
}

static void check_all(hccl_copy_fn copy)
{
    static const size_t lengths[] = {1000, 1023, 1024, 1025, 1300, 4096, 4097, MAX_BYTES};
    for (size_t i = 0; i < sizeof(from); i++) {
        from[i] = (unsigned char)(i * 7 + i / 251);
    }
    for (size_t at = 0; at < 64; at++) {
        for (size_t bytes = 0; bytes < 700; bytes++) {
            check(copy, at, at * 5 % 64, bytes);
        }
        for (size_t n = 0; n < sizeof(lengths) / sizeof(*lengths); n++) {
            check(copy, at, at * 5 % 64, lengths[n]);
        }
    }
}

static void through_the_caches(void **state)
{
    (void)state;
    check_all(hccl_copy);
}

static void past_the_caches(void **state)
{
    (void)state;
    for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
        check_all(hccl_copy_stream_find(isa));
    }
    check_all(hccl_copy_stream);
    assert_null(hccl_copy_stream_find(HCCL_ISA_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_the_caches),
        cmocka_unit_test(past_the_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
