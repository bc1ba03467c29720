// SPDX-License-Identifier: BSD-3-Clause
/*
 * Speed of the reduction kernels on one core, beside memcpy and the copy past the caches.
 *
 *   reduce_bench [-o OP] [-t TYPE] [-s SOURCES] [-a OFFSET] [-b BYTES] [-e BYTES]
 *
 * OP and TYPE are names such as sum and float, or `all`; OFFSET misaligns the sources, by
 * a different multiple of it each. One line for each length from -b to -e, four times as
 * long as the one before: nanoseconds per call for short arrays, gigabytes of result per
 * second from 4 KiB on, medians of several blocks whose order is interleaved. Columns:
 *   memcpy, ntcopy   copy of as many bytes; past the caches
 *   ISA              the kernel
 *   ISA+nt           hccl_reduce_stream() to one place
 *   ISA+nt+c         the same, and to a second place through the caches
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "core/hccl_copy.h"
#include "core/hccl_reduce_stream.h"

#define BLOCKS       9
#define MOST_COLUMNS 16
#define NT_FROM      65536 /* shortest array that is worth streaming */

enum kind { MEMCPY, NTCOPY, KERNEL, STREAM, STREAM_CACHED, KIND_COUNT };

struct column {
    enum kind kind;
    enum hccl_isa isa;
};

struct bench {
    enum hccl_op op;
    enum hccl_type type;
    int sources;
    size_t offset, first, last;
    void *dst, *cached;
    const void *src[HCCL_REDUCE_MAX_SOURCES];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run(const struct bench *b, struct column column, size_t bytes, int times)
{
    size_t count = bytes / hccl_type_size(b->type);
    hccl_reduce_fn kernel = hccl_reduce_find(b->op, b->type, column.isa);
    for (int i = 0; i < times; i++) {
        switch (column.kind) {
        case MEMCPY:
            memcpy(b->dst, b->src[0], bytes);
            break;
        case NTCOPY:
            hccl_copy_stream(b->dst, b->src[0], bytes);
            break;
        case KERNEL:
            kernel(b->dst, b->src, b->sources, count);
            break;
        default:
            hccl_reduce_stream(b->op, b->type, column.isa, b->dst,
                               column.kind == STREAM_CACHED ? b->cached : NULL, b->src,
                               b->sources, count);
            break;
        }
        __asm__ volatile("" ::: "memory");
    }
}

static int make_columns(struct column *columns)
{
    int n = 0;
    columns[n++] = (struct column){MEMCPY, HCCL_ISA_PORTABLE};
    columns[n++] = (struct column){NTCOPY, HCCL_ISA_PORTABLE};
    for (enum kind kind = KERNEL; kind < KIND_COUNT; kind++) {
        for (enum hccl_isa isa = 0; isa <= hccl_isa_detect(); isa++) {
            columns[n++] = (struct column){kind, isa};
        }
    }
    return n;
}

static void print_head(const struct bench *b, const struct column *columns, int n)
{
    static const char *const kinds[] = {"memcpy", "ntcopy", "", "+nt", "+nt+c"};
    printf("\n%s of %s, %d sources, offset %zu: ns below 4 KiB, then GB/s of result\n%9s",
           hccl_op_name(b->op), hccl_type_name(b->type), b->sources, b->offset, "bytes");
    for (int c = 0; c < n; c++) {
        char text[32];
        snprintf(text, sizeof(text), "%s%s",
                 columns[c].kind < KERNEL ? "" : hccl_isa_name(columns[c].isa),
                 kinds[columns[c].kind]);
        printf(" %13s", text);
    }
    printf("\n");
}

static void bench_length(const struct bench *b, const struct column *columns, int n,
                         size_t bytes)
{
    double ns[MOST_COLUMNS][BLOCKS];
    int times = (int)(2000000 / (bytes + 100)) + 1;
    for (int block = 0; block < BLOCKS; block++) {
        for (int c = 0; c < n; c++) {
            if (columns[c].kind >= STREAM && bytes < NT_FROM) {
                continue;
            }
            run(b, columns[c], bytes, times / 8 + 1);
            double start = now();
            run(b, columns[c], bytes, times);
            ns[c][block] = (now() - start) / times;
        }
    }
    printf("%9zu", bytes);
    for (int c = 0; c < n; c++) {
        if (columns[c].kind >= STREAM && bytes < NT_FROM) {
            printf(" %13s", "-");
            continue;
        }
        qsort(ns[c], BLOCKS, sizeof(double), by_value);
        double median = ns[c][BLOCKS / 2];
        printf(" %13.2f", bytes < 4096 ? median : (double)bytes / median);
    }
    printf("\n");
    fflush(stdout);
}

static void bench_pair(const struct bench *b)
{
    struct column columns[MOST_COLUMNS];
    int n = make_columns(columns);
    if (hccl_reduce_find(b->op, b->type, HCCL_ISA_PORTABLE) == NULL) {
        return;
    }
    print_head(b, columns, n);
    for (size_t bytes = b->first; bytes <= b->last; bytes *= 4) {
        bench_length(b, columns, n, bytes);
    }
}

static void *map_array(size_t bytes, size_t offset)
{
    unsigned char *p = mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    memset(p, 0, bytes + 4096); /* zeros: neither NaNs nor overflows disturb the timing */
    return p + offset % 4096;
}

static int find_name(const char *name, const char *(*names)(int), int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(name, names(i)) == 0) {
            return i;
        }
    }
    if (strcmp(name, "all") != 0) {
        fprintf(stderr, "reduce_bench: unknown name %s\n", name);
        exit(2);
    }
    return -1;
}

static const char *op_name(int op)
{
    return hccl_op_name((enum hccl_op)op);
}

static const char *type_name(int type)
{
    return hccl_type_name((enum hccl_type)type);
}

static void parse(struct bench *b, int *op, int *type, int argc, char **argv)
{
    int flag;
    while ((flag = getopt(argc, argv, "o:t:s:a:b:e:")) != -1) {
        switch (flag) {
        case 'o':
            *op = find_name(optarg, op_name, HCCL_OP_COUNT);
            break;
        case 't':
            *type = find_name(optarg, type_name, HCCL_TYPE_COUNT);
            break;
        case 's':
            b->sources = atoi(optarg);
            break;
        case 'a':
            b->offset = strtoul(optarg, NULL, 0);
            break;
        case 'b':
            b->first = strtoul(optarg, NULL, 0);
            break;
        case 'e':
            b->last = strtoul(optarg, NULL, 0);
            break;
        default:
            exit(2);
        }
    }
    if (b->sources < 1 || b->sources > HCCL_REDUCE_MAX_SOURCES || b->first < 1) {
        fprintf(stderr, "reduce_bench: 1 to 8 sources, at least 1 byte\n");
        exit(2);
    }
}

int main(int argc, char **argv)
{
    struct bench b = {.sources = 2, .first = 16, .last = 64 << 20};
    int op = HCCL_SUM, type = HCCL_FLOAT;
    cpu_set_t cpu;
    parse(&b, &op, &type, argc, argv);
    CPU_ZERO(&cpu);
    CPU_SET(0, &cpu);
    sched_setaffinity(0, sizeof(cpu), &cpu); /* one core if we may; no matter if not */
    for (int k = 0; k < b.sources; k++) {
        b.src[k] = map_array(b.last, (size_t)(k + 1) * b.offset);
    }
    b.dst = map_array(b.last, 0);
    b.cached = map_array(b.last, 0);
    for (int o = op < 0 ? 0 : op; o < (op < 0 ? HCCL_OP_COUNT : op + 1); o++) {
        for (int t = type < 0 ? 0 : type; t < (type < 0 ? HCCL_TYPE_COUNT : type + 1);
             t++) {
            b.op = (enum hccl_op)o;
            b.type = (enum hccl_type)t;
            bench_pair(&b);
        }
    }
    return 0;
}
