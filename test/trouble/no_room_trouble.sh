#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# /dev/shm full, tiny, small, or read-only, in a mount namespace of our own: all ranks agree
# to do without, say so once, and results are right.

. "$(dirname "$0")/common.sh"

if [ "${1-}" != inside ]; then
    if unshare -m true 2>/dev/null; then
        unshare="unshare -m"
    elif unshare -Urm true 2>/dev/null; then
        unshare="unshare -Urm"
    else
        skip "mount namespaces are not allowed here"
    fi
    clean_up
    exec $unshare sh "$0" inside
fi

shared=/dev/shm

# prepare OPTIONS: a fresh /dev/shm
prepare()
{
    umount "$shared" 2>/dev/null
    mount -t tmpfs -o "$1" hccl-test "$shared" || skip "a tmpfs can't be mounted here"
}

# attempt WHAT ARGUMENTS...: run, and see that nobody minds and nothing is left
attempt()
{
    what=$1
    shift
    launch 60 "$@" -n 3 "$victim" calls 40
    expect_success "$what"
    expect_text " 0 failed" "$what: results"
    rm -f "$shared/filler"
    expect_empty "$shared" "$what: nothing is left in $shared"
}

told="can't share memory"

prepare size=256m
attempt "roomy"
expect_no_text "$told" "roomy: no complaint"

# Room for neither the small nor the large segment.
prepare size=4k
attempt "one page"
expect_text "$told" "one page: the user is told"

prepare size=64k
attempt "64 KiB"
expect_text "$told" "64 KiB: the user is told"

# Room for the small segment only: large messages do without.
prepare size=1m
attempt "1 MiB"
expect_text "$told" "1 MiB: the user is told"

# Room for one rank's part of the large segment, not for all.
prepare size=3m
attempt "3 MiB" --mca coll_hccl_staging 1M
expect_text "$told" "3 MiB: the user is told"

prepare size=16m
head -c 64m /dev/zero >"$shared/filler" 2>/dev/null
attempt "full"
expect_text "$told" "full: the user is told"

# The place at which room runs out moves through the set-up.
sizes="16 40 640 5200"
if [ "${HCCL_TEST_LEVEL-quick}" = full ]; then
    sizes="8 12 16 20 24 32 40 64 80 120 160 320 640 1300 2600 3900 5200 6000"
fi
for kib in $sizes; do
    prepare "size=${kib}k"
    attempt "$kib KiB"
done

prepare size=64m
mount -o remount,ro "$shared"
attempt "read-only"
expect_text "$told" "read-only: the user is told"

# Another folder, as the message advises.
prepare size=4k
mkdir "$own/roomy"
mount -t tmpfs -o size=64m hccl-test "$own/roomy"
attempt "another folder" --mca coll_hccl_backing_dir "$own/roomy"
expect_no_text "$told" "another folder: no complaint"
umount "$own/roomy"

umount "$shared" 2>/dev/null
attempt "a folder that isn't there" --mca coll_hccl_backing_dir "$own/nowhere"
expect_text "$told" "a folder that isn't there: the user is told"
umount "$shared" 2>/dev/null
finish
