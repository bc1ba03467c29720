#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Communicators that span hosts are served as before, those inside a host by shared memory,
# and results are right, however ranks are spread. The hosts are namespaces (cluster.sh).

. "$(dirname "$0")/../trouble/common.sh"

cluster=$(dirname "$0")/cluster.sh
sh "$cluster" 1 true 2>"$own/cannot" || skip "$(cat "$own/cannot")"

# on_hosts WHAT PROGRAM OPTION...: a job on node1 and node2 that has to go well
on_hosts()
{
    what=$1
    program=$2
    shift 2
    # shellcheck disable=SC2086 # options are words
    timeout -k 5 100 sh "$cluster" 2 "$MPIRUN" $HCCL_MPIRUN_ARGS \
        --bind-to none --mca mpi_yield_when_idle 1 \
        --mca coll_hccl_report 1 --mca coll_hccl_setup_calls 0 "$@" \
        "$HCCL_TEST_PROGRAMS/$program" >"$output" 2>&1 </dev/null
    take_over $? "$output"
    expect_success "$what"
    expect_text " 0 failed" "$what: results"
    expect_text "several nodes" "$what: the report says who was left to others"
}

shares_memory()
{
    expect_text "hccl: allreduce slot" "$what: ranks of one host share memory"
}

on_hosts "two ranks each" sequence_test --host node1:2,node2:2
shares_memory
on_hosts "in turn" sequence_test --host node1:2,node2:2 --map-by node
shares_memory
on_hosts "three and one" comm_groups_test --host node1:3,node2:1
shares_memory
on_hosts "all collectives, three and two" every_collective_test --host node1:3,node2:2
finish
