#!/bin/sh
# The skills about GPU time agree: parts add up to the window, no share exceeds 100 %, and findings come in order.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 4000 --layers 3 t.sqlite

# A filter that matches nothing says nothing about the export.
expect 0 "$program" analyze t.sqlite --filter name:no-such-name
prints 'the filter matches no events of threads or GPUs in the window'

# table NAME: the values of a column of the table that begins with this header, in the CSV in ./out.
column() {
    awk -F, -v first="$1" -v name="$2" '
        NF == 0 { here = 0; next }
        !here && $0 ~ "(^|,)" first "(,|$)" && !done { here = 1; done = 1
            for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        here { print $c }' out
}
total() { column "$1" "$2" | awk '{ n += $1 } END { printf "%.0f\n", n }'; }
same() { [ "$1" = "$2" ] || fail "$3: $1 and $2"; }

for scope in '' '--trim 10ms 30ms' '--filter name:gemm' '--gpu 0'; do
    # shellcheck disable=SC2086
    expect 0 "$program" skill run idle t.sqlite $scope --format csv
    idle=$(total gaps_from_1ms idle_ns)
    busy=$(total gaps_from_1ms busy_ns)
    window=$(total gaps_from_1ms window_ns)
    same "$((idle + busy))" "$window" "idle and busy are the window $scope"
    same "$(total cause idle_ns)" "$idle" "causes add up to idle $scope"
    # shellcheck disable=SC2086
    expect 0 "$program" skill run breakdown t.sqlite $scope --format csv
    same "$(total non_compute_share idle_ns)" "$idle" "two skills know the idle time $scope"
    same "$(($(total non_compute_share idle_ns) + $(total non_compute_share compute_ns) + $(total non_compute_share non_compute_ns)))" \
        "$window" "the breakdown is the window $scope"
    # shellcheck disable=SC2086
    expect 0 "$program" skill run layers t.sqlite $scope -p limit=0 --format csv
    work=$(total exposed_ns work_ns)
    # shellcheck disable=SC2086
    expect 0 "$program" skill run projection t.sqlite $scope -p limit=0 --format csv
    own=$(total span_ns own_work_ns)
    [ "$own" -le "$work" ] || fail "ranges own $own of $work $scope"
    for skill in idle breakdown launch bound concurrency copies sync layers graphs ceiling quality exposed; do
        # shellcheck disable=SC2086
        expect 0 "$program" skill run $skill t.sqlite $scope --format csv
        awk -F, -v what="$skill $scope" '
            NF == 0 { header = 1; next }
            NR == 1 || header { header = 0; for (i in share) delete share[i]
                for (i = 1; i <= NF; i++) if ($i ~ /_share$/) share[i] = $i; next }
            { for (i in share) if ($i > 100.05 || $i < -0.05) { print what, share[i], $i; bad = 1 } }
            END { exit bad }' out || fail "a share is no share"
    done
done

# Utilization never exceeds 100 % of a chunk; the sum over ops may, and is never less.
expect 0 "$program" skill run utilization t.sqlite --format csv
awk -F, 'NR > 1 && NF && ($5 > 100.05 || $6 + 0.05 < $5) { exit 1 }' out || fail "utilization"

# Findings are ordered by the time they stand for; information and "not assessable" come last. A trace without GPU work has findings too.
expect 0 "$program" skill run findings t.sqlite --format csv
awk -F, 'NF == 0 { exit } $2 ~ /^(high|medium|low)$/ && $NF == "" { print $3 }' out | sort -rnc 2>/dev/null ||
    fail "findings are out of order"
awk -F, 'NF == 0 { exit } { rank = $2 == "info" ? 2 : $2 == "not assessable" ? 3 : 1; if (NR > 1 && rank < last) exit 1; last = rank }' out ||
    fail "information comes before a fault"
expect 0 "$program" skill run findings t.sqlite --trim 10ms 11ms
expect 0 "$program" skill run findings t.sqlite --tables nvtx
prints 'not assessable'

# The screen lists the findings of the skill in the same order, including those that need columns that only the export has.
cp t.sqlite told.sqlite
sqlite3 told.sqlite "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER, text TEXT, globalPid INTEGER);
    INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 0, 1, 3, 'the buffer was full', 0);"
expect 0 "$program" skill run findings told.sqlite --format csv
column stands_for_ns finding >found
grep -q 'The profiler reports errors: 1' found || fail "the skill does not know of the error"
expect 0 "$program" render told.sqlite --size 400x120 -c findings
sed 's/^"//; s/: not assessable: /: /' found | cut -c1-40 | awk '
    NR == FNR { title[n++] = $0; next }
    i < n && index($0, title[i]) { i++ }
    END { if (i < n) print "not on the screen, or out of order: " title[i]; exit i < n || n < 3 }' - out ||
    fail "the screen does not list what the skill finds"

# A few bytes are shown as bytes, not as a rate of 0.00.
cp t.sqlite tiny.sqlite
sqlite3 tiny.sqlite "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start > (SELECT min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL); DELETE FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 1 WHERE copyKind = 2; UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 1000 * (end - start) WHERE copyKind = 1"
bytes=$(sqlite3 tiny.sqlite "SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 2 AND deviceId = 0")
expect 0 "$program" analyze tiny.sqlite
prints "device to host: $bytes B in "
prints ' at 1000.00 GB/s'

# With several exports the program does not read those columns, and says so.
"$program" generate --force --kernels 400 --seed 2 other.sqlite >/dev/null
expect 0 "$program" render t.sqlite other.sqlite --size 400x120 -c findings
prints 'Columns that only the export has'

finish
