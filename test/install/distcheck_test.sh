#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# distcheck_test.sh BUILD - make distcheck: the packed release builds from a folder that
# can't be written, passes its tests, installs and uninstalls without leaving a file.
. "$(dirname "$0")/common.sh"

# Files that are not packed are missing here first: what git knows must be in the release.
complete()
{
    top=$(cd "$(dirname "$0")/../.." && pwd)
    if ! git -C "$top" rev-parse --git-dir > /dev/null 2>&1; then
        echo "no git work tree to compare with"
        return 0
    fi
    git -C "$top" ls-files | grep -v '^\.gitignore$' | while read -r file; do
        [ -e "$work/src/$file" ] || ! [ -e "$top/$file" ] || echo "$file is not packed"
    done > "$work/missing"
    cat "$work/missing"
    ! [ -s "$work/missing" ]
}

check "the tree of a release" unpack || finish
check "it has all files" complete
check "make distcheck" make -C "$build" distcheck DISTCHECK_CONFIGURE_FLAGS="CFLAGS=-O1"
rm -f "$build"/hccl-*.tar.*
finish
