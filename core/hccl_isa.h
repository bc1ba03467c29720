// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_ISA_H
#define HCCL_ISA_H

/** Instruction sets that the kernels are built for, in order of preference. */
enum hccl_isa {
    HCCL_ISA_PORTABLE, /**< what the compiler targets by default; always there */
    HCCL_ISA_AVX2,     /**< x86-64 with AVX2 */
    HCCL_ISA_AVX512,   /**< x86-64 with AVX-512 F, BW, DQ and VL */
    HCCL_ISA_COUNT
};

/**
 * Best instruction set that this build has kernels for and that the processor and the
 * operating system support. Cheap (a few loads), thread safe.
 */
enum hccl_isa hccl_isa_detect(void);

/** Lower-case name of @p isa, such as "avx2"; "unknown" when out of range. */
const char *hccl_isa_name(enum hccl_isa isa);

#endif
