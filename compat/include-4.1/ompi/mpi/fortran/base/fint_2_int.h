// SPDX-License-Identifier: BSD-3-Clause
/*
 * Stand-in for a header that libopenmpi-dev forgets although ompi/op/op.h needs it.
 * Fortran and C integers have the same size in every Open MPI that a distribution builds.
 */
#ifndef HCCL_FINT_2_INT_H
#define HCCL_FINT_2_INT_H

#include "ompi_config.h"

#if OMPI_SIZEOF_FORTRAN_INTEGER != SIZEOF_INT
#error "Fortran INTEGER and C int differ in size: build with Open MPI's own headers"
#endif

#define OMPI_INT_2_FINT(number) (number)
#define OMPI_FINT_2_INT(number) (number)

#endif
