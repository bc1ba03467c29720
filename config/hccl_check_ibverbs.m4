# SPDX-License-Identifier: BSD-3-Clause

# HCCL_CHECK_IBVERBS
# RDMA devices. Sets: substitutions IBVERBS_CFLAGS and IBVERBS_LIBS.
AC_DEFUN([HCCL_CHECK_IBVERBS], [
    HCCL_CHECK_LIBRARY([IBVERBS], [libibverbs], [libibverbs-dev],
        [#include <infiniband/verbs.h>], [ibv_get_device_list])
])
