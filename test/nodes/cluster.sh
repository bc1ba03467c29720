#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# cluster.sh HOSTS COMMAND [ARGUMENT...] - runs COMMAND on a cluster of HOSTS hosts (node1,
# node2, ...) made of namespaces: each has a name, a network and a /dev/shm of its own. They
# and the place where COMMAND runs ("head") are joined by a bridge, 10.77.0.0/24. Everything
# vanishes when COMMAND ends, or when this script is killed.
#
# COMMAND finds in its environment what makes mpirun use these hosts, as in
#     mpirun --host node1:2,node2:2 ./app
#
# Exit: COMMAND's status; 77 where namespaces can't be made (not root, no iproute2).

set -eu

network=10.77.0

cannot()
{
    echo "cluster.sh: SKIPPED: $*" >&2
    exit 77
}

# A bridge in the namespaces of the head.
make_head()
{
    hostname head
    ip link set lo up
    ip link add hcclbr type bridge
    ip addr add "$network.254/24" dev hcclbr
    ip link set hcclbr up
    {
        echo "127.0.0.1 localhost"
        echo "$network.254 head"
        i=1
        while [ "$i" -le "$hosts" ]; do
            echo "$network.$i node$i"
            i=$((i + 1))
        done
    } >"$dir/hosts"
    mount --bind "$dir/hosts" /etc/hosts
}

# make_host NUMBER: a process that holds the host's namespaces, and its cable
make_host()
{
    unshare --net --uts --mount --ipc sh -c '
        hostname "$1" && mount -t tmpfs -o mode=1777 none /dev/shm &&
            ip link set lo up && touch "$2/$1.up" && exec sleep 100000' host "node$1" "$dir" &
    echo $! >"$dir/node$1"
    while [ ! -e "$dir/node$1.up" ]; do
        kill -0 $! || return 1
        sleep 0.05
    done
    ip link add "port$1" type veth peer name eth0 netns $!
    ip link set "port$1" master hcclbr up
    nsenter --target $! --net sh -c "
        ip addr add $network.$1/24 dev eth0 && ip link set eth0 up"
}

# What mpirun calls instead of ssh: agent HOST COMMAND...
make_agent()
{
    cat >"$dir/agent" <<'EOF'
#!/bin/sh
host=$1
shift
exec nsenter --target "$(cat "$(dirname "$0")/$host")" --net --uts --mount --ipc -- sh -c "$*"
EOF
    chmod +x "$dir/agent"
    export OMPI_MCA_plm_rsh_agent="$dir/agent" PRTE_MCA_plm_ssh_agent="$dir/agent"
    export OMPI_MCA_oob_tcp_if_include="$network.0/24"
    export OMPI_MCA_btl_tcp_if_include="$network.0/24"
    export PRTE_MCA_prte_if_include="$network.0/24"
}

if [ "${1-}" = --inside ]; then
    hosts=$2 dir=$3
    shift 3
    make_head
    make_agent
    i=1
    while [ "$i" -le "$hosts" ]; do
        make_host "$i"
        i=$((i + 1))
    done
    "$@"
    exit
fi

if [ $# -lt 2 ]; then
    sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
[ "$(id -u)" -eq 0 ] || cannot "namespaces need root's rights"
for tool in ip unshare nsenter; do
    command -v $tool >/dev/null || cannot "$tool is not installed (iproute2, util-linux)"
done
unshare --net --uts --mount true 2>/dev/null || cannot "namespaces are forbidden here"

hosts=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
# The pid namespace ends all processes with the first one of it.
unshare --net --uts --mount --pid --mount-proc --fork --kill-child \
    sh "$0" --inside "$hosts" "$dir" "$@"
