#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A rank is killed in the middle of collective operations: the job ends by itself, and no
# file stays behind, whatever the moment.

. "$(dirname "$0")/common.sh"

# On a memory file system, but not where other jobs have their files.
folder=$(mktemp -d /dev/shm/hccl-killed-XXXXXX) || skip "/dev/shm can't be written"
trap 'rm -rf "$folder"; clean_up' EXIT

moments="57 10 1"
if [ "${HCCL_TEST_LEVEL-quick}" = full ]; then
    moments="100 57 31 12 11 10 9 4 3 2 1 0"
fi

# Rounds 1 and 10 are those in which shared memory is being set up, for small and large
# data: the moments when a file has a name.
for moment in $moments; do
    for ranks in 2 4; do
        launch_parts 30 --mca coll_hccl_backing_dir "$folder" -- \
            1 "$victim" : $((ranks - 1)) "$victim" kill "$moment"
        what="$ranks ranks, last ones killed before round $moment"
        expect_failure "$what: the job ends"
        expect_text "signal 9" "$what: by that"
        expect_empty "$folder" "$what: no file is left"
        rm -f "$folder"/*
    done
    launch_parts 30 --mca coll_hccl_backing_dir "$folder" -- \
        1 "$victim" kill "$moment" : 2 "$victim"
    what="3 ranks, first one killed before round $moment"
    expect_failure "$what: the job ends"
    expect_text "signal 9" "$what: by that"
    expect_empty "$folder" "$what: no file is left"
    rm -f "$folder"/*
done
finish
