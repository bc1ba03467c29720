// SPDX-License-Identifier: BSD-3-Clause
#ifndef COLL_HCCL_MESSAGE_H
#define COLL_HCCL_MESSAGE_H

#include "coll_hccl.h"
#include "coll_hccl_report.h"
#include "core/hccl_param.h"

/* Everything that users read of us, in one place. */

/** One line when coll_hccl_verbose is at least `level`. */
void hccl_message_say(int level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** A parameter's value can't be understood. */
void hccl_message_bad_value(const struct hccl_param *param, const char *text);

/** The last such complaint, in one line. */
const char *hccl_message_refusal(void);

/** The info key hccl_enable has a value that can't be understood. */
void hccl_message_bad_info(const ompi_communicator_t *comm, const char *text);

/** Shared memory can't be had; `cause` is errno. Said once per process. */
void hccl_message_no_segment(const hccl_module_t *module, const char *name, size_t bytes,
                             int error, int cause);

/** This rank's parameters differ from rank 0's, which are used. Said once per process. */
void hccl_message_disagree(const hccl_module_t *module, const char *name, uint64_t mine,
                           uint64_t used);

/** The sizes of a call differ between ranks. Said once per process. */
void hccl_message_mismatch(const hccl_module_t *module, enum hccl_coll coll,
                           size_t bytes);

/** The table of a communicator: operation, sizes, path, why. */
void hccl_message_paths(const hccl_module_t *module);

#endif
