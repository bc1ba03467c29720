#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Somebody has made files with the names that we are going to use: the ranks agree to do
# without, and neither follow nor remove what isn't theirs. Names are random, and only used
# where files can't do without, so here a library makes chance predictable and forbids the
# latter.

. "$(dirname "$0")/common.sh"

cat >"$own/chance.c" <<'EOF'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>
int open(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}
ssize_t getrandom(void *at, size_t bytes, unsigned flags)
{
    (void)flags;
    memset(at, 0x11, bytes);
    return (ssize_t)bytes;
}
EOF
"${MPICC:-mpicc}" -shared -fPIC -o "$own/chance.so" "$own/chance.c" ||
    skip "there is no compiler for the library that it takes"
folder=$own/shared
name=$folder/hccl-11111111111111111111111111111111
mkdir "$folder"

# attempt WHAT
attempt()
{
    launch 60 -x LD_PRELOAD="$own/chance.so" --mca coll_hccl_backing_dir "$folder" \
        -n 3 "$victim" calls 30
    expect_success "$1"
    expect_text " 0 failed" "$1: results"
}

attempt "nobody is there"
expect_no_text "can't share memory" "nobody is there: no complaint"
expect_empty "$folder" "nobody is there: nothing is left"

echo "not yours" >"$name"
attempt "a file is there"
expect_text "can't share memory" "a file is there: the user is told"
if [ "$(cat "$name")" = "not yours" ]; then
    good "a file is there: it is as it was"
else
    bad "a file is there: it was changed or removed"
fi
rm -f "$name"

echo "precious" >"$own/precious"
ln -s "$own/precious" "$name"
attempt "a link is there"
expect_text "can't share memory" "a link is there: the user is told"
if [ "$(cat "$own/precious")" = precious ] && [ -L "$name" ]; then
    good "a link is there: it and its target are as they were"
else
    bad "a link is there: it or its target was changed"
fi
rm -f "$name"

ln -s "$own/not-yet" "$name"
attempt "a link to nothing is there"
if [ -e "$own/not-yet" ]; then
    bad "a link to nothing is there: it was followed"
else
    good "a link to nothing is there: it was not followed"
fi
rm -f "$name"

mkdir "$name"
attempt "a folder is there"
expect_text "can't share memory" "a folder is there: the user is told"
rmdir "$name" 2>/dev/null || bad "a folder is there: it has gone"
finish
