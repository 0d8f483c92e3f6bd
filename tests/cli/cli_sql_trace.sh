#!/bin/sh
# sql asks the trace: the scope and several exports hold, an export's own tables still work, and the queries of docs/SQL.md run.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 1500 --layers 3 a.sqlite
expect 0 "$program" generate --force --kernels 900 --layers 3 --seed 5 b.sqlite

# ask WANTED QUERY FILE...: the query's single value.
ask() {
    wanted=$1
    query=$2
    shift 2
    expect 0 "$program" sql "$@" "$query" --format csv
    [ ! -s err ] || fail "$query: $(cat err)"
    [ "$(sed -n 2p out)" = "$wanted" ] || fail "$query gives $(sed -n 2p out), not $wanted"
}

# raw QUERY: the value of an export's own tables.
raw() {
    "$program" sql --raw a.sqlite "$1" --format csv | sed -n 2p
}

kernels=$(raw 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL')
ns=$(raw 'SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL')
ask "$kernels" 'SELECT count(*) FROM kernel' a.sqlite
ask "$ns" 'SELECT total(dur) FROM kernel' a.sqlite
ask "$ns" "SELECT total FROM totals('kernel', '')" a.sqlite
ask "$(raw 'SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY')" 'SELECT total(bytes) FROM copy' a.sqlite
ask "$(raw 'SELECT sum(gridX) FROM CUPTI_ACTIVITY_KIND_KERNEL')" 'SELECT total(grid_x) FROM kernel' a.sqlite
ask "$(raw 'SELECT sum(correlationId) FROM CUPTI_ACTIVITY_KIND_KERNEL')" 'SELECT total(correlation) FROM kernel' a.sqlite
ask "$(raw 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName WHERE s.value LIKE "%gemm%"')" \
    "SELECT count(*) FROM kernel WHERE contains(short, 'GEMM')" a.sqlite

# A synchronization has the place of its row, and the thread of its call.
waits='CUPTI_ACTIVITY_KIND_SYNCHRONIZATION'
at='(SELECT k.deviceId FROM CUPTI_ACTIVITY_KIND_KERNEL k WHERE k.globalPid = w.globalPid AND k.contextId = w.contextId LIMIT 1)'
ask "$(raw "SELECT count(*) || ' ' || sum(end - start) FROM $waits w WHERE $at = 1")" "SELECT count(*) || ' ' || total(dur) FROM sync WHERE gpu = 1" a.sqlite
ask "$(raw "SELECT count(*) FROM $waits w WHERE $at = 1")" "SELECT count(*) FROM event WHERE kind = 'sync' AND gpu = 1" a.sqlite
ask "$(raw "SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM $waits w GROUP BY $at, contextId, nullif(streamId, 4294967295) ORDER BY 1)")" \
    "SELECT group_concat(count, ' ') FROM (SELECT count FROM totals('sync', 'gpu context stream') WHERE gpu IS NOT NULL ORDER BY 1)" a.sqlite
ask "$(raw "SELECT count(*) || ' ' || sum(r.end) FROM $waits s JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) WHERE r.globalTid >> 24 = s.globalPid >> 24")" \
    "SELECT count(*) || ' ' || total(s.call_end) FROM sync s JOIN call c ON c.id = s.call AND c.tid = s.tid AND c.pid = s.pid" a.sqlite
ask "$(raw 'SELECT count(*) || sum(returnValue) FROM CUPTI_ACTIVITY_KIND_RUNTIME')" 'SELECT count(*) || total(return_value) FROM call' a.sqlite
ask 'NCCL' "SELECT domain_name FROM nvtx WHERE domain > 0 LIMIT 1" a.sqlite
ask 1 "SELECT count(*) = sum(domain_name = 'default') FROM nvtx WHERE domain = 0" a.sqlite

# The scope holds: a filter, a device, a window.
ask "$(raw 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE deviceId = 1')" 'SELECT count(*) FROM kernel' a.sqlite --gpu 1
ask "$(raw 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE end - start > 50000')" 'SELECT count(*) FROM kernel' a.sqlite --filter 'dur>50us'
ask "$(raw 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start < 3000000 AND end > 2000000')" 'SELECT count(*) FROM kernel' a.sqlite \
    --trim 2ms 3ms
ask "$(raw 'SELECT sum(min(end, 3000000) - max(start, 2000000)) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start < 3000000 AND end > 2000000')" \
    'SELECT total(clip_dur) FROM kernel' a.sqlite --trim 2ms 3ms

# Several exports are one set of tables; columns beside the index come from each.
sum=$((kernels + $("$program" sql --raw b.sqlite 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL' --format csv | sed -n 2p)))
ask "$sum" 'SELECT count(grid_x) FROM kernel' a.sqlite b.sqlite
ask 2 'SELECT count(DISTINCT rank) FROM kernel' a.sqlite b.sqlite
ask "$kernels" 'SELECT count(*) FROM kernel WHERE export = 0' a.sqlite b.sqlite

# The table of a skill has a row for each row that the command has of each export, with its rank.
cat >same_rows.py <<'END'
"""Whether two tables of CSV have the same cells: numbers as far as the first one writes them."""
import csv, sys

def is_same(a, b):
    if a == b:
        return True
    if a in ("true", "false"):
        return b == str(int(a == "true"))
    try:
        return abs(float(a) - float(b)) <= 0.5001 * 10 ** -len(a.partition(".")[2])
    except ValueError:
        return False

a, b = (list(csv.reader(open(path))) for path in sys.argv[1:3])
a = a[: a.index([])] if [] in a else a
if [len(row) for row in a] != [len(row) for row in b] or not all(map(is_same, sum(a, []), sum(b, []))):
    sys.exit(1)
END
expect 0 "$program" skill list --format tsv
cut -f1,3 out | sed 1d >skills
asked=
while IFS="$(printf '\t')" read -r skill params; do
    case $params in *limit*) all='-p limit=0' ;; *) all='' ;; esac
    # shellcheck disable=SC2086
    "$program" skill run "$skill" $all a.sqlite b.sqlite --limit 0 --format csv >command.csv 2>err || continue # needs other events
    [ "$skill" != schema_inspect ] || continue                                                             # of the export's own tables
    expect 0 "$program" sql a.sqlite b.sqlite "SELECT * FROM skill_$skill" --limit 0 --format csv
    sed 's/^[^,]*,//' out >answer.csv # without the column export
    python3 same_rows.py command.csv answer.csv || fail "skill_$skill of two exports is not what skill run $skill gives"
    asked="$asked $skill"
done <skills
[ "$(echo "$asked" | wc -w)" -ge 30 ] || fail "only these skills were asked: $asked"
ask '2 4' "SELECT count(DISTINCT rank) || ' ' || count(*) FROM device" a.sqlite b.sqlite
ask '' 'SELECT max(rank) FROM device' a.sqlite
for table in gap sweep 'time_bin(3)' sync_cost device stream_use skill_breakdown; do
    ask '2 1' "SELECT count(DISTINCT export) || ' ' || (min(export) || max(export) = '01' AND count(DISTINCT export || rank) = 2) FROM $table" a.sqlite b.sqlite
    ask '1 0' "SELECT count(DISTINCT export) || ' ' || max(export) FROM $table" a.sqlite
done

# Iterations of a process meet its events, of several exports too.
for files in a.sqlite 'a.sqlite b.sqlite'; do
    # shellcheck disable=SC2086
    ask '1 1' "SELECT ((SELECT count(iteration) FROM kernel) = count(*)) || ' ' || (count(DISTINCT i.process) = count(DISTINCT i.export || i.pid))
        FROM kernel k JOIN iteration i ON i.process = k.process AND i.iteration = k.iteration AND i.pid = k.pid AND i.export = k.export" $files
    # shellcheck disable=SC2086
    ask '0' "SELECT count(*) FROM iteration WHERE clock NOT IN ('GPU', 'host') OR (clock = 'GPU' AND start NOT IN (SELECT start FROM op))" $files
done

# What only the export has still works, and a line says so; --raw is silent.
expect 0 "$program" sql a.sqlite 'SELECT count(*) FROM StringIds'
says "the export's own tables"
expect 0 "$program" sql a.sqlite "SELECT name FROM sqlite_master WHERE name = 'StringIds'"
says "the export's own tables"
expect 0 "$program" sql --raw a.sqlite 'SELECT count(*) FROM StringIds'
[ ! -s err ] || fail "--raw says $(cat err)"
for refused in "--raw b.sqlite" "--raw --trim 1ms 2ms" "--raw --filter kind:kernel"; do
    # shellcheck disable=SC2086
    expect 2 "$program" sql a.sqlite $refused 'SELECT 1'
done
expect 2 "$program" sql a.sqlite b.sqlite 'SELECT count(*) FROM StringIds'
says 'no such table: StringIds'

# A mistake has its place, and needs no export.
expect 2 "$program" sql a.sqlite 'SELECT nmae FROM kernel'
says 'no such column: nmae, at column 8; the nearest: name'
expect 2 "$program" sql a.sqlite 'SELECT * FROM kernal'
says 'no such table: kernal, at column 15; the nearest: kernel'
expect 2 "$program" sql a.sqlite 'SELECT k.strat FROM kernel k'
says 'no such column: k.strat, at column 8; the nearest: start'
expect 2 "$program" sql a.sqlite 'SELECT medain(dur) FROM kernel'
says 'no such function: medain, at column 8; the nearest: median'
expect 2 "$program" sql a.sqlite --raw 'SELECT valu FROM StringIds'
says 'no such column: valu, at column 8; the nearest: value'
expect 2 "$program" sql a.sqlite --raw 'SELECT * FROM StringId'
says 'no such table: StringId, at column 15; the nearest: StringIds'
for one in critical_path skill_iteration_detail; do
    expect 2 "$program" sql a.sqlite "SELECT * FROM $one(99)"
    says "$one: iteration=99: there are"
done
expect 2 "$program" sql a.sqlite "SELECT * FROM totals(by='x')"
says "no such column: by, at column 22; the nearest: arg_by; arguments stand by place: totals('kernel', 'gpu')"
expect 2 "$program" sql a.sqlite 'SELECT * FROM gap(leas=3)'
says 'the nearest: arg_least; arguments stand by place'
for one in "skill_search(name='a')" "totals(arg_by='x')"; do # an expression about the table itself
    expect 2 "$program" sql a.sqlite "SELECT count(*) FROM $one"
    says 'arguments stand by place'
done
expect 2 "$program" sql a.sqlite "SELECT * FROM totals('kernel', 'nmae')"
says 'by: nmae is no column that groups these events; the nearest: name'
expect 2 "$program" sql a.sqlite "SELECT * FROM totals('kernel cpoy')"
says 'kinds: cpoy is no table of events; the nearest: copy'
expect 2 "$program" sql a.sqlite "SELECT * FROM totals('kernel', 'name', 'duration')"
says 'value: duration is no column that can be measured; the nearest: dur'
for one in iteration skill_iteration_stats; do
    expect 2 "$program" sql a.sqlite "SELECT * FROM $one('nope')"
    says "$one: marker=nope: no NVTX range repeats with a name like that; "
done
expect 2 "$program" sql a.sqlite "SELECT * FROM critical_path WHERE arg_marker = 'nope'"
says 'critical_path: marker=nope: no NVTX range repeats'
expect 2 "$program" sql a.sqlite "SELECT * FROM skill_search('x', NULL, 'kernl')"
says 'type=kernl: no such value; kernel, nvtx'
expect 2 "$program" sql a.sqlite 'DELETE FROM kernel'
says 'may not be modified'
expect 2 "$program" sql a.sqlite 'SELECT count(*) FROM kernel WHERE family = "gemm"' # else a text, or a column misspelt
says "no such column: gemm, at column 44; the nearest: comm; a text is in 'single quotes'"
# mistaken QUERY WORDS: the message says what to do.
mistaken() {
    expect 2 "$program" sql a.sqlite "$1"
    says "$2"
}
for one in api:call:api memcpy:copy:copy runtime:call:api osrt:os_call:os sched:event:sched; do
    word=${one%%:*}
    of=${one#*:}
    mistaken "SELECT * FROM $word" "no such table: $word, at column 15; such events are in table ${of%:*}, of kind '${of#*:}'"
done
mistaken "SELECT * FROM totals('openmp')" "openmp is no table of events; such events are in table event, of kind 'openmp'"
mistaken 'SELECT path FROM nvtx' 'no such column: path, at column 8; a column of name, range, skill_captured'
mistaken 'SELECT name FROM counter' 'no such column: name, at column 8; a column of around, call, copy'
mistaken 'SELECT tid FROM kernel' 'a column of call, event, fault; the nearest: call_tid'
mistaken 'SELECT * FROM kernel k JOIN StringIds s' "no such table: StringIds, at column 29; nsyscope schema --trace has the names; a query asks these tables or the export's own (--raw)"
mistaken 'SELECT * FROM StringIds s, kernel' "a query asks these tables or the export's own (--raw)"
mistaken 'SELECT * FROM kernel, nowhere' 'no such table: nowhere, at column 23; nsyscope schema --trace has the names'
mistaken 'PRAGMA table_info(kernel)' 'this pragma is refused; nsyscope schema --trace has the names'
mistaken "SELECT * FROM pragma_table_info('kernel')" 'nsyscope schema --trace has the names'
mistaken 'SELECT meadian(dur) FROM kernel' 'at column 8; the nearest: median, radians, mean'
mistaken 'SELECT * FROM kernels' 'at column 15; the nearest: skill_top_kernels, kernel'
mistaken 'SELECT durr FROM kernel' 'no such column: durr, at column 8; the nearest: dur'
for one in 'SELECT meadian(dur) FROM kernel' 'SELECT durr FROM kernel' 'DELETE FROM kernel'; do
    expect 2 "$program" sql a.sqlite "$one"
    grep -q -- --raw err && fail "$one: nothing of the export is named: $(cat err)"
done
mistaken 'SELECT * FROM around' 'around: id: a whole number from 0 to'
mistaken ' ' 'give a query: SELECT columns FROM table'
mistaken 'SELECT short
FROM kernel
GRUOP BY short' 'near "BY": syntax error, at line 3, column 7'
expect 0 "$program" sql a.sqlite 'SELECT * FROM skill_region_mfu'
prints 'skill_region_mfu: Give the range and its operations'
ask 2 "SELECT count(*) FROM (SELECT id FROM kernel LIMIT 1), json_each('[4, 5]')" a.sqlite
expect 0 "$program" sql a.sqlite "SELECT name FROM pragma_table_info('StringIds')"
prints value
expect 2 "$program" sql a.sqlite 'SELECT * FROM time_bin(1000001)'
says 'n: a whole number from 1 to 1000000, not 1000001'

# A row of JSON has no name twice.
expect 0 "$program" sql a.sqlite 'SELECT c.dur, k.dur, c.name FROM kernel k JOIN call c ON c.id = k.call LIMIT 1' --format json
prints '"dur": '
prints '"dur_2": '
[ "$(grep -c '"dur": ' out)" -eq 1 ] || fail 'two columns are called dur'

expect 0 "$program" schema --trace --format csv
prints 'kernel,,'
prints 'totals,'
prints 'clip_dur,ns,'

# The document names every column of events.
"$program" schema --trace --format tsv | awk -F'\t' '$4 != "" && $1 == "totals" { exit } $4 != "" && $1 != "tables" { print $2 }' >columns
[ "$(wc -l <columns)" -ge 50 ] || fail "$(wc -l <columns) columns"
while read -r column; do
    grep -q "^| \`.*\b$column\b" "$NSC_TEST_SOURCE/docs/SQL.md" || fail "docs/SQL.md has no column $column"
done <columns

# The queries of the document, with one export, with several, and with exports of every shape.
awk '/^```sql$/ { inside = 1; next } /^```$/ { if (inside) print "#end"; inside = 0 } inside' "$NSC_TEST_SOURCE/docs/SQL.md" |
    awk -v RS='#end\n' 'NF { gsub(/\n/, " "); print }' >queries
[ "$(wc -l <queries)" -ge 20 ] || fail "$(wc -l <queries) queries in docs/SQL.md"
for shape in pytorch-texts hpc graphs; do
    "$NSC_MAKE_EXPORT" $shape 300 $shape.sqlite || fail "cannot make $shape"
done
rm -f two_streams.sqlite mpi.sqlite
[ -z "$(command -v sqlite3)" ] || sqlite3 two_streams.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql" || fail "no two_streams"
if [ -e two_streams.sqlite ]; then
    sqlite3 mpi.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/every_report.sql" || fail "no mpi"
    ask "$(sqlite3 mpi.sqlite "SELECT count(*) || ' ' || sum(tag) || ' ' || sum(remoteRank) || ' ' || sum(size) FROM MPI_P2P_EVENTS")" \
        "SELECT count(peer) || ' ' || total(tag) || ' ' || total(peer) || ' ' || total(bytes) FROM mpi" mpi.sqlite
    cp a.sqlite zero.sqlite && sqlite3 zero.sqlite "UPDATE $waits SET deviceId = 0" || fail "no zero"
    ask "$(raw "SELECT count(*) FROM $waits w WHERE $at = 1")" "SELECT count(*) FROM sync WHERE gpu = 1" zero.sqlite
fi
while read -r query; do
    expect 0 "$program" sql a.sqlite "$query" --format csv
    [ ! -s err ] || fail "$query: $(cat err)"
    [ "$(wc -l <out)" -ge 2 ] || fail "no row: $query"
    expect 0 "$program" sql a.sqlite b.sqlite "$query" --format json
    for file in pytorch-texts.sqlite hpc.sqlite graphs.sqlite two_streams.sqlite; do
        [ ! -e $file ] || expect 0 "$program" sql $file "$query" --format csv
    done
done <queries

# The pane asks of the filter and the range.
span="SELECT count(*) || iif(max(clip_end) - min(clip_start) < 5000000, ' in a part', ' in all') AS kernels FROM kernel"
expect 0 "$program" sql a.sqlite "$span" --filter 'dur>20us' --format csv
wanted=$(sed -n 2p out)
expect 0 "$program" render a.sqlite --size 160x40 --command 'filter dur>20us' --command "sql $span"
grep -q 'of the filter: dur>20us  SELECT' out && grep -q " $wanted" out || fail "not $wanted of the filter: $(grep -A2 SELECT out)"
expect 0 "$program" render a.sqlite --size 160x40 --command next-event --command range-event --command "sql $span"
grep -q 'of the range  SELECT' out && grep -q ' in a part' out || fail "not of the range: $(grep -A2 SELECT out)"
# An answer of the trace is one of all exports: the pane names none.
expect 0 "$program" render a.sqlite b.sqlite --size 160x40 --command 'sql SELECT count(*) AS n FROM kernel'
grep -q 'row in .*s  SELECT' out || fail "the pane names an export: $(grep SELECT out)"
expect 0 "$program" render a.sqlite b.sqlite --size 160x40 --command 'sql SELECT count(*) AS n FROM CUPTI_ACTIVITY_KIND_KERNEL'
grep -q 'row in .*s  0: a  SELECT' out || fail "the pane does not name the export: $(grep SELECT out)"
finish
