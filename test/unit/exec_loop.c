// SPDX-License-Identifier: BSD-3-Clause
#include "exec_loop.h"

#include <stdlib.h>
#include <string.h>

/* A send or a receive: in a list of all that have been started, in order. */
struct message {
    struct message *next;
    struct exec_loop *loop;
    bool sends;
    bool matched;
    bool over; /* nobody holds it any more: a copied send, or a dropped request */
    int from;
    int to;
    unsigned tag;
    unsigned char *data;
    size_t bytes;
    unsigned char *copy;
};

struct endpoint {
    struct exec_loop *loop;
    int rank;
};

struct exec_loop {
    uint64_t random;
    int fail_in; /* messages; 0: never */
    struct message *messages;
    struct endpoint *endpoints;
    struct hccl_transport *transports;
};

uint64_t exec_loop_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static struct message *append(struct exec_loop *loop)
{
    struct message **end = &loop->messages;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = calloc(1, sizeof **end);
    (*end)->loop = loop;
    return *end;
}

static void take_out(struct message *message)
{
    struct message **link = &message->loop->messages;
    while (*link != message) {
        link = &(*link)->next;
    }
    *link = message->next;
    free(message->copy);
    free(message);
}

static bool fails(struct exec_loop *loop)
{
    return loop->fail_in > 0 && --loop->fail_in == 0;
}

static enum hccl_io send_message(void *context, int peer, unsigned tag, const void *data,
                                 size_t bytes, void **request)
{
    struct endpoint *me = context;
    if (fails(me->loop)) {
        return HCCL_IO_ERROR;
    }
    struct message *message = append(me->loop);
    message->sends = true;
    message->from = me->rank;
    message->to = peer;
    message->tag = tag;
    message->bytes = bytes;
    if (exec_loop_random(&me->loop->random) % 2 == 0) {
        message->copy = malloc(bytes);
        memcpy(message->copy, data, bytes);
        message->data = message->copy;
        message->over = true;
        return HCCL_IO_DONE;
    }
    message->data = (unsigned char *)data;
    *request = message;
    return HCCL_IO_PENDING;
}

static enum hccl_io recv_message(void *context, int peer, unsigned tag, void *data,
                                 size_t bytes, void **request)
{
    struct endpoint *me = context;
    if (fails(me->loop)) {
        return HCCL_IO_ERROR;
    }
    struct message *message = append(me->loop);
    message->from = peer;
    message->to = me->rank;
    message->tag = tag;
    message->data = data;
    message->bytes = bytes;
    *request = message;
    return HCCL_IO_PENDING;
}

/* The first one that `message` can belong to. */
static struct message *partner(const struct message *message)
{
    for (struct message *m = message->loop->messages; m != NULL; m = m->next) {
        if (m->sends != message->sends && !m->matched && m->from == message->from &&
            m->to == message->to && m->tag == message->tag) {
            return m;
        }
    }
    return NULL;
}

/* Is an earlier one of the same kind still without partner? */
static bool is_behind(const struct message *message)
{
    for (struct message *m = message->loop->messages; m != message; m = m->next) {
        if (m->sends == message->sends && !m->matched && m->from == message->from &&
            m->to == message->to && m->tag == message->tag) {
            return true;
        }
    }
    return false;
}

/* A receive looks for its send. @return false when their lengths differ */
static bool match(struct message *receive)
{
    struct message *send = is_behind(receive) ? NULL : partner(receive);
    if (send == NULL) {
        return true;
    }
    if (send->bytes != receive->bytes) {
        return false;
    }
    memcpy(receive->data, send->data, send->bytes);
    receive->matched = true;
    send->matched = true;
    if (send->over) {
        take_out(send);
    }
    return true;
}

static enum hccl_io test_message(void *context, void **request)
{
    struct message *message = *request;
    struct endpoint *me = context;
    if (exec_loop_random(&me->loop->random) % 3 == 0) {
        return HCCL_IO_PENDING;
    }
    if (!message->sends && !message->matched && !match(message)) {
        return HCCL_IO_ERROR;
    }
    if (!message->matched) {
        return HCCL_IO_PENDING;
    }
    take_out(message);
    return HCCL_IO_DONE;
}

static void drop_message(void *context, void **request)
{
    (void)context;
    take_out(*request);
}

struct exec_loop *exec_loop_new(int ranks, uint64_t seed)
{
    struct exec_loop *loop = calloc(1, sizeof *loop);
    loop->random = seed * 2 + 1;
    loop->endpoints = calloc((size_t)ranks, sizeof *loop->endpoints);
    loop->transports = calloc((size_t)ranks, sizeof *loop->transports);
    for (int r = 0; r < ranks; r++) {
        loop->endpoints[r] = (struct endpoint){.loop = loop, .rank = r};
        loop->transports[r] = (struct hccl_transport){.send = send_message,
                                                      .recv = recv_message,
                                                      .test = test_message,
                                                      .drop = drop_message,
                                                      .context = &loop->endpoints[r]};
    }
    return loop;
}

const struct hccl_transport *exec_loop_transport(struct exec_loop *loop, int rank)
{
    return &loop->transports[rank];
}

void exec_loop_fail(struct exec_loop *loop, int n)
{
    loop->fail_in = n;
}

bool exec_loop_is_idle(const struct exec_loop *loop)
{
    return loop->messages == NULL;
}

void exec_loop_free(struct exec_loop *loop)
{
    while (loop->messages != NULL) {
        take_out(loop->messages);
    }
    free(loop->endpoints);
    free(loop->transports);
    free(loop);
}
