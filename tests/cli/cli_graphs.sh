#!/bin/sh
# Ops of a CUDA graph recorded by node find the code that captured them, in both schemas of node events, or nothing is told.
. "$(dirname "$0")/lib.sh"
thread='(111 << 24) | 111'

# make FILE TABLE: forty kernels, of which ten have a node, and what made these nodes. Node 21 is a clone of 11, as of every executable
# graph: recorded once with and once without its original.
make() {
    rm -f "$1"
    {
        cat "$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql"
        echo "INSERT INTO StringIds VALUES (7, 'Graph Node Creation');
        INSERT INTO NVTX_EVENTS VALUES
            (100000, 700000, 59, NULL, NULL, NULL, 'capture', $thread, NULL, NULL, 0),
            (100000, 300000, 59, NULL, NULL, NULL, 'layer_0', $thread, NULL, NULL, 0),
            (300000, 600000, 59, NULL, NULL, NULL, 'layer_1', $thread, NULL, NULL, 0);
        CREATE TABLE $2 (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
            nameId INTEGER NOT NULL, graphNodeId INTEGER NOT NULL, originalGraphNodeId INTEGER);
        INSERT INTO $2 VALUES
            (150000, 150000, 77, $thread, 7, 11, NULL), (350000, 350000, 77, $thread, 7, 12, NULL), (650000, 650000, 77, $thread, 7, 13, 0),
            (750000, 750000, 77, $thread, 7, 21, NULL), (750001, 750001, 77, $thread, 7, 21, 11), (750002, 750002, 77, $thread, 7, 22, 12),
            (750003, 750003, 77, $thread, 7, 31, 22), (750004, 750004, 77, $thread, 7, 23, 13),
            -- made twice, clones of each other, of itself, of two nodes
            (160000, 160000, 77, $thread, 7, 14, NULL), (760000, 760000, 77, $thread, 7, 14, NULL),
            (750005, 750005, 77, $thread, 7, 41, 42), (750006, 750006, 77, $thread, 7, 42, 41), (170000, 170000, 77, $thread, 7, 43, 43),
            (750007, 750007, 77, $thread, 7, 44, 11), (750008, 750008, 77, $thread, 7, 44, 12);
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET graphNodeId = CASE gridId
            WHEN 1 THEN 21 WHEN 2 THEN 21 WHEN 3 THEN 22 WHEN 4 THEN 31 WHEN 5 THEN 23 WHEN 6 THEN 14 WHEN 7 THEN 41 WHEN 8 THEN 43
            WHEN 9 THEN 44 WHEN 10 THEN 99 END;"
    } | sqlite3 "$1"
}
ask() {
    expect 0 "$program" sql "$@" "SELECT graph_node || ' ' || coalesce(captured_start, '-') || ' ' || coalesce(captured_tid, '-') || ' '
        || coalesce(captured_path, '-') FROM op WHERE graph_node IS NOT NULL ORDER BY export, start" --format csv
}
cat >want <<'E2'
21 150000 111 capture / layer_0
21 150000 111 capture / layer_0
22 350000 111 capture / layer_1
31 350000 111 capture / layer_1
23 650000 111 capture
14 - - -
41 - - -
43 170000 111 capture / layer_0
44 - - -
99 - - -
E2
for table in CUDA_GRAPH_NODE_EVENTS CUDA_GRAPH_EVENTS; do
    make $table.sqlite $table
    ask $table.sqlite
    sed -n '2,$p' out | cmp -s - want || fail "$table: $(sed -n '2,$p' out | diff - want)"
done

# Ids are of a process: with a second export each op finds the node of its own.
sqlite3 CUDA_GRAPH_EVENTS.sqlite 'DELETE FROM CUDA_GRAPH_EVENTS WHERE graphNodeId = 12'
ask CUDA_GRAPH_NODE_EVENTS.sqlite CUDA_GRAPH_EVENTS.sqlite
sed 's/^\(22\|31\) .*/\1 - - -/' want | cat want - >both
sed -n '2,$p' out | cmp -s - both || fail "two exports: $(sed -n '2,$p' out | diff - both)"

# Details of the screen say it, and where nothing is known: of the third and of the seventh kernel.
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 160x40 --keys 'D n'
prints 'captured in layer_1 ‹ capture'
prints 'captured on python 111'
prints 'captured 0.000 350 000 s'
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 160x40 --keys 'D n n n'
prints 'captured unknown: the recording begins after it (begin before the warm-up), or'

# As an inference server replays them: pieces of 12 layers, captured for three batch sizes and cloned, 40 replays of each; kernels of
# layer 7 are slower than those of others. The first picture names the key, and Details the layer, on a small terminal too.
cp "$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql" server.sql
cat >>server.sql <<'E2'
DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL;
DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME;
DELETE FROM NVTX_EVENTS;
INSERT INTO StringIds VALUES (7, 'Graph Node Creation');
CREATE TABLE CUDA_GRAPH_NODE_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
    nameId INTEGER NOT NULL, graphNodeId INTEGER NOT NULL, originalGraphNodeId INTEGER);
CREATE TABLE pieces AS WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 35) SELECT i % 12 AS layer, i / 12 AS size, i FROM n;
INSERT INTO NVTX_EVENTS SELECT i * 10000, i * 10000 + 9000, 59, NULL, NULL, NULL, 'model.layers.' || layer, (111 << 24) | 111, NULL, NULL, 0 FROM pieces;
INSERT INTO CUDA_GRAPH_NODE_EVENTS SELECT i * 10000 + 5000, i * 10000 + 5000, 77, (111 << 24) | 111, 7, (size + 1 << 32) + layer, NULL FROM pieces;
INSERT INTO CUDA_GRAPH_NODE_EVENTS SELECT 500000 + i, 500000 + i, 77, (111 << 24) | 111, 7, (size + 11 << 32) + layer, (size + 1 << 32) + layer FROM pieces;
WITH RECURSIVE n (r) AS (SELECT 0 UNION ALL SELECT r + 1 FROM n WHERE r < 39)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
SELECT 4000000 + r * 2000000 + i * 50000, 4000000 + r * 2000000 + i * 50000 + 20000 + (layer = 7) * (10000 + r), 0, 1, NULL, 7, 1000 + r, 111 << 24, 2, 1, NULL, 1, 0,
       32, 128, 1, 1, 256, 1, 1, 0, 0, 0, 0, r * 36 + i + 1, (size + 11 << 32) + layer
FROM n, pieces;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT DISTINCT 3990000 + (correlationId - 1000) * 2000000, 3995000 + (correlationId - 1000) * 2000000, 0, (111 << 24) | 111, correlationId, 4, 0, NULL
FROM CUPTI_ACTIVITY_KIND_KERNEL;
DROP TABLE pieces;
E2
rm -f server.sqlite && sqlite3 server.sqlite <server.sql || fail "no server"
expect 0 "$program" render server.sqlite --size 80x24
prints 'D     slowest kernel'
expect 0 "$program" render server.sqlite --size 80x24 --keys D
prints 'captured in model.layers.7'

# The call stack of the capture, where one is recorded; a graph recorded as a whole tells its nodes.
sqlite3 CUDA_GRAPH_NODE_EVENTS.sqlite "CREATE TABLE CUDA_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, unresolved INTEGER, stackDepth INTEGER);
    INSERT INTO StringIds VALUES (80, 'cudaLaunchKernel'), (81, '/x/libcudart.so'), (82, 'capture_layer'), (83, '/home/u/model.py');
    INSERT INTO CUDA_CALLCHAINS VALUES (5, 80, 81, NULL, 0), (5, 82, 83, NULL, 1);
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (349000, 351000, 0, $thread, 900, 4, 0, 5);
    CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
        streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, graphId INTEGER NOT NULL);
    INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (4000000, 5000000, 0, 1, 7, 901, 111 << 24, 3);
    INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (760000, 760000, 77, $thread, 7, (3 << 32) + 1, NULL), (760001, 760001, 77, $thread, 7, (3 << 32) + 2, NULL),
        (760002, 760002, 77, $thread, 7, (3 << 32) + 2, NULL)"
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 160x70 --keys 'D n'
prints 'call stack of the capture, innermost first'
prints ' capture_layer  model.py'
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 160x70 --keys '/ C U D A Space g r a p h Enter Enter'
prints 'nodes 2, by their creation'

# Without a range around its capture, Details say so, and which recording has ranges.
cp CUDA_GRAPH_NODE_EVENTS.sqlite rangeless.sqlite
sqlite3 rangeless.sqlite 'DELETE FROM NVTX_EVENTS'
expect 0 "$program" render rangeless.sqlite --size 80x70 --keys D
prints 'captured on python 111'
prints 'under no NVTX range: annotate, record with nsys profile -t cuda,nvtx'

# Captured work stands beside launched work in both faces of the tree, and alone in the flame graph.
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 200x40 --keys t
grep -q 'launches  *captured' out && grep -q 'layer_0 .* 90.0 µs' out || fail "no captured work of layer_0: $(grep layer out)"
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 200x40 --keys 't g'
grep -q 'layer_# .* 150 µs' out && grep -q 'forward .* 630 µs' out || fail "no captured work of layers: $(grep layer out)"
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 100x24 --keys '$ o'
prints 'Captured work by NVTX path  summed 180 µs'

# The rows of ranges under the GPU, by capture: kernels 1 to 5 and 8 span 30 us to 380 us.
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 160x60 --keys 'P P P'
prints 'NVTX 0 captured'
grep -q 'capture ██' out || fail "no range of a capture on the GPU: $(grep 'NVTX 0' out | head -3)"
expect 0 "$program" render CUDA_GRAPH_NODE_EVENTS.sqlite --size 160x60 --keys 'P P P P'
grep -q 'NVTX 0 captured' out && fail "rows by capture stay"
grep -q 'step 1 ██' out || fail "no rows by launch after those by capture"

# Questions about ranges ask about captured work by a word, the filter by a term.
expect 0 "$program" search CUDA_GRAPH_NODE_EVENTS.sqlite --parent layer_1 -p captured=on --format csv
[ "$(grep -c '^kernel,.*capture > layer_1' out)" = 2 ] || fail "search: $(cat out)"
expect 0 "$program" ncu-plan CUDA_GRAPH_NODE_EVENTS.sqlite --filter captured:layer_1 --format csv
[ "$(grep -c 'kernel' out)" = 2 ] || grep -q '^gemm_kernel,30000,' out || fail "ncu-plan: $(cut -c1-80 out)"
expect 0 "$program" skill run projection CUDA_GRAPH_NODE_EVENTS.sqlite -p captured=on -p fold=off --format csv
grep -q 'capture / layer_0$' out || fail "projection: $(cat out)"
# Each says which of the two it counts; the one by launch leads to the one by capture.
for skill in layers projection; do
    expect 0 "$program" skill run $skill CUDA_GRAPH_NODE_EVENTS.sqlite -p captured=on
    prints 'the rest was captured outside any range'
    prints 'range around its capture on'
    grep -q 'around its launch\|was launched' out && fail "$skill by capture speaks of launches: $(cat out)"
    expect 0 "$program" skill run $skill CUDA_GRAPH_NODE_EVENTS.sqlite
    prints 'range around its launch on'
    prints 'captured=on shows it in the ranges in which it was captured'
done

# Exports: folded stacks by capture, and the ranges of the capture beside those of the launch.
expect 0 "$program" export CUDA_GRAPH_NODE_EVENTS.sqlite --to folded-captured
gemm='void gemm_kernel<float>(float*, float*, int)'
nccl=ncclDevKernel_AllReduce_Sum_f16_RING_LL
printf '%s\n' "capture;$gemm 30000" "capture;layer_0;$gemm 30000" "capture;layer_0;$nccl 60000" "capture;layer_1;$gemm 30000" \
    "capture;layer_1;$nccl 30000" | sort >folded
sort out | cmp -s - folded || fail "folded: $(sort out | diff - folded)"
expect 0 "$program" export CUDA_GRAPH_NODE_EVENTS.sqlite --to chrome
[ "$(grep -o '"captured_in":"capture / layer_1"' out | wc -l)" = 2 ] || fail "chrome: $(grep -o 'captured_in.*' out | head -3)"

# The answer sums them, and says how much has no capture.
expect 0 "$program" skill run captured CUDA_GRAPH_NODE_EVENTS.sqlite --format csv --whole
prints '0,3,90000,30.0,2,capture / layer_0'
expect 0 "$program" skill run captured CUDA_GRAPH_NODE_EVENTS.sqlite --whole
prints '40.0 % of that time has no known capture'
rm -f plain.sqlite
sqlite3 plain.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql"
expect 7 "$program" skill run captured plain.sqlite
says 'captures of CUDA graphs'
expect 7 "$program" export plain.sqlite --to folded-captured
says 'record the capture, with  nsys profile --cuda-graph-trace=node'
expect 7 "$program" summary plain.sqlite --filter captured:layer_1
prints 'captured: no capture of a CUDA graph is known'
expect 0 "$program" skill run layers plain.sqlite
grep -q captured out && fail "no capture, and layers speaks of it: $(cat out)"
expect 0 "$program" summary CUDA_GRAPH_NODE_EVENTS.sqlite --filter captured:layer_1
grep -q 'no capture' out && fail "a capture is known: $(cat out)"
finish
