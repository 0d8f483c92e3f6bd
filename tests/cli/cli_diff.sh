#!/bin/sh
# diff compares two recordings: its figures, its verdict, and the status of the gate.
. "$(dirname "$0")/lib.sh"

rm -f ./*.sqlite
expect 0 "$program" generate --kernels 4000 before.sqlite
expect 0 "$program" generate --kernels 4000 --seed 2 after.sqlite
expect 0 "$program" generate --kernels 9000 --layers 20 other.sqlite

expect 0 "$program" diff before.sqlite after.sqlite --gate 5%
prints "no change"
expect 0 "$program" diff before.sqlite before.sqlite --format csv
grep -q "^no change,0.0,2.0,5.0,100.0,0.0$" out || fail "differs from itself: $(sed -n 2p out)"
expect 0 "$program" diff before.sqlite after.sqlite --limit 3
prints "What the change consists of"
prints "smaller changes"
grep -q " 0 ns .* rest  *not explained" out || fail "the waterfall has a rest"
expect 0 "$program" diff before.sqlite after.sqlite --format json
prints '"kind": "nsyscope.diff"'

# All times of one recording are 1.5 times as long: a regression, and an improvement the other way round.
if command -v sqlite3 >/dev/null; then
    cp before.sqlite slow.sqlite
    {
        for table in CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_MEMCPY CUPTI_ACTIVITY_KIND_MEMSET \
            CUPTI_ACTIVITY_KIND_RUNTIME NVTX_EVENTS; do
            echo "UPDATE $table SET start = start * 3 / 2, end = end * 3 / 2;"
        done
    } | sqlite3 slow.sqlite
    expect 1 "$program" diff before.sqlite slow.sqlite --gate 5%
    prints "regression"
    prints "50.0 %"
    # Kinds of work change as their kernels do.
    expect 0 "$program" diff before.sqlite slow.sqlite --format csv
    grep -q '^collective,increased,[0-9]*,[0-9]*,[0-9]*,50.0,' out || fail "families: $(grep '^collective' out)"
    expect 0 "$program" diff before.sqlite slow.sqlite
    prints "regression"
    expect 0 "$program" diff before.sqlite slow.sqlite --gate 60
    prints "slower"
    expect 0 "$program" diff slow.sqlite before.sqlite --gate 5%
    prints "improvement"
fi

# A different workload gives no verdict.
expect 7 "$program" diff before.sqlite other.sqlite --gate 5%
prints "inconclusive"
expect 7 "$program" diff before.sqlite other.sqlite
says "no verdict"
expect 7 "$program" diff before.sqlite after.sqlite --iterations "no such range"
says "no NVTX range named like no such range"
expect 2 "$program" diff before.sqlite
says "two exports"
expect 2 "$program" diff before.sqlite after.sqlite --gate none
says "--gate none"
expect 2 "$program" diff before.sqlite after.sqlite --limit -1
says "--limit -1"
expect 3 "$program" diff before.sqlite missing.sqlite
says "missing.sqlite"

# The screen of two recordings shows both.
expect 0 "$program" render --compare before.sqlite after.sqlite --keys 'I'
prints "A before.sqlite | B after.sqlite"
expect 0 "$program" render --compare before.sqlite after.sqlite --keys 'A Enter' --size 160x40
prints "What the change consists of"
expect 2 "$program" render --compare before.sqlite
says "give two exports"
finish
