// SPDX-License-Identifier: BSD-3-Clause
/*
 * Template: vectors of HCCL_W bytes (16, 32 or 64) and the reduction operations on them.
 * Included once for each width that an instruction set uses; hence no include guard.
 * Names end in the width through V(), so that V(apply) is hccl_apply_16 and so on.
 *
 * The vectors are those of GCC and Clang, which lower what the target lacks, so the same
 * text serves every processor. A vector travels as bytes, V(b8), and each operation sees
 * it as the type that it needs. Additions and products of integers are done unsigned:
 * they wrap, and signedness makes no difference to the bits.
 */
#if HCCL_W == 16
#define V_LANES32 4
#define V_LANES64 2
#define V_GROUP   4
#elif HCCL_W == 32
#define V_LANES32 8
#define V_LANES64 4
#define V_GROUP   4
#else
#define V_LANES32 16
#define V_LANES64 8
#define V_GROUP   2
#endif

typedef uint8_t V(b8) __attribute__((vector_size(HCCL_W)));
typedef uint16_t V(b16) __attribute__((vector_size(HCCL_W)));
typedef uint32_t V(b32) __attribute__((vector_size(HCCL_W)));
typedef uint64_t V(b64) __attribute__((vector_size(HCCL_W)));
typedef int8_t V(s8) __attribute__((vector_size(HCCL_W)));
typedef int16_t V(s16) __attribute__((vector_size(HCCL_W)));
typedef int32_t V(s32) __attribute__((vector_size(HCCL_W)));
typedef int64_t V(s64) __attribute__((vector_size(HCCL_W)));
typedef float V(f32) __attribute__((vector_size(HCCL_W)));
typedef double V(f64) __attribute__((vector_size(HCCL_W)));

/* Any alignment, any type behind the pointer. */
V_INLINE V(b8) V(load)(const unsigned char *from)
{
    V(b8) v;
    memcpy(&v, from, HCCL_W);
    return v;
}

V_INLINE void V(store)(unsigned char *to, V(b8) v)
{
    memcpy(to, &v, HCCL_W);
}

/*
 * mask ? a : b for each lane. One function per lane width, with signed lanes: in this
 * form the compilers find the blend, or the minimum, of the instruction set.
 */
V_INLINE V(b8) V(select8)(V(s8) mask, V(b8) a, V(b8) b)
{
    return (V(b8))(((V(s8))a & mask) | ((V(s8))b & ~mask));
}

V_INLINE V(b8) V(select16)(V(s16) mask, V(b8) a, V(b8) b)
{
    return (V(b8))(((V(s16))a & mask) | ((V(s16))b & ~mask));
}

V_INLINE V(b8) V(select32)(V(s32) mask, V(b8) a, V(b8) b)
{
    return (V(b8))(((V(s32))a & mask) | ((V(s32))b & ~mask));
}

V_INLINE V(b8) V(select64)(V(s64) mask, V(b8) a, V(b8) b)
{
    return (V(b8))(((V(s64))a & mask) | ((V(s64))b & ~mask));
}

V_INLINE V(b8) V(sum)(enum hccl_type type, V(b8) a, V(b8) b)
{
    switch (type) {
    case HCCL_UINT16:
        return (V(b8))((V(b16))a + (V(b16))b);
    case HCCL_UINT32:
        return (V(b8))((V(b32))a + (V(b32))b);
    case HCCL_UINT64:
        return (V(b8))((V(b64))a + (V(b64))b);
    case HCCL_FLOAT:
        return (V(b8))((V(f32))a + (V(f32))b);
    case HCCL_DOUBLE:
        return (V(b8))((V(f64))a + (V(f64))b);
    default:
        return a + b;
    }
}

/*
 * (a.re + i a.im) (b.re + i b.im) by the textbook formula: (a.re b.re - a.im b.im) and
 * (a.re b.im + a.im b.re). Flipping the sign and adding is an exact subtraction.
 */
V_INLINE V(b8) V(prod_float_complex)(V(f32) a, V(f32) b)
{
    const V(b32) flip = {V_LIST(V_FLIP, V_LANES32)(UINT32_C(1) << 31)};
    V(f32) re = __builtin_shufflevector(a, a, V_LIST(V_REAL, V_LANES32)) * b;
    V(f32)
    im = __builtin_shufflevector(a, a, V_LIST(V_IMAG, V_LANES32)) *
         __builtin_shufflevector(b, b, V_LIST(V_SWAP, V_LANES32));
    return (V(b8))(re + (V(f32))((V(b32))im ^ flip));
}

V_INLINE V(b8) V(prod_double_complex)(V(f64) a, V(f64) b)
{
    const V(b64) flip = {V_LIST(V_FLIP, V_LANES64)(UINT64_C(1) << 63)};
    V(f64) re = __builtin_shufflevector(a, a, V_LIST(V_REAL, V_LANES64)) * b;
    V(f64)
    im = __builtin_shufflevector(a, a, V_LIST(V_IMAG, V_LANES64)) *
         __builtin_shufflevector(b, b, V_LIST(V_SWAP, V_LANES64));
    return (V(b8))(re + (V(f64))((V(b64))im ^ flip));
}

V_INLINE V(b8) V(prod)(enum hccl_type type, V(b8) a, V(b8) b)
{
    switch (type) {
    case HCCL_UINT16:
        return (V(b8))((V(b16))a * (V(b16))b);
    case HCCL_UINT32:
        return (V(b8))((V(b32))a * (V(b32))b);
    case HCCL_UINT64:
        return (V(b8))((V(b64))a * (V(b64))b);
    case HCCL_FLOAT:
        return (V(b8))((V(f32))a * (V(f32))b);
    case HCCL_DOUBLE:
        return (V(b8))((V(f64))a * (V(f64))b);
    case HCCL_FLOAT_COMPLEX:
        return V(prod_float_complex)((V(f32))a, (V(f32))b);
    case HCCL_DOUBLE_COMPLEX:
        return V(prod_double_complex)((V(f64))a, (V(f64))b);
    default:
        return a * b;
    }
}

/* a < b ? a : b, so b where the two are equal or not comparable. */
V_INLINE V(b8) V(min)(enum hccl_type type, V(b8) a, V(b8) b)
{
    switch (type) {
    case HCCL_INT8:
        return V(select8)((V(s8))a < (V(s8))b, a, b);
    case HCCL_INT16:
        return V(select16)((V(s16))a < (V(s16))b, a, b);
    case HCCL_UINT16:
        return V(select16)((V(b16))a < (V(b16))b, a, b);
    case HCCL_INT32:
        return V(select32)((V(s32))a < (V(s32))b, a, b);
    case HCCL_UINT32:
        return V(select32)((V(b32))a < (V(b32))b, a, b);
    case HCCL_INT64:
        return V(select64)((V(s64))a < (V(s64))b, a, b);
    case HCCL_UINT64:
        return V(select64)((V(b64))a < (V(b64))b, a, b);
    case HCCL_FLOAT:
        return V(select32)((V(f32))a < (V(f32))b, a, b);
    case HCCL_DOUBLE:
        return V(select64)((V(f64))a < (V(f64))b, a, b);
    default:
        return V(select8)(a < b, a, b);
    }
}

/* a > b ? a : b. */
V_INLINE V(b8) V(max)(enum hccl_type type, V(b8) a, V(b8) b)
{
    switch (type) {
    case HCCL_INT8:
        return V(select8)((V(s8))a > (V(s8))b, a, b);
    case HCCL_INT16:
        return V(select16)((V(s16))a > (V(s16))b, a, b);
    case HCCL_UINT16:
        return V(select16)((V(b16))a > (V(b16))b, a, b);
    case HCCL_INT32:
        return V(select32)((V(s32))a > (V(s32))b, a, b);
    case HCCL_UINT32:
        return V(select32)((V(b32))a > (V(b32))b, a, b);
    case HCCL_INT64:
        return V(select64)((V(s64))a > (V(s64))b, a, b);
    case HCCL_UINT64:
        return V(select64)((V(b64))a > (V(b64))b, a, b);
    case HCCL_FLOAT:
        return V(select32)((V(f32))a > (V(f32))b, a, b);
    case HCCL_DOUBLE:
        return V(select64)((V(f64))a > (V(f64))b, a, b);
    default:
        return V(select8)(a > b, a, b);
    }
}

/* All ones in the lanes that are not zero. */
V_INLINE V(b8) V(truth)(enum hccl_type type, V(b8) a)
{
    switch (type) {
    case HCCL_UINT16:
        return (V(b8))((V(s16))a != 0);
    case HCCL_UINT32:
        return (V(b8))((V(s32))a != 0);
    case HCCL_UINT64:
        return (V(b8))((V(s64))a != 0);
    default:
        return (V(b8))(a != 0);
    }
}

/* 1 in the lanes whose lowest bit is set, 0 elsewhere. */
V_INLINE V(b8) V(low_bit)(enum hccl_type type, V(b8) a)
{
    switch (type) {
    case HCCL_UINT16:
        return (V(b8))((V(b16))a & 1);
    case HCCL_UINT32:
        return (V(b8))((V(b32))a & 1);
    case HCCL_UINT64:
        return (V(b8))((V(b64))a & 1);
    default:
        return a & 1;
    }
}

/* Both arguments are constants where this is used: one instruction or a few remain. */
V_INLINE V(b8) V(apply)(enum hccl_op op, enum hccl_type type, V(b8) a, V(b8) b)
{
    switch (op) {
    case HCCL_SUM:
        return V(sum)(type, a, b);
    case HCCL_PROD:
        return V(prod)(type, a, b);
    case HCCL_MIN:
        return V(min)(type, a, b);
    case HCCL_MAX:
        return V(max)(type, a, b);
    case HCCL_LAND:
        return V(low_bit)(type, V(truth)(type, a) & V(truth)(type, b));
    case HCCL_LOR:
        return V(low_bit)(type, V(truth)(type, a | b));
    case HCCL_LXOR:
        return V(low_bit)(type, V(truth)(type, a) ^ V(truth)(type, b));
    case HCCL_BAND:
        return a & b;
    case HCCL_BOR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* Reduces the HCCL_W bytes at offset `at`; loads from all sources, stores nothing. */
V_INLINE V(b8) V(fold)(enum hccl_op op, enum hccl_type type, const void *const *src,
                       int sources, size_t at)
{
    V(b8) sum = V(load)((const unsigned char *)src[0] + at);
    for (int k = 1; k < sources; k++) {
        sum = V(apply)(op, type, sum, V(load)((const unsigned char *)src[k] + at));
    }
    return sum;
}

/* A few neighbouring vectors: independent operations, which hide each other's latency. */
struct V(group) {
    V(b8) v[V_GROUP];
};

V_INLINE struct V(group) V(group_load)(const unsigned char *from)
{
    struct V(group) group;
#pragma GCC unroll 4
    for (int i = 0; i < V_GROUP; i++) {
        group.v[i] = V(load)(from + i * HCCL_W);
    }
    return group;
}

V_INLINE void V(group_store)(unsigned char *to, struct V(group) group)
{
#pragma GCC unroll 4
    for (int i = 0; i < V_GROUP; i++) {
        V(store)(to + i * HCCL_W, group.v[i]);
    }
}

V_INLINE struct V(group) V(group_apply)(enum hccl_op op, enum hccl_type type,
                                        struct V(group) a, struct V(group) b)
{
#pragma GCC unroll 4
    for (int i = 0; i < V_GROUP; i++) {
        a.v[i] = V(apply)(op, type, a.v[i], b.v[i]);
    }
    return a;
}

V_INLINE void V(group_prefetch)(const unsigned char *from)
{
    for (int line = 0; line < V_GROUP * HCCL_W; line += HCCL_LINE) {
        __builtin_prefetch(from + line);
    }
}

/* As fold, for a group. */
V_INLINE struct V(group) V(group_fold)(enum hccl_op op, enum hccl_type type,
                                       const void *const *src, int sources, size_t at)
{
    struct V(group) sum = V(group_load)((const unsigned char *)src[0] + at);
    for (int k = 1; k < sources; k++) {
        struct V(group) next = V(group_load)((const unsigned char *)src[k] + at);
        sum = V(group_apply)(op, type, sum, next);
    }
    return sum;
}

/*
 * The same for long arrays: prefetches a group at offset `next` as well, and is unrolled,
 * because the hardware's prefetcher follows the stride of one load instruction and would
 * lose its way when the same one served several sources in turn.
 */
V_INLINE struct V(group)
    V(group_fold_long)(enum hccl_op op, enum hccl_type type, const void *const *src,
                       int sources, size_t at, size_t next)
{
    const unsigned char *from = src[0];
    struct V(group) sum = V(group_load)(from + at);
    V(group_prefetch)(from + next);
#pragma GCC unroll 8
    for (int k = 1; k < HCCL_REDUCE_MAX_SOURCES; k++) {
        if (k >= sources) {
            break;
        }
        from = src[k];
        sum = V(group_apply)(op, type, sum, V(group_load)(from + at));
        V(group_prefetch)(from + next);
    }
    return sum;
}

#undef V_LANES32
#undef V_LANES64
#undef V_GROUP
#undef HCCL_W
