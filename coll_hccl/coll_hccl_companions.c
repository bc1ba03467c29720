// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl.h"

#include "coll_hccl_message.h"

#include "opal/util/argv.h"

#include <string.h>

/*
 * `--mca coll hccl` names us alone, but MPI_Init demands all collectives of every
 * communicator, and we hand on what we don't do. So we bring in the components that serve
 * the rest, unless the user's list has them already.
 *
 * This runs in our open function, inside the base's loop over framework_components. New
 * components go to the front of that list, which the loop has passed: it does not open
 * them a second time, but queries, enables and closes them as all others.
 */

static bool is_listed(const opal_list_t *list, const char *name)
{
    mca_base_component_list_item_t *item;
    OPAL_LIST_FOREACH(item, list, mca_base_component_list_item_t)
    {
        if (strcmp(item->cli_component->mca_component_name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Components that are linked into the MPI library. */
static const mca_base_component_t *find_static(const char *name)
{
    const mca_base_component_t **all =
        ompi_coll_base_framework.framework_static_components;
    for (size_t i = 0; all != NULL && all[i] != NULL; i++) {
        if (strcmp(all[i]->mca_component_name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}

/* Components in files: opening one appends it to the framework's list; take it off again.
 */
static const mca_base_component_t *find_dynamic(const char *name)
{
    opal_list_t *found = NULL;
    mca_base_component_repository_item_t *item;
    if (mca_base_component_repository_get_components(&ompi_coll_base_framework, &found) !=
            OPAL_SUCCESS ||
        found == NULL) {
        return NULL;
    }
    OPAL_LIST_FOREACH(item, found, mca_base_component_repository_item_t)
    {
        if (strcmp(item->ri_name, name) == 0) {
            opal_list_t *list = &ompi_coll_base_framework.framework_components;
            if (mca_base_component_repository_open(&ompi_coll_base_framework, item) !=
                OPAL_SUCCESS) {
                return NULL;
            }
            opal_list_item_t *last = opal_list_remove_last(list);
            const mca_base_component_t *component =
                ((mca_base_component_list_item_t *)last)->cli_component;
            OBJ_RELEASE(last);
            return component;
        }
    }
    return NULL;
}

static bool start(const mca_base_component_t *component)
{
    if (component->mca_register_component_params != NULL &&
        component->mca_register_component_params() != OPAL_SUCCESS) {
        return false;
    }
    return component->mca_open_component == NULL ||
           component->mca_open_component() == OPAL_SUCCESS;
}

static bool bring_in(const char *name)
{
    const mca_base_component_t *component = find_static(name);
    if (component == NULL) {
        component = find_dynamic(name);
    }
    if (component == NULL || !start(component)) {
        return false;
    }
    mca_base_component_list_item_t *item = OBJ_NEW(mca_base_component_list_item_t);
    if (item == NULL) {
        return false;
    }
    item->cli_component = component;
    opal_list_prepend(&ompi_coll_base_framework.framework_components, &item->super);
    return true;
}

/* Without a list all components are there; a list of exclusions is to be heeded. */
static bool names_what_is_used(const char *selection)
{
    return selection != NULL && *selection != '\0' && *selection != '^';
}

void hccl_companions_open(const char *names)
{
    if (!names_what_is_used(ompi_coll_base_framework.framework_selection)) {
        return;
    }
    char **wanted = opal_argv_split(names, ',');
    char **brought = NULL;
    for (char **name = wanted; name != NULL && *name != NULL; name++) {
        if (!is_listed(&ompi_coll_base_framework.framework_components, *name) &&
            bring_in(*name)) {
            opal_argv_append_nosize(&brought, *name);
        }
    }
    if (brought != NULL) {
        char *list = opal_argv_join(brought, ',');
        hccl_message_say(1, "brought in beside hccl: %s (coll_hccl_companions)", list);
        free(list);
    }
    opal_argv_free(brought);
    opal_argv_free(wanted);
}
