// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/hccl_param.h"

/* Words and numbers as users write them: what is understood, and what is refused. */

enum { UNTOUCHED = 4711 };

struct size_case {
    const char *text;
    size_t bytes;
};

static void sizes_with_units(void **state)
{
    static const struct size_case cases[] = {
        {"0", 0},
        {"1", 1},
        {"4096", 4096},
        {" 7", 7},
        {"007", 7},
        {"8b", 8},
        {"8B", 8},
        {"16k", 16384},
        {"16K", 16384},
        {"16kB", 16384},
        {"16KiB", 16384},
        {"16kib", 16384},
        {"3m", 3145728},
        {"3MB", 3145728},
        {"3MiB", 3145728},
        {"2g", 2147483648},
        {"2GB", 2147483648},
        {"2GiB", 2147483648},
        {"5G", 5368709120},
        {"18446744073709551615", SIZE_MAX},
        {"17179869183G", SIZE_MAX - 1073741823},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t bytes = UNTOUCHED;
        if (!hccl_param_parse_size(cases[i].text, &bytes) || bytes != cases[i].bytes) {
            fail_msg("\"%s\" is %zu bytes, not %zu", cases[i].text, cases[i].bytes,
                     bytes);
        }
    }
}

static void malformed_sizes(void **state)
{
    static const char *const cases[] = {
        "",     " ",   "k",     "-1",    "-1K",   "+1",        "1.5M",
        "0x10", "1 K", "1K ",   "1KK",   "1Ki",   "1KiBB",     "1T",
        "1e6",  "K1",  "1,000", "one",   "1b1",   "1bb",       "12\n",
        "1/2",  "NaN", "inf",   "1_000", "1 000", "1\xc2\xb5", "1 ",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t bytes = UNTOUCHED;
        if (hccl_param_parse_size(cases[i], &bytes) || bytes != UNTOUCHED) {
            fail_msg("\"%s\" is taken for a size of %zu bytes", cases[i], bytes);
        }
    }
}

static void sizes_too_large(void **state)
{
    static const char *const cases[] = {
        "18446744073709551616", "99999999999999999999999999",
        "18014398509481984K",   "17592186044416M",
        "17179869184G",         "18446744073709551615K",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t bytes = UNTOUCHED;
        if (hccl_param_parse_size(cases[i], &bytes) || bytes != UNTOUCHED) {
            fail_msg("\"%s\" overflows to %zu bytes", cases[i], bytes);
        }
    }
}

static void flags(void **state)
{
    static const char *const yes[] = {"1", "yes", "YES", "true", "True", "on", "enabled"};
    static const char *const no[] = {"0",     "no",  "No",      "false",
                                     "FALSE", "off", "disabled"};
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        bool flag = false;
        assert_true(hccl_param_parse_flag(yes[i], &flag));
        assert_true(flag);
        assert_true(hccl_param_parse_flag(no[i], &flag));
        assert_false(flag);
    }
}

static void malformed_flags(void **state)
{
    static const char *const cases[] = {"",     " ",  "2",  "-1",    "yess",     "no ",
                                        " yes", "10", "01", "maybe", "truefalse"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool flag = true;
        assert_false(hccl_param_parse_flag(cases[i], &flag));
        assert_true(flag);
        flag = false;
        assert_false(hccl_param_parse_flag(cases[i], &flag));
        assert_false(flag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_with_units), cmocka_unit_test(malformed_sizes),
        cmocka_unit_test(sizes_too_large),  cmocka_unit_test(flags),
        cmocka_unit_test(malformed_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
