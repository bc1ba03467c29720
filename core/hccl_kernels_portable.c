// SPDX-License-Identifier: BSD-3-Clause
#if defined(__x86_64__)
#include <emmintrin.h>
#define HCCL_STREAM_STORE(to, vector) _mm_stream_si128((void *)(to), (__m128i)(vector))
#else
/* GCC has no non-temporal store for other processors: an ordinary one is right as well.
 */
#define HCCL_STREAM_STORE(to, vector) hccl_store_16((to), (vector))
#endif

#define HCCL_KERNEL_WIDTH 16
#include "core/hccl_reduce_kernel.inc.h"
#include "core/hccl_copy_stream.inc.h"

const struct hccl_kernels hccl_kernels_portable = {
    .reduce = HCCL_KERNEL_TABLE,
    .copy_stream = hccl_copy_stream_lines,
};
