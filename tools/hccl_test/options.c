// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"
#include "options_table.h"
#include "ops.h"
#include "types.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static enum hccl_parsed bad(struct hccl_options *o,
                                                                  const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(o->error, sizeof(o->error), format, args);
    va_end(args);
    return HCCL_PARSED_BAD;
}

// Compares the first `length` characters of `text` with a name; '-' and '_' are the same.
static bool same_name(const char *text, size_t length, const char *name)
{
    if (strlen(name) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[i] == '-' ? '_' : text[i];
        if (c != name[i]) {
            return false;
        }
    }
    return true;
}

static const struct hccl_option *find_letter(char letter)
{
    for (int i = 0; i < hccl_option_count(); i++) {
        if (letter != '\0' && hccl_option_get(i)->letter == letter) {
            return hccl_option_get(i);
        }
    }
    return NULL;
}

// Finds "--name"; "--b" stands for "-b".
static const struct hccl_option *find_name(const char *text, size_t length)
{
    for (int i = 0; i < hccl_option_count(); i++) {
        if (same_name(text, length, hccl_option_get(i)->name)) {
            return hccl_option_get(i);
        }
    }
    return length == 1 ? find_letter(text[0]) : NULL;
}

// Takes the option at argv[*at] with its argument, which may be the next word; moves *at.
static enum hccl_parsed take_option(struct hccl_options *o, int argc, char **argv,
                                    int *at)
{
    const char *word = argv[*at];
    bool is_long = word[1] == '-';
    size_t flag = is_long ? strcspn(word, "=") : 2;
    const struct hccl_option *entry =
        is_long ? find_name(word + 2, flag - 2) : find_letter(word[1]);
    const char *value = word[flag] == '\0' ? NULL : word + flag + (is_long ? 1 : 0);

    if (entry == NULL) {
        return bad(o, "unknown option %.100s; --help lists them", word);
    }
    if (entry->value == NULL && value != NULL) {
        return bad(o, "%.*s takes no value, got \"%.100s\"", (int)flag, word, value);
    }
    if (entry->value != NULL && value == NULL) {
        *at += 1;
        if (*at >= argc) {
            return bad(o, "%.*s needs a value: %s", (int)flag, word, entry->accepted);
        }
        value = argv[*at];
    }
    if (entry->take(o, value) != 0) {
        return bad(o, "%.*s \"%.100s\" is not accepted; it takes %s", (int)flag, word,
                   value, entry->accepted);
    }
    return HCCL_PARSED_RUN;
}

static void set_defaults(struct hccl_options *o)
{
    memset(o, 0, sizeof(*o));
    o->factor = 2;
    o->cycles = -1;
    o->warmup = -1;
    o->blocks = 20;
    o->seconds = 0.4;
    o->check = 1;
    o->align = 16;
    o->probe = true;
    o->dirt_from = 64 << 10;
}

// Fills in what was left open and refuses what makes no sense together.
static enum hccl_parsed settle(struct hccl_options *o)
{
    if (o->ops == 0) {
        o->op[0] = hccl_op_find("allreduce");
        o->ops = 1;
    }
    if (o->min_bytes == 0) {
        o->min_bytes = 4;
    }
    if (o->max_bytes == 0) {
        o->max_bytes = o->min_bytes > 64 << 20 ? o->min_bytes : 64 << 20;
    }
    if (o->min_bytes > o->max_bytes) {
        return bad(o, "-b %llu is larger than -e %llu", (unsigned long long)o->min_bytes,
                   (unsigned long long)o->max_bytes);
    }
    bool stuck = o->by_step && o->step_bytes == 0;
    if (o->cycles < 0) {
        o->cycles = stuck ? 0 : 1;
    }
    if (o->cycles == 0 &&
        (o->format == HCCL_FORMAT_JSON || o->output[0] != '\0' || o->plot[0] != '\0')) {
        return bad(o,
                   "a run without end (-i 0, --cycles 0) can't write json, --output or "
                   "--plot; give --cycles a number");
    }
    if (o->compare && o->choice != HCCL_CHOICE_DEFAULT) {
        return bad(o, "--compare uses both communicators; leave --comm out");
    }
    return HCCL_PARSED_RUN;
}

enum hccl_parsed hccl_options_parse(struct hccl_options *options, int argc, char **argv)
{
    set_defaults(options);
    int own = argc > 0 ? hccl_op_of_program(argv[0]) : -1;
    for (int at = 1; at < argc; at++) {
        const char *word = argv[at];
        if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            return HCCL_PARSED_HELP;
        }
        if (strcmp(word, "-V") == 0 || strcmp(word, "--version") == 0) {
            return HCCL_PARSED_VERSION;
        }
        if (word[0] == '-' && word[1] != '\0') {
            if (take_option(options, argc, argv, &at) == HCCL_PARSED_BAD) {
                return HCCL_PARSED_BAD;
            }
        } else if (hccl_option_take_collectives(options, word) != 0) {
            return bad(options, "\"%.100s\" is no collective; they are %s", word,
                       hccl_option_collectives());
        }
    }
    if (options->ops == 0 && own >= 0) {
        options->op[0] = own;
        options->ops = 1;
    }
    return settle(options);
}

void hccl_options_usage(FILE *to, const char *program)
{
    fprintf(to,
            "Measures collective operations of MPI, and checks their results.\n\n"
            "  mpirun -n 2 %s [COLLECTIVE...] [options]\n\n",
            program);
    for (int i = 0; i < hccl_option_count(); i++) {
        const struct hccl_option *e = hccl_option_get(i);
        char flag[64];
        int used = e->letter != '\0' ? snprintf(flag, sizeof(flag), "-%c, ", e->letter)
                                     : snprintf(flag, sizeof(flag), "    ");
        snprintf(flag + used, sizeof(flag) - (size_t)used, "--%s %s", e->name,
                 e->value != NULL ? e->value : "");
        fprintf(to, "  %-28s %s\n", flag, e->doc);
    }
    fprintf(to, "  %-28s this text\n  %-28s the version\n\n", "-h, --help",
            "-V, --version");
    fprintf(
        to,
        "Collectives: %s\nTypes: %s\nReductions: sum prod max min\n\n"
        "Exit status: 0 well, 1 wrong results, 2 bad options, 3 a file not written.\n",
        hccl_option_collectives(), hccl_dtype_names());
}

uint64_t hccl_options_next_size(const struct hccl_options *options, uint64_t bytes)
{
    if (bytes == 0) {
        return options->min_bytes;
    }
    if (options->by_step && options->step_bytes == 0) {
        return 0;
    }
    if (options->by_step) {
        return bytes + options->step_bytes > options->max_bytes
                   ? 0
                   : bytes + options->step_bytes;
    }
    // divided rather than multiplied, so that nothing overflows
    uint64_t factor = (uint64_t)options->factor;
    return bytes > options->max_bytes / factor ? 0 : bytes * factor;
}

bool hccl_options_is_dirty(const struct hccl_options *options, uint64_t bytes)
{
    switch (options->dirt) {
    case HCCL_DIRT_ALWAYS:
        return true;
    case HCCL_DIRT_NEVER:
        return false;
    default:
        return bytes >= options->dirt_from;
    }
}
