#!/bin/sh
# Several exports on one time axis: alignment, and the same answers for each export as alone.
. "$(dirname "$0")/lib.sh"

for i in 1 2 3; do
    expect 0 "$program" generate --force --kernels 600 --layers 2 --devices 1 --seed $i r$i.sqlite
done
utc() { sqlite3 "$1" "UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = $2"; }
utc r1.sqlite 1750000000000000000
utc r2.sqlite 1750000000000500000
utc r3.sqlite 1750000099000000000

# The bins of a rank are those of its export alone, moved by the offset of the rank.
bins() { "$program" bins "$@" --csv 2>>err; }
bins r2.sqlite --device 0 --window 0 90000000 --columns 50 | cut -d, -f3- >alone
bins r1.sqlite r2.sqlite --device 0 --window 500000 90500000 --columns 50 --filter rank:1 | cut -d, -f3- >among
cmp alone among || fail "the bins of rank 1 are not those of the export alone"
bins r1.sqlite r2.sqlite --device 0 --window 500000 90500000 --columns 50 --filter rank:r2 | cut -d, -f3- >by_label
cmp alone by_label || fail "a rank is not found by its label"
bins r1.sqlite r2.sqlite --device 0 --window 0 90000000 --columns 50 --filter rank:0 | cut -d, -f3- >first
bins r1.sqlite --device 0 --window 0 90000000 --columns 50 | cut -d, -f3- >alone
cmp alone first || fail "the bins of rank 0 are not those of the export alone"

# info names the alignment and the offset of each export.
expect 0 "$program" info r1.sqlite r2.sqlite
prints "aligned by time of day (UTC)"
prints "1: r2"
prints "+500 µs"
expect 0 "$program" info r1.sqlite r3.sqlite
prints "aligned by start of each: the recordings are 99.0 s apart"
expect 0 "$program" info --align utc r1.sqlite r3.sqlite
prints "+99.0 s"
expect 0 "$program" info --align "nvtx:iteration 3" r1.sqlite r3.sqlite
prints "aligned by NVTX iteration 3, the first one of each"
expect 0 "$program" info --json r1.sqlite r2.sqlite
prints '"kind": "nsyscope.info"'
prints '"offset_ns": 500000'
expect 7 "$program" info --align nvtx:nothing r1.sqlite r2.sqlite
says "r1.sqlite has no NVTX range or mark called nothing"
sqlite3 r3.sqlite "DELETE FROM TARGET_INFO_SESSION_START_TIME"
expect 7 "$program" info --align utc r1.sqlite r3.sqlite
says "r3.sqlite lacks the time of day of its recording"
expect 0 "$program" info r1.sqlite r3.sqlite
prints "aligned by start of each: r3.sqlite lacks the time of day"
for wrong in UTC "" nvtx nvtx:; do
    expect 2 "$program" info --align "$wrong" r1.sqlite r2.sqlite
    says "utc|start|nvtx:NAME"
done
expect 2 "$program" generate --align utc x.sqlite

# Exports that cannot be opened together.
expect 3 "$program" info r1.sqlite missing.sqlite
says "missing.sqlite"
echo "no database" >text
expect 3 "$program" render r1.sqlite text
says "text is not an SQLite export"
expect 2 "$program" info r1.sqlite ./r1.sqlite
says "is given twice"
ln -sf r1.sqlite link.sqlite
expect 2 "$program" info r1.sqlite link.sqlite
says "is given twice"
cp r1.sqlite copy.sqlite
expect 0 "$program" info --mem 6422144 r1.sqlite
expect 5 "$program" info --mem 6422144 r1.sqlite copy.sqlite
says "events need about"

# --trim counts on the common axis. A copy of an export is another export.
expect 0 "$program" info --trim 0.5ms 90ms --align utc r1.sqlite r2.sqlite
expect 0 "$program" render --size 100x30 r1.sqlite copy.sqlite
prints "0: r1"
prints "r1.sqlite +1 by utc"

# An answer for several exports holds the rows of each alone, after a column with its label.
"$program" summary --format csv r1.sqlite >alone 2>>err
expect 0 "$program" summary --format csv r1.sqlite r2.sqlite
head -1 out | grep -q '^rank,' || fail "no column for the rank: $(head -1 out)"
grep '^0: r1,' out | cut -d, -f2- >first
sed '1d;/^$/,$d' alone >want
head -"$(wc -l <want)" first | cmp - want || fail "the rows of a rank are not those of the export alone"
grep -q '^1: r2,' out || fail "no rows of the second export"
expect 0 "$program" iters --align utc --format csv r1.sqlite r2.sqlite
grep '^1: r2,' out | cut -d, -f4 >among
"$program" iters --format csv r2.sqlite 2>>err | sed '1d;/^$/,$d' | cut -d, -f3 | while read -r t; do echo $((t + 500000)); done >want
head -"$(wc -l <want)" among | cmp - want || fail "the iterations of a rank are not moved by its offset"
[ -s want ] || fail "the second export has no iterations"
expect 7 "$program" summary --align nvtx:nothing r1.sqlite r2.sqlite

# among N LABEL COMMAND...: writes the rows of one export in the first table of the CSV to ./first.
among() {
    number=$1 label=$2
    shift 2
    "$program" "$@" --format csv >joined 2>>err || fail "$* ends with $?"
    head -1 joined | grep -q '^rank,' || fail "$*: no column for the rank: $(head -1 joined)"
    sed '/^$/,$d' joined | grep "^$number: $label," | cut -d, -f2- >first
}
"$program" search r1.sqlite gemm --type kernel --format csv >alone 2>>err
among 0 r1 search r1.sqlite r2.sqlite gemm --type kernel
sed 1d alone | cmp - first || fail "search finds something else among others than alone"
[ -s first ] || fail "search finds nothing"
among 1 r2 search --align utc r1.sqlite r2.sqlite '' --parent 'iteration 2' --type kernel -p limit=0
"$program" search r2.sqlite --parent 'iteration 2' --type kernel -p limit=0 --format csv 2>>err | sed 1d | awk -F, -v OFS=, '{ $6 += 500000; print }' | cmp - first ||
    fail "what search finds in the second export is not moved by its offset"
[ -s first ] || fail "search finds nothing inside iterations"
n=0
share=4 # by default one skill in four
[ -z "${NSC_LONG-}" ] || share=1
for skill in $("$program" skill list --format csv 2>>err | sed 1d | grep -Ev '^(schema_inspect|captured),' | cut -d, -f1 | awk "NR % $share == 0"); do
    "$program" skill run "$skill" r1.sqlite --format csv 2>>err | sed '1d;/^$/,$d' >alone
    among 0 r1 skill run "$skill" r1.sqlite r2.sqlite
    cmp alone first || fail "$skill says something else of an export among others than alone"
    if [ -s first ]; then n=$((n + 1)); fi
done
[ "$n" -gt $((30 / share)) ] || fail "only $n skills have an answer"
for skill in top_kernels copies nvtx_tree; do
    "$program" skill run $skill r2.sqlite --format csv 2>>err | sed '1d;/^$/,$d' >alone
    among 1 r2 skill run $skill r1.sqlite r2.sqlite
    cmp alone first || fail "$skill says something else of the second export than alone"
done
expect 7 "$program" skill run idle r1.sqlite r2.sqlite --filter name:no-such-name
says "no GPU work there"
cp r1.sqlite idle.sqlite
sqlite3 idle.sqlite "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY; DELETE FROM CUPTI_ACTIVITY_KIND_MEMSET; DELETE FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE" || fail "no copy without GPU work"
expect 7 "$program" skill run idle idle.sqlite
expect 0 "$program" skill run idle idle.sqlite r2.sqlite
prints "1: r2"
expect 2 "$program" skill run top_kernels r1.sqlite r2.sqlite -p nothing=1
# A user's query runs on each export with the clock of that export; the rows are joined if the columns are the same.
mkdir -p config/nsyscope/skills
echo '-- name: copies_of
SELECT start, bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY' >config/nsyscope/skills/copies_of.sql
XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
"$program" skill run copies_of r2.sqlite --format csv 2>>err | sed 1d >alone
among 1 r2 skill run copies_of r1.sqlite r2.sqlite
cmp alone first || fail "a query says something else of an export among others than alone"
[ -s first ] || fail "the query finds nothing"
among 1 r2 skill run copies_of idle.sqlite r2.sqlite
cmp alone first || fail "a query says something else beside an export without rows"
expect 0 "$program" skill run copies_of idle.sqlite r2.sqlite
prints 'Times are on the clock of each export.'
sqlite3 idle.sqlite "DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY"
expect 2 "$program" skill run copies_of r2.sqlite idle.sqlite
says 'idle.sqlite: skill copies_of: no such table'
expect 3 "$program" skill run copies_of r2.sqlite missing.sqlite
says 'missing.sqlite'
unset XDG_CONFIG_HOME
among 1 r2 skill run schema_inspect r1.sqlite r2.sqlite
[ -s first ] || fail "no tables of the second export"
expect 0 "$program" skill run schema_inspect r1.sqlite
expect 0 "$program" search r1.sqlite r2.sqlite no-such-name
prints "nothing found"
expect 2 "$program" search r1.sqlite r2.sqlite
says "r2.sqlite is a file: put what the name holds behind it"
expect 2 "$program" search r1.sqlite r2.sqlite --parent iteration
says "r2.sqlite is a file"
expect 3 "$program" search r1.sqlite missing.sqlite gemm
says "missing.sqlite"

# Bookmarks belong to the exports in the given order.
rm -rf state ticket both.html
expect 0 "$program" bookmarks r1.sqlite r2.sqlite add --at 1ms --name both
expect 0 "$program" bookmarks r1.sqlite r2.sqlite list
prints both
expect 0 "$program" bookmarks r2.sqlite r1.sqlite list
prints "nothing found"
grep -q both out && fail "the other order has the same bookmarks"
expect 0 "$program" bookmarks r1.sqlite list
grep -q both out && fail "one of them has the same bookmarks"
cp r2.sqlite moved.sqlite
expect 0 "$program" bookmarks copy.sqlite moved.sqlite list
prints both

# A session of several exports has their common bookmarks and those of each export, on the joint axis.
expect 0 "$program" bookmarks r2.sqlite add --range 2ms 3ms --name alone
expect 0 "$program" session r1.sqlite r2.sqlite -o ticket
[ "$(ls ticket | tr '\n' ' ')" = "01-both.csv 01-both.svg 02-alone.csv 02-alone.svg bookmarks.json index.html " ] ||
    fail "the session holds $(ls ticket)"
grep -q -- "nsyscope r1.sqlite r2.sqlite --trim 2500000ns 3500000ns" ticket/index.html || fail "r2's bookmark is not moved"
grep -q "export --to csv" ticket/index.html && fail "export takes one file"
expect 0 "$program" summary r1.sqlite r2.sqlite --bookmark alone
prints "0.002 500 000 s to 0.003 500 000 s"
expect 0 "$program" viewer r1.sqlite r2.sqlite -o both.html --bookmark alone

# The screen answers for each export, as skill run does, and names them; its filter holds.
expect 0 "$program" render r1.sqlite r2.sqlite --size 160x40 --command 'answer idle'
grep -q 'Rank  *GPU' out && grep -q '1: r2  *0' out || fail "the answer names no rank"
expect 0 "$program" skill run top_kernels r1.sqlite r2.sqlite --filter name:gemm --format csv
kernels=$(awk -F, '$1 ~ /1: r2/ { print $3; exit }' out)
expect 0 "$program" render r1.sqlite r2.sqlite --size 160x40 --command 'filter name:gemm' --command 'answer top_kernels'
prints 'only events of the filter: name:gemm'
grep -q "1: r2  *0  *$kernels " out || fail "not $kernels kernels of the filter"

finish
