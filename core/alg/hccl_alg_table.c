// SPDX-License-Identifier: BSD-3-Clause
#include "core/alg/hccl_alg.h"

#include <string.h>

#define ALG(of, label, file, restrictions, words)                                        \
    {                                                                                    \
        .collective = (of), .name = (label), .flags = (restrictions),                    \
        .build = hccl_##file##_build, .cost = hccl_##file##_cost, .text = (words)        \
    }

static const struct hccl_alg table[] = {
    ALG(HCCL_ALLREDUCE, "ring", allreduce_ring, HCCL_ALG_BLOCKWISE | HCCL_ALG_PIECES,
        "around a ring, reduced then gathered: least bytes, 2(p-1) messages"),
    ALG(HCCL_BCAST, "knomial", bcast_knomial, HCCL_ALG_RADIX,
        "down a k-nomial tree: fewest messages in a row"),
};

const struct hccl_alg *hccl_alg_table(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

const struct hccl_alg *hccl_alg_find(enum hccl_collective collective, const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].collective == collective && strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

const char *hccl_collective_name(enum hccl_collective collective)
{
    static const char *const names[HCCL_COLLECTIVES] = {
        [HCCL_ALLREDUCE] = "allreduce",
        [HCCL_REDUCE_SCATTER] = "reduce_scatter",
        [HCCL_BCAST] = "bcast",
    };
    return names[collective];
}

bool hccl_alg_serves(const struct hccl_alg *alg, int ranks)
{
    return ranks >= 1 &&
           ((alg->flags & HCCL_ALG_POWER_OF_TWO) == 0 || (ranks & (ranks - 1)) == 0);
}

static bool is_sound(const struct hccl_alg *alg, const struct hccl_case *c)
{
    enum { RADIX_MIN = 2, RADIX_MAX = 8 };
    return hccl_alg_serves(alg, c->ranks) && c->rank >= 0 && c->rank < c->ranks &&
           c->root >= 0 && c->root < c->ranks && c->pieces >= 1 &&
           ((alg->flags & HCCL_ALG_PIECES) != 0 || c->pieces == 1) &&
           ((alg->flags & HCCL_ALG_RADIX) == 0 ||
            (c->radix >= RADIX_MIN && c->radix <= RADIX_MAX));
}

/* One rank has nobody to talk to. */
static void build_alone(struct hccl_builder *builder, const struct hccl_alg *alg)
{
    hccl_builder_begin(builder, 1, 0);
    if (alg->collective != HCCL_BCAST) {
        hccl_builder_copy(builder, 0, HCCL_AREA_OUT, HCCL_AREA_IN, 0, 1);
    }
}

struct hccl_sched *hccl_alg_build(const struct hccl_alg *alg,
                                  struct hccl_builder *builder,
                                  const struct hccl_case *a_case)
{
    if (!is_sound(alg, a_case)) {
        return NULL;
    }
    if (a_case->ranks == 1) {
        build_alone(builder, alg);
    } else {
        alg->build(builder, a_case);
    }
    return hccl_builder_finish(builder);
}
