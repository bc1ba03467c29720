#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# series.sh PLUGIN OTHER_PLUGIN [ROOT] - does each Open MPI refuse the other's plugin?
#
# PLUGIN was built for this host's Open MPI, OTHER_PLUGIN for the one in ROOT (see root.sh).
# Each is offered to the other side's Open MPI: the job must go on without it and say so
# with one line per process. Its own side must take it silently, or the test shows nothing.
# Both are paths here of a mca_coll_hccl.so. Exit: 0 all as expected, 1 not.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 2 ]; then
    echo "usage: series.sh PLUGIN OTHER_PLUGIN [ROOT]" >&2
    exit 2
fi
plugin=$(readlink -f "$1")
other=$(readlink -f "$2")
root=$("$here/root.sh" ${3:+"$3"})

failed=0
passed=0
work=$(mktemp -d)
made=$(mktemp -d "$root/srv/hccl.XXXXXXXX")
trap 'rm -rf --one-file-system "$work" "$made"' EXIT

# A job of two processes. It asks MPI_T whether hccl's parameters are there, which they
# are if and only if Open MPI kept the plugin.
write_program()
{
    cat >"$1/job.c" <<-'END'
	#include <mpi.h>
	#include <stdio.h>

	int main(int argc, char **argv)
	{
	    int level, index, one = 1, sum = 0;

	    MPI_Init(&argc, &argv);
	    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
	    int known = MPI_T_cvar_get_index("coll_hccl_enable", &index) == MPI_SUCCESS;
	    MPI_T_finalize();
	    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	    printf("job: sum %d, hccl %s\n", sum, known ? "taken" : "refused");
	    MPI_Finalize();
	    return sum != 2;
	}
	END
    # Runs in the folder of the program: job.sh FOLDER_OF_PLUGIN
    cat >"$1/job.sh" <<-'END'
	set -e
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	mpicc -o job job.c
	case $(mpirun --version) in
	*' 4.'*) path=SYS_DEFAULT:$PWD/$1 btl=self,vader ;;
	*) path=$PWD/$1 btl=self,sm ;;
	esac
	OMPI_MCA_mca_base_component_path=$path \
	    timeout 60 mpirun -np 2 --oversubscribe --mca btl "$btl" ./job 2>&1
	END
    mkdir "$1/plugin" "$1/foreign"
}

# judge NAME EXPECTED OUTPUT LINES - what the two processes said of hccl, and how many
# lines besides (PMIx's hint about a folder that is not its own does not count).
judge()
{
    said=$(grep -c "^job: sum 2, hccl $2\$" "$3" || true)
    lines=$(grep -v '^job:' "$3" | grep -c 'hccl' || true)
    if [ "$said" -eq 2 ] && [ "$lines" -eq "$4" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1: expected 2 x $2 and $4 lines; the output:"
        cat "$3"
    fi
}

without_hint()
{
    sed '/has bad prefix - expected:$/d'
}

write_program "$work"
write_program "$made"
cp "$plugin" "$work/plugin/"
cp "$other" "$work/foreign/"
cp "$other" "$made/plugin/"
cp "$plugin" "$made/foreign/"

for which in plugin foreign; do
    (cd "$work" && sh ./job.sh $which) | without_hint >"$work/here.$which" || true
    "$here/enter.sh" "$root" "/srv/$(basename "$made")" sh ./job.sh $which |
        without_hint >"$work/there.$which" || true
done
judge "own plugin, here" taken "$work/here.plugin" 0
judge "foreign plugin, here" refused "$work/here.foreign" 2
judge "own plugin, in the root" taken "$work/there.plugin" 0
judge "foreign plugin, in the root" refused "$work/there.foreign" 2
sed -n '/unable to open/s/^/here: /p' "$work/here.foreign"
sed -n '/unable to open/s/^/root: /p' "$work/there.foreign"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
