#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure_test.sh BUILD - configure stops with the name of the Debian package when
# something is missing, and refuses what it can't build for.
. "$(dirname "$0")/common.sh"

# The packages' files for pkg-config, to be hidden one by one.
mkdir -p "$work/pc" "$work/fake/bin" "$work/fake/include"
for library in hwloc libibverbs cmocka; do
    cat > "$work/pc/$library.pc" << END
Name: $library
Description: as installed
Version: $(pkg-config --modversion $library)
Cflags: $(pkg-config --cflags $library)
Libs: $(pkg-config --libs $library)
END
done

# An Open MPI whose headers are in a folder of ours.
for program in mpirun ompi_info; do
    ln -s "$ompi/bin/$program" "$work/fake/bin/$program"
done
cat > "$work/fake/bin/mpicc" << END
#!/bin/sh
case \$1 in
--showme:incdirs) echo "$work/fake/include" ;;
*) exec "$ompi/bin/mpicc" "\$@" ;;
esac
END
chmod +x "$work/fake/bin/mpicc"

# configure_here ARGUMENT...: what it prints is in $work/out
configure_here()
{
    mkdir -p "$work/build" && (
        cd "$work/build" &&
            "$work/src/configure" -q --cache-file="$work/cache" --with-ompi="$ompi" "$@"
    ) > "$work/out" 2>&1
    status=$?
    cat "$work/out"
    # What depends on the arguments must not be remembered.
    sed -i -e '/ac_cv_env_\|MPICC\|MPIRUN\|OMPI_INFO\|GNUPLOT/d' \
        -e '/pkg_cv\|HWLOC\|IBVERBS\|CMOCKA/d' "$work/cache"
    return $status
}

# stops_with TEXT ARGUMENT...
stops_with()
{
    text=$1
    shift
    ! configure_here "$@" && grep -q -- "$text" "$work/out"
}

# without LIBRARY COMMAND...: pkg-config doesn't find it
without()
{
    rm -rf "$work/hidden"
    cp -r "$work/pc" "$work/hidden"
    rm "$work/hidden/$1.pc"
    shift
    (
        unset PKG_CONFIG_PATH
        PKG_CONFIG_LIBDIR=$work/hidden
        export PKG_CONFIG_LIBDIR
        "$@"
    )
}

warns_about_gnuplot()
{
    configure_here ac_cv_prog_GNUPLOT= && grep -q 'gnuplot-nox' "$work/out"
}

check "the tree of a release" unpack || finish
check "no gnuplot: a warning" warns_about_gnuplot
check "no hwloc" without hwloc stops_with libhwloc-dev
check "no libibverbs" without libibverbs stops_with libibverbs-dev
check "no cmocka" without cmocka stops_with libcmocka-dev
check "no Open MPI" stops_with libopenmpi-dev --with-ompi="$work/nothing"
check "no mpi.h" stops_with libopenmpi-dev --with-ompi="$work/fake"
include=$("$ompi/bin/mpicc" --showme:incdirs | cut -d ' ' -f 1)
cp "$include"/mpi*.h "$work/fake/include"
check "no headers of components" stops_with libopenmpi-dev --with-ompi="$work/fake"
sed -i 's/\(define OMPI_MAJOR_VERSION\) .*/\1 9/' "$work/fake/include/mpi.h"
check "a series that is not supported" \
    stops_with 'Open MPI 9.* is not supported' --with-ompi="$work/fake"
check "a component folder that is no path" \
    stops_with 'must be absolute' --with-component-dir=here
check "sanitizers that exclude each other" \
    stops_with 'exclude each other' --enable-asan --enable-tsan
finish
