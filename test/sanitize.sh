#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitize.sh BUILD - tests under sanitizers: addresses and undefined behaviour in one build
# (gcc, with random delays, unit tests and MPI programs), data races in another (clang if it
# can, unit tests: there the ranks are threads, so that the whole protocol is seen). Both
# build the whole tree, without a warning.

set -u

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/test/tally.sh"

try()
{
    name=$1
    shift
    build=$base/sanitize-$name
    sh "$top/config/build.sh" "$build" --enable-werror "$@" &&
        make -C "$build/test/unit" check VERBOSE=1
    tally "unit tests under $name" $?
}

# The component comes into processes that know nothing of the sanitizers: these must be
# loaded before. What Open MPI leaks is not our affair.
try_mpi()
{
    build=$base/sanitize-address
    first=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
    HCCL_TEST_SLOWER=4 HCCL_MPIRUN_ARGS="--mca coll hccl -x LD_PRELOAD=$first
        -x ASAN_OPTIONS=detect_leaks=0 -x UBSAN_OPTIONS=print_stacktrace=1" \
        sh "$top/test/run_mpi.sh" quick "$build" allreduce_test bcast_test user_op_test \
        reduce_scatter_test sequence_test comm_groups_test info_key_test mismatch_test
    tally "MPI programs under address" $?
}

# Is there a clang with the thread sanitizer's library?
has_clang()
{
    echo 'int main(void) { return 0; }' |
        clang -fsanitize=thread -x c - -o /dev/null 2>/dev/null
}

base=$1
try address --enable-asan --enable-ubsan --enable-debug-delays
try_mpi
if has_clang; then
    try thread --enable-tsan CC=clang
else
    echo "SKIPPED: clang with libclang-rt is not installed, gcc builds everything"
    try thread --enable-tsan CC=gcc
fi
tally_end
