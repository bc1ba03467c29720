#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi_selftest.sh BUILD [NAME...] - can the MPI tests fail? Each program of test/mpi runs
# with a library before MPI that does one thing wrong (test/mpi/spoil.c), and must say so.
#
# NAME: only programs whose name contains one of these words. Environment as for
# run_mpi.sh; without HCCL_MPIRUN_ARGS the component is used.
#
# A program that doesn't notice is shown. The last line says "N passed, N failed".

set -u
. "$(dirname "$0")/tally.sh"

build=$(cd "${1:-.}" && pwd) || exit 2
[ $# -gt 0 ] && shift
only=$*
programs=${HCCL_TEST_PROGRAMS:-$build/test/mpi}
args=${HCCL_MPIRUN_ARGS---mca coll hccl}
mpirun=${MPIRUN:-mpirun}
if [ -z "${OMPI_MCA_mca_base_component_path-}" ]; then
    export OMPI_MCA_mca_base_component_path="SYS_DEFAULT:$build/coll_hccl/component"
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
case $args in *^hccl*) export HCCL_TEST_STOCK=1 ;; esac

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"${MPICC:-mpicc}" -std=c11 -O2 -shared -fPIC -o "$work/spoil.so" \
    "$(dirname "$0")/mpi/spoil.c" || exit 2

wanted()
{
    [ -z "$only" ] && return 0
    for word in $only; do
        case $1 in *"$word"*) return 0 ;; esac
    done
    return 1
}

# notices PROGRAM WAY RANKS TEXT: must fail and print TEXT
notices()
{
    wanted "$1" || return 0
    truncate -s 0 "$work/board"
    truncate -s 4096 "$work/board"
    # A program that hangs where it should is given little time.
    seconds=60
    [ "$2" = deaf ] && seconds=15
    # shellcheck disable=SC2086 # options are words
    HCCL_TEST_SECONDS=$seconds timeout 90 "$mpirun" --oversubscribe $args \
        -x LD_PRELOAD="$work/spoil.so" -x HCCL_SPOIL="$2" \
        -x HCCL_SPOIL_BOARD="$work/board" -n "$3" "$programs/$1" \
        >"$work/log" 2>&1 </dev/null
    status=$?
    if [ "$status" -ne 0 ] && grep -q "$4" "$work/log"; then
        tally "$1 notices: $2" 0
    else
        tally "$1 does not notice: $2 (exit status $status)" 1 "$work/log" 8
    fi
}

for program in allreduce_test reduce_test reduce_scatter_test reduce_scatter_block_test; do
    notices "$program" value 3 'expected .*, got'
    notices "$program" stray 3 'stray write'
done
notices allreduce_test lost 3 'expected .*, got'
for program in bcast_test allgather_test; do
    notices "$program" value 3 'expected .*, got'
    notices "$program" stray 3 'stray write'
done
notices bcast_test lost 3 'expected .*, got'
notices user_op_test value 3 'expected .*, got'
notices user_op_test stray 3 'stray write'
notices user_op_test order 3 'FAILED'
notices many_comms_test leak 2 'descriptors'
notices many_comms_test value 2 'expected .*, got'
notices comm_groups_test value 4 'expected .*, got'
notices intercomm_test value 4 'expected .*, got'
notices spawn_test lost 2 'expected .*, got'
notices every_collective_test value 3 'expected .*, got'
notices neighbour_test value 3 'expected .*, got'
notices sequence_test value 3 'expected .*, got'
notices sequence_test early 3 'FAILED'
notices sequence_test stray 3 'stray write'
notices slow_leaf_test value 3 'expected .*, got'
notices slow_leaf_test early 3 'FAILED'
notices threads_test value 2 'got'
notices progress_test deaf 2 'TIME IS UP'
case $args in
*^hccl*) ;;
*)
    notices mismatch_test quiet 2 'no rank was told'
    notices info_key_test nokey 2 'served by shared memory'
    ;;
esac
tally_end
