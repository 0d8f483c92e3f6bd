#!/bin/sh
# Sketches of a small job judge it as its exports do, all at once: the same verdicts, late ranks and collectives, figure by figure.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "python3 is missing: NOT TESTED"; exit 77; }

# The tables that both print, without labels of exports, and without the time of the worst wait: that is on the clock of the rank in
# sketches, and on the common axis of exports.
tables() {
    awk '/^export,offset|^figure,/ {exit} {print}' out | sed 's/,[0-9]*: \(rank[0-9]*\),/,\1,/; s/,\(rank[0-9]*\)\.sqlite,/,\1,/' |
        awk -F, -v OFS=, '/^kernel,members/ {inside = 1} inside {$9 = "-"} {print}'
}

named=0
# check NAMES ARGUMENT...: NAMES: somebody is named.
check() {
    wanted=$1
    shift
    rm -rf job && mkdir -p job/sketches
    python3 "$here/../fleet/exports.py" job "$@" || fail "no job: $*"
    for export in job/*.sqlite; do
        expect 0 "$program" sketch "$export" -o "job/sketches/$(basename "$export" .sqlite).nsk.json"
    done
    expect 0 "$program" ranks --format csv job/rank?.sqlite
    tables >exports
    expect 0 "$program" merge --format csv --limit 0 job/sketches
    tables >sketches
    cmp -s exports sketches || fail "other figures from sketches: $*: $(diff exports sketches | head -4)"
    [ "$wanted" = "$(awk 'NR > 1 && NF {n++} !NF {exit} END {print n + 0}' exports)" ] || fail "$wanted verdicts of $*: $(head -5 exports)"
    named=$((named + wanted))
}
check 0 4 20 none 1
check 1 4 20 slow 1
check 1 4 40 host 2 --steps-unmarked
check 1 8 60 drift 5
check 1 8 100 since 4 --steps-unmarked
check 2 8 40 two 3
check 1 6 50 fifth 2
check 1 4 60 loader 4
# Groups; and compute beside their collectives, so that nobody is held up yet.
check 2 8 40 host 2 --tensor 4
check 1 8 40 host 2 --tensor 4 --overlap
check 0 4 30 two 2 --tensor 2 --overlap --steps-unmarked
[ "$named" -gt 10 ] || fail "only $named verdicts were compared"
finish
