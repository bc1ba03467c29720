// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_OP_H
#define COLL_HCCL_OP_H

#include "compat/hccl_ompi.h"
#include "core/hccl_combine.h"

/*
 * How an MPI operation on an MPI datatype is applied: by a kernel of our own where there
 * is one, else by Open MPI's function or the user's.
 *
 * Predefined operations take predefined types only, and all ranks must pass the same, so
 * whether there is a kernel is agreed without a word. A user's operation may come with
 * types that are laid out differently on each rank; its calls carry a header
 * (hccl_job.headed).
 */

struct hccl_op_context {
    ompi_op_t *op;
    ompi_datatype_t *type;
    size_t element; /* packed bytes per item */
    ptrdiff_t extent;
    bool flat;            /* items lie side by side as in packed form */
    unsigned char *items; /* strided types: room for two runs of items */
    size_t run;           /* items in a run */
    size_t run_bytes;     /* bytes that a run covers */
    ptrdiff_t origin;     /* from the start of a run's room to its first item's address */
};

/** Find the kernels once; called when the component opens. */
void hccl_op_init(void);

/** May every rank take this pair for the same, with elements of equal size? */
static inline bool hccl_op_is_predefined(const ompi_op_t *op, const ompi_datatype_t *type)
{
    return (op->o_flags & OMPI_OP_FLAGS_INTRINSIC) != 0 &&
           ompi_datatype_is_predefined(type);
}

/* A kernel of ours, and its names in core/. */
struct hccl_kernel {
    hccl_reduce_fn reduce; /* NULL: none */
    enum hccl_op op;
    enum hccl_type type;
};

/** The kernel for a predefined pair. */
const struct hccl_kernel *hccl_op_kernel(const ompi_op_t *op,
                                         const ompi_datatype_t *type);

/**
 * Prepare `combine` to apply `op` by Open MPI's function.
 * @param context  lives as long as `combine`; hccl_op_close gives back what it holds
 * @return false when memory is short
 */
bool hccl_op_open(struct hccl_op_context *context, struct hccl_combine *combine,
                  ompi_op_t *op, ompi_datatype_t *type);

void hccl_op_close(struct hccl_op_context *context);

#endif
