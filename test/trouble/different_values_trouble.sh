#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Ranks that were given different values of a parameter: they agree on those of rank 0,
# say so where it matters, and results are right. A value that can't be understood in one
# rank only ends the job. (What is understood at all: test/launch.)

. "$(dirname "$0")/common.sh"

# different NAME FIRST OTHERS TOLD: values of rank 0 and of the others
different()
{
    launch_parts 60 -- 1 env "OMPI_MCA_coll_hccl_$1=$2" "$victim" calls 60 : \
        2 env "OMPI_MCA_coll_hccl_$1=$3" "$victim" calls 60
    what="coll_hccl_$1: rank 0 has $2, others $3"
    expect_success "$what"
    expect_text " 0 failed" "$what: results"
    if [ "$4" = told ]; then
        expect_text "coll_hccl_$1" "$what: the user is told"
    fi
}

# In one rank only: the others don't wait for it.
launch_parts 30 -- 1 "$victim" : 1 env HCCL_BUFFSIZE=huge "$victim"
expect_failure "HCCL_BUFFSIZE malformed in the last rank: the job ends"
expect_text "HCCL_BUFFSIZE" "HCCL_BUFFSIZE malformed in the last rank: it is named"
launch_parts 30 -- 1 env HCCL_DETERMINISTIC=1 "$victim" : 2 "$victim"
expect_failure "HCCL_DETERMINISTIC malformed in the first rank: the job ends"
expect_text "HCCL_DETERMINISTIC" \
    "HCCL_DETERMINISTIC malformed in the first rank: it is named"

different staging 256K 1M told
different min_data_size 4K 64K told
different setup_calls 0 5 quiet
different enable yes no quiet
different deterministic strict default quiet
different shm_max 64M 64K quiet
if [ "${HCCL_TEST_LEVEL-quick}" = full ]; then
    different staging 2M 64K told
    different min_data_size 64K 1K told
    different chunk 8K 512K told
    different chunk 512K 4K told
    different stream_min 64K 32M told
    different setup_calls 9 0 quiet
    different enable no yes quiet
    different deterministic default strict quiet
    different spin_us 0 1000 quiet
    different sleep no yes quiet
    different sleep yes no quiet
    different shm_max 64K 64M quiet
    different report yes no quiet
    different verbose 10 0 quiet
    different backing_dir "$own" /dev/shm quiet
fi
finish
