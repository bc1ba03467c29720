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
    char name[HCCL_SEGMENT_NAME_MAX];
};

enum { HEARD_ERROR, HEARD_VETO, HEARD_COUNT };

static int tell(hccl_module_t *module, struct invitation *invitation)
{
    return module->previous.bcast(invitation, (int)sizeof *invitation, MPI_BYTE, 0,
                                  module->comm, module->previous.bcast_module);
}

/* The worst over all ranks; an error of the component below counts as a refusal. */
static bool all_agree(hccl_module_t *module, int error, int veto, int heard[HEARD_COUNT])
{
    int mine[HEARD_COUNT] = {[HEARD_ERROR] = error, [HEARD_VETO] = veto};
    int rc = module->previous.allreduce(mine, heard, HEARD_COUNT, MPI_INT, MPI_MAX,
                                        module->comm, module->previous.allreduce_module);
    return rc == OMPI_SUCCESS && heard[HEARD_ERROR] == 0 && heard[HEARD_VETO] == 0;
}

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

/* Rank 0: make a segment of which every rank pays its share. */
static int invite(hccl_module_t *module, struct hccl_segment *segment, size_t bytes,
                  bool named, struct invitation *invitation)
{
    const struct hccl_params *params = hccl_params_get();
    int error = hccl_segment_create(segment, params->backing_dir, bytes, named);
    if (error != HCCL_SEGMENT_OK) {
        hccl_message_no_segment(module, params->backing_dir, bytes, error, errno);
    }
    invitation->error = error;
    invitation->bytes = bytes;
    invitation->token = segment->token;
    memcpy(invitation->name, segment->name, sizeof invitation->name);
    return error;
}

/* The second way may succeed where the first one failed. */
static bool is_worth_a_name(int error)
{
    return error == HCCL_SEGMENT_NO_FILE || error == HCCL_SEGMENT_STRANGER;
}

static int accept_invitation(hccl_module_t *module, struct hccl_segment *segment,
                             bool named, const struct invitation *invitation)
{
    if (invitation->error != HCCL_SEGMENT_OK) {
        return invitation->error;
    }
    int error = hccl_segment_attach(segment, invitation->name, invitation->bytes,
                                    invitation->token);
    if (error != HCCL_SEGMENT_OK && (named || !is_worth_a_name(error))) {
        hccl_message_no_segment(module, invitation->name, invitation->bytes, error,
                                errno);
    }
    return error;
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

/* One way, by all ranks; `error` is what this rank has met before. */
static bool try_team(hccl_module_t *module, bool named, int error, int heard[HEARD_COUNT])
{
    size_t bytes = hccl_team_cell_bytes(module->size);
    struct hccl_segment segment = {0};
    struct invitation invitation = {.agreed = my_values()};
    if (module->rank == 0) {
        invitation.error = error;
        if (error == HCCL_SEGMENT_OK && module->wish) {
            error = invite(module, &segment, bytes, named, &invitation);
        }
    }
    if (tell(module, &invitation) != OMPI_SUCCESS) {
        error = HCCL_SEGMENT_NO_FILE;
    }
    compare(module, &invitation.agreed);
    if (module->rank != 0 && error == HCCL_SEGMENT_OK && module->wish &&
        invitation.name[0] != '\0') {
        error = accept_invitation(module, &segment, named, &invitation);
    }
    if (error == HCCL_SEGMENT_OK && segment.base != NULL) {
        error = hccl_team_join(&module->team, &segment);
        if (error != HCCL_SEGMENT_OK) {
            hccl_message_no_segment(module, invitation.name, bytes, error, errno);
        }
    }
    bool joined = module->team.segment.base != NULL;
    if (all_agree(module, error, module->wish ? 0 : 1, heard) && joined) {
        hccl_segment_seal(&module->team.segment);
        module->agreed = invitation.agreed;
        return true;
    }
    hccl_segment_detach(joined ? &module->team.segment : &segment);
    return false;
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
    bool done = try_team(module, false, error, heard);
    if (!done && is_worth_a_name(heard[HEARD_ERROR])) {
        done = try_team(module, true, error, heard);
    }
    if (done) {
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

static bool try_stage(hccl_module_t *module, bool named, int heard[HEARD_COUNT])
{
    struct hccl_team *team = &module->team;
    struct hccl_segment stage = {0};
    struct invitation invitation = {.agreed = module->agreed};
    struct hccl_agreed *agreed = &invitation.agreed;
    int error = HCCL_SEGMENT_OK;
    if (module->rank == 0) {
        agreed->buffer_bytes =
            affordable_buffer(module, agreed->mid_bytes, agreed->buffer_bytes);
        size_t bytes =
            hccl_team_stage_bytes(module->size, agreed->mid_bytes, agreed->buffer_bytes);
        error = invite(module, &stage, bytes, named, &invitation);
    }
    if (tell(module, &invitation) != OMPI_SUCCESS) {
        error = HCCL_SEGMENT_NO_FILE;
    }
    size_t charged = 0;
    if (error == HCCL_SEGMENT_OK &&
        !hccl_quota_take(&charged, invitation.bytes / (size_t)module->size)) {
        error = HCCL_SEGMENT_NO_QUOTA;
    }
    if (module->rank != 0 && error == HCCL_SEGMENT_OK) {
        error = accept_invitation(module, &stage, named, &invitation);
    }
    if (error == HCCL_SEGMENT_OK) {
        team->chunk_bytes = agreed->chunk_bytes;
        team->stream_bytes = agreed->stream_bytes;
        error =
            hccl_team_join_stage(team, &stage, agreed->mid_bytes, agreed->buffer_bytes);
        if (error != HCCL_SEGMENT_OK) {
            hccl_message_no_segment(module, invitation.name, invitation.bytes, error,
                                    errno);
        }
    }
    if (all_agree(module, error, 0, heard)) {
        hccl_segment_seal(&team->stage);
        module->charged += charged;
        return true;
    }
    hccl_segment_detach(team->stage.base != NULL ? &team->stage : &stage);
    hccl_quota_give(&charged);
    return false;
}

void hccl_setup_stage(hccl_module_t *module)
{
    int heard[HEARD_COUNT] = {HCCL_SEGMENT_OK, 0};
    module->phase = HCCL_PHASE_SETUP;
    bool done = try_stage(module, false, heard);
    if (!done && is_worth_a_name(heard[HEARD_ERROR])) {
        done = try_stage(module, true, heard);
    }
    if (done) {
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
