#!/bin/sh
# Both traces for Perfetto, read by an independent reader, hold the same events. Ranges on the GPU are those of nvtx_gpu_proj_trace
# (a test build projects few ranges); launch shapes and bookmarks are present; each GPU op is a render stage.
# promises: C5
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3; the traces for Perfetto are not read"; exit 77; }

rm -rf state made.sqlite
expect 0 "$program" generate made.sqlite --kernels 60 --layers 2 --devices 2 --force
expect 0 "$program" bookmarks made.sqlite add --range 1ms 2ms --name 'a range' --note why
expect 0 "$program" bookmarks made.sqlite add --at 1500us --name 'a time'
expect 0 "$program" export made.sqlite --to chrome -o chrome.json --force
expect 0 "$program" export made.sqlite --to perfetto -o trace.perfetto --force
expect 0 "$program" stats -r nvtx_gpu_proj_trace --format csv made.sqlite
sed '/^$/d' out >projected.csv
origin=$(sed -n 's/.*"origin_ns": *"\{0,1\}\(-\{0,1\}[0-9]*\).*/\1/p' chrome.json | head -1)
expect 0 python3 "$(dirname "$0")/read_traces.py" chrome.json trace.perfetto projected.csv "$origin"
cat out
prints 'render stages'
grep -q '"grid":"[0-9]*,[0-9]*,[0-9]*","block":"[0-9]*,[0-9]*,[0-9]*","registers":[0-9]' chrome.json || fail "no launch shape"
grep -q '"cat":"bookmark","name":"a range"' chrome.json || fail "no bookmark"
grep -q '"bytes":[0-9]' chrome.json || fail "no bytes"

# Collectives carry NCCL's payload in both traces; the reader compares all arguments.
if command -v sqlite3 >/dev/null; then
    rm -f nccl.sqlite
    cat "$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql" "$NSC_TEST_SOURCE/tests/fixtures/nccl_payloads.sql" | sqlite3 nccl.sqlite
    # Adds ranges 20 deep, and a counter with two samples before the first event.
    sqlite3 nccl.sqlite "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
        INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
        SELECT 900000 + i, 3190000 - i, 59, 'depth ' || char(65 + i), (111 << 24) | 111, 0 FROM n;
        INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, text, globalTid, endGlobalTid, domainId) VALUES
            (940000, 1500000, 60, 1, 'a start/end range', (111 << 24) | 111, (111 << 24) | 111, 0),
            (1000000, 1700000, 60, 2, 'one beside it', (111 << 24) | 111, (111 << 24) | 111, 0),
            (1000000, 1700000, 60, 3, 'ends elsewhere', (111 << 24) | 111, (111 << 24) | 112, 0);
        CREATE TABLE GPU_METRICS (timestamp INTEGER NOT NULL, typeId INTEGER NOT NULL, metricId INTEGER NOT NULL, value INTEGER NOT NULL);
        CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER NOT NULL, sourceId INTEGER NOT NULL, typeName TEXT NOT NULL,
            metricId INTEGER NOT NULL, metricName TEXT NOT NULL);
        INSERT INTO TARGET_INFO_GPU_METRICS VALUES (0, 0, 'General Metrics', 1, 'SMs Active [Throughput %]');
        INSERT INTO GPU_METRICS VALUES (100000, 0, 1, 5), (200000, 0, 1, 7), (1200000, 0, 1, 50)"
    for format in chrome perfetto; do expect 0 "$program" export nccl.sqlite --to $format -o nccl.$format --force; done
    expect 0 "$program" stats -r nvtx_gpu_proj_trace --format csv nccl.sqlite
    sed '/^$/d' out >projected.csv
    origin=$(sed -n 's/.*"origin_ns": *"\{0,1\}\(-\{0,1\}[0-9]*\).*/\1/p' nccl.chrome | head -1)
    expect 0 python3 "$(dirname "$0")/read_traces.py" nccl.chrome nccl.perfetto projected.csv "$origin"
    grep -q '^3 samples of counters' out || fail "not 3 samples of a counter: $(cat out)"
    for name in 'a start/end range' 'one beside it' 'ends elsewhere'; do
        n=$(grep -c "\"nvtx-gpu\",\"name\":\"$name\"" nccl.chrome)
        [ "$n" = "$(grep -c "$name" projected.csv)" ] || fail "$name is projected $n times"
    done
    grep -c 'StartEnd' projected.csv >out && prints 2
    grep -q 'depth T' projected.csv || fail "nvtx_gpu_proj_trace has not 20 levels"
    told='"nccl_operation":"AllReduce","nccl_bytes":3000000,"nccl_communicator":"0xabcdef0123456789","nccl_ranks":2,"nccl_bus_gb_per_s":"100.00"'
    [ "$(grep -c "$told" nccl.chrome)" = 20 ] || fail "$(grep -c "$told" nccl.chrome) collectives with their payload, not 20"
    [ "$(grep -c nccl_bytes nccl.chrome)" = 20 ] || fail "a kernel that is no collective has a payload"
fi
finish
