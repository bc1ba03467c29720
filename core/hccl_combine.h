// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_COMBINE_H
#define HCCL_COMBINE_H

#include "core/hccl_reduce.h"

#include <stddef.h>

/*
 * How to combine the ranks' contributions: source[0] op source[1] op ..., in rank order,
 * whatever the path. Either a kernel of our own, which may write over one of its sources
 * (see hccl_reduce.h), or a function of the MPI layer, which may not.
 */
struct hccl_combine {
    hccl_reduce_fn kernel; /* for op and type; NULL: use apply */
    enum hccl_op op;
    enum hccl_type type;
    size_t element; /* bytes of one packed element */
    void (*apply)(void *context, void *to, const void *const *source, int sources,
                  size_t count);
    void *context;
};

#endif
