#!/bin/sh
# setup, window, streams and stages: tables, formats, and their messages if something is missing.
. "$(dirname "$0")/lib.sh"

rm -f run.sqlite bare.sqlite node1.sqlite
sqlite3 run.sqlite "
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER,
    globalTid INTEGER, domainId INTEGER);
INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'ncclDevKernel'), (3, 'cudaLaunchKernel');
-- pid 10 is rank 0, pid 11 a loader without a label
INSERT INTO NVTX_EVENTS VALUES
    (100, 9000, 59, 'rank=0; pp=0/1 dp=0/1 cp=0/1 ep=0/1; mbs=1 seq=8', NULL, 10 << 24 | 1, 0),
    (1000, 2000, 59, 'forward chunk 0 (phase0) backward chunk 0 (phase1)', NULL, 10 << 24 | 1, 0),
    (1100, 1500, 59, 'layer00.stage2_f|x', NULL, 10 << 24 | 1, 0),
    (50, 60, 59, 'DataLoader', NULL, 11 << 24 | 1, 0);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
    (1200, 1210, 0, 10 << 24 | 2, 1, 3), (1010, 1020, 0, 10 << 24 | 1, 2, 3);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
    (1300, 1400, 0, 1, 20, 1, 10 << 24, 2, 2), (1340, 1500, 0, 1, 7, 2, 10 << 24, 1, 1);"

expect 0 "$program" setup run.sqlite
prints 'rank=0; pp=0/1'
grep -qF 'pid 11 has no label' err || fail "does not tell of the process without a label"
expect 0 "$program" stages run.sqlite
printf '%s\n' 'pid stage    exposed_ns overlap overlap_min overlap_max' \
    '--- -------- ---------- ------- ----------- -----------' \
    '10  stage2_f 40         60.0%   60.0%       60.0%      ' >want
cmp want out || fail "stages: $(cat out)"
# --start and --end name the window; --gpu and --trim go with all four.
expect 0 "$program" stages run.sqlite --start 1000 --end 2000
cmp want out || fail "stages of a window: $(cat out)"
for command in setup window streams stages; do
    for narrow in "--gpu 0 --trim 1us 2us" "--start 1000 --end 2000"; do
        expect 0 "$program" $command run.sqlite $narrow
        [ "$(wc -l <out)" -ge 3 ] || fail "$command $narrow prints no row: $(cat out)"
    done
done
for view in summary matrix ranking balance all; do
    for format in table csv tsv json md; do
        expect 0 "$program" stages run.sqlite --view $view --format $format
    done
done
expect 0 "$program" stages run.sqlite --view matrix --format csv
prints 'stage,rank0_pct'
prints 'stage2_f,60.00'
expect 0 "$program" streams run.sqlite --format json
prints '"purpose": "ep_a2a"'

expect 7 "$program" streams run.sqlite --start 1 --end 2
prints 'pid stream n_comm'
grep -qF '0 kernels in the window; give another with --start NS --end NS: the kernels run from ' err || fail "does not say that the window is empty, and where the kernels are"
cp run.sqlite quiet.sqlite
if command -v sqlite3 >/dev/null; then
    sqlite3 quiet.sqlite "UPDATE StringIds SET value = 'x' || value WHERE value LIKE 'nccl%'"
    expect 0 "$program" stages quiet.sqlite
    says "no kernel of the window is communication"
fi
expect 7 "$program" stages run.sqlite --rank 5
grep -qF 'no rank 5' err || fail "does not say that there is no rank 5"
# Several exports of a job: each is its own rank, with the figures that it has alone.
sed_rank="UPDATE NVTX_EVENTS SET text = replace(text, 'rank=0', 'rank=4')"
cp run.sqlite node1.sqlite
sqlite3 node1.sqlite "$sed_rank; UPDATE NVTX_EVENTS SET start = start + 700, end = end + 700;
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = start + 700, end = end + 700;
UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start + 700, end = end + 700;"
expect 0 "$program" stages run.sqlite node1.sqlite --view matrix --format csv
prints 'stage,rank0_pct,rank4_pct'
prints 'stage2_f,60.00,60.00'
expect 2 "$program" stages run.sqlite node1.sqlite --parity
says 'one export'
expect 2 "$program" stages run.sqlite --view nothing
says 'overlap|summary'
expect 2 "$program" streams run.sqlite --format nothing
says 'table|csv'
expect 2 "$program" streams run.sqlite --start soon --end 2
expect 3 "$program" stages nowhere.sqlite
sqlite3 bare.sqlite "
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1, 2, 0, 7)"
expect 0 "$program" generate --force --kernels 300 other.sqlite
expect 7 "$program" streams other.sqlite
says 'no rank has a range'
expect 7 "$program" stages bare.sqlite
says 'NVTX_EVENTS'
# The bookmarks of an export serve where those of the two together cannot be read.
rm -rf state
cp run.sqlite other.sqlite
expect 0 "$program" bookmarks run.sqlite add --range 1us 2us --name own
own=$(ls state/nsyscope/*.json)
expect 0 "$program" bookmarks run.sqlite other.sqlite add --range 1us 2us --name both
for file in state/nsyscope/*.json; do [ "$file" = "$own" ] || { rm "$file" && mkdir "$file"; }; done
expect 0 "$program" stages run.sqlite other.sqlite --bookmark own
finish
