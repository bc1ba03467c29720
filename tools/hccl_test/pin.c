// SPDX-License-Identifier: BSD-3-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pin.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { CPUS = HCCL_PIN_BYTES * 8 };

static bool has(const struct hccl_cpus *cpus, int cpu)
{
    return cpu >= 0 && cpu < CPUS && (cpus->set[cpu / 8] >> (cpu % 8) & 1) != 0;
}

void hccl_cpus_read(struct hccl_cpus *cpus)
{
    // the kernel wants longs; cpu_set_t would end at 1024 processors
    unsigned long words[HCCL_PIN_BYTES / sizeof(unsigned long)] = {0};
    const int bits = 8 * (int)sizeof(unsigned long);

    memset(cpus, 0, sizeof(*cpus));
    cpus->current = sched_getcpu();
    if (sched_getaffinity(0, sizeof(words), (cpu_set_t *)words) != 0) {
        return;
    }
    for (int cpu = 0; cpu < CPUS; cpu++) {
        if ((words[cpu / bits] >> (cpu % bits) & 1) != 0) {
            cpus->set[cpu / 8] |= (unsigned char)(1 << (cpu % 8));
        }
    }
}

static bool apply(const struct hccl_cpus *cpus)
{
    unsigned long words[HCCL_PIN_BYTES / sizeof(unsigned long)] = {0};
    const int bits = 8 * (int)sizeof(unsigned long);

    for (int cpu = 0; cpu < CPUS; cpu++) {
        if (has(cpus, cpu)) {
            words[cpu / bits] |= 1UL << (cpu % bits);
        }
    }
    return sched_setaffinity(0, sizeof(words), (const cpu_set_t *)words) == 0;
}

int hccl_cpus_count(const struct hccl_cpus *cpus)
{
    int count = 0;

    for (int cpu = 0; cpu < CPUS; cpu++) {
        count += has(cpus, cpu);
    }
    return count;
}

void hccl_cpus_print(const struct hccl_cpus *cpus, char *text, size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    for (int cpu = 0; cpu < CPUS && used < room; cpu++) {
        if (!has(cpus, cpu)) {
            continue;
        }
        int last = cpu;
        while (has(cpus, last + 1)) {
            last++;
        }
        const char *comma = used == 0 ? "" : ",";
        int wrote = last == cpu
                        ? snprintf(text + used, room - used, "%s%d", comma, cpu)
                        : snprintf(text + used, room - used, "%s%d-%d", comma, cpu, last);
        used += (size_t)wrote;
        cpu = last;
    }
}

// One processor of the set that is not `other`; the current one if possible. -1: none.
static int choose(const struct hccl_cpus *cpus, int other)
{
    if (has(cpus, cpus->current) && cpus->current != other) {
        return cpus->current;
    }
    for (int cpu = 0; cpu < CPUS; cpu++) {
        if (has(cpus, cpu) && cpu != other) {
            return cpu;
        }
    }
    return -1;
}

bool hccl_pin_pair(struct hccl_pin *pin, MPI_Comm node)
{
    struct hccl_cpus both[2];
    int rank = 0;
    int chosen[2];

    pin->held = false;
    hccl_cpus_read(&pin->before);
    MPI_Comm_rank(node, &rank);
    for (int i = 0; i < 2; i++) {
        both[i] = pin->before;
        MPI_Bcast(&both[i], (int)sizeof(both[i]), MPI_BYTE, i, node);
    }
    MPI_Barrier(node);

    // a rank with one processor only has the first choice
    int first = hccl_cpus_count(&both[1]) == 1 ? 1 : 0;
    chosen[first] = choose(&both[first], -1);
    chosen[1 - first] = choose(&both[1 - first], chosen[first]);
    if (chosen[0] < 0 || chosen[1] < 0) {
        return false;
    }
    if (rank < 2 && hccl_cpus_count(&pin->before) > 1) {
        struct hccl_cpus one = {.current = chosen[rank]};
        one.set[chosen[rank] / 8] = (unsigned char)(1 << (chosen[rank] % 8));
        pin->held = apply(&one);
    }
    return true;
}

void hccl_pin_release(struct hccl_pin *pin)
{
    if (pin->held) {
        apply(&pin->before);
        pin->held = false;
    }
}
