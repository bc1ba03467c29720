# SPDX-License-Identifier: BSD-3-Clause

# HCCL_CHECK_HWLOC
# The topology of the machine, for hccl_test and Open MPI's own headers.
# Sets: substitutions HWLOC_CFLAGS and HWLOC_LIBS.
AC_DEFUN([HCCL_CHECK_HWLOC], [
    HCCL_CHECK_LIBRARY([HWLOC], [hwloc], [libhwloc-dev],
        [#include <hwloc.h>], [hwloc_get_api_version])
])
