#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Three jobs at once on one node don't get into each other's way.

. "$(dirname "$0")/common.sh"

pids=
for job in 1 2 3; do
    # shellcheck disable=SC2086 # options are words
    timeout -k 5 90 "$MPIRUN" --oversubscribe $HCCL_MPIRUN_ARGS \
        --mca coll_hccl_setup_calls 0 -n 2 "$HCCL_TEST_PROGRAMS/sequence_test" "$job" \
        >"$own/job$job" 2>&1 </dev/null &
    pids="$pids $!"
done
job=0
for pid in $pids; do
    job=$((job + 1))
    wait "$pid"
    take_over $? "$own/job$job"
    expect_success "job $job of three"
    expect_text " 0 failed" "job $job of three: results"
done
finish
