#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# parameters_test.sh - parameters: what is understood, what ends the job and with which
# words, which spelling wins, and what ranks that differ are told.
. "$(dirname "$0")/common.sh"

# info [LEVEL]: all parameters of hccl as Open MPI shows them
info()
{
    "$OMPI_INFO" --parsable --param coll hccl --level "${1:-9}" > "$work/out" 2>&1
    status=$?
}

# value NAME: as in the last call of info
value()
{
    sed -n "s/^mca:coll:hccl:param:coll_hccl_$1:value://p" "$work/out"
}

# refused NAME VALUE ACCEPTED: given with --mca, it ends the job, which says all three
refused()
{
    run 2 --mca coll hccl --mca "coll_hccl_$1" "$2"
    stops "$1 $2 ends the job"
    says "it names the parameter" + "MCA parameter coll_hccl_$1 "
    says "and the value" + "value: +\"$2\""
    says "and what is accepted" + "accepted: .*$3"
    # The first one that aborts may end the others before they have said it.
    says "a rank has it in a line" + "the MCA parameter coll_hccl_$1 has .*\"$2\""
}

refused staging 1Q 'a size from'
refused priority 101 'a number from 0 to 100'
refused enable perhaps 'yes or no'
refused deterministic exactly 'default or strict'

says "the long form is told once" 1 'accepted: '

run 2 --mca coll hccl -x HCCL_BUFFSIZE=lots
stops "HCCL_BUFFSIZE=lots ends the job"
says "it names the variable" + 'environment variable HCCL_BUFFSIZE '
says "and its value" + 'value: +"lots"'

run 2 --mca coll ^hccl --mca coll_hccl_staging 1Q
works "without hccl nobody minds"

run 2 --mca coll_hccl_staging 1Q
stops "hccl that is not named minds too"

run 2 --mca coll hccl --mca coll_hccl_staging 128KiB --mca coll_hccl_shm_max 1g \
    --mca coll_hccl_enable TRUE --mca coll_hccl_deterministic STRICT \
    --mca coll_hccl_spin_us 0 --mca coll_hccl_sleep off
works "values in all their spellings"

info
says "ompi_info shows all parameters" 1 'param:coll_hccl_companions:value:'
says "with what they do" 1 'param:coll_hccl_staging:help:.*large'
info 3
few=$(grep -c ':value:' "$work/out")
[ "$few" -ge 1 ] && [ "$few" -le 8 ]
verdict "few of them up to level 3 ($few)" $?

HCCL_BUFFSIZE=256K info
[ "$(value staging)" = 256K ]
verdict "HCCL_BUFFSIZE is coll_hccl_staging" $?
HCCL_BUFFSIZE=256K OMPI_MCA_coll_hccl_staging=512K info
[ "$(value staging)" = 512K ]
verdict "and an MCA parameter goes before it" $?
HCCL_DETERMINISTIC=strict info
[ "$(value deterministic)" = strict ]
verdict "HCCL_DETERMINISTIC is coll_hccl_deterministic" $?
HCCL_MIN_DATA_SIZE=8K info
[ "$(value min_data_size)" = 8K ]
verdict "HCCL_MIN_DATA_SIZE is coll_hccl_min_data_size" $?

# Ranks with different values: told so, rank 0's is used, results are right.
cat > "$work/differ" << 'END'
#!/bin/sh
export HCCL_BUFFSIZE=$((64 * (OMPI_COMM_WORLD_RANK + 1)))K
exec ./launch_app "$@"
END
chmod +x "$work/differ"
timeout 90 "$MPIRUN" --oversubscribe -n 3 --mca coll hccl "$work/differ" > "$work/out" 2>&1
status=$?
[ "$status" -eq 0 ] && grep -q 'launch_app: all right' "$work/out"
verdict "ranks with different values come to an end, with right results" $?
says "and are told, rank by rank" 2 'different values of coll_hccl_staging'
says "which value is used" 2 'rank 0: 65536, which is used'
finish
