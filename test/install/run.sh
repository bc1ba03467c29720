#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD [NAME...] - all tests of the installation, or those named (install, vpath).
# The last line counts: "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: run.sh BUILD [NAME...]}
shift
if [ $# -eq 0 ]; then
    set -- configure install user_install vpath distcheck
fi
passed=0
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for name; do
    echo "== $name"
    sh "$here/${name}_test.sh" "$build" 2>&1 | tee "$out"
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$out" | tail -n 1)
    counts=${counts:-0 1} # it did not come to its end
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
