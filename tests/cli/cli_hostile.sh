#!/bin/sh
# Hostile databases: views, virtual and generated tables, values of every type, limits of 64 bits, broken texts, and very many
# items. Counts are exact, both readers agree, the screen gets only text, and time and memory stay small.
# promises: A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A14 A15 A16 A17 A18 A19 A21 A22 B1 B8 B18 F8 F9
. "$(dirname "$0")/lib.sh"
fixtures=$NSC_TEST_SOURCE/tests/fixtures

rm -rf files && mkdir files
make() { # NAME SQL...: two_streams.sql, then these, in files/NAME.sqlite
    name=$1
    shift
    cat "$fixtures/two_streams.sql" "$@" | sqlite3 "files/$name.sqlite" || fail "cannot make $name"
}

# counts NAME TABLE: prints the row counts of the table from info.
counts() {
    sqlite3 -separator ' ' :memory: "SELECT json_extract(t, '\$.rows'), json_extract(t, '\$.events'), json_extract(t, '\$.skipped_type'),
      json_extract(t, '\$.skipped_overflow'), json_extract(t, '\$.skipped_negative'), json_extract(t, '\$.skipped_duplicate'),
      json_extract(t, '\$.skipped_kind'), json_extract(t, '\$.missing_names')
      FROM (SELECT value t FROM json_each(readfile('$1.json'), '\$.sheets[2].rows')) WHERE json_extract(t, '\$.name') = '$2'"
}

# table NAME TABLE "rows events type overflow negative duplicate kind missing": expects these counts.
table() {
    got=$(counts "$1" "$2")
    [ "$got" = "$3" ] || fail "$1: $2: $got, not $3"
}

status() { # NAME TABLE STATUS
    got=$(sqlite3 :memory: "SELECT json_extract(value, '\$.status') FROM json_each(readfile('$1.json'), '\$.sheets[2].rows')
      WHERE json_extract(value, '\$.name') = '$2'")
    [ "$got" = "$3" ] || fail "$1: $2: '$got', not '$3'"
}

# is_text FILE WHAT: the output has no control characters, invalid UTF-8 or invisible characters.
is_text() {
    tr -d '\n' <"$1" | LC_ALL=C grep -q '[[:cntrl:]]' && fail "$2: a control character"
    iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || fail "$2: invalid UTF-8"
    LC_ALL=C grep -qE "$(printf '\302[\200-\237]|\342\200[\213-\217\252-\256]|\342\201[\246-\251]|\357\273\277')" "$1" &&
        fail "$2: an invisible character"
}

# Prints the facts of an export on which both readers must agree.
facts() {
    sed -e '/"reader":/d' -e '/"fallback":/d' -e '/bytes":/d' -e '/"identity":/d' -e '/"path":/d' "$1"
}

# Prints the sums of each lane, as one column.
lanes() { # FILE OPTION...
    lane=0
    while [ $lane -lt 40 ] && timeout 20 "$program" bins "$@" --lane $lane --columns 1 >lane.csv 2>err; do
        tail -n 1 lane.csv
        lane=$((lane + 1))
    done
}

check() { # NAME: opens by pages and by SQLite, in 1 GiB, and shows screens
    before=$(ls -lA files)
    expect 0 "$program" info --json --lanes "files/$1.sqlite"
    cp out "$1.json"
    is_text out "info of $1"
    expect 0 "$program" info --json --lanes --no-pages "files/$1.sqlite"
    facts out >plain.json
    facts "$1.json" | cmp -s - plain.json || { fail "$1: the readers differ"; facts "$1.json" | diff - plain.json | head -5; }
    lanes "files/$1.sqlite" >by_pages
    lanes "files/$1.sqlite" --no-pages >by_sqlite
    cmp -s by_pages by_sqlite || { fail "$1: the lanes differ"; diff by_pages by_sqlite | head -5; }
    for size in 80x24 200x60 40x10 1x1; do
        for keys in 'Tab' 'Tab Tab Enter + + + + + + +' 'j j j Enter i z' '( ) d L Shift+Tab' '+ + + + + + + + + + + + + + + + + + + + + + + End f > <'; do
            expect 0 "$program" render "files/$1.sqlite" --size $size --keys "$keys"
            is_text out "$1 at $size after $keys"
        done
    done
    for format in ansi svg html; do
        expect 0 "$program" render "files/$1.sqlite" --format $format --keys 'Tab Enter'
        LC_ALL=C grep -qE "$(printf '\033[^[]|\302[\200-\237]|\007|\010|\342\200[\252-\256]')" out && fail "$1: $format holds a control"
    done
    [ "$before" = "$(ls -lA files)" ] || fail "$1: the folder changed"
}

# ---- things that are no plain tables, and odd columns
make schema "$fixtures/hostile_schema.sql"
check schema
status schema NVTX_EVENTS "ignored: view"
status schema OSRT_API "ignored: view"
status schema CUDNN_EVENTS "ignored: view"
status schema CUPTI_ACTIVITY_KIND_MEMSET "ignored: generated column end"
status schema MPI_OTHER_EVENTS "ignored: columns hide the row id"
status schema MPI_COLLECTIVES_EVENTS "ignored: table without row ids"
table schema CUPTI_ACTIVITY_KIND_KERNEL "40 40 0 0 0 0 0 0"
table schema CUPTI_ACTIVITY_KIND_SYNCHRONIZATION "2 2 0 0 0 0 0 0"
table schema MPI_P2P_EVENTS "2 2 0 0 0 0 0 0"
table schema MPI_START_WAIT_EVENTS "2 2 0 0 0 0 0 0"
table schema OPENMP_EVENT_KIND_TASK "2 0 2 0 0 0 0 0"
table schema OPENMP_EVENT_KIND_PARALLEL "3 3 0 0 0 0 0 0"
table schema OPENMP_EVENT_KIND_FLUSH "1 1 0 0 0 0 0 0"

# Virtual tables, if this sqlite3 can make them.
if sqlite3 :memory: "CREATE VIRTUAL TABLE t USING fts5(a); CREATE VIRTUAL TABLE r USING rtree(i, a, b); CREATE VIRTUAL TABLE d USING dbstat" 2>/dev/null; then
    make virtual && sqlite3 files/virtual.sqlite "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL
      USING fts5(start, \"end\", deviceId, streamId); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7);
      CREATE VIRTUAL TABLE OSRT_API USING rtree(id, start, \"end\"); CREATE VIRTUAL TABLE CUDNN_EVENTS USING dbstat"
    check virtual
    for name in CUPTI_ACTIVITY_KIND_KERNEL OSRT_API CUDNN_EVENTS; do status virtual $name "ignored: virtual table"; done
else
    echo "SKIPPED: this sqlite3 makes no virtual tables"
fi

# Tables that the program does not read: too wide, too deep, too many, a long name.
{
    awk 'BEGIN { printf "CREATE TABLE wide (c0"; for (i = 1; i < 2000; i++) printf ", c%d", i; print ");" }'
    awk 'BEGIN { printf "CREATE TABLE deep (a CHECK ("; for (i = 0; i < 60; i++) printf "("; printf "a"; for (i = 0; i < 60; i++) printf ")"; print "));" }'
    awk -v n="${NSC_LONG:+50000}" 'BEGIN { for (i = 0; i < (n ? n : 5000); i++) printf "CREATE TABLE t%d (a);\n", i }'
    awk 'BEGIN { printf "CREATE TABLE \""; for (i = 0; i < 100000; i++) printf "long name "; print "\" (a);" }'
} >tables.sql
{ echo "BEGIN;"; cat "$fixtures/two_streams.sql" tables.sql; echo "COMMIT;"; } | sqlite3 files/tables.sqlite
check tables
table tables CUPTI_ACTIVITY_KIND_KERNEL "40 40 0 0 0 0 0 0"

# An unreadable schema: the message names the entry, without its escapes.
make broken && sqlite3 files/broken.sqlite "CREATE TABLE t (a); PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = 'CREATE TABLE ' || char(27) || ']0;x' || char(7) || '(' WHERE name = 't'"
expect 4 "$program" info files/broken.sqlite
says "malformed database schema (t)"
tr -d '\n' <err | LC_ALL=C grep -q '[[:cntrl:]]' && fail "an escape of the schema reached stderr"

# ---- values
make values "$fixtures/hostile_values.sql"
check values
int="typeof(start) = 'integer' AND typeof(end) = 'integer' AND typeof(deviceId) = 'integer' AND typeof(streamId) = 'integer'
  AND typeof(contextId) IN ('integer', 'null') AND typeof(correlationId) IN ('integer', 'null') AND typeof(globalPid) IN ('integer', 'null')
  AND typeof(copyKind) IN ('integer', 'null')"
good=$(sqlite3 files/values.sqlite "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE $int")
all=$(sqlite3 files/values.sqlite "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY")
table values CUPTI_ACTIVITY_KIND_MEMCPY "$all $good $((all - good)) 0 0 0 0 0"
table values CUPTI_ACTIVITY_KIND_MEMSET "16 8 0 5 3 0 0 0"
table values CUPTI_ACTIVITY_KIND_RUNTIME "69 69 0 0 0 0 0 13"
table values SCHED_EVENTS "6 0 4 1 0 0 0 0"
table values NVTX_EVENTS "105 42 60 1 1 0 1 0"
table values CUDA_GPU_MEMORY_USAGE_EVENTS "43 15 26 0 1 0 1 0"

# Sums past 64 bits never become negative.
make sums && sqlite3 files/sums.sqlite "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
  INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT i, 4611686018427387904 + i, 0, 1, NULL, 7, 0, 111 << 24, 1, 1, 1, 2 FROM n"
check sums
expect 0 "$program" bins files/sums.sqlite --device 0 --columns 3
awk -F, 'NR > 1 && ($3 < 0 || $4 < 0 || $6 < 0) { exit 1 }' out || { fail "a total is negative"; cat out; }

# ---- texts
make texts "$fixtures/hostile_texts.sql"
check texts
table texts CUPTI_ACTIVITY_KIND_KERNEL "40 40 0 0 0 0 0 9"
table texts CUPTI_ACTIVITY_KIND_RUNTIME "42 42 0 0 0 0 0 21"
table texts NVTX_EVENTS "84 24 0 0 0 0 0 3"
expect 0 "$program" render files/texts.sqlite --size 200x60 --keys ') Tab Tab Enter'
prints "compute"
[ "$(sqlite3 :memory: "SELECT count(*) FROM json_each(readfile('texts.json'), '\$.sheets[3].rows') WHERE json_extract(value, '\$.track') LIKE 'NVTX%'")" -gt 3 ] || fail "NVTX rows are missing"

# An export in UTF-16 gives the same figures.
for encoding in UTF-16le UTF-16be; do
    { echo "PRAGMA encoding = '$encoding';"; cat "$fixtures/two_streams.sql"; } | sqlite3 files/wide.sqlite
    check wide
    make narrow
    check narrow
    facts narrow.json | grep -v '"file"' >narrow.facts
    facts wide.json | grep -v '"file"' | cmp -s narrow.facts - || fail "$encoding differs from UTF-8"
    rm -f files/wide.sqlite files/narrow.sqlite
done

# Long texts: the row counts, its name is cut, and memory stays small.
make long && sqlite3 files/long.sqlite "INSERT INTO StringIds VALUES (50, hex(zeroblob(10000000))), (51, 'after');
  UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 50, shortName = 51 WHERE rowid = 1;
  INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES (1000000, 1500000, 59, hex(zeroblob(20000000)), (111 << 24) | 111, 0);
  INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES (1000000, 1500000, 59, CAST(zeroblob(70000000) AS TEXT), (111 << 24) | 111, 0)"
check long
table long NVTX_EVENTS "6 6 0 0 0 0 0 0"
peak=$(sqlite3 :memory: "SELECT json_extract(readfile('long.json'), '\$.peak_bytes')")
[ "${peak:-0}" -lt 300000000 ] || fail "long texts took $peak bytes"

# ---- very many
make many "$fixtures/hostile_many.sql"
check many
table many CUPTI_ACTIVITY_KIND_MEMCPY "23006 23006 0 0 0 0 0 0"
table many CUPTI_ACTIVITY_KIND_SYNCHRONIZATION "3 3 0 0 0 0 0 0"
table many NVTX_EVENTS "55004 55004 0 0 0 0 0 0"
peak=$(sqlite3 :memory: "SELECT json_extract(readfile('many.json'), '\$.peak_bytes')")
[ "${peak:-0}" -lt 300000000 ] || fail "many things took $peak bytes"
# Each stream of a device is listed once, even if two processes use its number.
cat >again.sql <<'END'
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT start, end, deviceId, contextId, greenContextId, streamId, correlationId, 222 << 24, 1, 1, 1, 2
FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE streamId % 7 = 3;
END
make again "$fixtures/hostile_many.sql" again.sql
expect 0 "$program" info --json files/again.sqlite
cp out again.json
sqlite3 files/again.sqlite "SELECT DISTINCT deviceId, streamId FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE deviceId >= 0
  UNION SELECT deviceId, streamId FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY 1, 2" >want
sqlite3 :memory: "SELECT json_extract(d.value, '\$.device'), s.value FROM json_each(readfile('again.json'), '\$.sheets[1].rows') d,
  json_each('[' || replace(json_extract(d.value, '\$.streams'), ' ', ',') || ']') s
  WHERE json_extract(d.value, '\$.device') >= 0 ORDER BY 1, 2" >got
[ -s want ] && cmp -s want got || { fail "the streams of the devices differ"; diff want got | head -5; }
(ulimit -s 256 && timeout 60 "$program" render files/many.sqlite --keys 'Tab Enter' >/dev/null 2>err) || { fail "not with 256 KiB of stack"; cat err; }
expect 0 "$program" render files/many.sqlite --tables nvtx --size 120x400 --keys ')'
prints "deeper"

finish
