#!/bin/sh
# report writes its files to a folder, refuses mistakes, and leaves nothing behind after a failure.
# promises: A45 C2 C9
. "$(dirname "$0")/lib.sh"

rm -rf run.sqlite other.sqlite link.sqlite folder other empty third fourth phases.json bad.json
sqlite3 run.sqlite "
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER,
    globalTid INTEGER, domainId INTEGER);
INSERT INTO StringIds VALUES (1, 'gemm<a|b>_x'), (2, '=cmd'), (3, 'cudaLaunchKernel_v7000'),
    (4, 'cudaDeviceSynchronize_v3020');
INSERT INTO NVTX_EVENTS VALUES (100, 5000, 59, 'decode step | 1', NULL, 10 << 24 | 1, 0),
    (120, NULL, 59, 'never closed', NULL, 10 << 24 | 1, 0);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (200, 210, 0, 10 << 24 | 1, 1, 3),
    (300, 310, 0, 10 << 24 | 1, 2, 3), (400, 2000400, 0, 10 << 24 | 1, 3, 4);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 4000, 0, 1, 7, 1, 10 << 24, 1, 1),
    (6000, 7000, 0, 1, 7, 2, 10 << 24, 2, 2);"

expect 0 "$program" report run.sqlite --out folder --html
prints 'Wrote report to: folder/report.md'
for file in report.md report.json report.html tables/kernels.csv tables/kernels_by_pid.csv \
    tables/nvtx_ranges.csv tables/nvtx_by_pid.csv tables/gpu_idle_gaps.csv tables/sync_by_pid.csv \
    tables/barriers.csv tables/launch_latency.csv tables/stream_overlap.csv; do
    [ -f folder/$file ] || fail "no $file"
done
[ -z "$(find folder -name '*.tmp')" ] || fail "temporary files are left"
grep -qF 'gemm\<a\|b\>\_x' folder/report.md || fail "Markdown is not escaped"
grep -qF 'gemm&lt;a|b&gt;_x' folder/report.html || fail "HTML is not escaped"
grep -qF "'=cmd,0,1,1000," folder/tables/kernels.csv || fail "a formula in CSV"
head -1 folder/tables/kernels.csv | od -c | grep -q '\\r  *\\n' || fail "CSV lines do not end in CR LF"
[ -f folder/tables/nccl_ops.csv ] && [ ! -s folder/tables/nccl_ops.csv ] || fail "nccl_ops.csv is not empty"
grep -qF 'never closed' folder/tables/nvtx_ranges.csv && fail "an open range has no length"
grep -qF '| 100.0 | 2 | 2 | 1 |' folder/report.md || fail "the coverage is not there"

expect 2 "$program" report run.sqlite --out folder
says 'exists; --force'
cp folder/report.json before
expect 0 "$program" report run.sqlite --out folder --force

expect 0 "$program" report run.sqlite --json
prints '"format": "nsyscope-report-1"'
prints '"launch_latency_bins"'
expect 0 "$program" report run.sqlite --print-schema
prints '- NVTX_EVENTS (rows=2, t=[100,5000]): start:INTEGER'
prints 'Kernel table: CUPTI_ACTIVITY_KIND_KERNEL'

# Several exports: a folder for each, with the same report as alone.
cp run.sqlite other.sqlite
sqlite3 other.sqlite "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end + 7"
expect 0 "$program" report run.sqlite other.sqlite --out third
prints 'Wrote report to: third/0_run/report.md'
prints 'Wrote report to: third/1_other/report.md'
expect 0 "$program" report other.sqlite --out other
for name in 0_run:folder 1_other:other; do
    for file in report.md report.json tables/kernels.csv tables/gpu_idle.csv; do
        grep -v -i 'generated.at' third/${name%:*}/$file >got
        grep -v -i 'generated.at' ${name#*:}/$file | cmp got - || fail "third/${name%:*}/$file is not that of the export alone"
    done
done
cmp third/0_run/tables/kernels.csv third/1_other/tables/kernels.csv >same && fail "two exports have one report"
expect 0 "$program" merge third/0_run/report.json third/1_other/report.json
prints '2 reports.'
expect 2 "$program" report run.sqlite other.sqlite --out third
says 'third/0_run/report.md exists; --force'
for option in --json --print-schema; do
    expect 2 "$program" report run.sqlite other.sqlite --out fourth $option
    says "$option: of one export at a time; --out DIR writes a folder for each"
done
expect 3 "$program" report run.sqlite nowhere.sqlite --out fourth
says 'nowhere.sqlite'
[ ! -e fourth ] || fail "something is written though an export is missing"
rm -rf other third other.sqlite

echo '{"decoding": ["re:^decode", "nothing"], "rest": "x"}' >phases.json
expect 0 "$program" report run.sqlite --json --phase-map phases.json
prints '"phase": "decoding"'
rm -rf phases
expect 0 "$program" report run.sqlite --out phases --phase-map phases.json
sed 's/^- \*\*[A-Za-z]*\*\*: //; s/\.$//' phases/report.md | awk '/^#/ { delete seen } /^[a-z].* / && seen[$0]++' >twice
[ -s twice ] && fail "a section of the report says twice: $(cat twice)"
expect 0 "$program" report run.sqlite --json --phases-json phases.json --no-nvtx-kernel-map \
    --no-kernel-percentiles --kernel-limit 1 --nvtx-coverage-warn-threshold 0.5
prints '"p50_duration_us": null'
grep -q '"nvtx_kernel_time"' out && fail "--no-nvtx-kernel-map maps"

for bad in '["decode"]' '{"a": {}}' '{"a": "re:("}' '{"a": "re:a+++++++++++++++++++++++++++++++"}' '{"a"'; do
    echo "$bad" >bad.json
    expect 2 "$program" report run.sqlite --json --phase-map bad.json
    says 'bad.json'
done
wrong() {
    echo "$1" >bad.json
    expect 2 "$program" report run.sqlite --json --phases-json bad.json
    says "bad.json: phase map: $2"
}
wrong '[]' 'give an object'
wrong '""' 'give an object'
wrong '{}' 'no phases; give an object'
wrong '{"a": "x", "b": []}' 'phase 2, "b": no pattern; give a part of a name'
wrong '{"a": ""}' 'phase 1, "a": an empty pattern matches every name; give a part of a name'
wrong '{"a": ["x", "re:"]}' 'phase 1, "a": an empty pattern'
wrong '{"": "x"}' 'phase 1, "": no name; say what its patterns stand for'
wrong '{"a": "x", " ": "y"}' 'phase 2, " ": no name'
wrong '{"a": "x", "b": "y", "a": "z"}' 'phase 3, "a": given twice; put its patterns into one list'
wrong '{"a": "x", "b": null}' 'phase 2, "b": give texts'
expect 2 "$program" report run.sqlite --json --phase-map phases.json --phases-json phases.json
says '--phase-map and --phases-json: two names of one option; give one of them'
expect 2 "$program" report run.sqlite --json --kernel-limit 3 --top-kernels 3
says '--kernel-limit and --top-kernels: two names of one option'
expect 2 "$program" report run.sqlite --json --phase-map ''
says '--phase-map'
expect 2 "$program" report run.sqlite --json --phase-map nowhere.json
says 'nowhere.json'
expect 2 "$program" report run.sqlite
says 'give --out DIR'
expect 2 "$program" report run.sqlite --json --kernel-limit 0
expect 2 "$program" report run.sqlite --json --nvtx-coverage-warn-threshold 2
expect 3 "$program" report nowhere.sqlite --json

# NVLink: samples inside a collective (100, 120) and outside (0, 20), and the message if there are none.
expect 0 "$program" report run.sqlite --json
prints 'NVLink counters not found'
cp run.sqlite link.sqlite
sqlite3 link.sqlite "
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, typeName TEXT, metricId INTEGER, metricName TEXT);
CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (1, 1, 'g', 1, 'NVLink RX Throughput'), (1, 1, 'g', 2, 'SM Active');
INSERT INTO GPU_METRICS VALUES (6100, 1, 1, 100), (6900, 1, 1, 120), (500, 1, 1, 0), (5000, 1, 1, 20), (500, 1, 2, 7);
UPDATE StringIds SET value = 'ncclDevKernel_AllReduce_Sum' WHERE id = 2"
expect 0 "$program" report link.sqlite --out fourth
cat fourth/tables/nvlink_during_nccl.csv >out
prints ',4,2,110,10,120,0.98'
cat fourth/tables/nccl_ops.csv >out
prints 'allreduce,1,0.001,1,1,0,0,,1000,0'

# A folder that cannot be created and a full disk: one line, status 6, no file left.
: >third
expect 6 "$program" report run.sqlite --out third/sub
says 'third'
(ulimit -f 8 && expect 6 "$program" report run.sqlite --out other && says 'other/' && exit "$failures") ||
    fail "a write that fails is not told"
mkdir empty
(ulimit -f 8 && expect 6 "$program" report run.sqlite --out empty && exit "$failures") ||
    fail "a write that fails is not told"
[ -d empty ] && [ -z "$(ls empty)" ] || fail "a failed report changes a folder: $(find empty)"
[ -e other ] && fail "a failed report leaves files: $(find other)"

# A new report replaces an old one as a whole; after a failure the old one is unchanged.
stands() { # prints the files of the folder and their checksums
    find swapped | LC_ALL=C sort
    find swapped -type f -exec cksum {} + | LC_ALL=C sort
}
expect 0 "$program" report run.sqlite --out swapped --html
chmod 750 swapped
stands >before
(ulimit -f 8 && expect 6 "$program" report link.sqlite --out swapped --force && exit "$failures") || fail "a full disk is not told"
stands | cmp -s before - || fail "a failed report changes the old one: $(stands | diff before -)"
expect 0 "$program" report link.sqlite --out swapped --force
[ ! -e swapped/report.html ] || fail "the page of an older report stays beside a new one"
[ "$(stat -c %a swapped 2>/dev/null || echo 750)" = 750 ] || fail "the folder has another mode"
# Other files in the folder stay. The folder may be a link or the current folder.
echo mine >swapped/mine.txt
expect 0 "$program" report run.sqlite --out swapped --force --html
[ "$(cat swapped/mine.txt)" = mine ] && [ -s swapped/report.html ] || fail "a file that is not ours is lost: $(ls -R swapped)"
rm -f swapped/mine.txt
stands >before
(cd swapped && ulimit -f 8 && expect 6 "$program" report ../link.sqlite --out . --force; rm -f out err; exit "$failures") || fail "a full disk is not told"
stands | cmp -s before - || fail "a failed report changes the folder we stand in: $(stands | diff before -)"
ln -s swapped linked
expect 0 "$program" report run.sqlite --out linked --force
[ -L linked ] && [ -s linked/report.md ] || fail "the link to a folder is replaced"
ln -sf ../run.sqlite swapped/report.html
expect 6 "$program" report run.sqlite --out swapped --html --force
says 'a symbolic link is never written to'
# A killed program leaves the old folder; the next one removes the stale temporary folder.
rm -f swapped/report.html
mkdir swapped.999999-0.tmp swapped.999999-0.tmp/tables
: >swapped.999999-0.tmp/tables/kernels.csv
touch -d '1 hour ago' swapped.999999-0.tmp
expect 0 "$program" report run.sqlite --out swapped --force
[ -z "$(ls -d ./*.tmp 2>/dev/null)" ] || fail "a temporary folder is left: $(ls -d ./*.tmp)"
rm -rf swapped linked
finish
