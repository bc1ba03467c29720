#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# One rank may not read the memory of others, or may not be read: by a flag of the process,
# by a system call filter, by a user namespace. Nobody hangs, results are right.

. "$(dirname "$0")/common.sh"

# Open MPI's own messages would fail here, with and without us: they copy through memory
# that is shared.
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_smsc=^cma,xpmem,knem

# attempt WHAT: after launch
attempt()
{
    if grep -q SKIPPED "$output"; then
        echo "SKIPPED: $1: $(grep -m 1 SKIPPED "$output")"
        return
    fi
    expect_success "$1"
    expect_text " 0 failed" "$1: results"
    expect_no_text "can't share memory" "$1: memory is shared all the same"
}

launch_parts 60 -- 1 "$victim" nodump : 2 "$victim"
attempt "the first rank can't be read"
launch_parts 60 -- 2 "$victim" : 1 "$victim" nodump
attempt "the last rank can't be read"
launch_parts 60 -- 1 "$victim" nocma : 2 "$victim"
attempt "the first rank can't read others"
launch_parts 60 -- 1 "$victim" : 1 "$victim" nocma : 1 "$victim"
attempt "a rank in the middle can't read others"

if unshare -Ur true 2>/dev/null; then
    launch_parts 60 -- 1 unshare -Ur "$victim" : 2 "$victim"
    attempt "the first rank in a user namespace"
    launch_parts 60 -- 2 "$victim" : 1 unshare -Ur "$victim"
    attempt "the last rank in a user namespace"
else
    echo "SKIPPED: user namespaces are not allowed here"
fi
if [ "$checks" -eq 0 ]; then
    skip "nothing could be tried here"
fi
finish
