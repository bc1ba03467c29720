# SPDX-License-Identifier: BSD-3-Clause

# HCCL_CHECK_ISA
# Which instruction sets beyond the compiler's default get kernels of their own. The choice
# among them is made when the program runs, so this asks about the compiler and never about
# the processor that builds.
# Sets: automake conditionals HCCL_HAVE_AVX2 and HCCL_HAVE_AVX512;
#       substitutions HCCL_AVX2_CFLAGS and HCCL_AVX512_CFLAGS;
#       the shell variable HCCL_ISA_NAMES, for people: " AVX2 AVX512".
AC_DEFUN([HCCL_CHECK_ISA], [
    AC_REQUIRE([AC_PROG_CC])
    HCCL_ISA_NAMES=
    HCCL_CHECK_ISA_ONE([AVX2], [-mavx2], [__m256i],
        [_mm256_stream_si256((void *)p, _mm256_add_epi8(*p, *p))])
    HCCL_CHECK_ISA_ONE([AVX512], [-mavx512f -mavx512bw -mavx512dq -mavx512vl], [__m512i],
        [_mm512_stream_si512((void *)p, _mm512_add_epi8(*p, *p))])
])

# HCCL_CHECK_ISA_ONE(NAME, FLAGS, VECTOR TYPE, EXPRESSION ON `p`, A POINTER TO A VECTOR)
AC_DEFUN([HCCL_CHECK_ISA_ONE], [
    AC_CACHE_CHECK([whether the compiler can target x86-64 with $1],
        [AS_TR_SH([hccl_cv_isa_$1])], [
        hccl_isa_cflags_save=$CFLAGS
        CFLAGS="$CFLAGS $2"
        AC_COMPILE_IFELSE([AC_LANG_SOURCE([
#if !defined(__x86_64__)
#error another architecture
#endif
#include <immintrin.h>
void store($3 *p);
void store($3 *p) { $4; }
int supported(void);
int supported(void) { return __builtin_cpu_supports("avx2"); }
            ])],
            [AS_TR_SH([hccl_cv_isa_$1])=yes], [AS_TR_SH([hccl_cv_isa_$1])=no])
        CFLAGS=$hccl_isa_cflags_save
    ])
    HCCL_$1_CFLAGS=
    AS_IF([test "$AS_TR_SH([hccl_cv_isa_$1])" = yes], [
        HCCL_$1_CFLAGS="$2"
        HCCL_ISA_NAMES="$HCCL_ISA_NAMES $1"
    ])
    AC_SUBST([HCCL_$1_CFLAGS])
    AM_CONDITIONAL([HCCL_HAVE_$1], [test "$AS_TR_SH([hccl_cv_isa_$1])" = yes])
])
