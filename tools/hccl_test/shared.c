// SPDX-License-Identifier: BSD-3-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "shared.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH_ROOM = 512 };

// Creates a file with room for `bytes` in the first folder that has it. The room is
// reserved, for a file system that fills up later would kill who writes. Descriptor, or
// -1; `path` is its name.
static int create(size_t bytes, char path[PATH_ROOM])
{
    const char *const folders[] = {"/dev/shm", getenv("TMPDIR"), "/tmp", "/var/tmp"};

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (folders[i] == NULL ||
            snprintf(path, PATH_ROOM, "%s/hccl_test.XXXXXX", folders[i]) >= PATH_ROOM) {
            continue;
        }
        int file = mkstemp(path);
        if (file >= 0 && posix_fallocate(file, 0, (off_t)bytes) == 0) {
            return file;
        }
        if (file >= 0) {
            close(file);
            unlink(path);
        }
    }
    path[0] = '\0';
    return -1;
}

void *hccl_shared_map(size_t bytes, MPI_Comm node)
{
    char path[PATH_ROOM] = "";
    void *memory = MAP_FAILED;
    int rank = 0;
    int file = -1;

    MPI_Comm_rank(node, &rank);
    if (rank == 0) {
        file = create(bytes, path);
    }
    MPI_Bcast(path, PATH_ROOM, MPI_CHAR, 0, node);
    if (rank != 0 && path[0] != '\0') {
        file = open(path, O_RDWR | O_CLOEXEC);
    }
    if (file >= 0) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    int mapped = memory != MAP_FAILED;
    MPI_Allreduce(MPI_IN_PLACE, &mapped, 1, MPI_INT, MPI_MIN, node);
    if (rank == 0 && path[0] != '\0') {
        unlink(path);
    }
    if (!mapped) {
        hccl_shared_unmap(memory == MAP_FAILED ? NULL : memory, bytes);
        return NULL;
    }
    return memory;
}

void hccl_shared_unmap(void *memory, size_t bytes)
{
    if (memory != NULL) {
        munmap(memory, bytes);
    }
}
