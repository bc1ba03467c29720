#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check.sh - what run.sh does by default, inside the root: from the source files to passed
# tests, with the compiler and the Open MPI of Debian 13. Called in the top folder.
#
# `make check` runs the unit tests and the MPI tests. HCCL_JOBS: parallel compilations
# (default: one per processor), as in `run.sh env HCCL_JOBS=1 test/debian13/check.sh`.

set -eu

jobs=${HCCL_JOBS:-$(nproc)}

# Ranks of one job use shared memory; spawned jobs need tcp, which complains about the
# interfaces of some machines unless it is told to stay inside this one.
export OMPI_MCA_btl_tcp_if_include=lo

echo "check.sh: $(gcc --version | head -n 1); $(mpirun --version | head -n 1)"
./autogen.sh
mkdir -p build
cd build
../configure
make -j"$jobs"
make check
