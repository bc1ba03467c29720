// SPDX-License-Identifier: BSD-3-Clause
#include "coll_hccl_params.h"

#include "coll_hccl.h"

#include <stdlib.h>

enum { MOST_PARAMS = 64 };

static struct hccl_params params;
static char *texts[MOST_PARAMS]; /* the MCA's storage of the parameters, in table order */

const struct hccl_params *hccl_params_get(void)
{
    return &params;
}

int hccl_params_register(void)
{
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    for (size_t i = 0; i < count; i++) {
        const char *spelled =
            table[i].environment != NULL ? getenv(table[i].environment) : NULL;
        texts[i] = (char *)(spelled != NULL ? spelled : table[i].initial);
        int rc = mca_base_component_var_register(
            &mca_coll_hccl_component.collm_version, table[i].name, table[i].text,
            MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0,
            (mca_base_var_info_lvl_t)(OPAL_INFO_LVL_1 + table[i].level - 1),
            MCA_BASE_VAR_SCOPE_READONLY, &texts[i]);
        if (rc < 0) {
            return rc;
        }
    }
    return OMPI_SUCCESS;
}

bool hccl_params_read(void (*bad)(const struct hccl_param *param, const char *text))
{
    size_t count;
    const struct hccl_param *table = hccl_param_table(&count);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[i] != NULL ? texts[i] : "";
        if (!hccl_param_set(&params, &table[i], text)) {
            bad(&table[i], text);
            good = false;
        }
    }
    return good;
}
