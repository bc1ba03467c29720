# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Counting what passed and failed, for scripts that source it: `tally` for each check, and
# `tally_end` once, whose line test.sh and others read.

passed=0
failed=0

# tally NAME STATUS [LOG [LINES]]: a check's exit status, which is returned too; when it is
# not 0 the end of the log is shown
tally()
{
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
        echo "PASS: $1"
    else
        failed=$((failed + 1))
        echo "FAIL: $1"
        [ $# -lt 3 ] || tail -n "${4:-30}" "$3" | sed 's/^/    /'
    fi
    return "$2"
}

# The last line; has all passed?
tally_end()
{
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
