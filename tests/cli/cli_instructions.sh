#!/bin/sh
# Opening and drawing stay within fixed numbers of instructions, counted by valgrind.
# Each bound is about twice the count of an unoptimized build: it detects a worse complexity, not a few per cent.
. "$(dirname "$0")/lib.sh"
command -v valgrind >/dev/null || { echo "valgrind is not installed: NOT TESTED"; exit 77; }

"$program" generate --kernels 4000 --force small.sqlite || fail "no export"

# within FUNCTION MOST [SUBCOMMAND...]: fails if the function executes more than MOST instructions.
within() {
    function=$1
    most=$2
    shift 2
    [ $# = 0 ] && set -- render --size 200x50 --keys '+' small.sqlite
    count=$(valgrind --tool=callgrind --toggle-collect="$function" --callgrind-out-file=/dev/null "$program" "$@" \
        --threads 1 2>&1 >/dev/null | sed -n 's/^==[0-9]*== Collected : //p')
    set -- "$function" "$most"
    echo "$1: ${count:-unknown} instructions, at most $2"
    # valgrind cannot count in a program with a sanitizer or without symbols. A function that is never entered is a failure.
    if [ "${count:-0}" = 0 ]; then
        [ "$2" != any ] && [ "${counted:-0}" -gt 0 ] && fail "$1 is never entered"
        [ "${counted:-0}" -gt 0 ] || { echo "cannot be counted: NOT TESTED"; exit 77; }
        return
    fi
    counted=$count
    [ "$2" = any ] && return
    [ "$count" -le "$2" ] || fail "$1 takes $count instructions, more than $2"
}

within main any
within nsc_job_load 133000000
within nsc_app_draw 20000000

# Work of ranges that nest 4,000 deep does not take time by depth for each kernel.
sqlite3 small.sqlite "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
    INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
    SELECT (SELECT min(start) FROM NVTX_EVENTS) - 10 * i, (SELECT max(end) FROM NVTX_EVENTS) + 10 * i, 59, 'deep', globalTid, 0
    FROM n, (SELECT globalTid FROM NVTX_EVENTS WHERE eventType = 59 LIMIT 1)" || fail "no deep export"
within nsc_range_work_build 210000000 analyze small.sqlite
finish
