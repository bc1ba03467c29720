#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run_mpi.sh BUILD [quick|full] [NAME...] - run the MPI programs of test/mpi, and the
# scripts of test/trouble and test/nodes, with the component in the build folder BUILD.
#
#   quick   2, 3 and 5 ranks, short forms: less than 5 minutes on two cores (default)
#   full    1 to 9 ranks, long forms: an hour
#   NAME    only tests whose name contains one of these words
#
# One line per test with its time; the last line says "N passed, N failed". What a failed
# test printed is shown, and kept in BUILD/test/mpi/logs.
#
# Environment
#   MPIRUN            mpirun
#   HCCL_MPIRUN_ARGS  options of every mpirun (default: --mca coll hccl). With
#                     "--mca coll ^hccl" and HCCL_TEST_STOCK=1 the programs test the stock
#                     library.
#   HCCL_TEST_SLOWER  a factor for all time limits (default 1), as for sanitizers

set -u

top=$(cd "$(dirname "$0")/.." && pwd)
level=quick
build=
only=
for word in "$@"; do
    case $word in
    quick | full) level=$word ;;
    -h | --help)
        sed -n '4,/^$/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *) if [ -z "$build" ]; then build=$word; else only="$only $word"; fi ;;
    esac
done
build=$(cd "${build:-.}" && pwd) || exit 2

if [ ! -e "$build/coll_hccl/component/mca_coll_hccl.so" ]; then
    echo "run_mpi.sh: $build has no component: run make there first" >&2
    exit 2
fi
if [ -e "$build/Makefile" ]; then
    eval "$(make -s -C "$build" environment)"
    make -s -C "$build/test/mpi" check >"$build/test/mpi/build.log" 2>&1 || {
        cat "$build/test/mpi/build.log" >&2
        exit 2
    }
fi
export MPIRUN="${MPIRUN:-mpirun}"
if [ -z "${OMPI_MCA_mca_base_component_path-}" ]; then
    export OMPI_MCA_mca_base_component_path="SYS_DEFAULT:$build/coll_hccl/component"
fi
export HCCL_MPIRUN_ARGS="${HCCL_MPIRUN_ARGS---mca coll hccl}"
export HCCL_TEST_LEVEL="$level"
export HCCL_TEST_PROGRAMS="$build/test/mpi"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
logs=$build/test/mpi/logs
mkdir -p "$logs"

passed=0
failed=0
skipped=0

# Buffers, chunks and thresholds as small as they may be: every path has many turns.
tiny="--mca coll_hccl_setup_calls 0 --mca coll_hccl_staging 64K --mca coll_hccl_chunk 4K
      --mca coll_hccl_min_data_size 1K --mca coll_hccl_stream_min 64K"
eager="--mca coll_hccl_setup_calls 0"

options_of()
{
    case $1 in
    tiny) echo "$tiny" ;;
    eager) echo "$eager" ;;
    strict) echo "$eager --mca coll_hccl_deterministic strict" ;;
    spread) echo "--bind-to none" ;;
    esac
}

wanted()
{
    if [ -z "$only" ]; then
        return 0
    fi
    for word in $only; do
        case $1 in *"$word"*) return 0 ;; esac
    done
    return 1
}

# report NAME STATUS SECONDS LOG
report()
{
    case $2 in
    0)
        passed=$((passed + 1))
        printf 'ok      %-42s %6.1f s\n' "$1" "$3"
        ;;
    77)
        skipped=$((skipped + 1))
        printf 'skipped %-42s %s\n' "$1" "$(grep -m 1 SKIPPED "$4")"
        ;;
    *)
        failed=$((failed + 1))
        printf 'FAILED  %-42s %6.1f s, exit status %d\n' "$1" "$3" "$2"
        tail -n 20 "$4" | sed 's/^/    /'
        ;;
    esac
}

now()
{
    date +%s.%N
}

# run SECONDS COMMAND...: into the log, and tell
run()
{
    limit=$(($1 * ${HCCL_TEST_SLOWER:-1}))
    shift
    log=$logs/$(echo "$name" | tr ' /' '__').log
    start=$(now)
    # A rank that waits too long says in what, and ends, before the job is killed.
    HCCL_TEST_SECONDS=$limit timeout -k 10 $((limit + 20)) "$@" >"$log" 2>&1 </dev/null
    status=$?
    # mpirun may turn the status for "skipped" into another one.
    if [ "$status" -ne 0 ] && grep -q SKIPPED "$log" && ! grep -q FAILED "$log"; then
        status=77
    fi
    report "$name" "$status" "$(echo "$(now) $start" | awk '{ print $1 - $2 }')" "$log"
}

# program NAME VARIANT SECONDS RANKS...
program()
{
    program=$1
    variant=$2
    seconds=$3
    shift 3
    for ranks in "$@"; do
        name="$program -n $ranks $variant"
        if wanted "$name"; then
            args=$HCCL_MPIRUN_ARGS
            if [ "$variant" = unnamed ]; then
                args= # chosen by its priority
            fi
            # shellcheck disable=SC2046,SC2086 # options are words
            run "$seconds" "$MPIRUN" --oversubscribe $args \
                $(options_of "$variant") -n "$ranks" "$HCCL_TEST_PROGRAMS/$program"
        fi
    done
}

reductions="allreduce_test reduce_test reduce_scatter_test reduce_scatter_block_test"

quick()
{
    for test in $reductions; do
        program "$test" default 60 2
        program "$test" tiny 60 3
    done
    program bcast_test default 60 2 5
    program bcast_test tiny 60 3
    program allgather_test default 60 2 5
    program user_op_test default 60 3
    program user_op_test tiny 60 2
    program every_collective_test default 60 1 2 5
    only_hccl program every_collective_test unnamed 60 3
    program neighbour_test default 60 1 4
    program sequence_test default 60 2 5
    program sequence_test tiny 60 3
    program slow_leaf_test default 60 2 3
    program many_comms_test default 60 3
    program comm_groups_test default 60 2 5
    program comm_groups_test eager 60 4
    program intercomm_test default 60 2 5
    program spawn_test default 60 2
    program progress_test default 60 2 4
    program info_key_test default 60 3
    only_hccl program steady_test default 60 2 3
    only_hccl program threads_test default 60 2
    only_hccl program mismatch_test default 60 2 3
}

full()
{
    for test in $reductions; do
        program "$test" default 600 1 2 3 4 5 6 7 8 9
        program "$test" tiny 600 2 3 5 8
        program "$test" strict 600 2 3
    done
    for test in bcast_test allgather_test user_op_test; do
        program "$test" default 600 1 2 3 4 5 6 7 8 9
        program "$test" tiny 600 2 3 5 8
    done
    program many_comms_test default 600 2 3 4 5
    for test in comm_groups_test intercomm_test spawn_test; do
        program "$test" default 120 1 2 3 4 5 8
        program "$test" eager 120 2 5
    done
    for test in every_collective_test neighbour_test; do
        program "$test" default 120 1 2 3 4 5 6 7 8 9
        program "$test" eager 120 1 2 3 5
        only_hccl program "$test" unnamed 120 1 2 4
    done
    program big_count_test default 600 2
    program sequence_test default 600 1 2 3 4 5 6 7 8 9
    program sequence_test tiny 600 2 3 4 5 8
    program slow_leaf_test default 600 2 3 4 8
    program slow_leaf_test tiny 600 2 3
    program progress_test default 120 2 3 4 5 8
    program progress_test tiny 120 2 4
    program info_key_test default 120 1 2 3 4
    only_hccl program steady_test default 120 2 3 4 5 8
    only_hccl program threads_test default 600 1 2 3 4
    only_hccl program threads_test spread 600 2 3
    only_hccl program mismatch_test default 120 2 3 4 8
    only_hccl program mismatch_test tiny 120 2 5
}

# What the stock library can't do, or what is about the component alone.
only_hccl()
{
    case $HCCL_MPIRUN_ARGS in
    *^hccl*) ;;
    *) "$@" ;;
    esac
}

scripts()
{
    for script in "$top"/test/trouble/*_trouble.sh "$top"/test/nodes/*_test.sh; do
        name=$(basename "$(dirname "$script")")/$(basename "$script" .sh)
        if [ -e "$script" ] && wanted "$name"; then
            run 180 sh "$script"
        fi
    done
}

"$level"
only_hccl scripts
if [ "$skipped" -gt 0 ]; then
    echo "$skipped skipped"
fi
if [ $((passed + failed)) -eq 0 ]; then
    echo "run_mpi.sh: no test was run" >&2
    failed=1
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
