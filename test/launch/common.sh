# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Shared by the tests of launching: each begins with `. common.sh` and ends with finish.
# They run where launch_app was built, with the environment of `make check`:
#   MPIRUN, OMPI_INFO                 Open MPI's programs
#   OMPI_MCA_mca_base_component_path  where the component is

set -u
. "$(dirname "$0")/../tally.sh"
: "${MPIRUN:=mpirun}" "${OMPI_INFO:=ompi_info}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# What the user has set is not what is tested.
unset OMPI_MCA_coll HCCL_DEBUG HCCL_BUFFSIZE HCCL_MIN_DATA_SIZE HCCL_DETERMINISTIC

[ -x ./launch_app ] || { echo "FAIL: there is no ./launch_app here: make check"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# run RANKS [MPIRUN-OPTION...] [-- APP-OPTION...]: output in $work/out, status in $status.
# What the program prints is kept apart first, since mpirun may put it into the middle of a
# line of the library's. (5.0 puts pieces of those before it all the same.)
run()
{
    ranks=$1
    shift
    options=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    [ $# -eq 0 ] || shift
    # shellcheck disable=SC2086 # options are words
    timeout 90 "$MPIRUN" --oversubscribe -n "$ranks" $options ./launch_app "$@" \
        > "$work/out" 2> "$work/messages" < /dev/null
    status=$?
    cat "$work/messages" >> "$work/out"
}

# verdict NAME STATUS: of a check; the program's own status is told when it fails
verdict()
{
    [ "$2" -eq 0 ] || set -- "$1 (exit status $status)" "$2"
    tally "$1" "$2" "$work/out"
}

# works NAME: the program ended well, and nothing else was complained about
works()
{
    [ "$status" -eq 0 ] && [ "$(grep -c 'launch_app: all right' "$work/out")" -eq 1 ] &&
        ! grep -qi 'error' "$work/out"
    verdict "$1" $?
}

# stops NAME: the job ended by itself, and not well
stops()
{
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ] && ! grep -q 'all right' "$work/out"
    verdict "$1" $?
}

# says NAME COUNT PATTERN: that many lines match; COUNT may be + for one or more
says()
{
    found=$(grep -cE -e "$3" "$work/out")
    if [ "$2" = + ]; then
        [ "$found" -gt 0 ]
    else
        [ "$found" -eq "$2" ]
    fi
    verdict "$1" $?
}

finish()
{
    tally_end
    exit
}
