// SPDX-License-Identifier: BSD-3-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "machine.h"
#include "clock.h"
#include "pin.h"
#include "size.h"
#include "stats.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#ifdef HCCL_TEST_HWLOC
#include <hwloc.h>
#endif

// Copies the first line, as much of it as there is room for.
static void copy_text(char *to, size_t room, const char *from)
{
    size_t length = strcspn(from, "\n");

    length = length < room ? length : room - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

static void read_cpu_model(char *text, size_t room)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");

    copy_text(text, room, "unknown");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value != NULL) {
            value += strspn(value, ": \t");
            copy_text(text, room, value);
            break;
        }
    }
    fclose(file);
}

#ifdef HCCL_TEST_HWLOC
// The data caches above the first core, nearest first.
static void read_caches(char *text, size_t room)
{
    hwloc_topology_t topology;
    size_t used = 0;

    copy_text(text, room, "unknown");
    if (hwloc_topology_init(&topology) != 0) {
        return;
    }
    if (hwloc_topology_load(topology) == 0) {
        hwloc_obj_t at = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
        for (; at != NULL && used < room; at = at->parent) {
            char size[HCCL_SIZE_TEXT];
            if (!hwloc_obj_type_is_dcache(at->type)) {
                continue;
            }
            hccl_size_print(at->attr->cache.size, size);
            used += (size_t)snprintf(text + used, room - used, "%sL%u %s",
                                     used > 0 ? ", " : "", at->attr->cache.depth, size);
        }
    }
    hwloc_topology_destroy(topology);
}
#else
static void read_caches(char *text, size_t room)
{
    copy_text(text, room, "unknown");
}
#endif

static void read_mpi(char *text, size_t room)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;

    MPI_Get_library_version(version, &length);
    copy_text(text, room, version);
    text[strcspn(text, ",")] = '\0';
    for (char *c = text; *c != '\0'; c++) {
        if (isspace((unsigned char)*c)) {
            *c = ' ';
        }
    }
}

// Gathers the processors of each rank; one line for all ranks, cut where it is full.
static void describe_binding(struct hccl_machine *machine, const struct hccl_world *world)
{
    enum { EACH = 48 };
    struct hccl_cpus cpus;
    char mine[EACH];
    char *all = world->rank == 0 ? calloc((size_t)world->ranks, EACH) : NULL;
    size_t used = 0;

    hccl_cpus_read(&cpus);
    hccl_cpus_print(&cpus, mine, sizeof(mine));
    MPI_Gather(mine, EACH, MPI_CHAR, all, EACH, MPI_CHAR, 0, world->control);
    if (all == NULL) {
        return;
    }
    bool same = true;
    for (int r = 1; r < world->ranks; r++) {
        same = same && strcmp(all, all + (size_t)r * EACH) == 0;
    }
    if (same) {
        snprintf(machine->binding, sizeof(machine->binding), "every rank on %s", all);
    }
    for (int r = 0; !same && r < world->ranks && used < sizeof(machine->binding); r++) {
        used += (size_t)snprintf(machine->binding + used, sizeof(machine->binding) - used,
                                 "%srank %d on %s", r > 0 ? ", " : "", r,
                                 all + (size_t)r * EACH);
    }
    free(all);
}

// Processors that the first node's ranks may use, all together.
static int count_cores(const struct hccl_world *world)
{
    struct hccl_cpus cpus;
    unsigned char set[HCCL_PIN_BYTES];

    hccl_cpus_read(&cpus);
    MPI_Reduce(cpus.set, set, HCCL_PIN_BYTES, MPI_BYTE, MPI_BOR, 0, world->node);
    if (world->node_rank != 0) {
        return 0;
    }
    memcpy(cpus.set, set, sizeof(set));
    return hccl_cpus_count(&cpus);
}

static double copy_rate(const struct hccl_buffers *buffers, size_t bytes, int times)
{
    double best = 0;

    for (int i = 0; i < times; i++) {
        double start = hccl_clock_us();
        memcpy(buffers->recv, buffers->send, bytes);
        double rate = (double)bytes / (hccl_clock_us() - start) / 1e3;
        best = rate > best ? rate : best;
    }
    return best;
}

static void measure_copies(struct hccl_machine *machine,
                           const struct hccl_buffers *buffers)
{
    const size_t small = 64 << 10;
    const size_t large = 64 << 20;

    if (buffers->capacity >= small) {
        machine->copy_small_gbps = copy_rate(buffers, small, 50);
    }
    if (buffers->capacity > small) {
        machine->copy_large_bytes = buffers->capacity < large ? buffers->capacity : large;
        machine->copy_large_gbps = copy_rate(buffers, machine->copy_large_bytes, 4);
    }
}

static void describe_malloc(char *text, size_t room)
{
    const char *maps = getenv("MALLOC_MMAP_MAX_");
    const char *trim = getenv("MALLOC_TRIM_THRESHOLD_");
    const char *pad = getenv("MALLOC_TOP_PAD_");
    bool kept = maps != NULL && strcmp(maps, "0") == 0 && trim != NULL &&
                strtoull(trim, NULL, 10) >= UINT64_C(1) << 30;

    if (!kept) {
        copy_text(text, room, "as shipped (gives memory back, fresh pages per call)");
    } else if (pad != NULL) {
        copy_text(text, room, "keeps its memory");
    } else {
        copy_text(text, room, "keeps its memory (MALLOC_TOP_PAD_ not set)");
    }
}

const char *hccl_machine_malloc_advice(void)
{
    return "MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8589934592 "
           "MALLOC_TOP_PAD_=134217728";
}

void hccl_machine_describe(struct hccl_machine *machine, const struct hccl_world *world,
                           bool hccl, const struct hccl_buffers *buffers)
{
    struct utsname system;

    memset(machine, 0, sizeof(*machine));
    describe_binding(machine, world);
    machine->cores = count_cores(world);
    machine->ranks = world->ranks;
    machine->node_most = world->node_most;
    machine->hccl = hccl;
    if (world->rank != 0) {
        return;
    }
    if (uname(&system) == 0) {
        copy_text(machine->host, sizeof(machine->host), system.nodename);
        snprintf(machine->kernel, sizeof(machine->kernel), "%.40s %.60s", system.sysname,
                 system.release);
    }
    read_cpu_model(machine->cpu, sizeof(machine->cpu));
    read_caches(machine->caches, sizeof(machine->caches));
    read_mpi(machine->mpi, sizeof(machine->mpi));
    describe_malloc(machine->malloc_state, sizeof(machine->malloc_state));
    machine->clock_us = hccl_clock_cost_us();
    measure_copies(machine, buffers);
}
