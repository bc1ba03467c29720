# SPDX-License-Identifier: BSD-3-Clause

# HCCL_CHECK_OMPI
# The Open MPI that the plugins are built for: its programs, the headers of its component
# architecture, and the functions of its libraries that we call.
# Sets: substitutions MPICC, MPIRUN, OMPI_INFO, HCCL_OMPI_CPPFLAGS, HCCL_OMPI_LIBS,
#       HCCL_OMPI_VERSION (as in "4.1.4") and HCCL_OMPI_SERIES (as in "4.1").
AC_DEFUN([HCCL_CHECK_OMPI], [
    AC_REQUIRE([HCCL_CHECK_HWLOC])
    AC_ARG_WITH([ompi],
        [AS_HELP_STRING([--with-ompi=DIR],
            [prefix of the Open MPI to build for @<:@the one whose mpicc is in PATH@:>@])])
    HCCL_OMPI_FIND_PROGRAMS
    HCCL_OMPI_CHECK_SERIES
    HCCL_OMPI_SET_FLAGS
    HCCL_OMPI_CHECK_HEADERS
    HCCL_OMPI_CHECK_SYMBOLS
    AC_SUBST([HCCL_OMPI_CPPFLAGS])
    AC_SUBST([HCCL_OMPI_LIBS])
    AC_SUBST([HCCL_OMPI_VERSION])
    AC_SUBST([HCCL_OMPI_SERIES])
])

AC_DEFUN([HCCL_OMPI_FIND_PROGRAMS], [
    AS_CASE([$with_ompi],
        [yes|no|''], [hccl_ompi_path=$PATH],
        [hccl_ompi_path=$with_ompi/bin
         hccl_ompi_where=" in $with_ompi/bin"])
    AC_PATH_PROG([MPICC], [mpicc], [], [$hccl_ompi_path])
    AC_PATH_PROG([MPIRUN], [mpirun], [], [$hccl_ompi_path])
    AC_PATH_PROG([OMPI_INFO], [ompi_info], [], [$hccl_ompi_path])
    AS_IF([test -z "$MPICC" || test -z "$OMPI_INFO"],
        [AC_MSG_ERROR([no mpicc or ompi_info$hccl_ompi_where;
Debian packages: libopenmpi-dev openmpi-bin])])
    AS_IF([test -z "$MPIRUN"],
        [AC_MSG_ERROR([no mpirun$hccl_ompi_where; Debian package: openmpi-bin])])
    hccl_ompi_incdirs=$("$MPICC" --showme:incdirs 2>&AS_MESSAGE_LOG_FD) &&
        hccl_ompi_libdirs=$("$MPICC" --showme:libdirs 2>&AS_MESSAGE_LOG_FD) ||
        AC_MSG_ERROR([$MPICC is not Open MPI's; Debian package: libopenmpi-dev, or --with-ompi=DIR])
    # One compiler for all: mpicc has one of its own otherwise.
    AS_IF([test "x$("$MPICC" --showme:command)" != "x$CC"],
        [MPICC="env OMPI_CC='$CC' $MPICC"])
])

AC_DEFUN([HCCL_OMPI_CHECK_SERIES], [
    hccl_cppflags_save=$CPPFLAGS
    for hccl_dir in $hccl_ompi_incdirs; do
        CPPFLAGS="$CPPFLAGS -isystem $hccl_dir"
    done
    AC_COMPUTE_INT([hccl_ompi_major], [OMPI_MAJOR_VERSION], [[#include <mpi.h>]],
        [AC_MSG_ERROR([Open MPI's mpi.h was not found; Debian package: libopenmpi-dev])])
    AC_COMPUTE_INT([hccl_ompi_minor], [OMPI_MINOR_VERSION], [[#include <mpi.h>]])
    AC_COMPUTE_INT([hccl_ompi_release], [OMPI_RELEASE_VERSION], [[#include <mpi.h>]])
    CPPFLAGS=$hccl_cppflags_save
    HCCL_OMPI_SERIES=$hccl_ompi_major.$hccl_ompi_minor
    HCCL_OMPI_VERSION=$HCCL_OMPI_SERIES.$hccl_ompi_release
    AC_MSG_CHECKING([the version of Open MPI])
    AC_MSG_RESULT([$HCCL_OMPI_VERSION])
    AS_IF([test ! -d "$srcdir/compat/include-$HCCL_OMPI_SERIES"],
        [AC_MSG_ERROR([Open MPI $HCCL_OMPI_VERSION is not supported, 4.1 and 5.0 are])])
    hccl_running=$("$OMPI_INFO" --parsable --version 2>&AS_MESSAGE_LOG_FD |
        $SED -n 's/^ompi:version:full://p')
    AS_CASE([$hccl_running],
        [$HCCL_OMPI_SERIES.*|''], [],
        [AC_MSG_ERROR([mpi.h is from Open MPI $HCCL_OMPI_VERSION,
but $OMPI_INFO from $hccl_running])])
])

# System folders, so that warnings about Open MPI's own code stay out; our stand-ins for
# headers that packages leave out come first.
AC_DEFUN([HCCL_OMPI_SET_FLAGS], [
    hccl_ompi_flags=
    for hccl_dir in $hccl_ompi_incdirs; do
        hccl_ompi_flags="$hccl_ompi_flags -isystem $hccl_dir"
    done
    HCCL_OMPI_LIBS=
    for hccl_dir in $hccl_ompi_libdirs; do
        HCCL_OMPI_LIBS="$HCCL_OMPI_LIBS -L$hccl_dir"
    done
    HCCL_OMPI_LIBS="$HCCL_OMPI_LIBS -lmpi -lopen-pal"
    AS_IF([test "$hccl_ompi_major" -lt 5], [
        HCCL_OMPI_LIBS="$HCCL_OMPI_LIBS -lopen-rte"
    ], [
        # Open MPI's own copy of PMIx has no file for pkg-config: it is in Open MPI's folders.
        PKG_CHECK_MODULES([PMIX], [pmix], [], [PMIX_CFLAGS= PMIX_LIBS=-lpmix])
        hccl_ompi_flags="$hccl_ompi_flags $(AS_ECHO(["$PMIX_CFLAGS"]) |
            $SED 's/-I */-isystem /g')"
        HCCL_OMPI_LIBS="$HCCL_OMPI_LIBS $PMIX_LIBS"
    ])
    hccl_ompi_flags="$hccl_ompi_flags $HWLOC_CFLAGS"
    HCCL_OMPI_CPPFLAGS="-isystem \$(top_srcdir)/compat/include-$HCCL_OMPI_SERIES$hccl_ompi_flags"
])

AC_DEFUN([HCCL_OMPI_CHECK_HEADERS], [
    AC_MSG_CHECKING([for the headers of Open MPI's component architecture])
    hccl_cppflags_save=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS -I$srcdir"
    CPPFLAGS="$CPPFLAGS -isystem $srcdir/compat/include-$HCCL_OMPI_SERIES $hccl_ompi_flags"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#include "compat/hccl_ompi.h"
        ]])],
        [AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])
         AC_MSG_ERROR([Open MPI was installed without them, or they don't compile (see config.log);
Debian package: libopenmpi-dev])])
    CPPFLAGS=$hccl_cppflags_save
])

# What the plugins use of libmpi and libopen-pal beyond MPI's own functions. None of it is
# promised, and a library may hide what its header shows.
AC_DEFUN([HCCL_OMPI_CHECK_SYMBOLS], [
    hccl_ompi_symbols="
        mca_base_component_pvar_register mca_base_component_repository_get_components
        mca_base_component_repository_open mca_base_component_to_string
        mca_base_component_var_register mca_coll_base_module_t_class
        ompi_coll_base_framework ompi_datatype_get_single_predefined_type_from_args
        ompi_datatype_sndrcv ompi_mpi_local_convertor ompi_op_ddt_map ompi_proc_for_name
        ompi_proc_lookup ompi_rte_abort opal_argv_append_nosize opal_argv_free
        opal_argv_join opal_argv_split opal_class_initialize opal_convertor_pack
        opal_convertor_prepare_for_recv opal_convertor_prepare_for_send
        opal_convertor_set_position_nocheck opal_convertor_t_class
        opal_convertor_unpack opal_info_get opal_output opal_progress
        opal_show_help_add_dir opal_show_help_vstring"
    AC_MSG_CHECKING([for the symbols of Open MPI's libraries that we use])
    hccl_libs_save=$LIBS
    hccl_cflags_save=$CFLAGS
    LIBS="$HCCL_OMPI_LIBS $LIBS"
    CFLAGS="$CFLAGS -fPIC" # so that a function can be named as if it were data
    HCCL_OMPI_LINK([$hccl_ompi_symbols], [hccl_missing=], [
        hccl_missing=
        for hccl_one in $hccl_ompi_symbols; do
            HCCL_OMPI_LINK([$hccl_one], [], [hccl_missing="$hccl_missing $hccl_one"])
        done
    ])
    LIBS=$hccl_libs_save
    CFLAGS=$hccl_cflags_save
    AS_IF([test -n "$hccl_missing"], [
        AC_MSG_RESULT([no])
        AC_MSG_ERROR([can't link with:$hccl_missing (see config.log);
Debian package: libopenmpi-dev])
    ])
    AC_MSG_RESULT([yes])
])

# HCCL_OMPI_LINK(SYMBOLS, IF ALL ARE THERE, IF NOT)
# Declared as functions, data too: addresses of functions come from tables, so that they can
# be taken in a program whatever the symbol is.
m4_define([HCCL_OMPI_LINK], [
    hccl_declarations=
    hccl_addresses=
    for hccl_symbol in $1; do
        hccl_declarations="$hccl_declarations extern void $hccl_symbol(void);"
        hccl_addresses="$hccl_addresses $hccl_symbol,"
    done
    AC_LINK_IFELSE([AC_LANG_PROGRAM([$hccl_declarations],
        [void (*volatile list@<:@@:>@)(void) = {$hccl_addresses}; return !list@<:@0@:>@;])],
        [$2], [$3])
])
