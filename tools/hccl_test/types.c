// SPDX-License-Identifier: BSD-3-Clause
#include "types.h"

#include <strings.h>

static const struct hccl_dtype dtypes[] = {
    {"fp32", "float", HCCL_KIND_FLOAT, 4},
    {"fp64", "double", HCCL_KIND_FLOAT, 8},
    {"int8", "char", HCCL_KIND_SIGNED, 1},
    {"int16", "short", HCCL_KIND_SIGNED, 2},
    {"int32", "int", HCCL_KIND_SIGNED, 4},
    {"int64", "long", HCCL_KIND_SIGNED, 8},
    {"uint8", "byte", HCCL_KIND_UNSIGNED, 1},
    {"uint16", "ushort", HCCL_KIND_UNSIGNED, 2},
    {"uint32", "uint", HCCL_KIND_UNSIGNED, 4},
    {"uint64", "ulong", HCCL_KIND_UNSIGNED, 8},
};

enum { DTYPE_COUNT = sizeof(dtypes) / sizeof(dtypes[0]) };

static const char *const redops[] = {"sum", "prod", "max", "min"};

enum { REDOP_COUNT = sizeof(redops) / sizeof(redops[0]) };

int hccl_dtype_find(const char *name)
{
    for (int i = 0; i < DTYPE_COUNT; i++) {
        if (strcasecmp(name, dtypes[i].name) == 0 ||
            strcasecmp(name, dtypes[i].alias) == 0) {
            return i;
        }
    }
    return -1;
}

const struct hccl_dtype *hccl_dtype_get(int index)
{
    return &dtypes[index];
}

// A table would need handles that are constants, which MPI does not promise.
static MPI_Datatype signed_mpi(size_t size)
{
    switch (size) {
    case 1:
        return MPI_INT8_T;
    case 2:
        return MPI_INT16_T;
    case 4:
        return MPI_INT32_T;
    default:
        return MPI_INT64_T;
    }
}

static MPI_Datatype unsigned_mpi(size_t size)
{
    switch (size) {
    case 1:
        return MPI_UINT8_T;
    case 2:
        return MPI_UINT16_T;
    case 4:
        return MPI_UINT32_T;
    default:
        return MPI_UINT64_T;
    }
}

MPI_Datatype hccl_dtype_mpi(int index)
{
    const struct hccl_dtype *type = &dtypes[index];

    switch (type->kind) {
    case HCCL_KIND_SIGNED:
        return signed_mpi(type->size);
    case HCCL_KIND_UNSIGNED:
        return unsigned_mpi(type->size);
    default:
        return type->size == 4 ? MPI_FLOAT : MPI_DOUBLE;
    }
}

const char *hccl_dtype_names(void)
{
    return "fp32 fp64 int8 int16 int32 int64 uint8 uint16 uint32 uint64";
}

int hccl_redop_find(const char *name)
{
    for (int i = 0; i < REDOP_COUNT; i++) {
        if (strcasecmp(name, redops[i]) == 0) {
            return i;
        }
    }
    return -1;
}

const char *hccl_redop_name(int redop)
{
    return redops[redop];
}

MPI_Op hccl_redop_mpi(int redop)
{
    switch (redop) {
    case HCCL_REDOP_SUM:
        return MPI_SUM;
    case HCCL_REDOP_PROD:
        return MPI_PROD;
    case HCCL_REDOP_MAX:
        return MPI_MAX;
    default:
        return MPI_MIN;
    }
}
