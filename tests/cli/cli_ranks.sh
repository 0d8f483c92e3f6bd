#!/bin/sh
# ranks compares the ranks of a job, from one export or several, in every format, and reports mistakes.
. "$(dirname "$0")/lib.sh"

rm -f ./*.sqlite
expect 0 "$program" generate --kernels 3000 a.sqlite
expect 0 "$program" generate --kernels 3000 --seed 2 b.sqlite
expect 0 "$program" ranks a.sqlite
prints "Stages by rank"
prints "iteration #"
expect 0 "$program" ranks --format csv --limit 2 a.sqlite
grep -q "^stage,ranks,median_ns,slowest_pid,spread_pct,pid_[0-9]*_ns,pid_[0-9]*_ns$" out || fail "$(tail -3 out)"
expect 0 "$program" ranks --format json --align start a.sqlite b.sqlite
prints '"kind": "nsyscope.ranks"'
prints "export_1_pid_"
expect 2 "$program" ranks --limit x a.sqlite
says "--limit x"
expect 3 "$program" ranks a.sqlite missing.sqlite
says "missing.sqlite"
expect 2 "$program" ranks
says "give FILE"
# The screen answers the same, for one export or several.
expect 0 "$program" render --align start a.sqlite b.sqlite --size 160x60 -c 'answer ranks'
prints "Late ranks"
prints "table 1 of"
expect 0 "$program" render a.sqlite --size 160x60 -c 'answer ranks' --keys 'v v'
prints "came late"
finish
