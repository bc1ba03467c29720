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

/* The table of parameters: it is sound, its defaults are what it accepts, and values land
 * in their field and in no other. */

enum { FEW = 5 }; /* parameters that a user meets first: level 3 or below */

static const struct hccl_param *find(const char *name)
{
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    fail_msg("no parameter %s", name);
    return NULL;
}

static struct hccl_params defaults(void)
{
    struct hccl_params params;
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    memset(&params, 0xa5, sizeof params);
    for (size_t i = 0; i < count; i++) {
        if (!hccl_param_set(&params, &table[i], table[i].initial)) {
            fail_msg("%s does not accept its default, %s", table[i].name,
                     table[i].initial);
        }
    }
    return params;
}

static void defaults_as_documented(void **state)
{
    (void)state;
    struct hccl_params params = defaults();
    assert_true(params.enable);
    assert_int_equal(params.verbose, 0);
    assert_false(params.report);
    assert_int_equal(params.shm_max, 64 << 20);
    assert_int_equal(params.deterministic, HCCL_DETERMINISTIC_DEFAULT);
    assert_int_equal(params.setup_calls, 3);
    assert_true(params.sleep);
    assert_string_equal(params.backing_dir, "/dev/shm");
    /* above tuned (30) and han (35), below sync (50), which wraps whatever is chosen */
    assert_in_range(params.priority, 36, 49);
    assert_true(params.staging <= params.shm_max);
    assert_true(params.min_data_size <= params.staging);
    assert_non_null(strstr(params.companions, "libnbc"));
}

static bool is_word(const char *text)
{
    return *text != '\0' && strspn(text, "abcdefghijklmnopqrstuvwxyz_") == strlen(text);
}

static void table_is_sound(void **state)
{
    size_t count;
    size_t low = 0;
    const struct hccl_param *table = hccl_param_table(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct hccl_param *param = &table[i];
        assert_true(is_word(param->name));
        assert_in_range(param->level, 1, 9);
        low += param->level <= 3;
        assert_true(strlen(param->text) > 10);
        assert_true(param->offset < sizeof(struct hccl_params));
        assert_true(param->environment == NULL ||
                    strncmp(param->environment, "HCCL_", 5) == 0);
        assert_true(param->kind != HCCL_PARAM_CHOICE || param->choices[0] != NULL);
        assert_true(param->least <= param->most);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(param->name, table[j].name);
            assert_int_not_equal(param->offset, table[j].offset);
        }
    }
    assert_in_range(low, 1, FEW);
}

/* A field may change in one way only: by its own parameter. */
static void values_stay_in_their_field(void **state)
{
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        struct hccl_params low;
        struct hccl_params high;
        memset(&low, 0, sizeof low);
        memset(&high, 0xff, sizeof high);
        assert_true(hccl_param_set(&low, &table[i], table[i].initial));
        assert_true(hccl_param_set(&high, &table[i], table[i].initial));
        size_t width = table[i].kind == HCCL_PARAM_FLAG ? sizeof(bool) : sizeof(size_t);
        size_t end = table[i].offset + width;
        for (size_t at = 0; at < sizeof low; at++) {
            unsigned char a = ((unsigned char *)&low)[at];
            unsigned char b = ((unsigned char *)&high)[at];
            bool mine = at >= table[i].offset && at < end;
            if (mine ? a != b : a != 0 || b != 0xff) {
                fail_msg("%s writes byte %zu wrongly", table[i].name, at);
            }
        }
    }
}

static void refused_values_change_nothing(void **state)
{
    static const struct {
        const char *name;
        const char *text;
    } cases[] = {
        {"staging", "1Q"},        {"staging", ""},        {"staging", "1K"},
        {"staging", "2G"},        {"staging", "-1"},      {"shm_max", "63K"},
        {"min_data_size", "17M"}, {"setup_calls", "3K"},  {"setup_calls", "1000001"},
        {"setup_calls", "-1"},    {"priority", "101"},    {"priority", "high"},
        {"priority", ""},         {"verbose", "yes"},     {"enable", "2"},
        {"enable", ""},           {"report", "perhaps"},  {"deterministic", "strictly"},
        {"deterministic", ""},    {"deterministic", "1"}, {"backing_dir", ""},
        {"companions", ""},       {"spin_us", "1.5"},     {"sleep", "sometimes"},
    };
    (void)state;
    struct hccl_params before = defaults();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hccl_params params = before;
        if (hccl_param_set(&params, find(cases[i].name), cases[i].text)) {
            fail_msg("%s accepts \"%s\"", cases[i].name, cases[i].text);
        }
        assert_memory_equal(&params, &before, sizeof params);
    }
}

static void limits_are_inclusive(void **state)
{
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct hccl_param *param = &table[i];
        struct hccl_params params;
        char text[32];
        if (param->kind != HCCL_PARAM_SIZE && param->kind != HCCL_PARAM_NUMBER) {
            continue;
        }
        snprintf(text, sizeof text, "%zu", param->least);
        assert_true(hccl_param_set(&params, param, text));
        snprintf(text, sizeof text, "%zu", param->most);
        assert_true(hccl_param_set(&params, param, text));
        snprintf(text, sizeof text, "%zu", param->most + 1);
        assert_false(hccl_param_set(&params, param, text));
        if (param->least > 0) {
            snprintf(text, sizeof text, "%zu", param->least - 1);
            assert_false(hccl_param_set(&params, param, text));
        }
    }
}

static void choices_in_any_case(void **state)
{
    struct hccl_params params = defaults();
    const struct hccl_param *param = find("deterministic");
    (void)state;
    assert_true(hccl_param_set(&params, param, "STRICT"));
    assert_int_equal(params.deterministic, HCCL_DETERMINISTIC_STRICT);
    assert_true(hccl_param_set(&params, param, "default"));
    assert_int_equal(params.deterministic, HCCL_DETERMINISTIC_DEFAULT);
}

static void says_what_it_accepts(void **state)
{
    char words[256];
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        words[0] = '\0';
        hccl_param_accepts(&table[i], words, sizeof words);
        assert_in_range(strlen(words), 5, sizeof words - 2);
    }
    hccl_param_accepts(find("deterministic"), words, sizeof words);
    assert_string_equal(words, "default or strict");
    hccl_param_accepts(find("priority"), words, sizeof words);
    assert_non_null(strstr(words, "100"));
}

/* A short buffer cuts the words, and nothing beyond it is written. */
static void words_fit_their_buffer(void **state)
{
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    (void)state;
    for (size_t p = 0; p < count; p++) {
        for (size_t room = 1; room < 24; room++) {
            char words[32];
            memset(words, '#', sizeof words);
            hccl_param_accepts(&table[p], words, room);
            assert_non_null(memchr(words, '\0', room));
            for (size_t i = room; i < sizeof words; i++) {
                assert_int_equal(words[i], '#');
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_as_documented),
        cmocka_unit_test(table_is_sound),
        cmocka_unit_test(values_stay_in_their_field),
        cmocka_unit_test(refused_values_change_nothing),
        cmocka_unit_test(limits_are_inclusive),
        cmocka_unit_test(choices_in_any_case),
        cmocka_unit_test(says_what_it_accepts),
        cmocka_unit_test(words_fit_their_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
