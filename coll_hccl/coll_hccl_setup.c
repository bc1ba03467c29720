// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_setup.h"

#include "coll_hccl_message.h"
#include "coll_hccl_params.h"
#include "coll_hccl_quota.h"
#include "coll_hccl_report.h"

#include <errno.h>
#include <string.h>

/*
 * The protocol, for cells and stage alike:
 *
 *   rank 0   makes the segment, and says so in an invitation           (broadcast)
 *   others   attach, prove it by the token, reserve their own pages
 *   all      combine what went wrong anywhere                          (allreduce, MAX)
 *   rank 0   removes the name
 *
 * A rank that fails goes through the motions, so that the others hear of it. When a file
 * without a name could not be opened by all, everything is done again with a named one.
 */

/* What rank 0 tells the others. Its parameter values are the ones that count. */
struct invitation {
    int32_t error; /* enum hccl_segment_error of rank 0 */
    int32_t pad;
    uint64_t bytes;
    uint64_t token;
    struct hccl_agreed agreed;
    char name[HCCL_SEGMENT_NAME_MAX]; /* empty: there is no segment */
};

/* One way to a segment, as far as this rank has come. */
struct attempt {
    bool named;
    bool veto; /* this rank has no wish for it */
    int error; /* enum hccl_segment_error: what this rank has met */
    struct invitation invitation;
    struct hccl_segment segment;
};

enum { HEARD_ERROR, HEARD_VETO, HEARD_COUNT };

static uint64_t whole_lines(size_t bytes)
{
    return (bytes + HCCL_LINE - 1) / HCCL_LINE * HCCL_LINE;
}

static struct hccl_agreed my_values(void)
{
    const struct hccl_params *params = hccl_params_get();
    return (struct hccl_agreed){
        .mid_bytes = whole_lines(params->min_data_size),
        .buffer_bytes = whole_lines(params->staging),
        .chunk_bytes = params->chunk,
        .stream_bytes = params->stream_min,
    };
}

/* Tell the user where this rank's values differ from those of rank 0. */
static void compare(const hccl_module_t *module, const struct hccl_agreed *used)
{
    struct hccl_agreed mine = my_values();
    const struct {
        const char *name;
        uint64_t mine;
        uint64_t used;
    } rows[] = {
        {"coll_hccl_min_data_size", mine.mid_bytes, used->mid_bytes},
        {"coll_hccl_staging", mine.buffer_bytes, used->buffer_bytes},
        {"coll_hccl_chunk", mine.chunk_bytes, used->chunk_bytes},
        {"coll_hccl_stream_min", mine.stream_bytes, used->stream_bytes},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].mine != rows[i].used) {
            hccl_message_disagree(module, rows[i].name, rows[i].mine, rows[i].used);
        }
    }
}

/* The second way may succeed where the first one failed. */
static bool is_worth_a_name(int error)
{
    return error == HCCL_SEGMENT_NO_FILE || error == HCCL_SEGMENT_STRANGER;
}

static bool goes_on(const struct attempt *attempt)
{
    return attempt->error == HCCL_SEGMENT_OK && !attempt->veto;
}

/* What this rank's last step came to. The user hears of a failure; errno is its cause. */
static void note(const hccl_module_t *module, struct attempt *attempt, const char *name,
                 int error)
{
    attempt->error = error;
    if (error != HCCL_SEGMENT_OK) {
        hccl_message_no_segment(module, name, attempt->invitation.bytes, error, errno);
    }
}

/* Rank 0: make a segment of which every rank pays its share. */
static void invite(const hccl_module_t *module, struct attempt *attempt, size_t bytes)
{
    const char *folder = hccl_params_get()->backing_dir;
    struct invitation *invitation = &attempt->invitation;
    if (module->rank != 0 || !goes_on(attempt)) {
        return;
    }
    invitation->bytes = bytes;
    note(module, attempt, folder,
         hccl_segment_create(&attempt->segment, folder, bytes, attempt->named));
    invitation->token = attempt->segment.token;
    memcpy(invitation->name, attempt->segment.name, sizeof invitation->name);
}

/* All: hear from rank 0. */
static void tell(const hccl_module_t *module, struct attempt *attempt)
{
    attempt->invitation.error = attempt->error;
    int rc =
        module->previous.bcast(&attempt->invitation, (int)sizeof attempt->invitation,
                               MPI_BYTE, 0, module->comm, module->previous.bcast_module);
    if (rc != OMPI_SUCCESS) {
        attempt->error = HCCL_SEGMENT_NO_FILE;
    }
}

/* The others: attach rank 0's segment. */
static void accept_invitation(const hccl_module_t *module, struct attempt *attempt)
{
    const struct invitation *invitation = &attempt->invitation;
    if (module->rank == 0 || !goes_on(attempt)) {
        return;
    }
    if (invitation->name[0] == '\0') {
        attempt->error = invitation->error;
        return;
    }
    int error = hccl_segment_attach(&attempt->segment, invitation->name,
                                    invitation->bytes, invitation->token);
    if (!attempt->named && is_worth_a_name(error)) {
        attempt->error = error; /* nothing to tell yet */
    } else {
        note(module, attempt, invitation->name, error);
    }
}

static bool can_join(const struct attempt *attempt)
{
    return goes_on(attempt) && attempt->segment.base != NULL;
}

/* The worst over all ranks; an error of the component below counts as a refusal. */
static bool all_agree(const hccl_module_t *module, const struct attempt *attempt,
                      int heard[HEARD_COUNT])
{
    int mine[HEARD_COUNT] = {
        [HEARD_ERROR] = attempt->error, [HEARD_VETO] = attempt->veto};
    int rc = module->previous.allreduce(mine, heard, HEARD_COUNT, MPI_INT, MPI_MAX,
                                        module->comm, module->previous.allreduce_module);
    return rc == OMPI_SUCCESS && heard[HEARD_ERROR] == 0 && heard[HEARD_VETO] == 0;
}

/* All: keep the segment, which is at `joined` where the team has it, or give it up. */
static bool conclude(const hccl_module_t *module, struct attempt *attempt,
                     struct hccl_segment *joined, int heard[HEARD_COUNT])
{
    bool has_joined = joined->base != NULL;
    if (all_agree(module, attempt, heard) && has_joined) {
        hccl_segment_seal(joined);
        return true;
    }
    hccl_segment_detach(has_joined ? joined : &attempt->segment);
    return false;
}

/* One way, by all ranks; `error` is what this rank has met before. */
typedef bool way_fn(hccl_module_t *module, bool named, int error, int heard[HEARD_COUNT]);

/* First without a name, then with one. `heard` is what came of the last of them. */
static bool try_ways(hccl_module_t *module, way_fn *way, int error,
                     int heard[HEARD_COUNT])
{
    return way(module, false, error, heard) ||
           (is_worth_a_name(heard[HEARD_ERROR]) && way(module, true, error, heard));
}

static void refuse(hccl_module_t *module, const char *why)
{
    module->phase = HCCL_PHASE_OFF;
    module->reason = why;
    hccl_report_fallback(why);
    hccl_team_fini(&module->team);
}

/* The waiting rules, and everything else that follows from the agreement. */
static void settle(hccl_module_t *module)
{
    const struct hccl_params *params = hccl_params_get();
    module->team.wait.progress = hccl_ompi_progress;
    hccl_team_tune(&module->team, hccl_ompi_local_processes(), (uint32_t)params->spin_us,
                   params->sleep);
    module->phase = HCCL_PHASE_READY;
    module->reason = NULL;
}

static bool try_team(hccl_module_t *module, bool named, int error, int heard[HEARD_COUNT])
{
    struct attempt attempt = {.named = named,
                              .veto = !module->wish,
                              .error = error,
                              .invitation.agreed = my_values()};
    invite(module, &attempt, hccl_team_cell_bytes(module->size));
    tell(module, &attempt);
    compare(module, &attempt.invitation.agreed);
    accept_invitation(module, &attempt);
    if (can_join(&attempt)) {
        note(module, &attempt, attempt.invitation.name,
             hccl_team_join(&module->team, &attempt.segment));
    }
    if (!conclude(module, &attempt, &module->team.segment, heard)) {
        return false;
    }
    module->agreed = attempt.invitation.agreed;
    return true;
}

void hccl_setup_team(hccl_module_t *module)
{
    size_t share = hccl_team_cell_bytes(module->size) / (size_t)module->size;
    int heard[HEARD_COUNT] = {HCCL_SEGMENT_OK, 0};
    int error = HCCL_SEGMENT_OK;
    module->phase = HCCL_PHASE_SETUP;
    if (!hccl_team_init(&module->team, module->rank, module->size)) {
        error = HCCL_SEGMENT_NO_SPACE;
    } else if (!hccl_quota_take(&module->charged, share)) {
        error = HCCL_SEGMENT_NO_QUOTA;
    }
    if (try_ways(module, try_team, error, heard)) {
        settle(module);
        return;
    }
    hccl_quota_give(&module->charged);
    refuse(module, heard[HEARD_VETO] ? "hccl_enable is off for this communicator"
                                     : hccl_segment_reason(heard[HEARD_ERROR]));
}

/* The largest buffer that rank 0's share of the node's memory allows, by halves. */
static size_t affordable_buffer(const hccl_module_t *module, size_t mid, size_t buffer)
{
    enum { LEAST_BUFFER = 65536 };
    size_t ranks = (size_t)module->size;
    while (buffer > LEAST_BUFFER &&
           !hccl_quota_allows(hccl_team_stage_bytes(module->size, mid, buffer) / ranks)) {
        buffer /= 2;
    }
    return (size_t)whole_lines(buffer);
}

static bool try_stage(hccl_module_t *module, bool named, int error,
                      int heard[HEARD_COUNT])
{
    struct hccl_team *team = &module->team;
    struct attempt attempt = {
        .named = named, .error = error, .invitation.agreed = module->agreed};
    struct hccl_agreed *agreed = &attempt.invitation.agreed;
    if (module->rank == 0) {
        agreed->buffer_bytes =
            affordable_buffer(module, agreed->mid_bytes, agreed->buffer_bytes);
    }
    invite(module, &attempt,
           hccl_team_stage_bytes(module->size, agreed->mid_bytes, agreed->buffer_bytes));
    tell(module, &attempt);
    size_t charged = 0;
    size_t share = attempt.invitation.bytes / (size_t)module->size;
    if (goes_on(&attempt) && !hccl_quota_take(&charged, share)) {
        attempt.error = HCCL_SEGMENT_NO_QUOTA;
    }
    accept_invitation(module, &attempt);
    if (can_join(&attempt)) {
        team->chunk_bytes = agreed->chunk_bytes;
        team->stream_bytes = agreed->stream_bytes;
        note(module, &attempt, attempt.invitation.name,
             hccl_team_join_stage(team, &attempt.segment, agreed->mid_bytes,
                                  agreed->buffer_bytes));
    }
    if (!conclude(module, &attempt, &team->stage, heard)) {
        hccl_quota_give(&charged);
        return false;
    }
    module->charged += charged;
    return true;
}

void hccl_setup_stage(hccl_module_t *module)
{
    int heard[HEARD_COUNT] = {HCCL_SEGMENT_OK, 0};
    module->phase = HCCL_PHASE_SETUP;
    if (try_ways(module, try_stage, HCCL_SEGMENT_OK, heard)) {
        module->team.stage_state = HCCL_STAGE_READY;
    } else {
        module->team.stage_state = HCCL_STAGE_REFUSED;
        module->reason = hccl_segment_reason(heard[HEARD_ERROR]);
        hccl_report_fallback(module->reason);
    }
    module->phase = HCCL_PHASE_READY;
}

void hccl_setup_undo(hccl_module_t *module)
{
    hccl_team_fini(&module->team);
    hccl_quota_give(&module->charged);
}
