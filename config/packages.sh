#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# packages.sh [PACKAGE...] - makes sure that the Debian packages which building and testing
# need are there, and those that are named.
#
# As root it installs what is missing; otherwise it prints the line that does, and stops.
# With --list it only prints the names.

set -eu

packages="gcc make autoconf automake libtool pkg-config libopenmpi-dev openmpi-bin
libhwloc-dev libibverbs-dev libcmocka-dev gnuplot-nox
python3"

if [ "${1-}" = --list ]; then
    # shellcheck disable=SC2086 # a list of words
    echo $packages
    exit 0
fi

missing=
for package in $packages "$@"; do
    case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) in
    ii*) ;;
    *) missing="$missing $package" ;;
    esac
done
if [ -z "$missing" ]; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "Missing packages. Please run this, then start again:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
echo "Installing:$missing"
apt-get update -qq
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
    >/dev/null
