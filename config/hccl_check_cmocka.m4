# SPDX-License-Identifier: BSD-3-Clause

# HCCL_CHECK_CMOCKA
# The framework of the unit tests. Sets: substitutions CMOCKA_CFLAGS and CMOCKA_LIBS.
AC_DEFUN([HCCL_CHECK_CMOCKA], [
    HCCL_CHECK_LIBRARY([CMOCKA], [cmocka], [libcmocka-dev],
        [#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>], [_cmocka_run_group_tests])
])
