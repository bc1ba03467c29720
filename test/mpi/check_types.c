// SPDX-License-Identifier: BSD-3-Clause
#include "check_number.h"

#include <complex.h>
#include <string.h>

enum { MOST_TYPES = 80 };

struct float_int {
    float value;
    int index;
};
struct double_int {
    double value;
    int index;
};
struct long_int {
    long value;
    int index;
};
struct short_int {
    short value;
    int index;
};
struct long_double_int {
    long double value;
    int index;
};

/* Row of a number that is as large as its extent. */
#define NUMBER(mpi, kind_, logical_, bytes)                                              \
    {                                                                                    \
        .name = #mpi, .type = mpi, .kind = kind_, .logical = logical_, .size = bytes,    \
        .extent = bytes                                                                  \
    }

/* Row of a pair that C has as a structure. */
#define PAIR(mpi, structure, real_, bytes)                                               \
    {                                                                                    \
        .name = #mpi, .type = mpi, .kind = CHECK_PAIR, .real = real_, .size = bytes,     \
        .index_at = offsetof(struct structure, index),                                   \
        .extent = sizeof(struct structure)                                               \
    }

/* Row of two equal numbers. */
#define TWO(mpi, real_, bytes)                                                           \
    {                                                                                    \
        .name = #mpi, .type = mpi, .kind = CHECK_PAIR, .real = real_,                    \
        .real_index = real_, .size = bytes, .index_at = bytes, .extent = 2 * (bytes)     \
    }

/* MPI's handles are no constants, so the table is filled when it is first asked for. */
static size_t fill_numbers(struct check_type *table)
{
    const struct check_type rows[] = {
        NUMBER(MPI_SIGNED_CHAR, CHECK_SIGNED, true, sizeof(signed char)),
        NUMBER(MPI_SHORT, CHECK_SIGNED, true, sizeof(short)),
        NUMBER(MPI_INT, CHECK_SIGNED, true, sizeof(int)),
        NUMBER(MPI_LONG, CHECK_SIGNED, true, sizeof(long)),
        NUMBER(MPI_LONG_LONG, CHECK_SIGNED, true, sizeof(long long)),
        NUMBER(MPI_INT8_T, CHECK_SIGNED, true, 1),
        NUMBER(MPI_INT16_T, CHECK_SIGNED, true, 2),
        NUMBER(MPI_INT32_T, CHECK_SIGNED, true, 4),
        NUMBER(MPI_INT64_T, CHECK_SIGNED, true, 8),
        NUMBER(MPI_UNSIGNED_CHAR, CHECK_UNSIGNED, true, sizeof(unsigned char)),
        NUMBER(MPI_UNSIGNED_SHORT, CHECK_UNSIGNED, true, sizeof(unsigned short)),
        NUMBER(MPI_UNSIGNED, CHECK_UNSIGNED, true, sizeof(unsigned)),
        NUMBER(MPI_UNSIGNED_LONG, CHECK_UNSIGNED, true, sizeof(unsigned long)),
        NUMBER(MPI_UNSIGNED_LONG_LONG, CHECK_UNSIGNED, true, sizeof(unsigned long long)),
        NUMBER(MPI_UINT8_T, CHECK_UNSIGNED, true, 1),
        NUMBER(MPI_UINT16_T, CHECK_UNSIGNED, true, 2),
        NUMBER(MPI_UINT32_T, CHECK_UNSIGNED, true, 4),
        NUMBER(MPI_UINT64_T, CHECK_UNSIGNED, true, 8),
        NUMBER(MPI_AINT, CHECK_SIGNED, false, sizeof(MPI_Aint)),
        NUMBER(MPI_OFFSET, CHECK_SIGNED, false, sizeof(MPI_Offset)),
        NUMBER(MPI_COUNT, CHECK_SIGNED, false, sizeof(MPI_Count)),
        NUMBER(MPI_FLOAT, CHECK_REAL, false, sizeof(float)),
        NUMBER(MPI_DOUBLE, CHECK_REAL, false, sizeof(double)),
        NUMBER(MPI_LONG_DOUBLE, CHECK_REAL, false, sizeof(long double)),
        NUMBER(MPI_C_FLOAT_COMPLEX, CHECK_COMPLEX, false, sizeof(float complex)),
        NUMBER(MPI_C_DOUBLE_COMPLEX, CHECK_COMPLEX, false, sizeof(double complex)),
        NUMBER(MPI_C_LONG_DOUBLE_COMPLEX, CHECK_COMPLEX, false,
               sizeof(long double complex)),
        NUMBER(MPI_C_BOOL, CHECK_BOOL, true, sizeof(bool)),
        NUMBER(MPI_BYTE, CHECK_BYTE, false, 1),
        PAIR(MPI_FLOAT_INT, float_int, true, sizeof(float)),
        PAIR(MPI_DOUBLE_INT, double_int, true, sizeof(double)),
        PAIR(MPI_LONG_DOUBLE_INT, long_double_int, true, sizeof(long double)),
        PAIR(MPI_LONG_INT, long_int, false, sizeof(long)),
        PAIR(MPI_SHORT_INT, short_int, false, sizeof(short)),
        TWO(MPI_2INT, false, sizeof(int)),
    };
    memcpy(table, rows, sizeof rows);
    return sizeof rows / sizeof rows[0];
}

/* Fortran's and C++'s types, where the library was built with them: else their size is
 * zero. */
static size_t add_foreign(struct check_type *table, size_t count)
{
    const struct check_type rows[] = {
        NUMBER(MPI_CXX_BOOL, CHECK_BOOL, true, sizeof(bool)),
        NUMBER(MPI_CXX_FLOAT_COMPLEX, CHECK_COMPLEX, false, sizeof(float complex)),
        NUMBER(MPI_CXX_DOUBLE_COMPLEX, CHECK_COMPLEX, false, sizeof(double complex)),
        NUMBER(MPI_LOGICAL, CHECK_LOGICAL, true, sizeof(MPI_Fint)),
        NUMBER(MPI_INTEGER, CHECK_SIGNED, false, sizeof(MPI_Fint)),
        NUMBER(MPI_INTEGER1, CHECK_SIGNED, false, 1),
        NUMBER(MPI_INTEGER2, CHECK_SIGNED, false, 2),
        NUMBER(MPI_INTEGER4, CHECK_SIGNED, false, 4),
        NUMBER(MPI_INTEGER8, CHECK_SIGNED, false, 8),
        NUMBER(MPI_REAL, CHECK_REAL, false, sizeof(float)),
        NUMBER(MPI_REAL4, CHECK_REAL, false, 4),
        NUMBER(MPI_REAL8, CHECK_REAL, false, 8),
        NUMBER(MPI_DOUBLE_PRECISION, CHECK_REAL, false, sizeof(double)),
        NUMBER(MPI_COMPLEX, CHECK_COMPLEX, false, sizeof(float complex)),
        NUMBER(MPI_DOUBLE_COMPLEX, CHECK_COMPLEX, false, sizeof(double complex)),
        NUMBER(MPI_COMPLEX8, CHECK_COMPLEX, false, 8),
        NUMBER(MPI_COMPLEX16, CHECK_COMPLEX, false, 16),
        TWO(MPI_2REAL, true, sizeof(float)),
        TWO(MPI_2DOUBLE_PRECISION, true, sizeof(double)),
        TWO(MPI_2INTEGER, false, sizeof(MPI_Fint)),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t bytes = rows[i].kind == CHECK_PAIR ? 2 * rows[i].size : rows[i].size;
        int size = 0;
        if (rows[i].type != MPI_DATATYPE_NULL &&
            MPI_Type_size(rows[i].type, &size) == MPI_SUCCESS && (size_t)size == bytes) {
            table[count++] = rows[i];
        }
    }
    return count;
}

const struct check_type *check_types(size_t *count)
{
    static struct check_type table[MOST_TYPES];
    static size_t filled;
    if (filled == 0) {
        filled = add_foreign(table, fill_numbers(table));
    }
    *count = filled;
    return table;
}

const struct check_type *check_type_find(const char *name)
{
    size_t count;
    const struct check_type *table = check_types(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

const struct check_op *check_ops(void)
{
    static struct check_op table[CHECK_OPS];
    const struct check_op rows[CHECK_OPS] = {
        [CHECK_MAX] = {"MPI_MAX", MPI_MAX, CHECK_MAX},
        [CHECK_MIN] = {"MPI_MIN", MPI_MIN, CHECK_MIN},
        [CHECK_SUM] = {"MPI_SUM", MPI_SUM, CHECK_SUM},
        [CHECK_PROD] = {"MPI_PROD", MPI_PROD, CHECK_PROD},
        [CHECK_LAND] = {"MPI_LAND", MPI_LAND, CHECK_LAND},
        [CHECK_LOR] = {"MPI_LOR", MPI_LOR, CHECK_LOR},
        [CHECK_LXOR] = {"MPI_LXOR", MPI_LXOR, CHECK_LXOR},
        [CHECK_BAND] = {"MPI_BAND", MPI_BAND, CHECK_BAND},
        [CHECK_BOR] = {"MPI_BOR", MPI_BOR, CHECK_BOR},
        [CHECK_BXOR] = {"MPI_BXOR", MPI_BXOR, CHECK_BXOR},
        [CHECK_MAXLOC] = {"MPI_MAXLOC", MPI_MAXLOC, CHECK_MAXLOC},
        [CHECK_MINLOC] = {"MPI_MINLOC", MPI_MINLOC, CHECK_MINLOC},
    };
    if (table[0].name == NULL) {
        memcpy(table, rows, sizeof rows);
    }
    return table;
}

bool check_op_accepts(const struct check_op *op, const struct check_type *type)
{
    bool whole = type->kind == CHECK_SIGNED || type->kind == CHECK_UNSIGNED;
    switch (op->kind) {
    case CHECK_MAX:
    case CHECK_MIN:
        return whole || type->kind == CHECK_REAL;
    case CHECK_SUM:
    case CHECK_PROD:
        return whole || type->kind == CHECK_REAL || type->kind == CHECK_COMPLEX;
    case CHECK_LAND:
    case CHECK_LOR:
    case CHECK_LXOR:
        return type->logical;
    case CHECK_BAND:
    case CHECK_BOR:
    case CHECK_BXOR:
        return whole || type->kind == CHECK_BYTE;
    case CHECK_MAXLOC:
    case CHECK_MINLOC:
        return type->kind == CHECK_PAIR;
    default:
        return false;
    }
}

/* Open MPI 4.1.4 compares unsigned long as if it were signed, and its vector code for
 * sums of short unsigned numbers stops at the largest one instead of wrapping around. */
bool check_op_is_wrong_in_stock(const struct check_op *op, const struct check_type *type)
{
    bool compares = op->kind == CHECK_MAX || op->kind == CHECK_MIN;
    return (compares && (type->type == MPI_UNSIGNED_LONG || type->type == MPI_OFFSET)) ||
           (op->kind == CHECK_SUM && type->kind == CHECK_UNSIGNED && type->size <= 2);
}
