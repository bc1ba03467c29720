# SPDX-License-Identifier: BSD-3-Clause

# HCCL_SET_INSTALL
# Where the component goes: Open MPI's own folder; below a prefix that was asked for and is
# not Open MPI's; the user's own; or any other folder.
# Sets: substitutions HCCL_COMPONENT_DIR, HCCL_PATH_BEFORE and HCCL_PMIX_COMPONENT_DIR; the
#       prefix, for an installation without root.
AC_DEFUN([HCCL_SET_INSTALL], [
    AC_REQUIRE([HCCL_CHECK_OMPI])
    AC_ARG_WITH([component-dir],
        [AS_HELP_STRING([--with-component-dir=DIR],
            [folder of the component @<:@Open MPI's folder of components;
             LIBDIR/openmpi when --prefix names another place@:>@])])
    AC_ARG_ENABLE([user-install],
        [AS_HELP_STRING([--enable-user-install],
            [install for this user, who needs no rights: the component into
             ~/.openmpi/components, the rest below ~/.local unless --prefix is given])])
    AS_IF([test "x$enable_user_install" = xyes], [
        AS_IF([test -z "$HOME"], [AC_MSG_ERROR([--enable-user-install: HOME is not set])])
        AS_IF([test "x$prefix" = xNONE], [prefix=$HOME/.local])
        hccl_component_dir=$HOME/.openmpi/components
    ], [
        hccl_component_dir=$("$OMPI_INFO" --parsable --path pkglibdir |
            $SED -n 's/^path:pkglibdir://p')
        hccl_ompi_prefix=$("$OMPI_INFO" --parsable --path prefix |
            $SED -n 's/^path:prefix://p')
        AS_CASE([$prefix],
            [NONE | "$hccl_ompi_prefix"], [],
            [hccl_component_dir='${libdir}/openmpi'])
    ])
    AS_CASE([$with_component_dir],
        [yes|no], [AC_MSG_ERROR([--with-component-dir wants a folder])],
        [''], [HCCL_COMPONENT_DIR=$hccl_component_dir],
        [/* | '$'*], [HCCL_COMPONENT_DIR=$with_component_dir],
        [AC_MSG_ERROR([--with-component-dir=$with_component_dir: the path must be absolute])])
    AS_IF([test -z "$HCCL_COMPONENT_DIR"],
        [AC_MSG_ERROR([$OMPI_INFO names no pkglibdir; give --with-component-dir=DIR])])
    # A word of Open MPI's for its own folder, to be followed by more folders.
    HCCL_PATH_BEFORE=SYS_DEFAULT:
    # Open MPI 5.0 hands its path of components to PMIx, which wants to hear where its own are.
    HCCL_PMIX_COMPONENT_DIR=
    AS_IF([test "$hccl_ompi_major" -ge 5], [
        hccl_pmix_dir=$("$PKG_CONFIG" --variable=libdir pmix 2> /dev/null)/pmix
        AS_IF([test -d "$hccl_pmix_dir"], [HCCL_PMIX_COMPONENT_DIR=$hccl_pmix_dir])
    ])
    AC_SUBST([HCCL_PMIX_COMPONENT_DIR])
    AC_SUBST([HCCL_COMPONENT_DIR])
    AC_SUBST([HCCL_PATH_BEFORE])
])
