// SPDX-License-Identifier: BSD-3-Clause
/*
 * Template: a copy with non-temporal stores, without the fence at its end. Included by
 * hccl_kernels_<isa>.c after hccl_reduce_kernel.inc.h.
 *
 * Only whole lines are streamed; the ends go through the cache.
 */
static void hccl_copy_stream_lines(void *to, const void *from, size_t bytes)
{
    unsigned char *dst = to;
    const unsigned char *src = from;
    size_t at = -(uintptr_t)dst % HCCL_LINE;
    if (bytes < at + HCCL_STEP) {
        memcpy(dst, src, bytes);
        return;
    }
    memcpy(dst, src, at);
    for (; bytes - at >= HCCL_STEP; at += HCCL_STEP) {
        if (bytes - at > HCCL_COPY_AHEAD) {
            W(group_prefetch)(src + at + HCCL_COPY_AHEAD);
        }
        hccl_group_stream(dst + at, W(group_load)(src + at));
    }
    memcpy(dst + at, src + at, bytes - at);
}
