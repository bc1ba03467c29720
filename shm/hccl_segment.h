// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_SEGMENT_H
#define HCCL_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A file in a memory file system, mapped by all ranks of a team.
 *
 * One rank creates it. At best the file has no name at all, and the others open it as the
 * creator's descriptor, by /proc: whoever is killed when, nothing is left behind. Where
 * that is refused (another process namespace, a process that must not be dumped, no
 * /proc) it is made under a random name, which the creator removes as soon as all have
 * answered.
 *
 * Reachability is proved by a random token inside the segment, never by host names or
 * process numbers, which containers can repeat.
 */

enum {
    HCCL_SEGMENT_NAME_MAX = 192, /* bytes of a path, its terminator included */
    HCCL_SEGMENT_TOKEN_AT = 64,  /* where the 8-byte token lies: leave that line alone */
};

/* The reasons for which sharing memory can fail; texts by hccl_segment_reason. */
enum hccl_segment_error {
    HCCL_SEGMENT_OK = 0,
    HCCL_SEGMENT_NO_FILE,  /* the file can't be created or opened */
    HCCL_SEGMENT_NO_SPACE, /* the file system is full */
    HCCL_SEGMENT_NO_MAP,   /* the file can't be mapped */
    HCCL_SEGMENT_STRANGER, /* the file is not the creator's: other owner, size or token */
    HCCL_SEGMENT_NO_QUOTA, /* the node-wide limit of shared memory is reached */
};

struct hccl_segment {
    unsigned char *base; /* page aligned; NULL when not mapped */
    size_t bytes;        /* whole pages */
    int fd;              /* valid while is_open: until hccl_segment_seal */
    bool is_open;
    char name[HCCL_SEGMENT_NAME_MAX]; /* creator: what others open; empty when sealed */
    bool is_named; /* `name` is an entry in a folder, to be removed by the creator */
    uint64_t token;
};

/**
 * Create and map a segment of at least `bytes` bytes in folder `dir`.
 * @param named  under a random name; else without one if the file system can do that
 * No space is reserved yet: see hccl_segment_reserve. errno tells the cause of a failure.
 */
enum hccl_segment_error hccl_segment_create(struct hccl_segment *segment, const char *dir,
                                            size_t bytes, bool named);

/** Map the segment that another rank created; `bytes` and `token` are what it told us. */
enum hccl_segment_error hccl_segment_attach(struct hccl_segment *segment,
                                            const char *name, size_t bytes,
                                            uint64_t token);

/**
 * Allocate and touch the bytes [offset, offset + length), so that later stores can't
 * fault (a full file system is reported here, not by SIGBUS) and so that the pages lie on
 * the caller's memory node. Offsets and lengths are multiples of the page size.
 */
enum hccl_segment_error hccl_segment_reserve(struct hccl_segment *segment, size_t offset,
                                             size_t length);

/** Remove the name (if we are its creator) and close the file; the mapping stays. */
void hccl_segment_seal(struct hccl_segment *segment);

/** Seal and unmap. Harmless on an empty segment (all zero, or detached before). */
void hccl_segment_detach(struct hccl_segment *segment);

/** A few words for messages, such as "the file system is full". */
const char *hccl_segment_reason(enum hccl_segment_error error);

/** `bytes` rounded up to whole pages. */
size_t hccl_segment_round(size_t bytes);

#endif
