#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check.sh BUILD - `make check` in a build folder, with a last line that counts:
# "N passed, N failed". Logs of what failed are shown.

set -u

log=$(mktemp)
trap 'rm -f "$log"' EXIT
make -C "$1" -k check VERBOSE=1 2>&1 | tee "$log"

count()
{
    sed -n "s/^# $1: *\([0-9]*\)\$/\1/p" "$log" | awk '{ n += $1 } END { print n + 0 }'
}

passed=$(count PASS)
failed=$(($(count FAIL) + $(count ERROR) + $(count XPASS)))
if [ "$passed" -eq 0 ]; then
    failed=$((failed + 1)) # nothing ran: it did not even build
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
