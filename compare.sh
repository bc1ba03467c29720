#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# compare.sh [--full] [--ranks "2 4"] - builds the plugin and compares it with the installed
# Open MPI on this machine: the three collectives, side by side in one job.
#
# --full   more time per size, and 64 MiB for all numbers of ranks: about 10 minutes
# --ranks  numbers of ranks; by default 2, and twice as many as there are processors
#
# Missing Debian packages are installed (as root) or named. Everything else stays in this
# folder: build/compare/ranks-N.csv and ranks-N.png hold the tables and pictures.

set -eu

top=$(cd "$(dirname "$0")" && pwd)
cpus=$(nproc)
ranks="2 $((cpus * 2))"
full=
while [ $# -gt 0 ]; do
    case $1 in
    --full) full=yes ;;
    --quick) full= ;;
    --ranks)
        [ $# -gt 1 ] || { echo "compare.sh: --ranks needs numbers" >&2; exit 2; }
        shift
        ranks=$1
        ;;
    *)
        echo "usage: compare.sh [--full] [--ranks \"2 4\"]" >&2
        exit 2
        ;;
    esac
    shift
done

sh "$top/config/packages.sh"
sh "$top/config/build.sh" "$top/build"
mkdir -p "$top/build/compare"

# The plugin is taken from the build folder.
eval "$(make -s -C "$top/build" environment)"
# Stock Open MPI gives large buffers back to the system after every call and pays for fresh
# pages in the next: with these settings it keeps them, which only helps stock.
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8589934592 MALLOC_TOP_PAD_=134217728

for n in $ranks; do
    sizes="--time 0.25"
    most=64M
    if [ "$n" -gt "$cpus" ]; then
        most=16M
    fi
    if [ -n "$full" ]; then
        sizes="--time 2"
        most=64M
    elif [ "$n" -gt "$cpus" ]; then
        sizes="--time 0.2 -f 8"
    fi
    over=
    if [ "$n" -gt "$cpus" ]; then
        over=--oversubscribe
    fi
    echo
    echo "== $n ranks on $cpus processors"
    # shellcheck disable=SC2086 # lists of words
    "$MPIRUN" -n "$n" $over --mca coll hccl "$top/build/tools/hccl_test/hccl_test" --compare \
        --coll allreduce,bcast,reduce_scatter -b 4 -e "$most" $sizes --progress \
        --output "$top/build/compare/ranks-$n.csv" --plot "$top/build/compare/ranks-$n.png"
done
echo
echo "Tables and pictures: $top/build/compare"
