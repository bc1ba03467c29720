// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_kernels.h"

const struct hccl_kernels *hccl_kernels_get(enum hccl_isa isa)
{
    switch (isa) {
    case HCCL_ISA_PORTABLE:
        return &hccl_kernels_portable;
#if defined(HCCL_HAVE_AVX2)
    case HCCL_ISA_AVX2:
        return &hccl_kernels_avx2;
#endif
#if defined(HCCL_HAVE_AVX512)
    case HCCL_ISA_AVX512:
        return &hccl_kernels_avx512;
#endif
    default:
        return NULL;
    }
}
