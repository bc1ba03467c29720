// SPDX-License-Identifier: BSD-3-Clause
/* Stand-in for a header that libopenmpi-dev forgets; nothing of it is used here. */
#ifndef HCCL_TIMER_LINUX_H
#define HCCL_TIMER_LINUX_H
#endif
