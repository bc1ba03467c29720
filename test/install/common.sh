# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Shared by the tests of the installation, which begin with `. common.sh`. Each is called
# with a configured build folder, makes the tree that `make dist` would pack, and builds,
# installs and runs in a temporary folder.

set -u
. "$(dirname "$0")/../tally.sh"
# A make that started us has nothing to say to the ones that we start.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR
unset OMPI_MCA_mca_base_component_path
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

build=$(cd "${1:-.}" && pwd) || exit 1
if ! [ -f "$build/config.status" ]; then
    echo "usage: $0 BUILD-FOLDER (configured)" >&2
    exit 2
fi
work=$(mktemp -d)
log=$work/log
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# The value of a variable in the build folder's Makefile.
variable()
{
    printf 'print:\n\t@echo "$(%s)"\n' "$1" |
        make -s -C "$build" --no-print-directory -f Makefile -f - print 2> /dev/null |
        tail -n 1 # after what an outdated Makefile makes first
}
ompi_info=$(variable OMPI_INFO)
mpirun=$(variable MPIRUN)
ompi=$(dirname "$(dirname "$ompi_info")")

# check NAME COMMAND...: the command must succeed; what it printed is shown otherwise
check()
{
    name=$1
    shift
    "$@" > "$log" 2>&1
    tally "$name" $? "$log"
}

finish()
{
    tally_end
    exit
}

# What a user unpacks, as $work/src; nothing in it can be written but by root.
unpack()
{
    make -C "$build" distdir distdir=hccl-install-test || return
    mv "$build/hccl-install-test" "$work/src" && chmod -R u+w "$work/src"
}

# configure_in FOLDER ARGUMENT...: without optimisation, which takes most of the time
configure_in()
{
    mkdir -p "$1" && cd "$1" || return
    shift
    "$work/src/configure" -q --with-ompi="$ompi" "$@" CFLAGS=-O0
}

make_in()
{
    make -C "$1" -j "$(nproc)"
}

# install_in FOLDER: what it prints is kept in $work/note
install_in()
{
    make -C "$1" install > "$work/note" 2>&1 || { cat "$work/note"; false; }
}

# Do the lines that `make install` told to export, and nothing else, make mpirun use it?
runs_with_exports()
{
    (
        eval "$(sed -n 's/^ *\(export .*\)/\1/p' "$work/note")"
        "$ompi_info" --parsable --param coll hccl --level 1 | grep '^mca:coll:hccl:' &&
            timeout 60 "$mpirun" --oversubscribe -n 2 --mca coll hccl \
                hccl_test allreduce -n 3 -b 8 -e 8 --no_probe > "$work/run" 2>&1
        status=$?
        cat "$work/run"
        [ "$status" -eq 0 ] && grep -q success "$work/run"
    )
}
