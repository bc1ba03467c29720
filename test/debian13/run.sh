#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh [-r ROOT] [-k NAME] [COMMAND [ARGUMENT...]] - builds and tests the source tree in
# a Debian 13 root (made by root.sh when it is not there yet).
#
# The tree's files that git knows or would add are copied into the root, nothing that was
# built. COMMAND runs in the copied tree; without one it is test/debian13/check.sh:
# test.sh.
#
# -r ROOT  the root's folder, as root.sh takes it
# -k NAME  copy into /srv/hccl-NAME of the root and keep it, so that the next run with the
#          same name builds on; without it the copy is removed at the end
#
# Exit: COMMAND's status; 77 when there can be no root here.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

usage()
{
    echo "usage: run.sh [-r ROOT] [-k NAME] [COMMAND [ARGUMENT...]]" >&2
    exit 2
}

# The files to copy, separated by NUL. Tracked files that are deleted here are left out.
# shellcheck disable=SC2016 # expanded by the shell that xargs starts
list_files()
{
    git -C "$top" ls-files -z --cached --others --exclude-standard |
        (cd "$top" && xargs -0 sh -c '
            for file; do
                if [ -e "$file" ] || [ -L "$file" ]; then
                    printf "%s\0" "$file"
                fi
            done' list)
}

# A kept copy also loses the files that are gone here since the last run; what was built in
# it stays. The list of what was copied is kept beside it.
copy_tree()
{
    listed=$root$copy.files
    touch "$listed"
    list_files | sort -z >"$listed.new"
    comm -z -23 "$listed" "$listed.new" | (cd "$root$copy" && xargs -0 rm -f --)
    mv "$listed.new" "$listed"
    tar -C "$top" --null -T "$listed" -cf - | tar -C "$root$copy" --no-same-owner -xf -
}

# unshare holds INT and TERM back while it waits, so only KILL ends it, and with it all
# that runs in the root.
# shellcheck disable=SC2317 # called by the trap
finish()
{
    if [ -n "$child" ]; then
        kill -KILL "$child" 2>/dev/null || true
    fi
    if [ -z "$keep" ] && [ -n "$copy" ]; then
        rm -rf --one-file-system "$root$copy" "$root$copy.files" "$root$copy.files.new"
    fi
}

root=
keep=
while getopts r:k: option; do
    case $option in
    r) root=$OPTARG ;;
    k) keep=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -eq 0 ]; then
    set -- test/debian13/check.sh
fi

root=$("$here/root.sh" ${root:+"$root"})
if ! git -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
    echo "run.sh: $top is no git work tree, so there is no list of its source files" >&2
    exit 1
fi

copy=
child=
trap finish EXIT
trap 'exit 130' INT TERM HUP
if [ -n "$keep" ]; then
    copy=/srv/hccl-$keep
    mkdir -p "$root$copy"
else
    made=$(mktemp -d "$root/srv/hccl.XXXXXXXX")
    copy=/srv/$(basename "$made")
fi
copy_tree

# In the background, because a shell heeds signals while it waits but not while it runs a
# command in the foreground. A background command's input is /dev/null unless given.
exec 3<&0
"$here/enter.sh" "$root" "$copy" "$@" <&3 3<&- &
child=$!
status=0
wait "$child" || status=$?
child=
exit "$status"
