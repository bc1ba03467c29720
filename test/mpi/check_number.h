// SPDX-License-Identifier: BSD-3-Clause
#ifndef CHECK_NUMBER_H
#define CHECK_NUMBER_H

#include "mpi_check.h"

/*
 * The predefined types and operations of MPI, with values to reduce and a reference of
 * our own. Values are chosen so that the result is exact whatever the order: small whole
 * numbers for sums, powers of two for products of floating-point numbers, and no overflow
 * in signed types. Everything else (sign bits, ties, wrapping of unsigned types, truth
 * values other than one) occurs.
 */

enum check_kind {
    CHECK_SIGNED,
    CHECK_UNSIGNED,
    CHECK_REAL,
    CHECK_COMPLEX,
    CHECK_BOOL,    /* C bool and C++ bool */
    CHECK_LOGICAL, /* Fortran: zero or one, as its compilers have it */
    CHECK_BYTE,
    CHECK_PAIR, /* a value and an index */
};

enum check_op_kind {
    CHECK_MAX,
    CHECK_MIN,
    CHECK_SUM,
    CHECK_PROD,
    CHECK_LAND,
    CHECK_LOR,
    CHECK_LXOR,
    CHECK_BAND,
    CHECK_BOR,
    CHECK_BXOR,
    CHECK_MAXLOC,
    CHECK_MINLOC,
    CHECK_OPS,
};

struct check_type {
    const char *name;
    MPI_Datatype type;
    enum check_kind kind;
    bool logical;    /* an integer that logical operations accept */
    size_t size;     /* of the number, or of a pair's value */
    size_t extent;   /* from one element to the next */
    bool real;       /* pairs: the value is a floating-point number */
    bool real_index; /* pairs of Fortran: the index is as the value */
    size_t index_at; /* pairs: where the index lies */
};

struct check_op {
    const char *name;
    MPI_Op op;
    enum check_op_kind kind;
};

/* Any value, wide enough for every type. */
struct check_number {
    uint64_t u;
    int64_t i;
    long double re;
    long double im;
    long double index;
};

/** All types that this MPI has. */
const struct check_type *check_types(size_t *count);

/** The type of that name, or NULL. */
const struct check_type *check_type_find(const char *name);

/** All operations, in the order of enum check_op_kind. */
const struct check_op *check_ops(void);

/** May the operation be applied to the type? */
bool check_op_accepts(const struct check_op *op, const struct check_type *type);

/** Is the stock library known to be wrong here? */
bool check_op_is_wrong_in_stock(const struct check_op *op, const struct check_type *type);

/** The value that a rank contributes at an index. */
struct check_number check_number_make(const struct check_type *type,
                                      const struct check_op *op, int rank, size_t index);

/** left op right, where `left` comes from the lower ranks. */
struct check_number check_number_combine(const struct check_type *type,
                                         const struct check_op *op,
                                         const struct check_number *left,
                                         const struct check_number *right);

/** The result over ranks 0 to size - 1 at an index. */
struct check_number check_number_reduced(const struct check_type *type,
                                         const struct check_op *op, int size,
                                         size_t index);

/** Write a value; bytes that don't belong to the type's value are left alone. */
void check_number_store(const struct check_type *type, const struct check_number *number,
                        void *at);

/** Read a value. */
struct check_number check_number_load(const struct check_type *type, const void *at);

/** Is it the same value? */
bool check_number_equal(const struct check_type *type, const struct check_number *a,
                        const struct check_number *b);

/** Write the value as text, for people. */
void check_number_print(const struct check_type *type, const struct check_number *number,
                        char *text, size_t bytes);

#endif
