// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_OPS_H
#define HCCL_TEST_OPS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a collective leaves where: all that filling and checking need to know. */
enum hccl_shape {
    HCCL_SHAPE_NOTHING,       // moves no data
    HCCL_SHAPE_REDUCED_ALL,   // the whole result on every rank
    HCCL_SHAPE_REDUCED_ROOT,  // the whole result on the root
    HCCL_SHAPE_REDUCED_BLOCK, // rank r has block r of the result
    HCCL_SHAPE_ROOT_COPY,     // the root's data everywhere
    HCCL_SHAPE_GATHERED,      // every rank's block everywhere
};

struct hccl_call;

/** One collective operation. */
struct hccl_op {
    const char *name;    // as printed and as accepted: "allreduce"
    const char *program; // name of the program that runs it alone: "all_reduce_test"
    enum hccl_shape shape;
    bool equal_blocks; // all blocks of one size: the total is a multiple of the ranks
    int (*run)(const struct hccl_call *call, MPI_Comm comm);
};

/** An operation with everything it needs, for one message size. */
struct hccl_call {
    const struct hccl_op *op;
    int rank;
    int ranks;
    int root;
    bool in_place;
    size_t element_size; // bytes
    MPI_Datatype type;
    MPI_Op redop;
    int count;   // elements of the whole vector, all blocks together
    int *counts; // [ranks] elements of each block
    int *starts; // [ranks] first element of each block
    unsigned char *send;
    unsigned char *recv;
};

/** Number of operations; their indices are 0 .. hccl_op_count()-1. */
int hccl_op_count(void);

const struct hccl_op *hccl_op_get(int index);

/** Index of the operation called `name` ("all_reduce" and "broadcast" are known too), or
 * -1. */
int hccl_op_find(const char *name);

/** Index of the operation of the program at `path` ("/usr/bin/all_reduce_test"), or -1.
 */
int hccl_op_of_program(const char *path);

/** Whether it reduces, so that the reduction matters. */
bool hccl_op_reduces(const struct hccl_op *op);

/** Whether it has a root. */
bool hccl_op_has_root(const struct hccl_op *op);

/** Bus bandwidth over algorithm bandwidth with `ranks` ranks, as nccl-tests defines it.
 */
double hccl_op_bus_factor(const struct hccl_op *op, int ranks);

/**
 * Elements that a call for `bytes` bytes moves: at least one, and a multiple of the ranks
 * for operations with equal blocks. 0 for operations without data.
 */
uint64_t hccl_op_elements(const struct hccl_op *op, uint64_t bytes, size_t size,
                          int ranks);

/** Divides `count` elements into blocks in `call`: the first count % ranks have one more.
 */
void hccl_call_divide(struct hccl_call *call, uint64_t count);

#endif
