#!/bin/sh
# merge combines the reports of several ranks: its figures, a list of files, and files that are not reports.
. "$(dirname "$0")/lib.sh"

rm -rf ranks
mkdir ranks
for seed in 1 2 3; do
    expect 0 "$program" generate --kernels 2000 --seed $seed ranks/$seed.sqlite
    "$program" report --json ranks/$seed.sqlite >ranks/$seed.json || fail "no report"
done
expect 0 "$program" merge ranks/*.json
prints "3 reports."
prints "ranks/1.json"
expect 0 "$program" merge --format json --limit 5 ranks/*.json
prints '"kind": "nsyscope.merge"'

# The kernel time of the job is the sum over its ranks.
if command -v sqlite3 >/dev/null; then
    all=0
    for seed in 1 2 3; do
        all=$((all + $(sqlite3 ranks/$seed.sqlite 'SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL')))
    done
    "$program" merge --format csv --limit 0 ranks/1.json ranks/2.json ranks/3.json |
        sed -n '/^name,ranks,count,total_ns/,/^$/p' | sed '/^$/q' |
        sed 's/^"[^"]*"/name/' | awk -F, 'NR > 1 && NF > 3 {n += $4} END {printf "%d\n", n}' >sum
    [ "$(cat sum)" = "$all" ] || fail "kernel time $(cat sum), not $all"
fi

# A list of many files: memory does not grow with their number, so the same address space suffices.
i=0
while [ $i -lt 60 ]; do
    echo ranks/1.json
    i=$((i + 1))
done >list
expect 0 "$program" merge --files-from list
prints "60 reports."
if (ulimit -v 400000 && "$program" --version >out 2>err); then # a program with a sanitizer needs more address space
    (ulimit -v 400000 && "$program" merge --files-from - <list >out 2>err) || fail "60 reports: $(cat err)"
else
    "$program" merge --files-from - <list >out 2>err || fail "60 reports: $(cat err)"
fi
prints "60 reports."

# A file that is not a report is named in the message; the others are merged.
echo '{"format": "other"}' >ranks/bad.json
expect 3 "$program" merge ranks/1.json ranks/bad.json
says "ranks/bad.json"
prints "1 files could not be read"
expect 3 "$program" merge ranks/1.sqlite
says "ranks/1.sqlite"
expect 3 "$program" merge --files-from nothing
says "--files-from nothing"
: >empty
expect 7 "$program" merge --files-from empty
says "no reports"
expect 2 "$program" merge
says "give REPORT.json"
finish
