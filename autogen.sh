#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes configure and the files it needs, in the source tree. Run it once after a clone,
# and again after a change of configure.ac, a Makefile.am or config/.
set -eu
cd "$(dirname "$0")"

missing=
need()
{
    command -v "$1" > /dev/null || missing="$missing $2"
}
need autoconf autoconf
need automake automake
need libtoolize libtool
need pkg-config pkg-config
if [ -z "$missing" ] && ! [ -f "$(aclocal --print-ac-dir)/pkg.m4" ]; then
    missing=" pkg-config"
fi
if [ -n "$missing" ]; then
    echo "autogen.sh: please install the packages:$missing" >&2
    exit 1
fi

exec autoreconf --install --force --warnings=all,no-obsolete
