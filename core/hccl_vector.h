// SPDX-License-Identifier: BSD-3-Clause
/* Names and lane lists for hccl_vector.inc.h, which is a template. */
#ifndef HCCL_VECTOR_H
#define HCCL_VECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/hccl_reduce.h"

#define V_CAT2(name, width) hccl_##name##_##width
#define V_CAT(name, width)  V_CAT2(name, width)
#define V(name)             V_CAT(name, HCCL_W)
#define V_INLINE            static inline __attribute__((always_inline, unused))

/* Lane indices of complex numbers: their real parts, imaginary parts, and both swapped.
 */
#define V_LIST2(name, lanes) name##_##lanes
#define V_LIST(name, lanes)  V_LIST2(name, lanes)

#define V_REAL_2  0, 0
#define V_REAL_4  V_REAL_2, 2, 2
#define V_REAL_8  V_REAL_4, 4, 4, 6, 6
#define V_REAL_16 V_REAL_8, 8, 8, 10, 10, 12, 12, 14, 14
#define V_IMAG_2  1, 1
#define V_IMAG_4  V_IMAG_2, 3, 3
#define V_IMAG_8  V_IMAG_4, 5, 5, 7, 7
#define V_IMAG_16 V_IMAG_8, 9, 9, 11, 11, 13, 13, 15, 15
#define V_SWAP_2  1, 0
#define V_SWAP_4  V_SWAP_2, 3, 2
#define V_SWAP_8  V_SWAP_4, 5, 4, 7, 6
#define V_SWAP_16 V_SWAP_8, 9, 8, 11, 10, 13, 12, 15, 14

/* `bit` in the lanes of real parts. */
#define V_FLIP_2(bit)  bit, 0
#define V_FLIP_4(bit)  V_FLIP_2(bit), V_FLIP_2(bit)
#define V_FLIP_8(bit)  V_FLIP_4(bit), V_FLIP_4(bit)
#define V_FLIP_16(bit) V_FLIP_8(bit), V_FLIP_8(bit)

#endif
