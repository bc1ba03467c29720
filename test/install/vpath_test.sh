#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# vpath_test.sh BUILD - a build outside the source folder leaves the latter as it was, and
# two of them do not disturb each other.
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
check "configure elsewhere" configure_in "$work/one" \
    --prefix="$work/prefix" --with-component-dir="$work/prefix/lib/openmpi" || finish
check "configure elsewhere again" configure_in "$work/two" --enable-debug-delays \
    --prefix="$work/prefix" --with-component-dir="$work/prefix/lib/openmpi" || finish
check "make" make_in "$work/one" || finish
check "make in the other" make_in "$work/two" || finish
check "the component is here" test -f "$work/one/coll_hccl/component/mca_coll_hccl.so"
check "and there" test -f "$work/two/coll_hccl/component/mca_coll_hccl.so"
check "install from a folder" install_in "$work/one"
check "mpirun uses it" runs_with_exports
check "make clean" make -C "$work/one" clean
check "make distclean" make -C "$work/one" distclean
left()
{
    find "$work/one" ! -type d | tee "$work/left"
    ! [ -s "$work/left" ]
}
check "it leaves nothing" left
check "the source folder is as it was" unchanged
finish
