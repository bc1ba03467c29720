// SPDX-License-Identifier: BSD-3-Clause
//
// Stand-in for a header that Debian's libopenmpi-dev does not install; see the README of
// this include folder.
//
// The original converts between C's int and Fortran's INTEGER for the Fortran bindings.
// Of all that, ompi/op/op.h uses one name: OMPI_INT_2_FINT, for the arguments of a
// reduction that was written in Fortran.

#ifndef HCCL_COMPAT_FINT_2_INT_H
#define HCCL_COMPAT_FINT_2_INT_H

#include "ompi_config.h"

// MPI_Fint is as wide as Fortran's INTEGER here, so a cast is right for every width.
#define OMPI_INT_2_FINT(value) ((MPI_Fint)(value))

#endif
