// SPDX-License-Identifier: BSD-3-Clause
#include "pvars.h"
#include "ops.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "coll_hccl_";
static const char suffix[] = "_calls";

// Whether any control variable is coll_hccl's: the component is there.
static bool is_loaded(void)
{
    int count = 0;

    if (MPI_T_cvar_get_num(&count) != MPI_SUCCESS) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        char name[HCCL_PVARS_NAME] = "";
        int room = sizeof(name);
        int other = 0;
        MPI_Datatype type;
        MPI_T_enum values;
        int rc = MPI_T_cvar_get_info(i, name, &room, &other, &type, &values, NULL, &other,
                                     &other, &other);
        if (rc == MPI_SUCCESS && strncmp(name, prefix, sizeof(prefix) - 1) == 0) {
            return true;
        }
    }
    return false;
}

// "coll_hccl_allreduce_eager_calls" -> "allreduce_eager"; false for other names.
static bool strip(const char *name, char *stem)
{
    size_t length = strlen(name);
    size_t ends = sizeof(prefix) + sizeof(suffix) - 2;

    if (length <= ends || strncmp(name, prefix, sizeof(prefix) - 1) != 0 ||
        strcmp(name + length - (sizeof(suffix) - 1), suffix) != 0) {
        return false;
    }
    memcpy(stem, name + sizeof(prefix) - 1, length - ends);
    stem[length - ends] = '\0';
    return true;
}

// Takes variable `index` in if it is one of the counters.
static void add(struct hccl_pvars *pvars, int index, MPI_Comm comm)
{
    char name[HCCL_PVARS_NAME] = "";
    int room = sizeof(name);
    int level = 0, class = 0, bind = 0, readonly = 0, continuous = 0, atomic = 0;
    int elements = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum values;
    int at = pvars->count;

    int rc = MPI_T_pvar_get_info(index, name, &room, &level, &class, &type, &values, NULL,
                                 &readonly, &bind, &readonly, &continuous, &atomic);
    if (rc != MPI_SUCCESS || at == HCCL_PVARS_MOST || !strip(name, pvars->name[at])) {
        return;
    }
    if (type != MPI_UNSIGNED && type != MPI_UNSIGNED_LONG &&
        type != MPI_UNSIGNED_LONG_LONG) {
        return;
    }
    void *object = bind == MPI_T_BIND_MPI_COMM ? &comm : NULL;
    rc = MPI_T_pvar_handle_alloc(pvars->session, index, object, &pvars->handle[at],
                                 &elements);
    if (rc != MPI_SUCCESS || elements != 1) {
        return;
    }
    if (!continuous) {
        MPI_T_pvar_start(pvars->session, pvars->handle[at]);
    }
    pvars->type[at] = type;
    pvars->count++;
}

void hccl_pvars_open(struct hccl_pvars *pvars, MPI_Comm comm)
{
    int provided = 0;
    int count = 0;

    memset(pvars, 0, sizeof(*pvars));
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
        return;
    }
    pvars->open = true;
    pvars->loaded = is_loaded();
    if (!pvars->loaded || MPI_T_pvar_session_create(&pvars->session) != MPI_SUCCESS ||
        MPI_T_pvar_get_num(&count) != MPI_SUCCESS) {
        return;
    }
    for (int i = 0; i < count; i++) {
        add(pvars, i, comm);
    }
}

void hccl_pvars_close(struct hccl_pvars *pvars)
{
    if (!pvars->open) {
        return;
    }
    for (int i = 0; i < pvars->count; i++) {
        MPI_T_pvar_handle_free(pvars->session, &pvars->handle[i]);
    }
    if (pvars->loaded) {
        MPI_T_pvar_session_free(&pvars->session);
    }
    MPI_T_finalize();
    pvars->open = false;
}

static uint64_t read_counter(struct hccl_pvars *pvars, int i)
{
    union {
        unsigned small;
        unsigned long large;
        unsigned long long largest;
    } value = {.largest = 0};

    if (MPI_T_pvar_read(pvars->session, pvars->handle[i], &value) != MPI_SUCCESS) {
        return pvars->last[i];
    }
    if (pvars->type[i] == MPI_UNSIGNED) {
        return value.small;
    }
    return pvars->type[i] == MPI_UNSIGNED_LONG ? value.large : value.largest;
}

void hccl_pvars_mark(struct hccl_pvars *pvars)
{
    for (int i = 0; i < pvars->count; i++) {
        pvars->last[i] = read_counter(pvars, i);
    }
}

// The path in "<operation>_<path>" if it belongs to `op`, else NULL: "reduce_scatter_x"
// is none of "reduce"'s, so the longest operation that fits owns the counter.
static const char *path_of(const char *stem, const char *op)
{
    size_t best = 0;

    for (int i = 0; i < hccl_op_count(); i++) {
        const char *name = hccl_op_get(i)->name;
        size_t length = strlen(name);
        if (length > best && strncmp(stem, name, length) == 0 && stem[length] == '_') {
            best = length;
        }
    }
    bool own = best == strlen(op) && strncmp(stem, op, best) == 0;
    return own ? stem + best + 1 : NULL;
}

void hccl_pvars_path(struct hccl_pvars *pvars, const char *op, char *text, int room)
{
    uint64_t grown[HCCL_PVARS_MOST] = {0};
    int used = 0;

    snprintf(text, (size_t)room, "-");
    for (int i = 0; i < pvars->count; i++) {
        if (path_of(pvars->name[i], op) != NULL) {
            grown[i] = read_counter(pvars, i) - pvars->last[i];
        }
    }
    for (;;) {
        int most = -1;
        for (int i = 0; i < pvars->count; i++) {
            if (grown[i] > 0 && (most < 0 || grown[i] > grown[most])) {
                most = i;
            }
        }
        if (most < 0 || used >= room) {
            return;
        }
        grown[most] = 0;
        used += snprintf(text + used, (size_t)(room - used), "%s%s", used > 0 ? "+" : "",
                         path_of(pvars->name[most], op));
    }
}
