#!/bin/sh
# Opening and drawing take no more than some times the instructions they took when this was written.
# Bounds are twice what an unoptimized build takes: a guard against losing a power, not against per cents.
. "$(dirname "$0")/lib.sh"
command -v valgrind >/dev/null || { echo "valgrind is not installed: NOT TESTED"; exit 77; }

"$program" generate --kernels 4000 --force small.sqlite || fail "no export"

# within FUNCTION MOST: instructions inside the function.
within() {
    count=$(valgrind --tool=callgrind --toggle-collect="$1" --callgrind-out-file=/dev/null "$program" render --size 200x50 \
        --keys '+' --threads 1 small.sqlite 2>&1 >/dev/null | sed -n 's/^==[0-9]*== Collected : //p')
    echo "$1: ${count:-unknown} instructions, at most $2"
    # Programs with a sanitizer in them, and those without symbols, cannot be counted.
    [ "${count:-0}" -gt 0 ] || { echo "cannot be counted: NOT TESTED"; exit 77; }
    [ "$count" -le "$2" ] || fail "$1 takes $count instructions, more than $2"
}

within nsc_export_load 180000000
within nsc_app_draw 20000000
finish
