// SPDX-License-Identifier: BSD-3-Clause
#include "sweep.h"
#include "types.h"

uint64_t hccl_sweep_largest(const struct hccl_options *o, int ranks)
{
    size_t size = hccl_dtype_get(o->dtype)->size;
    uint64_t most = 0;

    for (int i = 0; i < o->ops; i++) {
        uint64_t count =
            hccl_op_elements(hccl_op_get(o->op[i]), o->max_bytes, size, ranks);
        most = count > most ? count : most;
    }
    return most;
}

uint64_t hccl_sweep_next(const struct hccl_options *o, const struct hccl_op *op,
                         int ranks, uint64_t count, uint64_t *bytes)
{
    size_t size = hccl_dtype_get(o->dtype)->size;

    for (;;) {
        *bytes = hccl_options_next_size(o, *bytes);
        uint64_t next = *bytes == 0 ? 0 : hccl_op_elements(op, *bytes, size, ranks);
        if (*bytes == 0 || next != count) {
            return next;
        }
    }
}

int hccl_sweep_length(const struct hccl_options *o, int ranks)
{
    int total = 0;

    for (int i = 0; i < o->ops; i++) {
        const struct hccl_op *op = hccl_op_get(o->op[i]);
        uint64_t bytes = 0;
        uint64_t count = 0;
        if (op->shape == HCCL_SHAPE_NOTHING) {
            total++;
            continue;
        }
        while ((count = hccl_sweep_next(o, op, ranks, count, &bytes)) != 0) {
            total++;
        }
    }
    return total * (int)o->cycles;
}
