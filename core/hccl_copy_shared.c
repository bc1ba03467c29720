// SPDX-License-Identifier: BSD-3-Clause
#include "core/hccl_copy_shared.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

bool hccl_copy_has_strings;

/* Before main, so that no caller can see half the answer. */
__attribute__((constructor)) static void detect(void)
{
#if defined(__x86_64__)
    enum { LEAF = 7, ERMS_BIT = 9 };
    unsigned eax;
    unsigned ebx = 0;
    unsigned ecx;
    unsigned edx;
    hccl_copy_has_strings = __get_cpuid_count(LEAF, 0, &eax, &ebx, &ecx, &edx) != 0 &&
                            (ebx >> ERMS_BIT & 1) != 0;
#endif
}
