// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "hccl_team.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCRATCH_ALIGN = 64,
};

size_t hccl_team_cell_bytes(int size)
{
    return (size_t)size * HCCL_CELL_BYTES;
}

static size_t stage_part_bytes(size_t mid, size_t buffer)
{
    return hccl_segment_round(HCCL_STAGE_HEAD + HCCL_CELL_SLOTS * mid + buffer);
}

size_t hccl_team_stage_bytes(int size, size_t mid, size_t buffer)
{
    return (size_t)size * stage_part_bytes(mid, buffer);
}

bool hccl_team_init(struct hccl_team *team, int rank, int size)
{
    memset(team, 0, sizeof *team);
    team->rank = rank;
    team->size = size;
    team->isa = hccl_isa_detect();
    /* The first operations need no proof that older ones are over. */
    team->seq = HCCL_CELL_SLOTS;
    team->quiet = hccl_stamp_make(team->seq, 0);
    team->source = calloc((size_t)size, sizeof *team->source);
    team->part = calloc((size_t)size + 1, sizeof *team->part);
    team->scratch_bytes = HCCL_BODY_BYTES;
    team->scratch = aligned_alloc(SCRATCH_ALIGN, HCCL_BODY_BYTES);
    if (team->source == NULL || team->part == NULL || team->scratch == NULL) {
        hccl_team_fini(team);
        return false;
    }
    return true;
}

/* Affinity masks of up to 65,536 processors, folded into the words that a cell holds. */
static void publish_cpus(struct hccl_cell *cell)
{
    enum { MAX_CPUS = 65536, WORD = 64 };
    cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
    if (set == NULL) {
        return;
    }
    size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
    CPU_ZERO_S(bytes, set);
    if (sched_getaffinity(0, bytes, set) == 0) {
        for (size_t cpu = 0; cpu < MAX_CPUS; cpu++) {
            if (CPU_ISSET_S(cpu, bytes, set)) {
                cell->cpus[cpu / WORD % HCCL_CPU_WORDS] |= UINT64_C(1) << cpu % WORD;
            }
        }
    }
    CPU_FREE(set);
}

enum hccl_segment_error hccl_team_join(struct hccl_team *team,
                                       struct hccl_segment *segment)
{
    size_t mine = (size_t)team->rank * HCCL_CELL_BYTES;
    enum hccl_segment_error error = hccl_segment_reserve(segment, mine, HCCL_CELL_BYTES);
    if (error != HCCL_SEGMENT_OK) {
        return error;
    }
    team->segment = *segment;
    team->cells = segment->base;
    publish_cpus(hccl_team_cell(team, team->rank));
    return HCCL_SEGMENT_OK;
}

enum hccl_segment_error hccl_team_join_stage(struct hccl_team *team,
                                             struct hccl_segment *stage, size_t mid,
                                             size_t buffer)
{
    size_t part = stage_part_bytes(mid, buffer);
    enum hccl_segment_error error =
        hccl_segment_reserve(stage, (size_t)team->rank * part, part);
    if (error != HCCL_SEGMENT_OK) {
        return error;
    }
    /* Results pass through the scratch memory one mid slot or one chunk at a time. */
    size_t wanted = mid > team->chunk_bytes ? mid : team->chunk_bytes;
    size_t ring = buffer / HCCL_RING_PLACES;
    wanted = wanted > ring ? wanted : ring;
    wanted = (wanted + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    unsigned char *scratch = aligned_alloc(SCRATCH_ALIGN, wanted);
    if (scratch == NULL) {
        return HCCL_SEGMENT_NO_SPACE;
    }
    memset(scratch, 0, wanted);
    free(team->scratch);
    team->scratch = scratch;
    team->scratch_bytes = wanted;
    team->stage = *stage;
    team->stage_rank_bytes = part;
    team->mid_bytes = mid;
    team->buffer_bytes = buffer;
    return HCCL_SEGMENT_OK;
}

static bool overlap(const uint64_t *a, const uint64_t *b)
{
    uint64_t common = 0;
    for (int i = 0; i < HCCL_CPU_WORDS; i++) {
        common |= a[i] & b[i];
    }
    return common != 0;
}

/*
 * How many ranks compete with me, and for how many processors: those whose affinity masks
 * meet mine. Processes outside the team are counted when they may run anywhere, as we
 * then may as well.
 */
void hccl_team_tune(struct hccl_team *team, int neighbours, uint32_t spin_us, bool sleep)
{
    const uint64_t *mine = hccl_team_cell(team, team->rank)->cpus;
    uint64_t both[HCCL_CPU_WORDS] = {0};
    int ranks = 0;
    for (int r = 0; r < team->size; r++) {
        const uint64_t *theirs = hccl_team_cell(team, r)->cpus;
        if (r == team->rank || overlap(mine, theirs)) {
            ranks++;
            for (int i = 0; i < HCCL_CPU_WORDS; i++) {
                both[i] |= theirs[i];
            }
        }
    }
    int cpus = 0;
    for (int i = 0; i < HCCL_CPU_WORDS; i++) {
        cpus += __builtin_popcountll(both[i]);
    }
    if (ranks == team->size && neighbours > ranks) {
        ranks = neighbours;
    }
    hccl_wait_tune(&team->wait, ranks, cpus > 0 ? cpus : 1, spin_us, sleep);
    if (ranks > cpus) {
        team->crowd = (struct hccl_crowd){
            .cells = team->cells, .rank = team->rank, .size = team->size};
        team->wait.crowd = &team->crowd;
    }
}

void hccl_team_fini(struct hccl_team *team)
{
    hccl_segment_detach(&team->stage);
    hccl_segment_detach(&team->segment);
    free(team->source);
    free(team->part);
    free(team->scratch);
    memset(team, 0, sizeof *team);
}

void hccl_team_wait_quiet(struct hccl_team *team, uint64_t stamp)
{
    uint64_t least = UINT64_MAX;
    for (int i = 1; i < team->size; i++) {
        int peer = (team->rank + i) % team->size;
        uint64_t seen = hccl_team_await(
            team, peer,
            (struct hccl_awaited){
                .word = &hccl_team_cell(team, peer)->ack, .value = stamp, .each = true});
        least = seen < least ? seen : least;
    }
    team->quiet = least > team->quiet ? least : team->quiet;
}
