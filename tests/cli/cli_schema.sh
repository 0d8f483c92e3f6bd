#!/bin/sh
# schema describes an export or the known exporter versions, as text, as data and as a page that runs no script.
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1
expect 0 "$program" generate --kernels 500 a.sqlite

# Without a file: tables by name, the versions that changed them, and what reads them.
expect 0 "$program" schema
prints "2021.5.2"
prints "CUPTI_ACTIVITY_KIND_KERNEL  on the GPU"
prints "+mangledName"
prints "read by: stream rows"
prints "  ~2021.3.3   no changes"
grep -q ' $' out && fail "$(grep -c ' $' out) lines with trailing blanks, the first: $(grep -m 1 ' $' out)"
[ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)" -le 200 ] || fail "a line of $(awk '{ if (length($0) > n) n = length($0) } END { print n }' out) bytes"
sed -n '/^Versions/,/^$/p' out >versions
[ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' versions)" -le 100 ] || fail "versions are no lines to read"
grep -q '^  2022.2.1  *schema 2.9.1  *tables first seen:$' versions || fail "no line of 2022.2.1: $(cat versions)"
for format in csv tsv json; do
    expect 0 "$program" schema --format $format
    prints CUPTI_ACTIVITY_KIND_KERNEL
done
expect 0 "$program" schema --format csv
grep -q '^CUPTI_ACTIVITY_KIND_KERNEL,mangledName,INTEGER,.*,string,StringIds.id,2021.5.2$' out || fail "mangledName does not say since when"

# With a file: rows, time spans, references, and queries.
expect 0 "$program" schema a.sqlite
prints "CUPTI_ACTIVITY_KIND_KERNEL  on the GPU, 500 rows"
prints "StringIds.id"
prints "Kernels by summed time"
grep -q ' $' out && fail "$(grep -c ' $' out) lines with trailing blanks, the first: $(grep -m 1 ' $' out)"
expect 0 "$program" schema a.sqlite --format json
cp out all.json
expect 0 "$program" sql a.sqlite "SELECT min(start), max(end) FROM CUPTI_ACTIVITY_KIND_KERNEL" --format csv
from=$(sed -n 2p out | cut -d, -f1)
to=$(sed -n 2p out | cut -d, -f2)
expect 0 "$program" schema a.sqlite --format csv
grep -q "^CUPTI_ACTIVITY_KIND_KERNEL,on the GPU,500,$from,$to," out || fail "the kernels are not 500 rows from $from to $to"

# Every printed query runs unchanged.
awk '/^title,sql$/ { on = 1; next } on && !NF { exit } on' out >queries
[ "$(wc -l <queries)" -gt 6 ] || fail "only $(wc -l <queries) queries"
"$program" schema a.sqlite | sed -n 's/^Query: //p' >queries
while read -r query; do
    expect 0 "$program" sql a.sqlite "$query"
done <queries

# Generic events: by the tables of types and fields of the export, or by its JSON; copies of GPU metrics count once.
if command -v sqlite3 >/dev/null; then
    rm -f generic.sqlite json.sqlite
    sqlite3 generic.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/generic_events.sql"
    expect 0 "$program" info generic.sqlite
    grep -q 'Not read' out && fail "generic events are not read: $(grep -A3 'Not read' out)"
    expect 0 "$program" sql generic.sqlite "SELECT name, start, tid FROM generic ORDER BY start" --format csv
    [ "$(sed 1d out | tr '\n' ' ')" = "NVML metrics,1000, NVML metrics,2000, sched:sched_switch,2500,2048 " ] || fail "generic events: $(cat out)"
    expect 0 "$program" render generic.sqlite --size 120x40 --keys "/ N V M L Enter Enter"
    prints "no process"
    prints "Power 61.5        Temperature 44"
    expect 0 "$program" render generic.sqlite --size 120x40 --keys "Down Down Space Down Tab"
    prints "prev_pid 77       bytes [bytes] 4.7 GiB (5000000000)"
    sqlite3 json.sqlite <<'SQL'
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE GENERIC_EVENT_SOURCES (sourceId INTEGER NOT NULL PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE GENERIC_EVENT_TYPES (typeId INTEGER NOT NULL PRIMARY KEY, sourceId INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE GENERIC_EVENTS (rawTimestamp INTEGER NOT NULL, timestamp INTEGER, typeId INTEGER NOT NULL, data TEXT NOT NULL);
INSERT INTO GENERIC_EVENT_SOURCES VALUES (7, '{"Name": "GpuMetrics"}');
INSERT INTO GENERIC_EVENT_TYPES VALUES (1, 7, '{"Name": "", "Fields": [{"Name": "SM Active"}]}'), (2, 7, '{"Name": "power"}');
INSERT INTO GENERIC_EVENTS VALUES (0, 10, 1, '{"SM Active": "93", "more": [1, {"a": 2}]}'), (0, 20, 2, 'no JSON'), (0, 30, 3, '[1]');
SQL
    expect 0 "$program" sql json.sqlite "SELECT group_concat(name, ', ') FROM generic"
    prints "GpuMetrics, power, event type 3"
    expect 0 "$program" render json.sqlite --size 120x40 --keys "/ G p u M Enter Enter"
    prints "SM Active 93"
    sqlite3 json.sqlite "CREATE TABLE GPU_METRICS (timestamp INTEGER NOT NULL, typeId INTEGER NOT NULL, metricId INTEGER NOT NULL, value INTEGER NOT NULL);
        CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER NOT NULL, metricId INTEGER NOT NULL, metricName TEXT NOT NULL);
        INSERT INTO TARGET_INFO_GPU_METRICS VALUES (1, 0, 'SM Active'); INSERT INTO GPU_METRICS VALUES (10, 1, 0, 93)"
    expect 0 "$program" sql json.sqlite "SELECT group_concat(name, ', ') FROM generic"
    prints "power, event type 3"
fi

# The page loads and runs nothing, and names of the file do not change its structure.
if command -v sqlite3 >/dev/null; then
    sqlite3 a.sqlite 'CREATE TABLE "</h3><script>alert(1)</script>"("<b>&""x" INTEGER); INSERT INTO "</h3><script>alert(1)</script>" VALUES(1)'
fi
expect 0 "$program" schema a.sqlite --html -o a.html
expect 2 "$program" schema a.sqlite --html -o a.html
expect 0 "$program" schema a.sqlite --html -o a.html --force
expect 0 "$program" schema --html -o all.html
for page in a.html all.html; do
    grep -q "default-src 'none'" $page || fail "$page may load"
    grep -qi '<script\|<iframe\|http://\|https://\| onclick' $page && fail "$page holds what runs or loads"
    [ "$(grep -o '<section' $page | wc -l)" = "$(grep -o '</section>' $page | wc -l)" ] || fail "$page: sections do not match"
    [ "$(grep -o '<table' $page | wc -l)" = "$(grep -o '</table>' $page | wc -l)" ] || fail "$page: tables do not match"
    grep -q '<path class="string"' $page || fail "$page draws no references"
done
command -v sqlite3 >/dev/null && { grep -q '&lt;script&gt;alert' a.html || fail "the hostile table is not named"; }
expect 3 "$program" schema none.sqlite
says "No such file"
expect 2 "$program" schema a.sqlite b.sqlite
finish
