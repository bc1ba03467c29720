# SPDX-License-Identifier: BSD-3-Clause

# HCCL_CHECK_GNUPLOT
# Only hccl_test --plot wants it, when it runs: no more than a hint.
AC_DEFUN([HCCL_CHECK_GNUPLOT], [
    AC_CHECK_PROG([GNUPLOT], [gnuplot], [gnuplot])
    AS_IF([test -z "$GNUPLOT"],
        [AC_MSG_WARN([no gnuplot: hccl_test can't draw; Debian package: gnuplot-nox])])
])
