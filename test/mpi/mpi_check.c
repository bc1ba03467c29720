// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "mpi_check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SHOWN = 4, /* failures that one rank prints */
    KNOWN_SHOWN = 1,
    NOTE_BYTES = 512,
    TAG = 31999, /* of the exchanges of this file */
    ALIGN = 64,
};

int check_rank;
int check_size;
static bool is_full;

static atomic_long checks;
static atomic_long failures;
static atomic_long known;
static _Thread_local char note[NOTE_BYTES] = "starting";
static char *main_note; /* of the thread that called check_init */
static const char *program = "?";

/* Only what a signal handler may do. */
static void on_alarm(int number)
{
    static const char head[] = "TIME IS UP in: ";
    char line[NOTE_BYTES + 64];
    (void)number;
    size_t length = 0;
    for (const char *c = program; *c != '\0' && length < 40; c++) {
        line[length++] = *c;
    }
    line[length++] = ' ';
    line[length++] = (char)('0' + check_rank / 10 % 10);
    line[length++] = (char)('0' + check_rank % 10);
    line[length++] = ' ';
    memcpy(line + length, head, sizeof head - 1);
    length += sizeof head - 1;
    size_t text = strnlen(main_note, NOTE_BYTES);
    memcpy(line + length, main_note, text);
    length += text;
    line[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written;
    _exit(124);
}

int check_init(int *argc, char ***argv, int threads)
{
    int provided = MPI_THREAD_SINGLE;
    main_note = note;
    const char *slash = strrchr((*argv)[0], '/');
    program = slash != NULL ? slash + 1 : (*argv)[0];
    const char *level = getenv("HCCL_TEST_LEVEL");
    is_full = level != NULL && strcmp(level, "full") == 0;
    const char *seconds = getenv("HCCL_TEST_SECONDS");
    if (seconds != NULL && atoi(seconds) > 0) {
        signal(SIGALRM, on_alarm);
        alarm((unsigned)atoi(seconds));
    }
    check_note("MPI_Init");
    MPI_Init_thread(argc, argv, threads, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &check_size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    return provided;
}

/* Sums over all ranks, at rank 0; then from rank 0 to all. */
static void add_up(long *values, int count)
{
    for (int r = 1; r < check_size; r++) {
        long theirs[8];
        if (check_rank == 0) {
            MPI_Recv(theirs, count, MPI_LONG, r, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < count; i++) {
                values[i] += theirs[i];
            }
        } else if (check_rank == r) {
            MPI_Send(values, count, MPI_LONG, 0, TAG, MPI_COMM_WORLD);
        }
    }
    for (int r = 1; r < check_size; r++) {
        if (check_rank == 0) {
            MPI_Send(values, count, MPI_LONG, r, TAG, MPI_COMM_WORLD);
        } else if (check_rank == r) {
            MPI_Recv(values, count, MPI_LONG, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

int check_finish(void)
{
    long sums[3] = {atomic_load(&checks), atomic_load(&failures), atomic_load(&known)};
    check_note("adding up the failures");
    add_up(sums, 3);
    if (check_rank == 0) {
        printf("%s: %ld checks, %ld failed", program, sums[0], sums[1]);
        if (sums[2] > 0) {
            printf(", %ld known defects of the stock library", sums[2]);
        }
        printf(" (%d ranks)\n", check_size);
        fflush(stdout);
    }
    check_note("MPI_Finalize");
    MPI_Finalize();
    return sums[1] == 0 ? 0 : 1;
}

void check_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
}

static void tell(const char *kind, long most, long number, const char *format,
                 va_list arguments)
{
    if (number >= most) {
        if (number == most) {
            fprintf(stderr, "%s: rank %d: %s: further ones are not shown\n", program,
                    check_rank, kind);
        }
        return;
    }
    char text[NOTE_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%s: rank %d of %d: %s: %s: %s\n", program, check_rank, check_size,
            kind, note, text);
}

bool check_true(bool good, const char *format, ...)
{
    atomic_fetch_add_explicit(&checks, 1, memory_order_relaxed);
    if (!good) {
        va_list arguments;
        va_start(arguments, format);
        tell("FAILED", SHOWN, atomic_fetch_add(&failures, 1), format, arguments);
        va_end(arguments);
    }
    return good;
}

bool check_is_stock(void)
{
    const char *stock = getenv("HCCL_TEST_STOCK");
    return stock != NULL && strcmp(stock, "1") == 0;
}

bool check_true_unless_stock(bool good, const char *format, ...)
{
    atomic_fetch_add_explicit(&checks, 1, memory_order_relaxed);
    if (!good) {
        bool forgiven = check_is_stock();
        va_list arguments;
        va_start(arguments, format);
        tell(forgiven ? "known" : "FAILED", forgiven ? KNOWN_SHOWN : SHOWN,
             atomic_fetch_add(forgiven ? &known : &failures, 1), format, arguments);
        va_end(arguments);
    }
    return good;
}

bool check_ok(int rc, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (rc != MPI_SUCCESS) {
        MPI_Error_string(rc, text, &length);
    }
    return check_true(rc == MPI_SUCCESS, "%s returned %d: %s", call, rc, text);
}

void check_skip(const char *format, ...)
{
    if (check_rank != 0) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    printf("%s: SKIPPED: ", program);
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
    va_end(arguments);
}

bool check_is_full(void)
{
    return is_full;
}

long check_scaled(long full)
{
    long tenth = full / 10 > 0 ? full / 10 : 1;
    return is_full ? full : tenth;
}

bool check_too_few(int ranks)
{
    if (check_size >= ranks) {
        return false;
    }
    check_skip("needs at least %d ranks, there are %d", ranks, check_size);
    MPI_Finalize();
    return true;
}

uint64_t check_mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xC2B2AE3D27D4EB4Fu + c + 1;
    x ^= x >> 31;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

double check_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void check_sleep(unsigned us)
{
    struct timespec pause = {.tv_sec = us / 1000000, .tv_nsec = (us % 1000000) * 1000L};
    nanosleep(&pause, NULL);
}

uint32_t check_random_below(struct check_random *random, uint32_t bound)
{
    uint64_t drawn = check_mix(random->seed, ++random->drawn, 77);
    return (uint32_t)((drawn >> 32) * bound >> 32);
}

unsigned char check_poison(const struct check_buffer *buffer, ptrdiff_t at)
{
    return (unsigned char)(buffer->seed + (uint64_t)at * 7);
}

void check_buffer_arm(struct check_buffer *buffer, size_t bytes, size_t shift)
{
    size_t room = bytes + shift + 2 * CHECK_GUARD + ALIGN;
    room = (room + ALIGN - 1) / ALIGN * ALIGN;
    if (room > buffer->room) {
        free(buffer->memory);
        buffer->memory = aligned_alloc(ALIGN, room);
        buffer->room = room;
        if (buffer->memory == NULL) {
            fprintf(stderr, "%s: no memory for %zu bytes\n", program, room);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    buffer->data = buffer->memory + CHECK_GUARD + shift;
    buffer->bytes = bytes;
    buffer->seed = check_mix((uint64_t)check_rank, buffer->seed, shift);
    ptrdiff_t end = (ptrdiff_t)bytes + CHECK_GUARD;
    for (ptrdiff_t i = -CHECK_GUARD; i < end; i++) {
        buffer->data[i] = check_poison(buffer, i);
    }
}

static bool is_poison(const struct check_buffer *buffer, ptrdiff_t from, ptrdiff_t to,
                      const char *name)
{
    for (ptrdiff_t i = from; i < to; i++) {
        if (buffer->data[i] != check_poison(buffer, i)) {
            return check_true(false, "%s: stray write at byte %td of %zu", name, i,
                              buffer->bytes);
        }
    }
    return true;
}

bool check_buffer_guards(const struct check_buffer *buffer, const char *name)
{
    ptrdiff_t end = (ptrdiff_t)buffer->bytes;
    check_true(true, "%s", name);
    return is_poison(buffer, -CHECK_GUARD, 0, name) &&
           is_poison(buffer, end, end + CHECK_GUARD, name);
}

bool check_buffer_untouched(const struct check_buffer *buffer, size_t from, size_t to,
                            const char *name)
{
    return is_poison(buffer, (ptrdiff_t)from, (ptrdiff_t)to, name);
}

void check_buffer_free(struct check_buffer *buffer)
{
    free(buffer->memory);
    *buffer = (struct check_buffer){0};
}

uint64_t check_hash(const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    }
    return hash;
}

bool check_same_everywhere(MPI_Comm comm, uint64_t value, const char *name)
{
    int rank;
    int size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank != 0) {
        MPI_Send(&value, 1, MPI_UINT64_T, 0, TAG, comm);
        return true;
    }
    bool same = true;
    for (int r = 1; r < size; r++) {
        uint64_t theirs;
        MPI_Recv(&theirs, 1, MPI_UINT64_T, r, TAG, comm, MPI_STATUS_IGNORE);
        same = check_true(theirs == value, "%s differs between rank 0 and rank %d", name,
                          r) &&
               same;
    }
    return same;
}

double check_extreme(double value, bool largest)
{
    for (int r = 1; r < check_size; r++) {
        double theirs;
        if (check_rank == 0) {
            MPI_Recv(&theirs, 1, MPI_DOUBLE, r, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            value = (theirs > value) == largest ? theirs : value;
        } else if (check_rank == r) {
            MPI_Send(&value, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
        }
    }
    for (int r = 1; r < check_size; r++) {
        if (check_rank == 0) {
            MPI_Send(&value, 1, MPI_DOUBLE, r, TAG, MPI_COMM_WORLD);
        } else if (check_rank == r) {
            MPI_Recv(&value, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return value;
}
