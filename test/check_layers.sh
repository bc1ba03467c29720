#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# check_layers.sh [TOP] - does each layer include what it may, and no more?
#
#   core/       the C library and itself; prints nothing
#   shm/        also core/ and Linux; prints nothing
#   exec/       also core/; prints nothing
#   coll_hccl/  all of these, compat/, Open MPI; never asks for the series of Open MPI
#   compat/     Open MPI
#   test/unit, test/bench    core/, exec/, shm/, cmocka, no MPI
#   tools/, test/mpi         MPI as every program sees it, and themselves
#
# One line per offence. Exit: 0 none, 1 some.

set -u
top=$(cd "${1:-$(dirname "$0")/..}" && pwd) || exit 2
cd "$top" || exit 2
offences=0
files=0

offence()
{
    echo "$1: $2"
    offences=$((offences + 1))
}

# The C library and the kernel, by name: a folder of another library looks the same.
libc='assert|cpuid|ctype|dirent|errno|fcntl|float|getopt|[a-z]*intrin|inttypes|libgen|limits|'
libc+='math|poll|'
libc+='pthread|sched|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|'
libc+='stdlib|string|strings|time|unistd|dlfcn|complex'
linux='linux/[a-z_]+|sys/[a-z_]+|asm/[a-z_]+'
open_mpi='ompi_config|(ompi|opal|orte)/[a-z0-9_/-]+'

# allow FOLDER PATTERN...: each "#include" in FOLDER must match one of the patterns, which
# are extended regular expressions for what stands between the quotes or brackets; a quoted
# name without folder must lie beside the file.
allow()
{
    local folder=$1 file name pattern good
    shift
    for file in "$folder"/*.[ch]; do
        [ -e "$file" ] || continue
        files=$((files + 1))
        while read -r name; do
            good=
            if [[ $name == \"* && $name != */* && -e $folder/${name//\"/} ]]; then
                good=yes
            fi
            for pattern in "$@"; do
                [[ $name =~ ^[\<\"]($pattern)(\.inc)?\.h[\>\"]$ ]] && good=yes
            done
            [ -n "$good" ] || offence "$file" "must not include $name"
        done < <(sed -nE 's/^[ \t]*#[ \t]*include[ \t]*([<"][^>"]*[>"]).*/\1/p' "$file")
    done
}

# forbid PATTERN REASON FILE...
forbid()
{
    local pattern=$1 reason=$2 line
    shift 2
    while IFS= read -r line; do
        offence "${line%%:*}" "$reason: ${line#*:}"
    done < <(grep -HE "$pattern" "$@" 2>/dev/null)
}

own='(core(/[a-z]+)?|exec|shm)/hccl_[a-z0-9_]+'
for folder in core core/alg core/cost core/verify; do
    allow $folder "$libc" 'core/([a-z]+/)?hccl_[a-z0-9_]+'
done
allow exec "$libc" '(core|exec)/hccl_[a-z0-9_]+'
allow shm "$libc" "$linux" '(core|shm)/hccl_[a-z0-9_]+'
allow coll_hccl "$libc" "$linux" "$own" 'compat/hccl_ompi' "$open_mpi"
allow compat "$libc" "$linux" 'mpi' "$open_mpi"
allow test/unit "$libc" "$linux" "$own" cmocka
allow test/bench "$libc" "$linux" "$own"
allow test/mpi "$libc" "$linux" 'mpi(-ext)?'
allow tools/hccl_test "$libc" "$linux" mpi hwloc

says='(^|[^a-z_])(v?f?printf|puts|fputs|putchar|perror|syslog) *\('
forbid "$says" "returns codes and prints nothing" core/*.[ch] core/*/*.[ch] exec/*.[ch] shm/*.[ch]
forbid '(OMPI|OPAL|ORTE)_(MAJOR|MINOR|RELEASE)_VERSION' \
    "only compat/ knows the series of Open MPI" coll_hccl/*.[ch]

if [ "$files" -lt 20 ]; then
    offence "$top" "only $files files found: is this the source tree?"
fi
echo "layers: $files files, $offences offences"
[ "$offences" -eq 0 ]
