# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# What the scripts of this folder share; sourced, not run. They are started by run_mpi.sh,
# which sets MPIRUN, HCCL_MPIRUN_ARGS and HCCL_TEST_PROGRAMS.

set -u

export MPIRUN="${MPIRUN:-mpirun}"
export HCCL_MPIRUN_ARGS="${HCCL_MPIRUN_ARGS---mca coll hccl}"
: "${HCCL_TEST_PROGRAMS:?the folder of the MPI programs}"
export victim="$HCCL_TEST_PROGRAMS/victim"

# Open MPI's own shared memory is somewhere else: only ours shall be in trouble.
own=$(mktemp -d)
export OMPI_MCA_btl_vader_backing_directory="$own"
export OMPI_MCA_btl_sm_backing_directory="$own"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

output=$own/output
checks=0
failures=0

clean_up()
{
    rm -rf "$own"
}
trap clean_up EXIT

# launch SECONDS ARGUMENTS...: mpirun, with its output in $output and its status in $status;
# $late is "yes" when it had to be ended. (mpirun's status may be 137 for a killed rank.)
launch()
{
    seconds=$1
    shift
    begun=$(date +%s)
    # shellcheck disable=SC2086 # options are words
    timeout -k 5 "$seconds" "$MPIRUN" --oversubscribe $HCCL_MPIRUN_ARGS "$@" \
        >"$output" 2>&1 </dev/null
    status=$?
    late=no
    if [ $(($(date +%s) - begun)) -ge "$seconds" ]; then
        late=yes
    fi
}

# launch_parts SECONDS [OPTION...] -- RANKS COMMAND... [: RANKS COMMAND...]: as launch, with
# a command of their own for the first ranks, the next ones, and so on. (mpirun's own way to
# say that crashes in Debian 13.)
launch_parts()
{
    limit=$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    echo '#!/bin/sh' >"$own/parts"
    chmod +x "$own/parts"
    total=0
    while [ $# -gt 0 ]; do
        total=$((total + $1))
        shift
        command=
        while [ $# -gt 0 ] && [ "$1" != : ]; do
            command="$command '$1'"
            shift
        done
        [ $# -eq 0 ] || shift
        # shellcheck disable=SC2028 # no backslash is meant
        echo "[ \"\$OMPI_COMM_WORLD_RANK\" -ge $total ] || exec$command" >>"$own/parts"
    done
    # shellcheck disable=SC2086 # options are words
    launch "$limit" $options -n "$total" "$own/parts"
}

# take_over STATUS FILE: what a job that was not started by launch has left
take_over()
{
    status=$1
    output=$2
    late=no
}

# good TEXT: count a check that has succeeded
good()
{
    checks=$((checks + 1))
    echo "ok: $1"
}

bad()
{
    checks=$((checks + 1))
    failures=$((failures + 1))
    echo "FAILED: $1"
    if [ -s "$output" ]; then
        tail -n 15 "$output" | sed 's/^/    /'
    fi
}

expect_success()
{
    if [ "$status" -eq 0 ]; then
        good "$1"
    else
        bad "$1: exit status $status, expected 0"
    fi
}

# The job must end by itself, not by the time limit.
expect_failure()
{
    if [ "$late" = yes ]; then
        bad "$1: did not end by itself"
    elif [ "$status" -eq 0 ]; then
        bad "$1: exit status 0, expected an error"
    else
        good "$1"
    fi
}

# expect_text TEXT WHAT: the output has the text. mpirun wraps and indents.
expect_text()
{
    if tr -s ' \n' '  ' <"$output" | grep -qF -- "$1"; then
        good "$2"
    else
        bad "$2: the output lacks \"$1\""
    fi
}

expect_no_text()
{
    if tr -s ' \n' '  ' <"$output" | grep -qF -- "$1"; then
        bad "$2: the output has \"$1\""
    else
        good "$2"
    fi
}

# expect_empty FOLDER WHAT: no file of ours is there any more
expect_empty()
{
    left=$(ls -A "$1")
    if [ -z "$left" ]; then
        good "$2"
    else
        bad "$2: left behind in $1: $left"
    fi
}

skip()
{
    echo "SKIPPED: $1"
    exit 77
}

finish()
{
    echo "$checks checks, $failures failed"
    if [ "$failures" -gt 0 ]; then
        exit 1
    fi
    exit 0
}
