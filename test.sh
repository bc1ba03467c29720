#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# test.sh [--more|--full] - builds the plugin and runs its tests. The last line counts what
# passed and failed.
#
# without    unit tests, tools, MPI programs on 2 to 5 ranks, bad surroundings (a full
#            /dev/shm, killed ranks, refused access): 10 minutes on two cores
# --more     also: unit tests and some MPI programs under AddressSanitizer and UBSan, unit
#            tests under ThreadSanitizer, installations, and the tests above again with
#            Open MPI 5.0 in a Debian 13 root (1.1 GB, needs root's rights): 35 minutes
# --full     also: all MPI programs on 1 to 9 ranks and in long forms, make distcheck,
#            counts beyond 2 GiB: some hours
#
# Missing Debian packages are installed (as root) or named.

set -u

top=$(cd "$(dirname "$0")" && pwd)
case ${1-} in
"") level=0 runs=quick ;;
--more) level=1 runs=quick ;;
--full) level=2 runs=full ;;
*)
    sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

passed=0
failed=0
skipped=
build=$top/build
logs=$build/test-logs

# Run one group of tests, and count what its last lines say, or the group itself.
group()
{
    name=$1
    shift
    echo "== $name"
    log=$logs/$(echo "$name" | tr -c 'a-z0-9\n' '-').log
    { "$@" || echo "exit status $?"; } 2>&1 | tee "$log"
    status=$(sed -n '$s/^exit status \([0-9]*\)$/\1/p' "$log")
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$log" | tail -n 1)
    if [ "$status" = 77 ]; then
        skipped="$skipped, $name"
        return
    fi
    if [ -z "$counts" ]; then
        if [ -z "$status" ]; then counts="1 0"; else counts="0 1"; fi
    elif [ -n "$status" ] && [ "${counts#* }" -eq 0 ]; then
        counts="${counts% *} 1"
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
}

# Does each Open MPI refuse the plugin that was built for the other one?
series()
{
    root=$(sh "$top/test/debian13/root.sh") || return
    plugin=coll_hccl/.libs/mca_coll_hccl.so
    sh "$top/test/debian13/series.sh" "$build/$plugin" "$root/srv/hccl-tests/build/$plugin"
}

if [ $level -gt 0 ] && [ "$(id -u)" -eq 0 ]; then
    sh "$top/config/packages.sh" clang clang-format shellcheck debootstrap iproute2 || exit 1
    version=$(clang -dumpversion | cut -d . -f 1)
    sh "$top/config/packages.sh" "libclang-rt-$version-dev" # else sanitize.sh does without
else
    sh "$top/config/packages.sh" || exit 1
fi
mkdir -p "$logs"
sh "$top/config/build.sh" "$build" --enable-werror || exit 1
group "make check" sh "$top/test/check.sh" "$build"
group "mpi programs" sh "$top/test/run_mpi.sh" $runs "$build"
if [ $level -gt 0 ]; then
    group "sanitizers" sh "$top/test/sanitize.sh" "$build"
    install=$([ $level -gt 1 ] || echo configure install user_install)
    # shellcheck disable=SC2086 # a list of words
    group "installation" sh "$top/test/install/run.sh" "$build" $install
    group "debian 13" sh "$top/test/debian13/run.sh" -k tests
    group "plugins for another series" series
fi

if [ -n "$skipped" ]; then
    echo "SKIPPED, see above:${skipped#,}"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
