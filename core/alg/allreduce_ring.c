// SPDX-License-Identifier: BSD-3-Clause
#include "core/alg/hccl_alg.h"

/*
 * Ring allreduce (Patarasuk and Yuan 2009).
 *
 *     0 -> 1 -> 2 -> 3 -> 0          p blocks of pieces chunks, one block per rank
 *
 * Block b starts at rank b+1 and travels to rank b, each rank adding its own; there it is
 * complete, and it travels once more around to be kept by all.
 *
 *     round        0    1    2  |  3    4    5
 *     rank 0 sends 3    2    1  |  0    3    2        (blocks, p = 4)
 *     rank 1 sends 0    3    2  |  1    0    3
 *
 * The pieces of a block are rings of their own, in lanes of their own, so that one piece
 * is reduced while another one travels.
 *
 * Time: 2(p-1) alpha + 2(p-1)/p n beta + (p-1)/p n gamma. Any p; operands end up in
 * cyclic order, so the operation must commute.
 */

enum { PIECES_MAX = HCCL_LANES_MAX / 2 };

struct ring {
    struct hccl_builder *builder;
    const struct hccl_case *c;
    uint32_t pieces;
};

static uint32_t block_of(const struct hccl_case *c, int behind)
{
    return (uint32_t)((c->rank - behind + 2 * c->ranks) % c->ranks);
}

static void step(const struct ring *ring, uint32_t piece, int round)
{
    const struct hccl_case *c = ring->c;
    unsigned lane = 2 * piece;
    int next = (c->rank + 1) % c->ranks;
    int before = (c->rank + c->ranks - 1) % c->ranks;
    uint32_t out = block_of(c, round + 1) * ring->pieces + piece;
    uint32_t in = block_of(c, round + 2) * ring->pieces + piece;
    bool first = round == 0;
    hccl_builder_send(ring->builder, lane, piece, next,
                      first ? HCCL_AREA_IN : HCCL_AREA_OUT, out, 1);
    if (round < c->ranks - 1) {
        hccl_builder_recv_reduce(ring->builder, lane + 1, piece, before, HCCL_AREA_OUT,
                                 HCCL_AREA_PEER, HCCL_AREA_IN, in, 1);
    } else {
        hccl_builder_recv(ring->builder, lane + 1, piece, before, HCCL_AREA_OUT, in, 1);
    }
}

void hccl_allreduce_ring_build(struct hccl_builder *builder, const struct hccl_case *c)
{
    uint32_t pieces = (uint32_t)(c->pieces < PIECES_MAX ? c->pieces : PIECES_MAX);
    struct ring ring = {.builder = builder, .c = c, .pieces = pieces};
    hccl_builder_begin(builder, (uint32_t)c->ranks * pieces, 0);
    for (int round = 0; round < 2 * (c->ranks - 1); round++) {
        for (uint32_t piece = 0; piece < pieces; piece++) {
            step(&ring, piece, round);
        }
    }
}

double hccl_allreduce_ring_cost(const struct hccl_cost_model *model,
                                const struct hccl_case *c, double bytes)
{
    double p = c->ranks;
    return 2 * (p - 1) * model->alpha + 2 * (p - 1) / p * bytes * model->beta +
           (p - 1) / p * bytes * model->gamma;
}
