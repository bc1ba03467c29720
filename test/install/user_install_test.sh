#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# user_install_test.sh BUILD - --enable-user-install, by somebody without rights.
. "$(dirname "$0")/common.sh"

HOME=$work/home
export HOME
mkdir "$HOME"

# as_user COMMAND...: root becomes nobody
as_user()
{
    if [ "$(id -u)" -eq 0 ]; then
        chown -R 65534:65534 "$work"
        setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    else
        "$@"
    fi
}

user_install()
{
    as_user make -C "$work/build" install > "$work/note" 2>&1 ||
        { cat "$work/note"; false; }
}

# The folder of the component is one that Open MPI knows: where mpirun finds it, nothing
# has to be exported for it, and what is exported otherwise works.
note_is_true()
{
    cat "$work/note"
    if grep -q 'nothing needs to be exported' "$work/note"; then
        ! grep -q 'export OMPI_' "$work/note"
    else
        grep -q 'export OMPI_' "$work/note"
    fi
}

nothing_left()
{
    find "$HOME/.openmpi" "$HOME/.local" ! -type d | tee "$work/left"
    ! [ -s "$work/left" ]
}

# Where the user may not write: nothing is installed, and what helps is said.
says_what_helps()
{
    as_user make -C "$work/build" install HCCL_COMPONENT_DIR=/usr/lib/openmpi-hccl \
        > "$work/refusal" 2>&1 && return 1
    cat "$work/refusal"
    grep -q "can't write to /usr/lib/openmpi-hccl" "$work/refusal" &&
        grep -q -- --enable-user-install "$work/refusal" && ! [ -e "$HOME/.local" ]
}

chmod 755 "$work"
check "the tree of a release" unpack || finish
check "configure --enable-user-install" configure_in "$work/build" --enable-user-install ||
    finish
check "make" make_in "$work/build" || finish
check "make install elsewhere says what helps" says_what_helps
check "make install without rights" user_install
check "the component is in the home folder" \
    test -f "$HOME/.openmpi/components/mca_coll_hccl.so"
check "hccl_test is in the home folder" test -x "$HOME/.local/bin/hccl_test"
check "make install says the truth" note_is_true
check "mpirun uses it" runs_with_exports
check "make uninstall without rights" as_user make -C "$work/build" uninstall
check "it leaves nothing" nothing_left
finish
