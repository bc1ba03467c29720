// SPDX-License-Identifier: BSD-3-Clause
#include <immintrin.h>

#define HCCL_KERNEL_WIDTH             64
#define HCCL_STREAM_STORE(to, vector) _mm512_stream_si512((void *)(to), (__m512i)(vector))
#include "core/hccl_reduce_kernel.inc.h"
#include "core/hccl_copy_stream.inc.h"

const struct hccl_kernels hccl_kernels_avx512 = {
    .reduce = HCCL_KERNEL_TABLE,
    .copy_stream = hccl_copy_stream_lines,
};
