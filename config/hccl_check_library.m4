# SPDX-License-Identifier: BSD-3-Clause

# HCCL_CHECK_LIBRARY(NAME, PKG-CONFIG NAME, DEBIAN PACKAGE, #INCLUDES, A FUNCTION OF IT)
# Stops with the package's name when pkg-config doesn't know the library, or when a program
# that includes its header and links it can't be built.
# Sets: substitutions NAME_CFLAGS and NAME_LIBS.
AC_DEFUN([HCCL_CHECK_LIBRARY], [
    PKG_CHECK_MODULES([$1], [$2], [],
        [AC_MSG_ERROR([$2 was not found; Debian package: $3])])
    hccl_cppflags_save=$CPPFLAGS
    hccl_libs_save=$LIBS
    CPPFLAGS="$CPPFLAGS $$1_CFLAGS"
    LIBS="$$1_LIBS $LIBS"
    AC_MSG_CHECKING([whether a program links with $2])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([$4], [return (void *)$5 == (void *)0;])],
        [AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])
         AC_MSG_ERROR([$2 can't be used (see config.log); Debian package: $3])])
    CPPFLAGS=$hccl_cppflags_save
    LIBS=$hccl_libs_save
])
