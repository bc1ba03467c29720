#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# root.sh [FOLDER] - makes a Debian 13 root to build and test in, or reuses a complete one.
#
# Debian 13 has Open MPI 5.0 and gcc 14 where Debian 12 has 4.1 and gcc 12. FOLDER is by
# default $HCCL_DEBIAN13_ROOT, else build-debian13/root in the source tree. Packages come
# from the mirror that this host's own apt sources name; $HCCL_DEBIAN_MIRROR overrides it.
# Takes about four minutes and 1.1 GB the first time. Prints the folder's path at the end;
# everything else goes to standard error. Exit: 0 there, 1 failed, 77 cannot be tried here
# (not root, no debootstrap, no mirror).

set -eu

suite=trixie
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# What the headers of Open MPI 5.0 include is not in libopenmpi-dev.
packages="$(sh "$top/config/packages.sh" --list) libc6-dev libpmix-dev iproute2"
root=${1:-${HCCL_DEBIAN13_ROOT:-$top/build-debian13/root}}

say()
{
    echo "root.sh: $*" >&2
}

fail()
{
    say "$*"
    exit 1
}

cannot()
{
    say "SKIPPED: $*"
    exit 77
}

# The base address of the archive that the host's sources use for its own release.
# Suites such as bookworm-security or a third party's are passed over.
host_mirror()
{
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    # shellcheck disable=SC2016 # apt-get expands these names, not the shell
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 2>/dev/null |
        awk -v codename="$codename" \
            '($2 == codename || $2 == "stable") && $3 == "main" { print $1; exit }'
}

# The host's proxy, for debootstrap (whose wget asks the environment and not apt's
# settings) and as a line of settings for the apt inside.
use_host_proxy()
{
    proxy=
    proxy_setting=
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    if [ -n "$proxy" ]; then
        export http_proxy="$proxy"
        proxy_setting="Acquire::http::Proxy \"$proxy\";"
    fi
}

# The first stage: a minimal system. Mounts and processes that it makes vanish with the
# namespaces, which in turn end with this script, even when it is killed.
make_base()
{
    log=$root.log
    if ! setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
        debootstrap --variant=minbase --keyring="$keyring" \
        "$suite" "$root" "$mirror" >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        # The very first download: before it, nothing was made.
        if grep -q 'Failed getting release file' "$log"; then
            cannot "no network, or the mirror has no $suite. The log: $log"
        fi
        fail "debootstrap failed. The log: $log"
    fi
}

# No documentation and no fsync for what can be made again at any time; no services.
set_preferences()
{
    cat >"$root/etc/dpkg/dpkg.cfg.d/hccl" <<-END
	force-unsafe-io
	path-exclude=/usr/share/doc/*
	path-exclude=/usr/share/man/*
	path-exclude=/usr/share/locale/*
	END
    echo 'APT::Install-Recommends "false";' >"$root/etc/apt/apt.conf.d/90hccl"
    echo "$proxy_setting" >>"$root/etc/apt/apt.conf.d/90hccl"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
}

# Our own packages, through the apt inside.
add_packages()
{
    # shellcheck disable=SC2086 # a list of words
    if ! "$here/enter.sh" "$root" / sh -c '
            export DEBIAN_FRONTEND=noninteractive
            apt-get -q -y update && apt-get -q -y install "$@" && apt-get clean
        ' install $packages >>"$root.log" 2>&1; then
        tail -n 5 "$root.log" >&2
        fail "apt-get failed in $root; its log: $root.log"
    fi
}

if [ "$(id -u)" -ne 0 ]; then
    cannot "a Debian root needs root's rights (chroot, mounts)"
fi
for tool in debootstrap unshare setpriv flock apt-get; do
    if ! command -v $tool >/dev/null; then
        cannot "$tool is not installed"
    fi
done

mkdir -p "$(dirname "$root")"
root=$(cd "$(dirname "$root")" && pwd)/$(basename "$root")
done_mark=$root/etc/hccl-root-complete
begun_mark=$root.begun

# Two callers at once: the second waits and finds a complete root.
exec 9>"$root.lock"
flock 9

# shellcheck disable=SC2086 # one package a line
wanted=$(printf '%s\n' "$suite" $packages)
if [ -f "$done_mark" ] && [ "$(cat "$done_mark")" = "$wanted" ]; then
    say "$root is complete"
    echo "$root"
    exit 0
fi

mirror=${HCCL_DEBIAN_MIRROR:-$(host_mirror)}
if [ -z "$mirror" ]; then
    cannot "this host's apt sources name no Debian archive; set HCCL_DEBIAN_MIRROR"
fi
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [ ! -f "$keyring" ]; then
    cannot "$keyring is missing (package debian-archive-keyring)"
fi
use_host_proxy

# A half-made root is made anew, but never is anything removed that is not ours.
if [ -e "$root" ] && [ ! -e "$begun_mark" ] && [ ! -f "$done_mark" ] &&
    [ -n "$(ls -A "$root")" ]; then
    fail "$root exists and was not made by this script; remove it or name another folder"
fi
if [ ! -f "$done_mark" ]; then
    rm -rf --one-file-system "$root"
    : >"$begun_mark"
    say "making $root with debootstrap ($suite)"
    make_base
fi
set_preferences
say "installing packages"
add_packages
printf '%s\n' "$wanted" >"$done_mark"
rm -f "$begun_mark"
say "$root is complete"
echo "$root"
