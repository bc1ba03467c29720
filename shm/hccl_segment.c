// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "hccl_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_TRIES = 16, /* random names collide only when somebody squats on them */
};

size_t hccl_segment_round(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

const char *hccl_segment_reason(enum hccl_segment_error error)
{
    switch (error) {
    case HCCL_SEGMENT_OK:
        return "no error";
    case HCCL_SEGMENT_NO_FILE:
        return "the file can't be created or opened";
    case HCCL_SEGMENT_NO_SPACE:
        return "the file system is full";
    case HCCL_SEGMENT_NO_MAP:
        return "the file can't be mapped";
    case HCCL_SEGMENT_STRANGER:
        return "the file found is not the one that was made";
    case HCCL_SEGMENT_NO_QUOTA:
        return "the limit of shared memory per node is reached";
    }
    return "unknown error";
}

/* Written by the creator before it tells anybody the name, read by those who attach. */
static uint64_t *token_of(struct hccl_segment *segment)
{
    return (uint64_t *)(void *)(segment->base + HCCL_SEGMENT_TOKEN_AT);
}

static uint64_t random_word(void)
{
    uint64_t word = 0;
    while (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word) {
    }
    return word;
}

static int allocate_blocks(int fd, size_t offset, size_t length)
{
    int rc = EINTR;
    while (rc == EINTR) {
        rc = posix_fallocate(fd, (off_t)offset, (off_t)length);
    }
    return rc;
}

static enum hccl_segment_error map_file(struct hccl_segment *segment, size_t bytes)
{
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, segment->fd, 0);
    if (base == MAP_FAILED) {
        return HCCL_SEGMENT_NO_MAP;
    }
    segment->base = base;
    segment->bytes = bytes;
    return HCCL_SEGMENT_OK;
}

/* Give up a half-made segment; errno survives, it is the cause that the user will read.
 */
static enum hccl_segment_error give_up(struct hccl_segment *segment,
                                       enum hccl_segment_error error)
{
    int cause = errno;
    hccl_segment_detach(segment);
    errno = cause;
    return error;
}

/* The kernel frees the file with its last descriptor and mapping. */
static int open_nameless(struct hccl_segment *segment, const char *dir)
{
    int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        snprintf(segment->name, sizeof segment->name, "/proc/%ld/fd/%d", (long)getpid(),
                 fd);
    }
    return fd;
}

static int open_named(struct hccl_segment *segment, const char *dir)
{
    for (int i = 0; i < NAME_TRIES; i++) {
        int n = snprintf(segment->name, sizeof segment->name,
                         "%s/hccl-%016" PRIx64 "%016" PRIx64, dir, random_word(),
                         random_word());
        if (n < 0 || (size_t)n >= sizeof segment->name) {
            errno = ENAMETOOLONG;
            break;
        }
        int fd =
            open(segment->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0) {
            segment->is_named = true;
            return fd;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    segment->name[0] = '\0';
    return -1;
}

enum hccl_segment_error hccl_segment_create(struct hccl_segment *segment, const char *dir,
                                            size_t bytes, bool named)
{
    memset(segment, 0, sizeof *segment);
    bytes = hccl_segment_round(bytes);
    segment->fd = named ? -1 : open_nameless(segment, dir);
    if (segment->fd < 0) {
        segment->fd = open_named(segment, dir);
    }
    if (segment->fd < 0) {
        return HCCL_SEGMENT_NO_FILE;
    }
    segment->is_open = true;
    if (ftruncate(segment->fd, (off_t)bytes) != 0) {
        return give_up(segment, HCCL_SEGMENT_NO_SPACE);
    }
    int rc = allocate_blocks(segment->fd, 0, HCCL_SEGMENT_TOKEN_AT + sizeof(uint64_t));
    if (rc != 0) {
        errno = rc;
        return give_up(segment, HCCL_SEGMENT_NO_SPACE);
    }
    enum hccl_segment_error error = map_file(segment, bytes);
    if (error != HCCL_SEGMENT_OK) {
        return give_up(segment, error);
    }
    segment->token = random_word();
    *token_of(segment) = segment->token;
    return HCCL_SEGMENT_OK;
}

static bool is_ours(int fd, size_t bytes)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && (uint64_t)status.st_size == bytes;
}

enum hccl_segment_error hccl_segment_attach(struct hccl_segment *segment,
                                            const char *name, size_t bytes,
                                            uint64_t token)
{
    memset(segment, 0, sizeof *segment);
    bytes = hccl_segment_round(bytes);
    /* By /proc the name is a link, and in another process namespace it may lead anywhere:
     * to a pipe or a terminal, which must neither block nor become ours. */
    int follow = strncmp(name, "/proc/", 6) == 0 ? 0 : O_NOFOLLOW;
    segment->fd = open(name, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | follow);
    if (segment->fd < 0) {
        return HCCL_SEGMENT_NO_FILE;
    }
    segment->is_open = true;
    if (!is_ours(segment->fd, bytes)) {
        return give_up(segment, HCCL_SEGMENT_STRANGER);
    }
    enum hccl_segment_error error = map_file(segment, bytes);
    if (error != HCCL_SEGMENT_OK) {
        return give_up(segment, error);
    }
    segment->token = token;
    if (*token_of(segment) != token) {
        return give_up(segment, HCCL_SEGMENT_STRANGER);
    }
    return HCCL_SEGMENT_OK;
}

enum hccl_segment_error hccl_segment_reserve(struct hccl_segment *segment, size_t offset,
                                             size_t length)
{
    int rc = allocate_blocks(segment->fd, offset, length);
    if (rc != 0) {
        errno = rc;
        return HCCL_SEGMENT_NO_SPACE;
    }
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = offset; at < offset + length; at += page) {
        /* A write of what is there already: the token must survive. */
        volatile unsigned char *byte = segment->base + at;
        *byte = *byte;
    }
    return HCCL_SEGMENT_OK;
}

void hccl_segment_seal(struct hccl_segment *segment)
{
    if (segment->is_named) {
        unlink(segment->name);
        segment->is_named = false;
    }
    segment->name[0] = '\0';
    if (segment->is_open) {
        close(segment->fd);
        segment->is_open = false;
    }
}

void hccl_segment_detach(struct hccl_segment *segment)
{
    hccl_segment_seal(segment);
    if (segment->base != NULL) {
        munmap(segment->base, segment->bytes);
        segment->base = NULL;
    }
}
