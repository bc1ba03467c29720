#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# can_install.sh FOLDER... - may we make files in these folders, or make the folders? Ends
# with 1 and says what helps when not. The beginning of `make install`.

set -u
for folder; do
    there=$folder
    while [ ! -e "$there" ]; do
        there=$(dirname "$there")
    done
    if [ ! -w "$there" ]; then
        echo "make install: $(id -un) can't write to $folder" >&2
        echo "  for all users:   run it as root" >&2
        echo "  for you alone:   configure --enable-user-install, then make install" >&2
        echo "  anywhere else:   configure --prefix=FOLDER, then make install" >&2
        exit 1
    fi
done
