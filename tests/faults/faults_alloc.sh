#!/bin/sh
# The Nth allocation fails, in SQLite too, once or from then on: the answer is right, or one line reports it with status 5, or
# the screen names the columns that are missing. By default N is spread over each command; with NSC_LONG=1 it takes every value.
# promises: F4 F5
. "$(dirname "$0")/lib.sh"
rm -f nodes.sqlite
"$program" generate --force --kernels 1500 f.sqlite || exit 1
"$program" generate --force --kernels 300 --seed 7 g.sqlite || exit 1
for file in f g; do "$program" report $file.sqlite --out $file --force >/dev/null || exit 1; done

{
    cat "$tests/fixtures/two_streams.sql"
    echo "CREATE TABLE CUDA_GRAPH_NODE_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
        nameId INTEGER NOT NULL, graphNodeId INTEGER NOT NULL, originalGraphNodeId INTEGER);
    INSERT INTO CUDA_GRAPH_NODE_EVENTS SELECT 100 * gridId, 100 * gridId, 77, (111 << 24) | 111, 1, gridId, NULL FROM CUPTI_ACTIVITY_KIND_KERNEL;
    UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET graphNodeId = gridId;"
} | sqlite3 nodes.sqlite || exit 1

meet() { # FAULT COMMAND...
    fault=$1
    shift
    timeout 60 env NSC_FAULT_ALLOC=$fault NSC_FAULT_LOG=count LD_PRELOAD=./fault_alloc.so "$program" "$@" --no-sandbox >out 2>err </dev/null
    got=$?
}

# The answer without peaks of memory and the time of the run.
answer() {
    grep -av -e '_bytes"' -e '"generated_at"' -e memory out
}

try() { # COMMAND...
    meet 0:once "$@"
    [ "$got" = 0 ] || fail "$*: status $got without a fault: $(cat err)"
    answer >want
    all=$(cat count)
    [ "$all" -gt 500 ] || fail "$*: only $all allocations were seen"
    step=$((all / 25))
    [ -z "${NSC_LONG-}" ] || step=1
    n=1
    while [ $n -le "$all" ]; do
        for often in once ever; do
            meet $n:$often "$@"
            case $got in
            5) [ "$(wc -l <err)" = 1 ] || fail "$* $n:$often: not one line: $(cat err)" ;;
            # A screen may also say that memory for some columns was missing.
            0) answer | cmp -s - want || grep -q 'not assessable: not enough memory for columns of' out ||
                fail "$* $n:$often: another answer with status 0" ;;
            *) fail "$* $n:$often: status $got: $(cat err)" ;;
            esac
        done
        [ $n -lt 8 ] && n=$((n + 1)) || n=$((n + step))
    done
}

try info --json --threads 1 f.sqlite
try info --json --threads 1 --no-pages f.sqlite
try render --size 120x40 --threads 1 f.sqlite
try render --size 120x40 --threads 2 f.sqlite
try summary --threads 1 f.sqlite
try analyze --threads 1 f.sqlite
try report --json --threads 1 f.sqlite
try stats --threads 1 -r cuda_gpu_kern_sum,nvtx_kern_sum,cuda_api_sum f.sqlite
try export --threads 1 --to csv f.sqlite
try export --threads 1 --to perfetto f.sqlite
try sql --threads 1 f.sqlite 'SELECT short, count(*), total(dur) FROM kernel GROUP BY 1 ORDER BY 1'
try sql --raw f.sqlite 'SELECT shortName, count(*), sum("end" - start) FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY 1'
try sql --threads 1 nodes.sqlite 'SELECT graph_node, captured_start FROM kernel ORDER BY start'
try schema f.sqlite
# A table whose rows were deleted: a check that has no memory does not pass for one that finds nothing.
cp f.sqlite deleted.sqlite
sqlite3 deleted.sqlite 'PRAGMA secure_delete = OFF; DELETE FROM TARGET_INFO_SESSION_START_TIME' || exit 1
try info --json --threads 1 deleted.sqlite
grep -q 'is empty, but its page is not' want || fail "no warning of deleted rows: $(cat want)"
try merge f/report.json g/report.json
try ask --threads 1 f.sqlite 'why are there bubbles'
try ask --threads 1 f.sqlite 'how many kernels are below 5 us'
printf '%s\n' '"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"' \
    '"0","9","gemm","GPU Speed Of Light Throughput","Duration","us","12.5"' \
    '"0","9","gemm","GPU Speed Of Light Throughput","Compute (SM) Throughput","%","81.0"' >ncu.csv
try ncu-import --threads 1 ncu.csv f.sqlite
# Several exports, and an export written to a file: a failure leaves no part of it.
try summary --threads 1 f.sqlite g.sqlite
for n in 100 1000 3000 5000 7000; do
    rm -f out.json*
    meet $n:ever export --threads 1 --to chrome --output out.json f.sqlite
    [ "$got" = 5 ] || [ "$got" = 0 ] || fail "export $n: status $got"
    [ "$got" = 0 ] || [ -z "$(ls out.json* 2>/dev/null)" ] || fail "export $n: leaves $(ls out.json*)"
done
finish
