// SPDX-License-Identifier: BSD-3-Clause
#include "core/alg/hccl_alg.h"

#include <math.h>

/*
 * Broadcast down a k-nomial tree: in each round every rank that has the data sends it to
 * k - 1 others, the farthest first.
 *
 *     k = 2, p = 8, root 0           counted from the root, a rank's parent is
 *            0                       itself with its lowest digit (base k) that
 *         4  2  1                    is not 0 made 0
 *       6 5  3
 *       7
 *
 * Time: ceil(log_k p) (k-1) (alpha + n beta). Any p, any root.
 */

static int real_rank(const struct hccl_case *c, int from_root)
{
    return (from_root + c->root) % c->ranks;
}

void hccl_bcast_knomial_build(struct hccl_builder *builder, const struct hccl_case *c)
{
    int me = (c->rank - c->root + c->ranks) % c->ranks;
    int span = 1; /* my subtree is [me, me + span) */
    hccl_builder_begin(builder, 1, 0);
    while (span < c->ranks && me / span % c->radix == 0) {
        span *= c->radix;
    }
    if (me != 0) {
        int parent = me - me / span % c->radix * span;
        hccl_builder_recv(builder, 0, 0, real_rank(c, parent), HCCL_AREA_OUT, 0, 1);
    }
    unsigned lane = 0;
    for (span /= c->radix; span > 0; span /= c->radix) {
        for (int digit = c->radix - 1; digit > 0; digit--) {
            int child = me + digit * span;
            if (child < c->ranks) {
                hccl_builder_send(builder, 1 + lane, 0, real_rank(c, child),
                                  HCCL_AREA_OUT, 0, 1);
                lane = (lane + 1) % (HCCL_LANES_MAX - 1);
            }
        }
    }
}

double hccl_bcast_knomial_cost(const struct hccl_cost_model *model,
                               const struct hccl_case *c, double bytes)
{
    double rounds = ceil(log(c->ranks) / log(c->radix));
    return rounds * (c->radix - 1) * (model->alpha + bytes * model->beta);
}
