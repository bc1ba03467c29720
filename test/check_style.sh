#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# check_style.sh [TOP] - what CONTRIBUTING asks of each file and a machine can see: the
# licence line first, no long lines, no tabs or stray blanks, C as clang-format 14 writes
# it, shell scripts that shellcheck likes.
#
# One line per offence; says what was left out because a tool is missing. Exit: 0 none, 1
# some.

set -u
top=$(cd "${1:-$(dirname "$0")/..}" && pwd) || exit 2
cd "$top" || exit 2
offences=0
columns=90
text_columns=100

offence()
{
    echo "$1: $2"
    offences=$((offences + 1))
}

# Not what autogen.sh and make put there.
mapfile -t sources < <(find coll_hccl compat core shm test tools -name '*.[ch]' | sort)
mapfile -t others < <({
    find config -name 'hccl_*.m4' -o -name '*.sh' -not -name ltmain.sh
    find test tools -name '*.sh'
    find . -maxdepth 1 -name '*.sh' -o -maxdepth 1 -name configure.ac
    find . -name Makefile.am -not -path './build*'
} | sed 's|^\./||' | sort -u)

# Offences as lines on standard input.
count()
{
    local line
    while IFS= read -r line; do
        echo "$line"
        offences=$((offences + 1))
    done
}

# check_text COLUMNS FILE...
check_text()
{
    local most=$1
    shift
    count < <(awk -v most="$most" '
        function offence(what) { print FILENAME ":" FNR ": " what }
        FNR == 1 { first = $0 ~ /^#!/ ? 2 : 1 }
        FNR == first && $0 !~ /^(\/\/|#) SPDX-License-Identifier: BSD-3-Clause$/ {
            offence("does not begin with the licence")
        }
        length($0) > most { offence("longer than " most " columns") }
        /[ \t]+$/ { offence("blanks at the end") }
        /\t/ && FILENAME ~ /\.[ch]$/ { offence("a tab") }' "$@")
    local file
    for file in "$@"; do
        [ "$(tail -c 1 "$file")" = "" ] || offence "$file" "no newline at the end"
    done
}

export LC_ALL=C.UTF-8
check_text "$columns" "${sources[@]}"
check_text "$text_columns" "${others[@]}"

# Other versions of the tool have other tastes.
formatter=
for tool in clang-format-14 clang-format; do
    if "$tool" --version 2>/dev/null | grep -q 'version 14\.'; then
        formatter=$tool
        break
    fi
done
if [ -n "$formatter" ]; then
    count < <("$formatter" --dry-run "${sources[@]}" 2>&1 |
        sed -n 's/^\([^ :]*:[0-9]*\):[0-9]*: .*/\1/p' | sort -t: -k1,1 -u |
        sed "s/\$/: is not as $formatter -i leaves it/")
else
    echo "style: SKIPPED the format of C files: there is no clang-format 14"
fi

if command -v shellcheck >/dev/null; then
    mapfile -t scripts < <(printf '%s\n' "${others[@]}" | grep '\.sh$')
    # SC2154: scripts that share a first part have its variables.
    count < <(shellcheck -S error -e SC2154 -f gcc "${scripts[@]}")
else
    echo "style: SKIPPED the scripts: there is no shellcheck"
fi

if [ "${#sources[@]}" -lt 20 ]; then
    offence "$top" "only ${#sources[@]} C files found: is this the source tree?"
fi
echo "style: ${#sources[@]} C files and ${#others[@]} others, $offences offences"
[ "$offences" -eq 0 ]
