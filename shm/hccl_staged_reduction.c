// SPDX-License-Identifier: BSD-3-Clause
#include "hccl_meet.h"

/*
 * Large reductions: every rank reduces one part of the vector, chunk by chunk, out of the
 * others' buffers.
 *
 *   step k     fill     my chunk k of the others' parts      -> my buffer, side k % 2
 *              reduce   chunk k-1 of my part, from all       -> my result, side (k-1) % 2
 *              collect  chunk k-2 of the others' parts       <- their results
 *              post "step k done", wait until all have posted it
 *
 * Reduce-scatter needs no results and ends one step earlier; reduce collects at its root
 * only. What one step writes is read in the next and written again in the one after that,
 * so two sides suffice and one wait per step orders everything:
 *
 *   fill k  --post/wait-->  reduce k  --post/wait-->  collect k  --post/wait-->  fill k+2
 *
 * A rank's buffer: 2 sides x P parts, then 2 results, each `room` bytes. Chunks are sized
 * so that what a step touches stays in a second-level cache. Cost with p ranks and n
 * bytes: allreduce copies n (p-1)/p in and out, reads n and writes 2n/p per rank.
 */

struct staged {
    struct hccl_team *team;
    const struct hccl_job *job;
    struct hccl_call call;
    size_t room;  /* bytes of one chunk's place */
    size_t chunk; /* elements per chunk */
    size_t steps; /* chunks in the longest part */
    bool keep;    /* results are needed by others (allreduce, reduce) */
    bool collect; /* I collect results */
    bool scatter; /* my part goes to the start of `out`, not to its place in the vector */
    bool stream;  /* bypass the caches when writing to the user's buffer */
    bool pack_own; /* my own part is read from its packed copy too */
};

static unsigned char *filled(const struct staged *op, int rank, size_t step, int part)
{
    size_t place = (step % 2) * (size_t)op->team->size + (size_t)part;
    return hccl_team_buffer(op->team, rank) + place * op->room;
}

static unsigned char *result(const struct staged *op, int rank, size_t step)
{
    size_t place = 2 * (size_t)op->team->size + step % 2;
    return hccl_team_buffer(op->team, rank) + place * op->room;
}

/* Chunk `step` of `part`: its elements, and by reference where they begin in the vector.
 */
static size_t chunk_of(const struct staged *op, int part, size_t step, size_t *first)
{
    size_t begin = op->team->part[part];
    size_t length = op->team->part[part + 1] - begin;
    size_t done = step * op->chunk;
    *first = begin + done;
    if (done >= length) {
        return 0;
    }
    return length - done < op->chunk ? length - done : op->chunk;
}

static void fill(const struct staged *op, size_t step)
{
    const struct hccl_team *team = op->team;
    size_t element = op->job->combine.element;
    for (int i = op->pack_own ? 0 : 1; i < team->size; i++) {
        int part = (team->rank + i) % team->size;
        size_t first;
        size_t count = chunk_of(op, part, step, &first);
        hccl_view_read(&op->job->in, first * element, filled(op, team->rank, step, part),
                       count * element);
    }
}

/*
 * Reduce `count` elements and hand them to the others by `kept`. The result is made in
 * private memory, block by block, and moved to the shared place by a string move:
 * ordinary stores there would fetch each line from the ranks that read it last.
 */
static void reduce_and_keep(const struct staged *op, unsigned char *kept, size_t at,
                            size_t count)
{
    enum { BLOCK_BYTES = 16384 };
    struct hccl_team *team = op->team;
    const struct hccl_job *job = op->job;
    size_t element = job->combine.element;
    size_t block = BLOCK_BYTES / element > 0 ? BLOCK_BYTES / element : 1;
    bool direct = op->collect && !op->stream && job->combine.kernel != NULL &&
                  job->out.base != NULL;
    for (size_t done = 0; done < count; done += block) {
        size_t now = count - done < block ? count - done : block;
        size_t begin = at + done * element;
        unsigned char *to = direct ? job->out.base + begin : team->scratch;
        hccl_call_combine(team, &job->combine, to, now);
        hccl_copy_shared(kept + done * element, to, now * element);
        if (op->collect && !direct) {
            hccl_view_write(&job->out, begin, to, now * element, op->stream);
        }
        for (int r = 0; r < team->size; r++) {
            team->source[r] = (const unsigned char *)team->source[r] + now * element;
        }
    }
}

static void reduce(const struct staged *op, size_t step)
{
    struct hccl_team *team = op->team;
    const struct hccl_job *job = op->job;
    size_t element = job->combine.element;
    size_t first;
    size_t count = chunk_of(op, team->rank, step, &first);
    for (int r = 0; r < team->size; r++) {
        team->source[r] = filled(op, r, step, team->rank);
    }
    if (!op->pack_own) {
        team->source[team->rank] = job->in.base + first * element;
    }
    if (op->keep) {
        reduce_and_keep(op, result(op, team->rank, step), first * element, count);
    } else {
        hccl_call_reduce(team, job, step * op->chunk * element, count, op->stream);
    }
}

static void collect(const struct staged *op, size_t step)
{
    const struct hccl_team *team = op->team;
    size_t element = op->job->combine.element;
    for (int i = 1; i < team->size; i++) {
        int peer = (team->rank + i) % team->size;
        size_t first;
        size_t count = chunk_of(op, peer, step, &first);
        hccl_view_write(&op->job->out, first * element, result(op, peer, step),
                        count * element, op->stream);
    }
}

/* After the first step the flag that announces the operation does for all. */
static bool post_and_wait(const struct staged *op, size_t step)
{
    struct hccl_team *team = op->team;
    if (step == 0) {
        hccl_call_post(team, &op->call);
        return hccl_call_meet(team, &op->call);
    }
    uint64_t stamp = hccl_stamp_make(op->call.seq, step + 1);
    struct hccl_cell *mine = hccl_team_cell(team, team->rank);
    hccl_wait_post(&mine->step, stamp, &mine->sleepers);
    for (int i = 1; i < team->size; i++) {
        int peer = (team->rank + i) % team->size;
        hccl_team_await(team, peer,
                        (struct hccl_awaited){.word = &hccl_team_cell(team, peer)->step,
                                              .value = stamp,
                                              .each = true});
    }
    return true;
}

/* Even split of the vector, where the operation doesn't prescribe one. */
static void split_evenly(struct hccl_team *team, size_t count)
{
    size_t share = count / (size_t)team->size;
    size_t rest = count % (size_t)team->size;
    for (size_t r = 0; r <= (size_t)team->size; r++) {
        team->part[r] = r * share + (r < rest ? r : rest);
    }
}

/*
 * `chunk` elements, made up to whole pages of bytes if the limit allows it: copies whose
 * source begins inside a cache line take a fifth longer.
 */
static size_t whole_pages(size_t chunk, size_t most, size_t element)
{
    enum { PAGE = 4096 };
    size_t unit = PAGE % element == 0 ? PAGE / element : PAGE;
    size_t whole = (chunk + unit - 1) / unit * unit;
    return whole <= most ? whole : chunk;
}

/* Fewer, equal chunks: as many as the longest part needs. @return false: too large */
static bool choose_chunks(struct staged *op)
{
    const struct hccl_team *team = op->team;
    size_t element = op->job->combine.element;
    size_t places = 2 * (size_t)team->size + 2;
    op->room = team->buffer_bytes / places / HCCL_LINE * HCCL_LINE;
    size_t limit = op->room < team->chunk_bytes ? op->room : team->chunk_bytes;
    size_t most = limit / element;
    if (most == 0) {
        return false;
    }
    size_t longest = 0;
    for (int r = 0; r < team->size; r++) {
        size_t length = team->part[r + 1] - team->part[r];
        longest = length > longest ? length : longest;
    }
    op->steps = (longest + most - 1) / most;
    op->chunk = op->steps > 0 ? (longest + op->steps - 1) / op->steps : 1;
    op->chunk = whole_pages(op->chunk, most, element);
    return true;
}

static enum hccl_result run(const struct staged *op)
{
    size_t last = op->steps + (op->keep ? 1 : 0);
    for (size_t step = 0; step <= last; step++) {
        if (step < op->steps) {
            fill(op, step);
        }
        if (step >= 1 && step <= op->steps) {
            reduce(op, step - 1);
        }
        if (step >= 2 && op->collect) {
            collect(op, step - 2);
        }
        if (step < last && !post_and_wait(op, step)) {
            return hccl_call_differs(op->team, &op->call);
        }
    }
    return HCCL_DONE;
}

enum hccl_result hccl_staged_reduction(struct hccl_team *team, unsigned kind,
                                       const struct hccl_job *job)
{
    unsigned base = kind & ~(unsigned)HCCL_KIND_HEADED;
    struct staged op = {
        .team = team,
        .job = job,
        .keep = base != HCCL_KIND_REDUCE_SCATTER,
        .scatter = base == HCCL_KIND_REDUCE_SCATTER,
        .collect = base == HCCL_KIND_ALLREDUCE ||
                   (base == HCCL_KIND_REDUCE && team->rank == job->root),
        .stream = job->bytes >= team->stream_bytes,
        .pack_own = job->in.base == NULL,
    };
    if (!op.scatter) {
        split_evenly(team, job->count);
    }
    bool fits = choose_chunks(&op);
    op.call = hccl_call_begin(team, kind, job->bytes, job->combine.element);
    hccl_team_quiet(team, team->ring_last > team->sides_stamp ? team->ring_last
                                                              : team->sides_stamp);
    enum hccl_result answer = HCCL_NOT_SERVED;
    if (fits) {
        answer = run(&op);
    } else {
        /* An element is larger than a chunk may be, on this rank at least. */
        hccl_call_post(team, &op.call);
        if (!hccl_call_meet(team, &op.call)) {
            answer = hccl_call_differs(team, &op.call);
        }
    }
    team->sides_stamp = hccl_stamp_make(op.call.seq + 1, 0);
    hccl_team_finish(team, op.call.seq);
    return answer;
}
