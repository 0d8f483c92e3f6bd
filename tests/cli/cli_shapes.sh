#!/bin/sh
# Exports that tests and benchmarks make beside those of generate: repeated in time, of other shapes, in no order. Rows, links, order.
. "$(dirname "$0")/lib.sh"

rm -rf files
mkdir files
expect 0 "$program" generate --kernels 700 files/one.sqlite
sum=$(cksum <files/one.sqlite)
make=$NSC_MAKE_EXPORT
expect 0 "$make" --tile files/one.sqlite 3 files/three.sqlite
expect 0 "$make" --tile files/one.sqlite 3 files/again.sqlite
cmp files/three.sqlite files/again.sqlite || fail "tiling is not deterministic"
[ "$sum" = "$(cksum <files/one.sqlite)" ] || fail "the export changed"

# Each table lies in one piece, as in a file of the exporter (checked if sqlite3 has dbstat).
runs="WITH p AS (SELECT name, lag(name) OVER (ORDER BY pageno) AS before FROM dbstat WHERE pagetype = 'leaf')
    SELECT ifnull(max(n), 0) FROM (SELECT sum(before IS NOT name) AS n FROM p GROUP BY name)"
if command -v sqlite3 >/dev/null && sqlite3 files/one.sqlite "$runs" >pieces 2>/dev/null; then
    [ "$(cat pieces)" -le 2 ] || fail "tables are scattered: $(cat pieces) pieces"
fi

# Three times the events; tables of names are copied once.
"$program" info files/one.sqlite | sed -n 's/^  events *//p' | tr -d ' ' >events_one
"$program" info files/three.sqlite | sed -n 's/^  events *//p' | tr -d ' ' >events_three
[ "$(cat events_three)" = $((3 * $(cat events_one))) ] || fail "events: $(cat events_one events_three)"
expect 0 "$program" info files/three.sqlite
for table in "CUPTI_ACTIVITY_KIND_KERNEL *2 100 *2 100 *$" "StringIds *40 *0 *$" "PROCESSES *2 *0 *$"; do
    grep -qE "^$table" out || fail "no '$table' in: $(grep -E 'KERNEL|String|PROC' out)"
done
grep -q skipped out && fail "rows were skipped: $(cat out)"

if command -v sqlite3 >/dev/null; then
    # The second repetition is the first, moved by one step of time and one step of correlation ids.
    sqlite3 files/three.sqlite >moved <<'SQL'
WITH k AS (SELECT rowid - 1 AS i, start, end, correlationId, demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)
SELECT count(*), count(DISTINCT b.start - a.start), count(DISTINCT b.correlationId - a.correlationId),
       min(b.end - b.start = a.end - a.start), min(a.demangledName = b.demangledName)
FROM k a JOIN k b ON b.i = a.i + 700;
SQL
    [ "$(cat moved)" = "1400|1|1|1|1" ] || fail "not moved as a whole: $(cat moved)"
    # Calls and the work that they launched stay linked.
    launched='SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r
        ON r.correlationId = k.correlationId AND r.globalTid >> 24 = k.globalPid >> 24'
    [ "$(sqlite3 files/three.sqlite "$launched")" = $((3 * $(sqlite3 files/one.sqlite "$launched"))) ] ||
        fail "links are lost"
fi

# Each shape has the requested number of kernels, launches before their ops, and rows in the order of the shape.
starts='SELECT count(*) FROM (SELECT start < lag(start) OVER (ORDER BY rowid) AS back FROM NVTX_EVENTS) WHERE back'
ends='SELECT count(*) FROM (SELECT end < lag(end) OVER (ORDER BY rowid) AS back FROM NVTX_EVENTS) WHERE back'
for shape in pytorch pytorch-ends pytorch-texts pytorch-names hpc graphs; do
    expect 0 "$make" $shape 5000 files/$shape.sqlite
    expect 0 "$program" info files/$shape.sqlite
    grep -qE "^CUPTI_ACTIVITY_KIND_KERNEL *5 000 *5 000 *$" out || fail "$shape: kernels: $(grep KERNEL out)"
    grep -q skipped out && fail "$shape: rows were skipped"
    command -v sqlite3 >/dev/null || continue
    order=$starts
    [ $shape = pytorch-ends ] && order=$ends
    [ "$(sqlite3 files/$shape.sqlite "$order")" = 0 ] || fail "$shape: ranges are in another order"
    late='SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k LEFT JOIN CUPTI_ACTIVITY_KIND_RUNTIME r
        ON r.correlationId = k.correlationId AND r.globalTid >> 24 = k.globalPid >> 24
        WHERE r.end IS NULL OR r.end > k.start'
    [ "$(sqlite3 files/$shape.sqlite "$late")" = 0 ] || fail "$shape: kernels without an earlier launch"
done
# The same rows in another order.
expect 0 "$make" pytorch+ 5000 files/shuffled.sqlite
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 files/shuffled.sqlite "$starts")" -gt 2500 ] || fail "ranges are not shuffled"
    for table in NVTX_EVENTS CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_RUNTIME; do
        more="ATTACH 'files/pytorch.sqlite' AS p; SELECT * FROM $table EXCEPT SELECT * FROM p.$table"
        [ -z "$(sqlite3 files/shuffled.sqlite "$more")" ] || fail "other rows in $table"
    done
fi

finish
