#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# enter.sh ROOT DIRECTORY COMMAND [ARGUMENT...] - runs COMMAND in DIRECTORY of the root.
#
# The mounts that a build and mpirun need (proc, dev, sys, and fresh /dev/shm, /tmp and
# /run) are made in a mount namespace of their own, and processes live in a process
# namespace of their own: when COMMAND ends, however it ends, the kernel ends what it
# left running and takes down the mounts. The same happens when the process that called
# enter.sh ends. The exit status is COMMAND's.

set -eu

# Mounts, then the command as a child of this shell, which is process 1 of the namespace
# and stays to collect orphans.
inside()
{
    root=$1
    directory=$2
    shift 2

    # A mount of its own, so that it can become the root: tests make namespaces, which the
    # kernel forbids in a mere chroot.
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    # The host's devices (RDMA ones too), but neither its terminals nor its shared memory.
    mount --bind /dev "$root/dev"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mount -t tmpfs -o mode=0755 tmpfs "$root/run"
    for file in /etc/hosts /etc/resolv.conf; do
        if [ -e "$file" ] && [ -e "$root$file" ]; then
            mount --bind "$(readlink -f "$file")" "$root$file"
        fi
    done

    cd "$root"
    mkdir -p .host
    pivot_root . .host

    status=0
    # An environment of its own: settings of the host mean nothing in another system.
    # shellcheck disable=SC2016 # expanded by the shell inside
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        chroot . sh -c 'umount -l /.host && cd "$1" && shift && exec "$@"' \
        enter "$directory" "$@" || status=$?
    exit "$status"
}

if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
fi

if [ $# -lt 3 ]; then
    echo "usage: enter.sh ROOT DIRECTORY COMMAND [ARGUMENT...]" >&2
    exit 2
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "enter.sh: entering a root needs root's rights (chroot, mounts)" >&2
    exit 77
fi
root=$(readlink -f "$1")
if [ ! -x "$root/bin/sh" ]; then
    echo "enter.sh: $1 holds no system (make one with root.sh)" >&2
    exit 1
fi
shift
exec setpriv --pdeathsig KILL \
    unshare --mount --propagation private --pid --fork --kill-child \
    "$0" --inside "$root" "$@"
