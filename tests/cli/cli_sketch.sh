#!/bin/sh
# sketch summarizes an export in at most 256 KB; merge takes sketches in any number and order, and merges of merges.
. "$(dirname "$0")/lib.sh"
docs=$(dirname "$0")/../../docs/json

rm -rf ranks long.sqlite
mkdir ranks
for rank in 0 1 2 4; do
    expect 0 "$program" generate --kernels 3000 --devices 1 --seed $rank ranks/rank$rank.sqlite
    expect 0 "$program" sketch ranks/rank$rank.sqlite -o ranks/rank$rank.nsk.json
    [ "$(wc -c <ranks/rank$rank.nsk.json)" -le 262144 ] || fail "rank $rank: more than 256 KB"
    [ "$(wc -l <ranks/rank$rank.nsk.json)" = 1 ] || fail "rank $rank: not one line"
done

# The same bytes again, over the old file and on standard output; any other file stays.
cp ranks/rank0.nsk.json before
expect 0 "$program" sketch ranks/rank0.sqlite -o ranks/rank0.nsk.json
cmp -s before ranks/rank0.nsk.json || fail "other bytes on a rerun"
expect 0 "$program" sketch ranks/rank0.sqlite
cmp -s before out || fail "other bytes on standard output"
echo mine >mine
expect 2 "$program" sketch ranks/rank0.sqlite -o mine
[ "$(cat mine)" = mine ] || fail "replaced a file that is no sketch"

# The schema holds, whatever the export.
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 "$program" generate --kernels 400000 --devices 8 --layers 40 long.sqlite
    expect 0 "$program" sketch long.sqlite -o long.nsk.json
    [ "$(wc -c <long.nsk.json)" -le 262144 ] || fail "a long export: $(wc -c <long.nsk.json) bytes"
    python3 - "$docs/sketch.schema.json" long.nsk.json ranks/*.nsk.json <<'CHECK' || fail "not as the schema says"
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    sketch = json.load(open(path))
    jsonschema.validate(sketch, schema)
    for rank in sketch["ranks"]:
        parts = {p["class"]: p["total_ns"] for p in rank["iterations"]["parts"] if "cause" not in p}
        assert len(parts) == 4, path
        caused = sum(p["total_ns"] for p in rank["iterations"]["parts"] if "cause" in p)
        assert caused <= parts["idle"], path
CHECK
    # 1,500 processes on 100 GPUs, with names that JSON escapes.
    if command -v sqlite3 >/dev/null; then
        rm -f wide.sqlite
        expect 0 "$program" generate --kernels 6000 --devices 1 wide.sqlite
        sqlite3 wide.sqlite "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = rowid % 100, globalPid = (rowid % 1500 + 100) << 24;
            UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET deviceId = rowid % 100;
            UPDATE StringIds SET value = replace(hex(zeroblob(250)), '00', char(1)) || value WHERE value NOT GLOB '*_v[0-9]*'"
        expect 0 "$program" sketch wide.sqlite -o wide.nsk.json
        grep -Eq 'only the first [0-9]+ of [0-9]+ ranks are kept' wide.nsk.json || fail "ranks are left out in silence"
        grep -q 'of very many GPUs only the first are listed' wide.nsk.json || fail "GPUs are left out in silence"
        expect 0 "$program" merge wide.nsk.json
    fi
    for sketch in *.nsk.json; do
        [ "$(wc -c <"$sketch")" -le 262144 ] || fail "$sketch: $(wc -c <"$sketch") bytes"
    done
    grep -q 'of_a_row":1,' ranks/rank0.nsk.json || fail "rows of a short export hold several iterations"
fi

# The findings are those of analyze that cost time, whatever the export: ranges, graphs, several GPUs, none.
same_findings() {
    expect 0 "$program" sketch "$1" -o of.nsk.json --force
    expect 0 "$program" analyze --format json --limit 0 "$1"
    python3 - of.nsk.json out <<'CHECK' || fail "other findings than analyze: $1"
import json, sys
sketch, answer = (json.load(open(path)) for path in sys.argv[1:])
rows = next(s["rows"] for s in answer["sheets"] if s["key"] == "findings")
costly = [(r["rule"], r["severity"]) for r in rows if r["severity"] in ("high", "medium", "low")]
assert [(f["rule"], f["severity"]) for f in sketch["findings"]] == costly[:24], (sketch["findings"], costly)
CHECK
}
same_findings ranks/rank0.sqlite
expect 0 "$program" generate --force --kernels 4000 --devices 4 several.sqlite
same_findings several.sqlite
for shape in pytorch hpc graphs; do
    rm -f shape.sqlite
    expect 0 "$NSC_MAKE_EXPORT" $shape 4000 shape.sqlite
    same_findings shape.sqlite
done
if command -v sqlite3 >/dev/null; then
    sqlite3 several.sqlite 'DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY; DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_MEMSET'
    same_findings several.sqlite
fi

# Order, grouping and repetition do not matter.
expect 0 "$program" merge ranks/rank2.nsk.json ranks/rank0.nsk.json ranks/rank4.nsk.json ranks/rank1.nsk.json -o all.nsk.json
expect 0 "$program" merge ranks/rank4.nsk.json ranks/rank1.nsk.json -o a.nsk.json
expect 0 "$program" merge ranks/rank0.nsk.json ranks/rank2.nsk.json ranks/rank0.nsk.json -o b.nsk.json
expect 0 "$program" merge b.nsk.json a.nsk.json -o ab.nsk.json
cmp -s all.nsk.json ab.nsk.json || fail "a merge of merges differs"
expect 0 "$program" merge ab.nsk.json ranks -o again.nsk.json
cmp -s all.nsk.json again.nsk.json || fail "a folder that is merged already differs"
cat ranks/*.nsk.json | "$program" merge - -o piped.nsk.json || fail "documents on standard input"
cmp -s all.nsk.json piped.nsk.json || fail "documents on standard input differ"
ls ranks/*.nsk.json | "$program" merge - -o named.nsk.json || fail "names on standard input"
cmp -s all.nsk.json named.nsk.json || fail "names on standard input differ"

# The merged sketches add up, and say what is missing and twice.
expect 0 "$program" merge ranks
prints "4 reports."
prints "Missing between the others: rank 3."
cp out whole
expect 0 "$program" merge all.nsk.json
cmp -s whole out || fail "a merged file answers differently"
expect 0 "$program" merge ranks ranks/rank1.nsk.json
prints "rank1.sqlite is there twice; it counts once."
if command -v sqlite3 >/dev/null; then
    all=0
    for rank in 0 1 2 4; do
        all=$((all + $(sqlite3 ranks/rank$rank.sqlite 'SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL')))
    done
    "$program" merge --format csv --limit 0 ranks | sed -n '/^name,ranks,count,total_ns/,/^$/p' | sed '/^$/q' |
        sed 's/^"[^"]*"/name/' | awk -F, 'NR > 1 && NF > 3 {n += $4} END {printf "%d\n", n}' >sum
    [ "$(cat sum)" = "$all" ] || fail "kernel time $(cat sum), not $all"
fi

# Hundreds of thousands of collectives at equal steps, which take few characters, are read again.
if command -v sqlite3 >/dev/null; then
    rm -rf steps && mkdir steps
    expect 0 "$program" generate --kernels 100 --devices 1 steps/rank0.sqlite
    sqlite3 steps/rank0.sqlite "CREATE TABLE one AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1; DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT one.* FROM n, one;
        INSERT INTO StringIds VALUES(999999, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL');
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = rowid * 2000, end = rowid * 2000 + 1000, shortName = 999999, demangledName = 999999"
    cp steps/rank0.sqlite steps/rank1.sqlite
    for rank in 0 1; do
        expect 0 "$program" sketch steps/rank$rank.sqlite -o steps/rank$rank.nsk.json
    done
    expect 0 "$program" merge steps
    prints "No rank is shown to hold the others up"
fi

# What is broken is named and left out, and the rest is the same.
head -c 2000 ranks/rank2.nsk.json >ranks/broken.json
expect 3 "$program" merge ranks -o rest.nsk.json
says "ranks/broken.json"
cmp -s all.nsk.json rest.nsk.json || fail "a broken file changes the others"
expect 3 "$program" merge nothing.nsk.json
says "nothing.nsk.json"

# Reports and sketches together.
"$program" report --json ranks/rank0.sqlite >report.json || fail "no report"
rm ranks/broken.json
expect 0 "$program" merge ranks report.json
prints "5 reports."

# A sketch takes the place of a sketch; of another file only with --force, and of an export never.
expect 2 "$program" sketch ranks/rank0.sqlite -o report.json
says "report.json exists; --force overwrites it"
expect 2 "$program" merge ranks -o report.json
expect 6 "$program" sketch --force ranks/rank0.sqlite -o ranks/rank0.sqlite
expect 0 "$program" sketch --force ranks/rank0.sqlite -o report.json
expect 0 "$program" sketch ranks/rank0.sqlite -o report.json
echo other >again.txt
expect 0 "$program" merge --force ranks -o again.txt
expect 0 "$program" merge again.txt
finish
