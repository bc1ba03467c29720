// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_TYPES_H
#define HCCL_TEST_TYPES_H

#include <mpi.h>
#include <stddef.h>

/** How the bits of an element are to be read. */
enum hccl_kind { HCCL_KIND_SIGNED, HCCL_KIND_UNSIGNED, HCCL_KIND_FLOAT };

/** An element type that the benchmark can move, reduce and check. */
struct hccl_dtype {
    const char *name;  // as printed: "fp32"
    const char *alias; // the C name, accepted too
    enum hccl_kind kind;
    size_t size; // bytes
};

/** The reductions, in the order of their names. */
enum hccl_redop { HCCL_REDOP_SUM, HCCL_REDOP_PROD, HCCL_REDOP_MAX, HCCL_REDOP_MIN };

/** Index of the type called `name`, or -1. */
int hccl_dtype_find(const char *name);

/** The type with index `index`, which hccl_dtype_find() returned. */
const struct hccl_dtype *hccl_dtype_get(int index);

/** Its MPI handle (the fixed-width MPI types, so that no C type's width is assumed). */
MPI_Datatype hccl_dtype_mpi(int index);

/** Names of all types, separated by blanks. */
const char *hccl_dtype_names(void);

/** The reduction called `name`, or -1. */
int hccl_redop_find(const char *name);

/** Its name: "sum", "prod", "max", "min". */
const char *hccl_redop_name(int redop);

/** Its MPI handle. */
MPI_Op hccl_redop_mpi(int redop);

#endif
