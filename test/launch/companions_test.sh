#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# companions_test.sh - `--mca coll hccl` and other lists: what is used, what is brought in,
# and that nothing is there twice.
. "$(dirname "$0")/common.sh"

# Open MPI tells each component of a communicator as it asks them (coll_base_verbose 10).
# once NAME: no component is there twice in rank 0's MPI_COMM_WORLD
once()
{
    grep -oE 'coll:find_available: coll component [a-z_]+ is available' "$work/out" |
        sort | uniq -c | awk -v ranks="$ranks" '$1 > ranks { print; bad = 1 }
            END { exit bad }' > "$work/twice"
    verdict "$1" $?
}

line='coll:hccl: brought in beside hccl: '
told="--mca coll_hccl_verbose 1 --mca coll_base_verbose 10"
all="basic libnbc self inter tuned"

run 2 --mca coll hccl $told
works "hccl alone runs a program"
says "one line per rank tells what was brought in" 2 "$line"
for name in $all; do
    says "$name is brought in" 2 "$line.*\b$name\b"
done
once "nothing twice with hccl alone"

run 1 --mca coll hccl
works "hccl alone with one rank"
run 5 --mca coll hccl
works "hccl alone with five ranks"
says "it is silent by default" 0 'coll:hccl'

# ftagree is of Open MPI 5.0
others=
for name in $all ftagree; do
    "$OMPI_INFO" --parsable | grep -q "^mca:coll:$name:" && others="$others,$name"
done
run 2 --mca coll "hccl$others" $told
works "hccl with all others named"
says "then nothing is brought in" 0 "$line"
once "nothing twice with all others named"

run 2 --mca coll tuned,hccl,self $told
works "hccl with some others named"
says "only the rest is brought in" 2 "$line"
says "not those that were named" 0 "$line.*\b(tuned|self)\b"
once "nothing twice with some others named"

run 2 $told
works "no list at all"
says "everything is there, nothing is brought in" 0 "$line"
says "hccl is there by itself" + 'coll:hccl: .*ranks on this node'

run 2 --mca coll ^hccl $told
works "^hccl"
says "removes hccl" 0 'coll:hccl|component hccl'

run 2 --mca coll ^tuned $told
works "^tuned"
says "is heeded: nothing is brought in" 0 "$line"
says "tuned least of all" 0 'coll component tuned is available'

run 2 --mca coll tuned,basic,libnbc,self,inter $told
works "a list without hccl"
says "is a list without hccl" 0 'coll:hccl'

run 2 --mca coll hccl --mca coll_hccl_companions none
stops "companions none: MPI_Init misses the other collectives"

run 2 --mca coll hccl,basic,libnbc,self,inter \
    --mca coll_hccl_companions none $told
works "companions none with a list that is complete"
says "brings nothing in" 0 "$line"

run 2 --mca coll hccl --mca coll_hccl_companions basic,libnbc,self,inter $told
works "companions of the user's choice"
says "those and no others" 2 "$line(basic|libnbc|self|inter|,)+ "

run 2 --mca coll hccl --mca coll_hccl_companions \
    basic,nonsense,libnbc,basic,hccl,self,inter,tuned $told
works "unknown names, names given twice, and hccl itself as companions"
says "unknown names are not brought in" 0 "$line.*nonsense"
once "nothing twice with names given twice"

run 2 --mca coll hccl --mca coll_tuned_priority 33 -- -c coll_tuned_priority
works "parameters of a companion"
says "are those the user gave" 1 'coll_tuned_priority = 33$'

run 2 --mca coll hccl -- -c coll_tuned_priority
says "or their defaults" 1 'coll_tuned_priority = 30$'

# Without mpirun.
OMPI_MCA_coll=hccl timeout 60 ./launch_app > "$work/out" 2>&1
status=$?
works "a program by itself"
finish
