// SPDX-License-Identifier: BSD-3-Clause
#include "ops.h"

#include <string.h>
#include <strings.h>

// MPI_IN_PLACE, or the buffer.
static const void *source(const struct hccl_call *call)
{
    return call->in_place ? MPI_IN_PLACE : call->send;
}

static int run_allreduce(const struct hccl_call *call, MPI_Comm comm)
{
    return MPI_Allreduce(source(call), call->recv, call->count, call->type, call->redop,
                         comm);
}

static int run_reduce_scatter(const struct hccl_call *call, MPI_Comm comm)
{
    return MPI_Reduce_scatter(source(call), call->recv, call->counts, call->type,
                              call->redop, comm);
}

static int run_reduce_scatter_block(const struct hccl_call *call, MPI_Comm comm)
{
    return MPI_Reduce_scatter_block(source(call), call->recv, call->counts[0], call->type,
                                    call->redop, comm);
}

static int run_bcast(const struct hccl_call *call, MPI_Comm comm)
{
    unsigned char *data = call->rank == call->root ? call->send : call->recv;

    return MPI_Bcast(data, call->count, call->type, call->root, comm);
}

static int run_reduce(const struct hccl_call *call, MPI_Comm comm)
{
    bool in_place = call->in_place && call->rank == call->root;

    return MPI_Reduce(in_place ? MPI_IN_PLACE : call->send, call->recv, call->count,
                      call->type, call->redop, call->root, comm);
}

static int run_allgather(const struct hccl_call *call, MPI_Comm comm)
{
    int block = call->counts[0];

    return MPI_Allgather(source(call), block, call->type, call->recv, block, call->type,
                         comm);
}

static int run_barrier(const struct hccl_call *call, MPI_Comm comm)
{
    (void)call;
    return MPI_Barrier(comm);
}

static const struct hccl_op ops[] = {
    {"allreduce", "all_reduce_test", HCCL_SHAPE_REDUCED_ALL, false, run_allreduce},
    {"reduce_scatter", "reduce_scatter_test", HCCL_SHAPE_REDUCED_BLOCK, false,
     run_reduce_scatter},
    {"reduce_scatter_block", "reduce_scatter_block_test", HCCL_SHAPE_REDUCED_BLOCK, true,
     run_reduce_scatter_block},
    {"bcast", "broadcast_test", HCCL_SHAPE_ROOT_COPY, false, run_bcast},
    {"reduce", "reduce_test", HCCL_SHAPE_REDUCED_ROOT, false, run_reduce},
    {"allgather", "all_gather_test", HCCL_SHAPE_GATHERED, true, run_allgather},
    {"barrier", "barrier_test", HCCL_SHAPE_NOTHING, false, run_barrier},
};

enum { OP_COUNT = sizeof(ops) / sizeof(ops[0]) };

int hccl_op_count(void)
{
    return OP_COUNT;
}

const struct hccl_op *hccl_op_get(int index)
{
    return &ops[index];
}

int hccl_op_find(const char *name)
{
    static const char *const others[][2] = {
        {"all_reduce", "allreduce"},
        {"broadcast", "bcast"},
        {"all_gather", "allgather"},
        {"reducescatter", "reduce_scatter"},
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcasecmp(name, others[i][0]) == 0) {
            name = others[i][1];
        }
    }
    for (int i = 0; i < OP_COUNT; i++) {
        if (strcasecmp(name, ops[i].name) == 0) {
            return i;
        }
    }
    return -1;
}

int hccl_op_of_program(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;

    for (int i = 0; i < OP_COUNT; i++) {
        if (strcmp(name, ops[i].program) == 0) {
            return i;
        }
    }
    return -1;
}

bool hccl_op_reduces(const struct hccl_op *op)
{
    return op->shape == HCCL_SHAPE_REDUCED_ALL || op->shape == HCCL_SHAPE_REDUCED_ROOT ||
           op->shape == HCCL_SHAPE_REDUCED_BLOCK;
}

bool hccl_op_has_root(const struct hccl_op *op)
{
    return op->shape == HCCL_SHAPE_REDUCED_ROOT || op->shape == HCCL_SHAPE_ROOT_COPY;
}

double hccl_op_bus_factor(const struct hccl_op *op, int ranks)
{
    double part = (double)(ranks - 1) / ranks;

    switch (op->shape) {
    case HCCL_SHAPE_REDUCED_ALL:
        return 2 * part;
    case HCCL_SHAPE_REDUCED_BLOCK:
    case HCCL_SHAPE_GATHERED:
        return part;
    default:
        return 1;
    }
}

uint64_t hccl_op_elements(const struct hccl_op *op, uint64_t bytes, size_t size,
                          int ranks)
{
    uint64_t unit = op->equal_blocks ? (uint64_t)ranks : 1;
    uint64_t count = bytes / size / unit * unit;

    if (op->shape == HCCL_SHAPE_NOTHING) {
        return 0;
    }
    return count == 0 ? unit : count;
}

void hccl_call_divide(struct hccl_call *call, uint64_t count)
{
    int each = (int)(count / (uint64_t)call->ranks);
    int more = (int)(count % (uint64_t)call->ranks);
    int start = 0;

    call->count = (int)count;
    for (int r = 0; r < call->ranks; r++) {
        call->counts[r] = each + (r < more ? 1 : 0);
        call->starts[r] = start;
        start += call->counts[r];
    }
}
