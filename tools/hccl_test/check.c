// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "buffers.h"

#include <string.h>

enum { GUARD_BYTE = 0x5c };

// One stretch of memory and the pattern it holds.
struct stretch {
    const struct hccl_pattern *pattern;
    unsigned char *at;
    uint64_t start;
    size_t count;
};

int hccl_check_create(struct hccl_check *check, int dtype, int redop, int rank, int ranks)
{
    memset(check, 0, sizeof(*check));
    check->type = hccl_dtype_get(dtype);
    check->redop = redop;
    check->ranks = ranks;
    check->other_rank = -1;
    if (hccl_pattern_create(&check->own, check->type) != 0 ||
        hccl_pattern_create(&check->reduced, check->type) != 0 ||
        hccl_pattern_create(&check->other, check->type) != 0) {
        hccl_check_destroy(check);
        return -1;
    }
    hccl_pattern_of_rank(&check->own, check->type, redop, rank, ranks);
    hccl_pattern_of_all(&check->reduced, check->type, redop, ranks);
    return 0;
}

void hccl_check_destroy(struct hccl_check *check)
{
    hccl_pattern_destroy(&check->own);
    hccl_pattern_destroy(&check->reduced);
    hccl_pattern_destroy(&check->other);
}

// Successive calls start this many elements apart; a prime too, unlike the period.
static uint64_t shift(uint64_t seed)
{
    return seed * 1009;
}

static const struct hccl_pattern *pattern_of(struct hccl_check *check, int rank)
{
    if (check->other_rank != rank) {
        hccl_pattern_of_rank(&check->other, check->type, check->redop, rank,
                             check->ranks);
        check->other_rank = rank;
    }
    return &check->other;
}

// Where this rank's input is; an empty stretch when it has none.
static struct stretch input(const struct hccl_check *check, const struct hccl_call *call,
                            uint64_t seed)
{
    struct stretch s = {&check->own, call->send, shift(seed), (size_t)call->count};
    bool is_root = call->rank == call->root;
    bool in_place = call->in_place;

    switch (call->op->shape) {
    case HCCL_SHAPE_NOTHING:
        s.count = 0;
        break;
    case HCCL_SHAPE_ROOT_COPY:
        s.count = is_root ? s.count : 0;
        in_place = false; // a broadcast has one buffer anyway
        break;
    case HCCL_SHAPE_REDUCED_ROOT:
        in_place = in_place && is_root;
        break;
    case HCCL_SHAPE_GATHERED:
        s.count = (size_t)call->counts[call->rank];
        break;
    default:
        break;
    }
    if (in_place) {
        s.at = call->recv;
        if (call->op->shape == HCCL_SHAPE_GATHERED) {
            s.at += (size_t)call->starts[call->rank] * call->element_size;
        }
    }
    return s;
}

static int output_count(const struct hccl_call *call)
{
    bool is_root = call->rank == call->root;

    switch (call->op->shape) {
    case HCCL_SHAPE_NOTHING:
        return 0;
    case HCCL_SHAPE_REDUCED_ROOT:
        return is_root ? 1 : 0;
    case HCCL_SHAPE_ROOT_COPY:
        return is_root ? 0 : 1;
    case HCCL_SHAPE_GATHERED:
        return call->ranks;
    default:
        return 1;
    }
}

// Stretch `index` of the result on this rank.
static struct stretch output(struct hccl_check *check, const struct hccl_call *call,
                             uint64_t seed, int index)
{
    struct stretch s = {&check->reduced, call->recv, shift(seed), (size_t)call->count};

    switch (call->op->shape) {
    case HCCL_SHAPE_REDUCED_BLOCK:
        s.start += (uint64_t)call->starts[call->rank];
        s.count = (size_t)call->counts[call->rank];
        break;
    case HCCL_SHAPE_ROOT_COPY:
        s.pattern = pattern_of(check, call->root);
        break;
    case HCCL_SHAPE_GATHERED:
        s.pattern = pattern_of(check, index);
        s.at += (size_t)call->starts[index] * call->element_size;
        s.count = (size_t)call->counts[index];
        break;
    default:
        break;
    }
    return s;
}

// The end of what a call may write in its output buffer.
static unsigned char *output_end(const struct hccl_call *call)
{
    size_t count = (size_t)call->count;

    if (call->op->shape == HCCL_SHAPE_REDUCED_BLOCK && !call->in_place) {
        count = (size_t)call->counts[call->rank];
    }
    return call->recv + count * call->element_size;
}

void hccl_check_fill(const struct hccl_check *check, const struct hccl_call *call,
                     uint64_t seed)
{
    struct stretch s = input(check, call, seed);

    hccl_pattern_fill(s.pattern, s.at, s.start, s.count);
}

void hccl_check_poison(struct hccl_check *check, const struct hccl_call *call,
                       uint64_t seed)
{
    bool input_is_output = input(check, call, seed).at != call->send;

    for (int i = 0; i < output_count(call); i++) {
        struct stretch s = output(check, call, seed, i);
        bool is_input = call->op->shape != HCCL_SHAPE_GATHERED || i == call->rank;
        if (!input_is_output || !is_input) {
            hccl_pattern_poison(s.pattern, s.at, s.start, s.count);
        }
    }
    memset(output_end(call), GUARD_BYTE, HCCL_BUFFERS_GUARD);
}

static uint64_t guard_wrong(const struct hccl_call *call)
{
    const unsigned char *guard = output_end(call);
    uint64_t wrong = 0;

    for (int i = 0; i < HCCL_BUFFERS_GUARD; i++) {
        wrong += guard[i] != GUARD_BYTE;
    }
    return wrong;
}

uint64_t hccl_check_wrong(struct hccl_check *check, const struct hccl_call *call,
                          uint64_t seed)
{
    struct stretch in = input(check, call, seed);
    uint64_t wrong = 0;

    for (int i = 0; i < output_count(call); i++) {
        struct stretch s = output(check, call, seed, i);
        wrong += hccl_pattern_wrong(s.pattern, s.at, s.start, s.count);
    }
    if (in.at == call->send) {
        wrong += hccl_pattern_wrong(in.pattern, in.at, in.start, in.count);
    }
    return wrong + guard_wrong(call);
}
