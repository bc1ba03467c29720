#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# test.sh [--full] - builds the plugin and runs all of its tests.
#
# --full  also: every MPI test with 1 to 9 ranks, bad surroundings (a full /dev/shm, killed
#         ranks), counts beyond 2 GiB, the unit tests under sanitizers, and everything once
#         more in a Debian 13 root (Open MPI 5.0; needs root)
#
# Missing Debian packages are installed (as root) or named. The last line counts what passed
# and failed.

set -u

top=$(cd "$(dirname "$0")" && pwd)
mode=quick
case ${1-} in
"") ;;
--full) mode=full ;;
*)
    echo "usage: test.sh [--full]" >&2
    exit 2
    ;;
esac

passed=0
failed=0
logs=$top/build/test-logs

# Run one group of tests, and count what its last lines say, or the group itself.
group()
{
    name=$1
    shift
    echo "== $name"
    log=$logs/$(echo "$name" | tr -c 'a-z0-9\n' '-').log
    "$@" 2>&1 | tee "$log"
    # shellcheck disable=SC2015
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$log" | tail -n 1)
    status=$(cat "$logs/status" 2>/dev/null || echo 1)
    if [ -z "$counts" ]; then
        if [ "$status" -eq 0 ]; then counts="1 0"; else counts="0 1"; fi
    elif [ "$status" -ne 0 ] && [ "${counts#* }" -eq 0 ]; then
        counts="${counts% *} 1"
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
}

# The status of a command whose output goes through a pipe.
keep()
{
    "$@"
    echo $? >"$logs/status"
}

sh "$top/config/packages.sh" || exit 1
mkdir -p "$logs"
sh "$top/config/build.sh" "$top/build" --enable-werror || exit 1
group "make check" keep sh "$top/test/check.sh" "$top/build"
if [ "$mode" = quick ]; then
    group "mpi tests" keep sh "$top/test/run_mpi.sh" quick "$top/build" _test
else
    group "mpi tests" keep sh "$top/test/run_mpi.sh" full "$top/build"
    group "unit tests under sanitizers" keep sh "$top/test/sanitize.sh" "$top/build"
    group "debian 13" keep sh "$top/test/debian13/run.sh"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
