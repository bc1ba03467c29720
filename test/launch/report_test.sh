#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# report_test.sh - what the component tells on request: the table of a communicator, and
# the report at the end, whose counts are those of the calls made.
. "$(dirname "$0")/common.sh"

# row OPERATION PATH: the calls that the report counts
row()
{
    awk -v what="$1" -v path="$2" '
        /coll:hccl: / { sub(/.*coll:hccl: /, ""); if ($1 == what && $2 == path) print $3 }' \
        "$work/out"
}

# counts NAME OPERATION PATH CALLS
counts()
{
    found=$(row "$2" "$3")
    [ "${found:-0}" = "$4" ]
    verdict "$1: $4 (counted ${found:-0})" $?
}

own="--mca coll hccl --mca coll_hccl_report 1 --mca coll_hccl_setup_calls 0"

run 2 $own -- -n 20
works "a run with a report"
says "rank 0 alone reports" 1 'coll:hccl: report of rank 0'
counts "allreduces of 4 KiB by the larger slots" allreduce mid 20
counts "broadcasts of 1 MiB by the stage" bcast stage 20
# Open MPI itself calls barriers while it ends.
[ "$(row barrier slot)" -ge 20 ]
verdict "barriers by the slots: at least 20" $?
timed=$(awk '/allreduce +mid/ { print ($(NF - 1) > 0) }' "$work/out")
[ "$timed" = 1 ]
verdict "the time is not zero" $?

run 2 --mca coll hccl -- -n 20
works "a run without"
says "no report" 0 'coll:hccl'

run 2 $own -- -n 20 -e no
works "a communicator that opts out"
counts "its allreduces by another component" allreduce previous 20
says "and the reason" 1 'left to other components: [0-9]+ communicators, hccl_enable is off'

run 2 $own --mca coll_hccl_enable no -- -n 20 -e yes
works "a communicator that opts in"
counts "its allreduces by shared memory" allreduce mid 20

run 2 $own -- -n 3 -e perhaps
[ "$status" -eq 0 ]
verdict "a value of the key that makes no sense does not end the job" $?
says "it is named" + 'hccl_enable of communicator .* has the value "perhaps"'

run 3 --mca coll hccl --mca coll_hccl_verbose 1
works "a run that tells of its communicators"
says "number of ranks" + 'MPI_COMM_WORLD, 3 ranks on this node'
says "operation, sizes and path" + 'MPI_COMM_WORLD  allreduce +[0-9]+ - +bytes  stage'

run 2 $own --mca coll_hccl_backing_dir /nowhere -- -n 20
[ "$status" -eq 0 ] && grep -q 'launch_app: all right' "$work/out"
verdict "without shared memory the program runs" $?
says "what is wrong is said once" 1 "can't share memory between the ranks"
counts "allreduces by another component" allreduce previous 20
says "and the report has the reason" 1 'left to other components: .*, the file can'
finish
