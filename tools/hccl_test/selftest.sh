#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests hccl_test itself: flags, bad input, formats, and that wrong results are noticed.
#   selftest.sh [DIRECTORY]   the one with hccl_test (and libcorrupt.so, if built) [.]
# Environment: MPIRUN, the launcher [mpirun]; LAUNCH, more arguments for it.
# Exit status: 0 passed, 1 failed, 77 skipped.
set -u
bin=$(cd "${1:-.}" && pwd)
mpirun=${MPIRUN:-mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
command -v "$mpirun" > /dev/null || { echo "SKIP: there is no $mpirun"; exit 77; }
test -x "$bin/hccl_test" || { echo "FAIL: $bin/hccl_test is not built"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
passed=0

# run RANKS PROGRAM ARGUMENT... : output in out and err, exit status in $status;
# RANKS "alone": without launcher, which is quicker
run() {
    local ranks=$1 program=$2
    shift 2
    if [ "$ranks" = alone ]; then
        timeout 120 "$bin/$program" "$@" > out 2> err < /dev/null
    else
        # LAUNCH is split into words on purpose
        # shellcheck disable=SC2086
        timeout 120 "$mpirun" --oversubscribe ${LAUNCH:-} -n "$ranks" \
            "$bin/$program" "$@" > out 2> err < /dev/null
    fi
    status=$?
}

# verdict NAME CONDITION-RESULT
verdict() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $1 (exit status $status)"
        sed 's/^/    out: /' out | tail -n 12
        sed 's/^/    err: /' err | head -n 12
    fi
}

# good NAME RANKS PROGRAM ARGUMENT... : must succeed, with results checked and right
good() {
    local name=$1
    shift
    run "$@"
    [ "$status" -eq 0 ] && ! grep -qE 'failed|WRONG' out
    verdict "$name" $?
}

# bad TEXT RANKS ARGUMENT... : must end with 2 and say TEXT on stderr, once; nothing is measured
bad() {
    local text=$1 ranks=$2
    shift 2
    run "$ranks" hccl_test "$@"
    [ "$status" -eq 2 ] && [ "$(grep -cF -- "$text" err)" -eq 1 ] && ! [ -s out ]
    verdict "bad input: $* -> $text" $?
}

short=(-n 6 --no_probe -b 1K -e 4K)

flags() {
    good "defaults" 2 hccl_test -n 3 -e 1M -f 64
    good "flags of the real tool" 2 all_reduce_test -b 8K -e 64K -f 2 -d fp32 -o sum \
        -n 5 -w 2 -c 1 -p 2
    good "two dashes" 2 hccl_test --b 8K --e 16K --n 5 --w 1 --d int32 --o max
    good "long names" 2 hccl_test --minbytes=1K --maxbytes=3K --stepbytes=1K --iters=4 \
        --warmup_iters 1 --datatype fp64 --op prod --check 1 --npus 2 \
        --zero-copy 1 --root 1
    good "steps" 2 hccl_test -b 1000 -e 5000 -i 2000 -n 3 --no_probe --format csv
    [ "$(cut -d, -f2 out | tr '\n' ' ')" = "bytes 1000 3000 5000 " ]
    verdict "sizes of steps" $?
    good "values next to letters" 2 hccl_test -b1K -e1K -n3 -dint8
    good "several operations" 3 hccl_test allreduce,bcast reduce --coll barrier \
        "${short[@]}"
    good "collectives by --op" 2 hccl_test --op allreduce,bcast "${short[@]}"
    good "endless size, bounded" 2 hccl_test -b 64 -i 0 --cycles 3 -n 3 --no_probe \
        --format csv
    [ "$(wc -l < out)" -eq 4 ]
    verdict "cycles" $?
    good "one rank" 1 hccl_test allreduce bcast reduce_scatter "${short[@]}"
    good "fewer elements than ranks" 3 hccl_test reduce_scatter allgather -b 1 -e 16 -n 3
    good "help" 2 hccl_test --help
    [ "$(grep -c '^ *--compare ' out)" -eq 1 ]
    verdict "help is printed once" $?
    for b in stock comm own none; do
        good "barrier $b" 3 hccl_test --compare --barrier $b --across max --blocks 3 \
            "${short[@]}"
    done
    for c in 0 2; do
        good "check $c" 2 hccl_test -c $c "${short[@]}"
    done
    run 2 all_gather_test -c 0 "${short[@]}"
    grep -q NULL out
    verdict "unchecked results are called NULL" $?
}

everything() {
    local ops="allreduce reduce_scatter reduce_scatter_block bcast reduce allgather"
    ops+=" barrier"
    for link in all_reduce reduce_scatter reduce_scatter_block broadcast reduce \
        all_gather barrier; do
        good "program ${link}_test" 3 ${link}_test -n 3 -b 96 -e 96 --no_probe \
            --format csv
        [ "$(wc -l < out)" -eq 2 ]
        verdict "${link}_test runs one operation" $?
    done
    for type in fp32 fp64 int8 int16 int32 int64 uint8 uint16 uint32 uint64; do
        case $type in
            fp32 | int64 | uint8) redops="sum prod max min" ;;
            int8 | fp64) redops="sum prod" ;;
            *) redops="sum min" ;;
        esac
        for redop in $redops; do
            # shellcheck disable=SC2086
            good "$type $redop" 3 hccl_test $ops -d $type -o $redop -n 3 -b 40 -e 100K \
                -f 50 --no_probe -r 2
        done
    done
    # shellcheck disable=SC2086
    good "in place" 3 hccl_test $ops --in_place -n 3 -b 40 -e 300K -f 16 -r 1 --compare
    # shellcheck disable=SC2086
    good "dirty, every call checked" 3 hccl_test $ops --dirty -c 2 -n 5 -b 40 -e 300K \
        -f 16
    # shellcheck disable=SC2086
    good "clean, aligned" 2 hccl_test $ops --clean -a 4K -n 3 -b 40 -e 300K -f 16
}

wrong_input() {
    bad 'unknown option --frobnicate' 2 --frobnicate
    bad 'unknown option -y' alone -y
    bad '-b "12X" is not accepted; it takes a number of bytes' 2 -b 12X
    bad '-b "-4" is not accepted' alone -b -4
    bad '-b "0" is not accepted' alone -b 0
    bad '-e "99999999999G" is not accepted' alone -e 99999999999G
    bad '-f "1" is not accepted; it takes a whole number from 2' alone -f 1
    bad '-f "x" is not accepted' alone -f x
    bad '-n "0" is not accepted' alone -n 0
    bad '-n "5x" is not accepted' alone -n 5x
    bad '-d "fp16" is not accepted; it takes fp32 fp64' alone -d fp16
    bad '-o "avg" is not accepted' alone -o avg
    bad '-c "7" is not accepted; it takes 0, 1 or 2' alone -c 7
    bad '-z "2" is not accepted' alone -z 2
    bad '-a "24" is not accepted' alone -a 24
    bad '-r 2: there are 2 ranks; it takes 0 to 1' 2 -r 2
    bad '-p 3: the nodes of this job have 2 to 2 ranks' 2 -p 3
    bad '-b needs a value' alone -b
    bad '--in_place takes no value' alone --in_place=1
    bad '-b 8192 is larger than -e 4096' alone -b 8K -e 4K
    bad '"alltoall" is no collective' alone alltoall
    bad '--format "xml" is not accepted; it takes table' alone --format xml
    bad '--plot "x.pdf" is not accepted' alone --plot x.pdf
    bad '--output "x.txt" is not accepted' alone --output x.txt
    bad "can't be written" 2 --output /nowhere/x.csv
    bad '--time "-1" is not accepted' alone --time -1
    bad '--time "nan" is not accepted' alone --time nan
    bad "a run without end" alone -i 0 --format json
    bad 'leave --comm out' alone --compare --comm stock
    bad 'more than the 2147483647 that MPI-3.1 counts' 2 -d int8 -b 4 -e 4G
    if [ "$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 60 ]
    then
        bad 'the buffers need' 2 -d fp64 -b 4 -e 15G -n 1
    fi
}

# A 64 KiB /dev/shm: neither MPI nor the probe have room there. Needs a mount namespace.
no_room() {
    if ! unshare -m true 2> /dev/null; then
        echo "SKIP: a full /dev/shm, for there is no right to mount one"
        return
    fi
    cat > small.sh << END
mount -t tmpfs -o size=64k none /dev/shm && "$mpirun" -n 2 "$bin/hccl_test" -n 3 -b 64 -e 64
END
    timeout 60 unshare -m sh small.sh > out 2> err < /dev/null
    status=$?
    [ "$status" -eq 0 ] && grep -q success out
    verdict "/dev/shm without room" $?
}

formats() {
    local columns
    good "csv" 2 hccl_test --format csv allreduce bcast barrier "${short[@]}"
    columns=$(awk -F, '{ print NF }' out | sort -u)
    [ "$columns" = 29 ] && [ "$(head -n 1 out | cut -d, -f1,2,14)" = \
        operation,bytes,p50_us ]
    verdict "csv has 29 columns in every line" $?
    good "csv, compared" 2 hccl_test --format csv --compare allreduce "${short[@]}"
    [ "$(cut -d, -f10 out | sort | uniq -c | awk '{ printf "%s%s ", $2, $1 }')" = \
        "hccl3 side1 stock3 " ]
    verdict "csv has a line per side" $?
    good "json" 2 hccl_test --format json allreduce barrier --compare -n 6 -b 1K -e 4K
    python3 -m json.tool < out > /dev/null
    verdict "json can be read" $?
    python3 - out << 'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert len(d["results"]) == 4 and d["wrong"] == 0 and d["machine"]["ranks"] == 2
for r in d["results"]:
    assert len(r["sides"]) == 2 and r["speedup"] > 0
    for s in r["sides"]:
        assert s["calls"] == 6 and 0 < s["min_us"] <= s["p50_us"]
        assert s["p50_us"] <= s["p99_us"] <= s["max_us"]
END
    verdict "json says what was measured" $?
    good "osu" 2 hccl_test --format osu "${short[@]}"
    [ "$(grep -cE '^[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +6$' out)" -eq 3 ]
    verdict "osu has five columns" $?
    good "nccl" 2 hccl_test --format nccl "${short[@]}"
    [ "$(grep -cE '^ +[0-9]+ +[0-9]+ +fp32 +sum +-1( +[0-9.]+){3} +0$' out)" -eq 3 ]
    verdict "nccl has nine columns" $?
    good "table" 2 hccl_test "${short[@]}"
    grep -q 'data_size(Bytes) aveg_time(us) alg_bandwidth(GB/s) check_result' out
    verdict "table has the real tool's columns" $?
    good "file beside the table" 2 hccl_test --compare --output r.json "${short[@]}"
    python3 -m json.tool < r.json > /dev/null && grep -q speed-up out
    verdict "json file" $?
    good "progress" 2 hccl_test --progress "${short[@]}"
    grep -q 'allreduce at 4K (3 of 3)' err
    verdict "progress counts" $?
}

plots() {
    if ! command -v gnuplot > /dev/null; then
        echo "SKIP: plots, for gnuplot is not installed"
        PATH=$PATH bad 'gnuplot is not installed' 2 --plot x.png "${short[@]}"
        return
    fi
    good "png" 2 hccl_test allreduce bcast --compare --plot "it's.png" "${short[@]}"
    head -c 4 "it's.png" | grep -q PNG
    verdict "png file" $?
    good "svg" 2 hccl_test reduce_scatter --plot one.svg "${short[@]}"
    python3 -c 'import sys, xml.dom.minidom as m; m.parse("one.svg")'
    verdict "svg file" $?
}

# spoilt OP HOW ARGUMENT... : a library between spoils results; must end with 1 and say so
spoilt() {
    local op=$1 how=$2
    shift 2
    run_spoilt "$op" "$how" "$op" "$@"
    [ "$status" -eq 1 ] && grep -q "WRONG: .*$op" out && grep -q failed out
    verdict "$op $how is noticed" $?
}

run_spoilt() {
    local op=$1 how=$2
    shift 2
    timeout 120 "$mpirun" --oversubscribe -n 3 env \
        LD_PRELOAD="${PRELOAD_FIRST:-}$corrupt" HCCL_CORRUPT_OP="$op" \
        HCCL_CORRUPT_HOW="$how" "$bin/hccl_test" "$@" > out 2> err < /dev/null
    status=$?
}

wrong_results() {
    corrupt=$bin/libcorrupt.so
    test -e "$corrupt" || corrupt=$bin/.libs/libcorrupt.so
    if ! [ -e "$corrupt" ]; then
        echo "SKIP: detection of wrong results, for libcorrupt.so is not built"
        return
    fi
    for op in allreduce reduce_scatter reduce_scatter_block bcast allgather; do
        spoilt $op flip "${short[@]}"
        spoilt $op overrun "${short[@]}"
    done
    spoilt reduce flip -r 2 "${short[@]}"
    spoilt allreduce skip "${short[@]}"
    spoilt allreduce input "${short[@]}"
    spoilt allreduce late -n 40 --blocks 1 -b 64K -e 64K --no_probe
    spoilt allreduce flip --compare "${short[@]}"
    spoilt bcast late -c 2 -n 40 --blocks 1 -b 64 -e 64 --no_probe
    run_spoilt allreduce flip -c 0 "${short[@]}"
    [ "$status" -eq 0 ]
    verdict "-c 0 does not look" $?
    run_spoilt nothing flip "${short[@]}"
    [ "$status" -eq 0 ]
    verdict "the library alone spoils nothing" $?
}

flags
everything
wrong_input
no_room
formats
plots
wrong_results
echo "hccl_test self-test: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
