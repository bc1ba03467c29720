// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_ALG_H
#define HCCL_ALG_H

#include "core/hccl_builder.h"

/*
 * The algorithms: pure functions that tell a builder the steps of one rank. The table of
 * all of them is what the parameter's choices, the texts of ompi_info, the documentation
 * and the tests are made from.
 */

enum hccl_collective {
    HCCL_ALLREDUCE,
    HCCL_REDUCE_SCATTER,
    HCCL_BCAST,
    HCCL_COLLECTIVES,
};

/** What an algorithm is asked for. Every rank passes the same but for `rank`. */
struct hccl_case {
    int ranks;
    int rank;
    int root;   /* of bcast */
    int radix;  /* of algorithms that have one (children of a tree, partners per round) */
    int pieces; /* what each unit of an algorithm (a rank's block, a tree's half, the
                   whole vector) is cut into, to be worked on one after the other */
};

enum {
    /* In the result, operands stand in the order of ranks: good for operations that don't
       commute. */
    HCCL_ALG_ORDERED = 1,
    /* ((0 op 1) op 2) op ...: the same bits whatever the number of bytes. */
    HCCL_ALG_RANK_BY_RANK = 2,
    /* Ranks must be a power of two. */
    HCCL_ALG_POWER_OF_TWO = 4,
    /* Every step's chunks are of one rank's block, so that large vectors can be sliced.
     */
    HCCL_ALG_BLOCKWISE = 8,
    /* Has a radix, from 2 to 8. */
    HCCL_ALG_RADIX = 16,
    /* pieces are used; all others take 1. */
    HCCL_ALG_PIECES = 32,
};

/** Seconds: per message (alpha), per byte sent (beta), per byte reduced (gamma). */
struct hccl_cost_model {
    double alpha;
    double beta;
    double gamma;
};

struct hccl_alg {
    enum hccl_collective collective;
    const char *name;
    unsigned flags;
    /** Tell the steps of one rank; errors are in the builder. */
    void (*build)(struct hccl_builder *builder, const struct hccl_case *a_case);
    /** The time of `bytes` (the whole vector) by closed form, in seconds. */
    double (*cost)(const struct hccl_cost_model *model, const struct hccl_case *a_case,
                   double bytes);
    const char *text; /* one line for users */
};

/** All algorithms, by collective. */
const struct hccl_alg *hccl_alg_table(size_t *count);

/** @return NULL when there is none of that name */
const struct hccl_alg *hccl_alg_find(enum hccl_collective collective, const char *name);

const char *hccl_collective_name(enum hccl_collective collective);

/** Can the algorithm serve that many ranks? */
bool hccl_alg_serves(const struct hccl_alg *alg, int ranks);

/**
 * One rank's schedule.
 * @return NULL without memory or when the algorithm does not serve the case
 */
struct hccl_sched *hccl_alg_build(const struct hccl_alg *alg,
                                  struct hccl_builder *builder,
                                  const struct hccl_case *a_case);

/* The algorithms themselves, each in a file of its name. */
#define HCCL_DECLARE_ALG(name)                                                           \
    void hccl_##name##_build(struct hccl_builder *builder,                               \
                             const struct hccl_case *a_case);                            \
    double hccl_##name##_cost(const struct hccl_cost_model *model,                       \
                              const struct hccl_case *a_case, double bytes);
HCCL_DECLARE_ALG(allreduce_ring)
HCCL_DECLARE_ALG(bcast_knomial)
#undef HCCL_DECLARE_ALG

#endif
