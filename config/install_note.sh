#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# install_note.sh COMPONENT_DIR BIN_DIR MPIRUN OMPI_INFO DESTDIR PMIX_COMPONENT_DIR - the end
# of `make install`: says what must be exported before mpirun uses the component, if anything.
#
# Open MPI looks into its own folder and ~/.openmpi/components by itself. Some packages of
# Open MPI 5.0 make mpirun replace that list, so mpirun is asked.

set -u
component_dir=$1 bin_dir=$2 mpirun=$3 ompi_info=$4 destdir=$5 pmix_dir=$6

if [ -n "$destdir" ]; then
    echo "Installed below $destdir, to be moved to its place."
    exit 0
fi

# Does a process that mpirun starts see the component?
is_found()
{
    (
        unset OMPI_MCA_mca_base_component_path
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        timeout 30 "$mpirun" -n 1 "$ompi_info" --parsable --param coll hccl --level 9
    ) 2> /dev/null < /dev/null | grep -q '^mca:coll:hccl:'
}

system_dir=$("$ompi_info" --parsable --path pkglibdir | sed -n 's/^path:pkglibdir://p')
note=
case $component_dir in
"$system_dir" | "${HOME:-none}/.openmpi/components")
    is_found || note=yes
    ;;
*) note=yes ;;
esac

echo
if [ -z "$note" ]; then
    echo "Open MPI finds the component by itself: nothing needs to be exported."
else
    echo "For Open MPI to find the component:"
    echo "    export OMPI_MCA_mca_base_component_path=SYS_DEFAULT:$component_dir"
    if [ -n "$pmix_dir" ]; then
        echo "    export PMIX_MCA_mca_base_component_path=$pmix_dir"
    fi
fi
case :$PATH: in
*":$bin_dir:"*) ;;
*)
    echo "For hccl_test and its links:"
    echo "    export PATH=$bin_dir:\$PATH"
    ;;
esac
echo
