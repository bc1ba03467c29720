#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# vpath_test.sh BUILD - a build outside the source folder leaves the latter as it was.
. "$(dirname "$0")/common.sh"

state()
{
    (cd "$work/src" && find . -type f -exec cksum {} + | sort)
}

unchanged()
{
    state | diff "$work/before" -
}

check "the tree of a release" unpack || finish
state > "$work/before"
chmod -R a-w "$work/src"
check "configure elsewhere" configure_in "$work/build" \
    --prefix="$work/prefix" --with-component-dir="$work/prefix/lib/openmpi" || finish
check "make" make_in "$work/build" || finish
check "the component is there" test -f "$work/build/coll_hccl/component/mca_coll_hccl.so"
check "install from a folder" install_in "$work/build"
check "mpirun uses it" runs_with_exports
check "make clean" make -C "$work/build" clean
check "make distclean" make -C "$work/build" distclean
left()
{
    find "$work/build" ! -type d | tee "$work/left"
    ! [ -s "$work/left" ]
}
check "it leaves nothing" left
check "the source folder is as it was" unchanged
finish
