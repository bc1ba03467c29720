#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# install_test.sh BUILD - ./configure, make, make install, make uninstall in the source
# folder, with a prefix and a component folder; and the same below DESTDIR.
. "$(dirname "$0")/common.sh"

prefix=$work/prefix
components=$prefix/lib/openmpi

check "the tree of a release" unpack || finish
check "configure in the source folder" configure_in "$work/src" \
    --prefix="$prefix" --with-component-dir="$components" || finish
check "make" make_in "$work/src" || finish
check "make help" make -C "$work/src" help

check "make install" install_in "$work/src"
check "the component is there" test -f "$components/mca_coll_hccl.so"
check "its messages are there" test -f "$components/help-coll-hccl.txt"
check "the benchmark is there" test -x "$prefix/bin/hccl_test"
check "its links are there" test -L "$prefix/bin/all_reduce_test"
no_la()
{
    find "$prefix" -name '*.la' | tee "$work/la"
    ! [ -s "$work/la" ]
}
check "no .la file" no_la
only_the_component()
{
    nm -D --defined-only "$components/mca_coll_hccl.so" | tee "$work/symbols"
    [ "$(wc -l < "$work/symbols")" -eq 1 ] &&
        grep -q mca_coll_hccl_component "$work/symbols"
}
check "it shows one symbol" only_the_component
says_the_path()
{
    grep "export OMPI_MCA_mca_base_component_path=.*$components\$" "$work/note" &&
        grep "export PATH=$prefix/bin:" "$work/note"
}
check "make install says what to export" says_the_path
check "with that, mpirun uses it" runs_with_exports

check "make uninstall" make -C "$work/src" uninstall
nothing_left()
{
    find "$1" ! -type d | tee "$work/left"
    ! [ -s "$work/left" ]
}
check "it leaves nothing" nothing_left "$prefix"

check "make install with DESTDIR" make -C "$work/src" install DESTDIR="$work/stage"
check "goes below it" test -f "$work/stage$components/mca_coll_hccl.so"
check "and nowhere else" nothing_left "$prefix"
check "make uninstall with DESTDIR" make -C "$work/src" uninstall DESTDIR="$work/stage"
check "leaves nothing there" nothing_left "$work/stage"
finish
