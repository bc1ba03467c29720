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
    find config -name 'hccl_*.m4' -o -name '*.sh'
    find test tools -name '*.sh'
    find . -maxdepth 1 -name '*.sh' -o -maxdepth 1 -name configure.ac
    find . -name Makefile.am -not -path './build*'
} | sed 's|^\./||' | sort -u)

check_licence()
{
    local first
    first=$(grep -v -m 1 '^#!' "$1")
    [[ $first =~ ^(//|#|\[comment\]:)\ *SPDX-License-Identifier:\ BSD-3-Clause ]] ||
        offence "$1" "does not begin with its licence"
}

check_lines()
{
    local file=$1 most=$2 found
    found=$(awk -v most="$most" 'length($0) > most { print FNR; exit }' "$file")
    [ -z "$found" ] || offence "$file:$found" "longer than $most columns"
    found=$(grep -nE -m 1 '[ 	]+$' "$file" | cut -d: -f1)
    [ -z "$found" ] || offence "$file:$found" "blanks at the end"
    [ -z "$(tail -c 1 "$file")" ] || offence "$file" "no newline at the end"
}

export LC_ALL=C.UTF-8
for file in "${sources[@]}"; do
    check_licence "$file"
    check_lines "$file" "$columns"
    found=$(grep -n -m 1 '	' "$file" | cut -d: -f1)
    [ -z "$found" ] || offence "$file:$found" "a tab"
done
for file in "${others[@]}"; do
    check_licence "$file"
    check_lines "$file" "$text_columns"
done

# Other versions of the tool have other tastes.
formatter=
for tool in clang-format-14 clang-format; do
    if "$tool" --version 2>/dev/null | grep -q 'version 14\.'; then
        formatter=$tool
        break
    fi
done
if [ -n "$formatter" ]; then
    for file in "${sources[@]}"; do
        "$formatter" --dry-run -Werror "$file" >/dev/null 2>&1 ||
            offence "$file" "is not as $formatter -i leaves it"
    done
else
    echo "style: SKIPPED the format of C files: there is no clang-format 14"
fi

if command -v shellcheck >/dev/null; then
    for file in "${others[@]}"; do
        case $file in
        *.sh)
            shellcheck -S warning "$file" || offence "$file" "see shellcheck above"
            ;;
        esac
    done
else
    echo "style: SKIPPED the scripts: there is no shellcheck"
fi

if [ "${#sources[@]}" -lt 20 ]; then
    offence "$top" "only ${#sources[@]} C files found: is this the source tree?"
fi
echo "style: ${#sources[@]} C files and ${#others[@]} others, $offences offences"
[ "$offences" -eq 0 ]
