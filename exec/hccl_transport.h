// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TRANSPORT_H
#define HCCL_TRANSPORT_H

#include <stddef.h>

/*
 * What moves bytes between ranks, as the executor of schedules sees it. Messages of one
 * sender, receiver and tag arrive in the order they were sent in.
 */

enum hccl_io {
    HCCL_IO_DONE,
    HCCL_IO_PENDING,
    HCCL_IO_ERROR,
};

struct hccl_transport {
    /**
     * Begin to send. The data stays untouched until the request is done.
     * @param request  set when the answer is HCCL_IO_PENDING
     */
    enum hccl_io (*send)(void *context, int peer, unsigned tag, const void *data,
                         size_t bytes, void **request);
    /** Begin to receive exactly `bytes` bytes. */
    enum hccl_io (*recv)(void *context, int peer, unsigned tag, void *data, size_t bytes,
                         void **request);
    /** How far is it? The request is gone unless the answer is HCCL_IO_PENDING. */
    enum hccl_io (*test)(void *context, void **request);
    /** Give up a request whose operation has failed elsewhere. */
    void (*drop)(void *context, void **request);
    void *context;
};

#endif
