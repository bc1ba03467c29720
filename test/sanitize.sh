#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitize.sh BUILD - the unit tests under sanitizers: addresses and undefined behaviour in
# one build (gcc, with random delays), data races in another (clang if it is there). The
# ranks of the shared-memory tests are threads, so that the thread sanitizer sees the whole
# protocol. Both build the whole tree, without a warning.

set -u

top=$(cd "$(dirname "$0")/.." && pwd)
passed=0
failed=0

try()
{
    name=$1
    shift
    build=$base/sanitize-$name
    if sh "$top/config/build.sh" "$build" --enable-werror "$@" &&
        make -C "$build/test/unit" check VERBOSE=1; then
        passed=$((passed + 1))
        echo "PASS: unit tests under $name"
    else
        failed=$((failed + 1))
        echo "FAIL: unit tests under $name"
    fi
}

base=$1
try address --enable-asan --enable-ubsan --enable-debug-delays
if command -v clang >/dev/null; then
    try thread --enable-tsan CC=clang
else
    echo "SKIPPED: clang is not installed, gcc builds everything"
    try thread --enable-tsan
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
