// SPDX-License-Identifier: BSD-3-Clause
#include "core/alg/hccl_double_tree.h"

/* Ranks and places are [1, last]; place 0 is rank 0's in both trees. */

static int place_of(int last, int tree, int rank)
{
    if (tree == 0 || rank == 0) {
        return rank;
    }
    if (last % 2 == 0) {
        return last + 1 - rank;
    }
    return rank == 1 ? last : rank - 1;
}

static int rank_at(int last, int tree, int place)
{
    if (tree == 0 || place == 0) {
        return place;
    }
    if (last % 2 == 0) {
        return last + 1 - place;
    }
    return place == last ? 1 : place + 1;
}

/*
 * Above a place is the next one with a higher lowest bit, to the left or to the right.
 * Where the tree has been cut off on the right, all that is left is the one to the left.
 */
static int above(int last, int place)
{
    int low = place & -place;
    int up = (place - low) | 2 * low;
    return up <= last ? up : place - low;
}

/* The highest place among the `span` - 1 to the right, or 0. */
static int below_right(int last, int place, int span)
{
    for (int half = span / 2; half > 0; half /= 2) {
        if (place + half <= last) {
            return place + half;
        }
    }
    return 0;
}

static int span_of(int last, int place)
{
    if (place != 0) {
        return place & -place;
    }
    int span = 1;
    while (span <= last) {
        span *= 2;
    }
    return span;
}

struct hccl_double_tree_node hccl_double_tree_find(int ranks, int tree, int rank)
{
    struct hccl_double_tree_node node = {.parent = -1, .child = {-1, -1}};
    int last = ranks - 1;
    int place = place_of(last, tree, rank);
    int span = span_of(last, place);
    if (place != 0) {
        node.parent = rank_at(last, tree, above(last, place));
    }
    if (place != 0 && span > 1) {
        node.child[node.children++] = rank_at(last, tree, place - span / 2);
    }
    int right = below_right(last, place, span);
    if (right != 0) {
        node.child[node.children++] = rank_at(last, tree, right);
    }
    return node;
}

int hccl_double_tree_depth(int ranks)
{
    int depth = 0;
    for (int reach = 1; reach < ranks; reach *= 2) {
        depth++;
    }
    return depth;
}
