#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh DIR [CONFIGURE-ARGUMENT...] - builds the tree in folder DIR, as far as needed.
#
# What the steps print goes to DIR/build.log, and is shown when one fails.

set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
shift
log=$build/build.log

step()
{
    printf '%s ... ' "$1"
    shift
    if "$@" >>"$log" 2>&1; then
        echo 'done'
    else
        echo FAILED
        tail -n 40 "$log" >&2
        echo "All of it is in $log" >&2
        exit 1
    fi
}

: >"$log"
cd "$build"
if [ ! -x "$top/configure" ]; then
    step "autogen" "$top/autogen.sh"
fi
# shellcheck disable=SC3013 # -nt: all shells of today have it
if [ ! -f Makefile ] || [ "$top/configure" -nt config.status ]; then
    step "configure" "$top/configure" "$@"
fi
step "make" make -j "$(nproc)"
