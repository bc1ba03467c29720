// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_isa.h"

#if defined(HCCL_HAVE_AVX512)
static int hccl_isa_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

enum hccl_isa hccl_isa_detect(void)
{
#if defined(HCCL_HAVE_AVX512)
    if (hccl_isa_has_avx512()) {
        return HCCL_ISA_AVX512;
    }
#endif
#if defined(HCCL_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2")) {
        return HCCL_ISA_AVX2;
    }
#endif
    return HCCL_ISA_PORTABLE;
}

const char *hccl_isa_name(enum hccl_isa isa)
{
    switch (isa) {
    case HCCL_ISA_PORTABLE:
        return "portable";
    case HCCL_ISA_AVX2:
        return "avx2";
    case HCCL_ISA_AVX512:
        return "avx512";
    case HCCL_ISA_COUNT:
        break;
    }
    return "unknown";
}
