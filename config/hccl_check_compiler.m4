# SPDX-License-Identifier: BSD-3-Clause

# HCCL_DEFAULT_CFLAGS
# What users of speed expect; debuggers and sanitizers want less. Anything that the user
# gives replaces it.
# Before AC_PROG_CC, which has a default of its own.
AC_DEFUN([HCCL_DEFAULT_CFLAGS], [
    AC_BEFORE([$0], [AC_PROG_CC])
    AC_ARG_ENABLE([debug],
        [AS_HELP_STRING([--enable-debug],
            [for a debugger: hardly optimized, and with --enable-debug-delays])])
    AS_CASE([$enable_debug:$enable_asan$enable_ubsan$enable_tsan],
        [yes:*], [: ${CFLAGS="-Og -g3"}],
        [*yes*], [: ${CFLAGS="-O1 -g"}],
        [: ${CFLAGS="-O3 -g"}])
])

# HCCL_CHECK_COMPILER
# Warnings, visibility, and the switches for debugging.
# Sets: substitutions HCCL_CFLAGS, HCCL_LDFLAGS (all that we compile and link) and
#       HCCL_NO_UNDEFINED (shared libraries: missing symbols are errors at build time);
#       HCCL_DEBUG_NAMES, for the summary.
AC_DEFUN([HCCL_CHECK_COMPILER], [
    AC_REQUIRE([AC_PROG_CC])
    HCCL_CFLAGS="-std=gnu11 -Wall -Wextra -fvisibility=hidden"
    HCCL_LDFLAGS=
    HCCL_NO_UNDEFINED="-Wl,-z,defs"
    HCCL_DEBUG_NAMES=

    AC_ARG_ENABLE([werror],
        [AS_HELP_STRING([--enable-werror], [warnings of the compiler are errors])])
    AS_IF([test "x$enable_werror" = xyes], [HCCL_CFLAGS="$HCCL_CFLAGS -Werror"])

    HCCL_SANITIZER([asan], [address])
    HCCL_SANITIZER([ubsan], [undefined])
    HCCL_SANITIZER([tsan], [thread])
    AS_IF([test "x$enable_asan$enable_tsan" = xyesyes],
        [AC_MSG_ERROR([--enable-asan and --enable-tsan exclude each other])])

    AC_ARG_ENABLE([debug-delays],
        [AS_HELP_STRING([--enable-debug-delays],
            [random pauses in the shared-memory protocol, to find races])])
    AS_IF([test "x$enable_debug_delays" = xyes || test "x$enable_debug" = xyes], [
        HCCL_CFLAGS="$HCCL_CFLAGS -DHCCL_DEBUG_DELAYS"
        HCCL_DEBUG_NAMES="$HCCL_DEBUG_NAMES delays"
    ])

    AC_CACHE_CHECK([whether $CC knows C11 with atomics], [hccl_cv_c11], [
        AC_COMPILE_IFELSE([AC_LANG_SOURCE([
#include <stdalign.h>
#include <stdatomic.h>
_Static_assert(sizeof(long long) == 8, "a word of 64 bits");
static alignas(64) _Atomic unsigned long long word;
unsigned long long next(void);
unsigned long long next(void) { return atomic_fetch_add(&word, 1); }
            ])], [hccl_cv_c11=yes], [hccl_cv_c11=no])
    ])
    AS_IF([test "x$hccl_cv_c11" = xno],
        [AC_MSG_ERROR([a C11 compiler is needed; Debian package: gcc])])

    AS_IF([test -z "$HCCL_DEBUG_NAMES"], [HCCL_DEBUG_NAMES=none])
    AC_SUBST([HCCL_CFLAGS])
    AC_SUBST([HCCL_LDFLAGS])
    AC_SUBST([HCCL_NO_UNDEFINED])
])

# HCCL_SANITIZER(SWITCH, NAME)
AC_DEFUN([HCCL_SANITIZER], [
    AC_ARG_ENABLE([$1],
        [AS_HELP_STRING([--enable-$1], [build with -fsanitize=$2])])
    AS_IF([test "x$enable_$1" = xyes], [
        hccl_cflags_save=$CFLAGS
        CFLAGS="$CFLAGS -fsanitize=$2"
        AC_MSG_CHECKING([whether $CC links with -fsanitize=$2])
        AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes])],
            [AC_MSG_RESULT([no])
             AC_MSG_ERROR([$CC has no library for -fsanitize=$2;
Debian packages: libasan8 libubsan1 libtsan2 (gcc), libclang-rt-14-dev (clang)])])
        CFLAGS=$hccl_cflags_save
        HCCL_CFLAGS="$HCCL_CFLAGS -fsanitize=$2 -fno-sanitize-recover=all -fno-omit-frame-pointer"
        HCCL_LDFLAGS="$HCCL_LDFLAGS -fsanitize=$2"
        # The sanitizer's own symbols come from the program.
        HCCL_NO_UNDEFINED=
        HCCL_DEBUG_NAMES="$HCCL_DEBUG_NAMES $1"
    ])
])
