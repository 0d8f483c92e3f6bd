#!/bin/sh
# Exports whose tables have other names give the figures of the original, and info names the tables that it read instead.
# promises: A27
. "$(dirname "$0")/lib.sh"

command -v sqlite3 >/dev/null || { echo "no sqlite3: skipped"; exit 77; }
rm -rf work && mkdir work && cd work || exit 1
expect 0 "$program" generate --kernels 1500 --layers 3 original.sqlite

# copy NUMBER FROM TO...: makes a copy in which each table FROM is called TO.
copy() {
    file=copy$1.sqlite
    cp original.sqlite "$file"
    shift
    while [ $# -gt 1 ]; do
        sqlite3 "$file" "ALTER TABLE \"$1\" RENAME TO \"$2\"" || fail "$1 cannot be renamed"
        shift 2
    done
}
cupti=CUPTI_ACTIVITY_KIND
copy 1 ${cupti}_KERNEL ${cupti}_CONCURRENT_KERNEL
copy 2 ${cupti}_KERNEL ${cupti}_KERNEL_V3 ${cupti}_MEMCPY ${cupti}_MEMCPY_V2 ${cupti}_RUNTIME ${cupti}_RUNTIME_V2 NVTX_EVENTS NVTX_EVENTS_V2
copy 3 ${cupti}_RUNTIME ${cupti}_DRIVER
copy 4 StringIds Names
copy 5 StringIds string_table ${cupti}_KERNEL cupti_activity_kind_concurrent_kernel_v4 ${cupti}_RUNTIME ${cupti}_DRIVER_V2 ThreadNames ThreadNames_V2

# figures FILE: prints the answers of many commands, always under the same file name.
figures() {
    rm -rf r && cp "$1" x.sqlite
    for command in summary overlap nccl iters tree analyze 'skill run nvtx_kernel_map' 'skill run copies' 'stats -r cuda_gpu_kern_sum,cuda_api_sum,nvtx_sum,cuda_gpu_mem_time_sum' 'search x.sqlite gemm'; do
        case $command in search*) "$program" $command --format csv ;; *) "$program" $command x.sqlite --format csv ;; esac
    done
    "$program" export x.sqlite --to csv
    "$program" render x.sqlite --size 120x40 --keys 'Tab Tab Enter'
    "$program" report x.sqlite --out r >/dev/null && cat r/tables/*.csv
}
figures original.sqlite >expected 2>errors
[ "$(wc -l <expected)" -gt 2000 ] || fail "the original gives $(wc -l <expected) lines: $(cat errors)"
for i in 1 2 3 4 5; do
    figures copy$i.sqlite >figures 2>>errors
    cmp -s figures expected || fail "copy $i differs: $(diff figures expected | head -3)"
done

expect 0 "$program" info copy5.sqlite
prints "string_table is read in its place"
prints "cupti_activity_kind_concurrent_kernel_v4 is read in its place"
grep -q "  kernels  " out && fail "info says that kernels are missing"
expect 0 "$program" info original.sqlite
grep -q "in its place" out && fail "info sees another name in the original"

# The highest version that has rows is read; the others are listed as not read.
cp original.sqlite both.sqlite
sqlite3 both.sqlite "CREATE TABLE ${cupti}_KERNEL_V2 AS SELECT * FROM ${cupti}_KERNEL LIMIT 7; CREATE TABLE ${cupti}_MEMCPY_V2 AS SELECT * FROM ${cupti}_MEMCPY LIMIT 0"
expect 0 "$program" bins both.sqlite --device 0 --columns 1 --filter kind:kernel
expect 0 "$program" info both.sqlite
prints "${cupti}_KERNEL_V2 is read in its place"
sed -n '/^Not read/,/^$/p' out | grep -q "^${cupti}_KERNEL  *1 500  " || fail "the older kernels are not listed as not read"
grep -q "${cupti}_MEMCPY_V2" out && fail "an empty table takes the place of one with rows"

# Every table with rows that nothing reads is listed; empty tables and tables that the program reads are not.
cp original.sqlite unread.sqlite
sqlite3 unread.sqlite "CREATE TABLE Mine(a); INSERT INTO Mine VALUES(1), (2), (3); CREATE TABLE Empty(a); CREATE TABLE META_DATA_CAPTURE(name TEXT, value TEXT); INSERT INTO META_DATA_CAPTURE VALUES('a', 'b')"
expect 0 "$program" info unread.sqlite
sed -n '/^Not read/,/^$/p' out >unread
grep -q '^Mine  *3 ' unread || fail "Mine is not listed"
grep -q '^META_DATA_CAPTURE  *1  .*command line' unread || fail "META_DATA_CAPTURE is not listed"
[ "$(sed 1d unread | grep -c .)" = 2 ] || fail "listed as not read: $(cat unread)"
expect 0 "$program" info unread.sqlite --json
tr -d ' \n' <out | grep -qF '"name":"META_DATA_CAPTURE","status":"unread",' || fail "--json does not list it"

# A schema newer than the known ones is said in one line, with its tables that are not known; an answer reads what is not listed.
cp original.sqlite newer.sqlite
sqlite3 newer.sqlite "UPDATE META_DATA_EXPORT SET value = '3.31.0' WHERE name = 'EXPORT_SCHEMA_VERSION'; CREATE TABLE NEW_EVENTS(a); INSERT INTO NEW_EVENTS VALUES(1);
    CREATE TABLE MPI_RANKS(globalTid INTEGER, rank INTEGER); INSERT INTO MPI_RANKS VALUES(1, 0)"
for command in summary info; do
    expect 0 "$program" $command newer.sqlite
    says "warning: schema 3.31.0 is newer than 3.28; not read: tables NEW_EVENTS; new columns"
done
grep -q '^MPI_RANKS' out && fail "MPI_RANKS is listed as not read"
expect 0 "$program" summary original.sqlite
[ ! -s err ] || fail "a known schema: $(cat err)"

# A fact that one table gives is not reported as missing because another table is absent.
expect 0 "$program" info original.sqlite
[ "$(grep -c 'version of the exporter' out)" = 0 ] || fail "the version is told, and said not to be"
[ "$(grep -c 'default streams' out)" -le 1 ] || fail "default streams are listed twice"

# An SQLite file of another program is not taken for an export.
sqlite3 other.sqlite "CREATE TABLE Names(id INTEGER, value TEXT); INSERT INTO Names VALUES(1, 'a')"
expect 3 "$program" info other.sqlite
says "no Nsight Systems tables"
finish
