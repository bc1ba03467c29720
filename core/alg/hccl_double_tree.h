// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_DOUBLE_TREE_H
#define HCCL_DOUBLE_TREE_H

/*
 * Two binary trees over the same ranks (Sanders, Speck and Traeff 2009), both with rank 0
 * on top, which has one child in each. All other ranks have two children at most in one
 * tree and none in the other, so that every rank sends and receives one vector when each
 * tree carries half of it.
 *
 * The first tree is in order: a rank's height is its lowest set bit. p = 8:
 *
 *          0                       0
 *          4                       5
 *       2     6                 3     7
 *      1 3   5 7               2 4   6 1
 *
 * The second one is the first with the ranks from 1 mirrored (odd p) or moved on by one
 * (even p).
 */

struct hccl_double_tree_node {
    int parent; /* -1: rank 0 */
    int children;
    int child[2]; /* -1 from `children` on; the one with the smaller subtree last */
};

/** Where a rank stands in tree 0 or 1; takes logarithmic time. */
struct hccl_double_tree_node hccl_double_tree_find(int ranks, int tree, int rank);

/** The edges on the longest way from rank 0 down: ceil(log2 ranks). */
int hccl_double_tree_depth(int ranks);

#endif
