#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check.sh - what run.sh does by default, inside the root: the test command, with the
# compiler and the Open MPI of Debian 13. Called in the top folder.

set -eu

# Ranks of one job use shared memory; spawned jobs need tcp, which complains about the
# interfaces of some machines unless it is told to stay inside this one.
export OMPI_MCA_btl_tcp_if_include=lo

echo "check.sh: $(gcc --version | head -n 1); $(mpirun --version | head -n 1)"
exec ./test.sh
