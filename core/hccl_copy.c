// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_copy.h"

#include "core/hccl_kernels.h"

static void hccl_copy_stream_portable(void *dst, const void *src, size_t bytes)
{
    hccl_kernels_portable.copy_stream(dst, src, bytes);
    hccl_stream_fence();
}

#if defined(HCCL_HAVE_AVX2)
static void hccl_copy_stream_avx2(void *dst, const void *src, size_t bytes)
{
    hccl_kernels_avx2.copy_stream(dst, src, bytes);
    hccl_stream_fence();
}
#endif

#if defined(HCCL_HAVE_AVX512)
static void hccl_copy_stream_avx512(void *dst, const void *src, size_t bytes)
{
    hccl_kernels_avx512.copy_stream(dst, src, bytes);
    hccl_stream_fence();
}
#endif

hccl_copy_fn hccl_copy_stream_find(enum hccl_isa isa)
{
    switch (isa) {
    case HCCL_ISA_PORTABLE:
        return hccl_copy_stream_portable;
#if defined(HCCL_HAVE_AVX2)
    case HCCL_ISA_AVX2:
        return hccl_copy_stream_avx2;
#endif
#if defined(HCCL_HAVE_AVX512)
    case HCCL_ISA_AVX512:
        return hccl_copy_stream_avx512;
#endif
    default:
        return NULL;
    }
}

void hccl_copy_stream(void *dst, const void *src, size_t bytes)
{
    hccl_copy_stream_find(hccl_isa_detect())(dst, src, bytes);
}
