// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_op.h"

#include "coll_hccl_buffer.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN_BYTES = 65536, /* strided items are handled in runs of about this size */
};

/* Kernels by Open MPI's numbers of operation and type; filled by hccl_op_init. */
static struct hccl_kernel kernels[OMPI_OP_NUM_OF_TYPES][OMPI_DATATYPE_MAX_PREDEFINED];

static const struct {
    enum ompi_op_type theirs;
    enum hccl_op ours;
} op_map[] = {
    {OMPI_OP_MAX, HCCL_MAX},   {OMPI_OP_MIN, HCCL_MIN},   {OMPI_OP_SUM, HCCL_SUM},
    {OMPI_OP_PROD, HCCL_PROD}, {OMPI_OP_LAND, HCCL_LAND}, {OMPI_OP_BAND, HCCL_BAND},
    {OMPI_OP_LOR, HCCL_LOR},   {OMPI_OP_BOR, HCCL_BOR},   {OMPI_OP_LXOR, HCCL_LXOR},
    {OMPI_OP_BXOR, HCCL_BXOR},
};

enum family { SIGNED, UNSIGNED, REAL, COMPLEX, BOOLEAN };

/* Types that are numbers as our kernels know them. Fortran's LOGICAL is not: its truth
 * values are the compiler's affair, which Open MPI's functions look after. */
static const struct {
    int id;
    enum family family;
    size_t size;
} type_map[] = {
    {OMPI_DATATYPE_MPI_INT8_T, SIGNED, 1},
    {OMPI_DATATYPE_MPI_UINT8_T, UNSIGNED, 1},
    {OMPI_DATATYPE_MPI_INT16_T, SIGNED, 2},
    {OMPI_DATATYPE_MPI_UINT16_T, UNSIGNED, 2},
    {OMPI_DATATYPE_MPI_INT32_T, SIGNED, 4},
    {OMPI_DATATYPE_MPI_UINT32_T, UNSIGNED, 4},
    {OMPI_DATATYPE_MPI_INT64_T, SIGNED, 8},
    {OMPI_DATATYPE_MPI_UINT64_T, UNSIGNED, 8},
    {OMPI_DATATYPE_MPI_LONG, SIGNED, sizeof(long)},
    {OMPI_DATATYPE_MPI_UNSIGNED_LONG, UNSIGNED, sizeof(long)},
    {OMPI_DATATYPE_MPI_AINT, SIGNED, sizeof(MPI_Aint)},
    {OMPI_DATATYPE_MPI_OFFSET, SIGNED, sizeof(MPI_Offset)},
    {OMPI_DATATYPE_MPI_COUNT, SIGNED, sizeof(MPI_Count)},
    {OMPI_DATATYPE_MPI_FLOAT, REAL, sizeof(float)},
    {OMPI_DATATYPE_MPI_DOUBLE, REAL, sizeof(double)},
    {OMPI_DATATYPE_MPI_C_FLOAT_COMPLEX, COMPLEX, sizeof(float complex)},
    {OMPI_DATATYPE_MPI_C_DOUBLE_COMPLEX, COMPLEX, sizeof(double complex)},
    {OMPI_DATATYPE_MPI_C_BOOL, BOOLEAN, sizeof(bool)},
};

static int find_type(enum family family, size_t size)
{
    switch (family) {
    case SIGNED:
        return size == 1   ? HCCL_INT8
               : size == 2 ? HCCL_INT16
               : size == 4 ? HCCL_INT32
                           : HCCL_INT64;
    case UNSIGNED:
        return size == 1   ? HCCL_UINT8
               : size == 2 ? HCCL_UINT16
               : size == 4 ? HCCL_UINT32
                           : HCCL_UINT64;
    case REAL:
        return size == sizeof(float) ? HCCL_FLOAT : HCCL_DOUBLE;
    case COMPLEX:
        return size == sizeof(float complex) ? HCCL_FLOAT_COMPLEX : HCCL_DOUBLE_COMPLEX;
    case BOOLEAN:
        return HCCL_BOOL;
    }
    return -1;
}

void hccl_op_init(void)
{
    enum hccl_isa isa = hccl_isa_detect();
    for (size_t t = 0; t < sizeof type_map / sizeof type_map[0]; t++) {
        int type = find_type(type_map[t].family, type_map[t].size);
        for (size_t o = 0; o < sizeof op_map / sizeof op_map[0]; o++) {
            struct hccl_kernel *kernel = &kernels[op_map[o].theirs][type_map[t].id];
            kernel->op = op_map[o].ours;
            kernel->type = (enum hccl_type)type;
            kernel->reduce = hccl_reduce_find(kernel->op, kernel->type, isa);
        }
    }
}

const struct hccl_kernel *hccl_op_kernel(const ompi_op_t *op, const ompi_datatype_t *type)
{
    return &kernels[op->op_type][type->id];
}

static void reduce_into(const struct hccl_op_context *context, const void *source,
                        void *target, size_t count)
{
    ompi_op_reduce(context->op, (void *)source, target, count, context->type);
}

/*
 * MPI's functions compute inout = in op inout, so the right end of the row comes first:
 * s[0] op (s[1] op (... s[n-1])). Associativity is all that MPI grants, and all this
 * needs.
 */
static void apply_flat(void *argument, void *to, const void *const *source, int sources,
                       size_t count)
{
    const struct hccl_op_context *context = argument;
    ptrdiff_t lb = context->type->super.true_lb;
    memcpy(to, source[sources - 1], count * context->element);
    for (int i = sources - 2; i >= 0; i--) {
        reduce_into(context, (const char *)source[i] - lb, (char *)to - lb, count);
    }
}

static void unpack_items(const struct hccl_op_context *context, const void *from,
                         void *items, size_t count)
{
    ompi_datatype_sndrcv(from, (int32_t)(count * context->element), MPI_PACKED, items,
                         (int32_t)count, context->type);
}

static void apply_strided(void *argument, void *to, const void *const *source,
                          int sources, size_t count)
{
    const struct hccl_op_context *context = argument;
    char *sum = (char *)context->items + context->origin;
    char *next = sum + context->run_bytes;
    for (size_t done = 0; done < count; done += context->run) {
        size_t now = count - done < context->run ? count - done : context->run;
        size_t at = done * context->element;
        unpack_items(context, (const char *)source[sources - 1] + at, sum, now);
        for (int i = sources - 2; i >= 0; i--) {
            unpack_items(context, (const char *)source[i] + at, next, now);
            reduce_into(context, next, sum, now);
        }
        ompi_datatype_sndrcv(sum, (int32_t)now, context->type, (char *)to + at,
                             (int32_t)(now * context->element), MPI_PACKED);
    }
}

bool hccl_op_open(struct hccl_op_context *context, struct hccl_combine *combine,
                  ompi_op_t *op, ompi_datatype_t *type)
{
    *context = (struct hccl_op_context){.op = op, .type = type};
    combine->kernel = NULL;
    combine->context = context;
    ptrdiff_t lb;
    ompi_datatype_get_extent(type, &lb, &context->extent);
    context->element = type->super.size;
    context->flat = hccl_buffer_items_are_flat(type);
    combine->element = context->element;
    if (context->flat) {
        combine->apply = apply_flat;
        return true;
    }
    /* Extents may be negative, or smaller than what an item covers. */
    ptrdiff_t stride = context->extent < 0 ? -context->extent : context->extent;
    size_t span = (size_t)(type->super.true_ub - type->super.true_lb);
    context->run = RUN_BYTES / (stride > 0 ? (size_t)stride : 1);
    context->run = context->run > 0 ? context->run : 1;
    ptrdiff_t reach = (ptrdiff_t)(context->run - 1) * stride;
    context->run_bytes = (size_t)reach + span;
    context->origin = (context->extent < 0 ? reach : 0) - type->super.true_lb;
    context->items = calloc(2, context->run_bytes);
    combine->apply = apply_strided;
    return context->items != NULL;
}

void hccl_op_close(struct hccl_op_context *context)
{
    free(context->items);
    context->items = NULL;
}
