#!/bin/sh
# Exports with more rows than 31 or 32 bits can count (sparse files): exact figures, or a refusal before any row is read that says what to do.
# Then long texts, sums past 64 bits and deep ranges.
# promises: A11 A16 A22 A24 F1
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1

# make ROWID PAGES: creates an export of PAGES pages of 4 KiB, nearly all of them holes; its last kernel has this row id.
make() {
    rm -f big.sqlite
    sqlite3 big.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql" || fail "cannot make the export"
    sqlite3 big.sqlite "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (rowid, start, end, deviceId, contextId, streamId, demangledName, shortName,
        registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread,
        localMemoryTotal, gridId) VALUES ($1, 5, 6, 0, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"
    truncate -s $(($2 * 4096)) big.sqlite || { echo "SKIPPED: no sparse files of this size here"; exit 77; }
    printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($2 >> 24 & 255)) $(($2 >> 16 & 255)) $(($2 >> 8 & 255)) $(($2 & 255)))" |
        dd of=big.sqlite bs=1 seek=28 conv=notrunc 2>/dev/null
}

make 3000000000 10000000
expect 5 "$program" info --mem 20G big.sqlite
says "3 000 000 048 events need about 89"
says "--trim"
expect 0 "$program" info --mem 20G --trim 0 1ms --json big.sqlite
grep -A12 '"CUPTI_ACTIVITY_KIND_KERNEL"' out | tr -d '\n ' | grep -q '"rows":41,"events":1,.*"trimmed":40' || fail "a window of it: $(grep -A6 '"CUPTI_ACTIVITY_KIND_KERNEL"' out | tr -d '\n')"

# Row numbers have 32 bits, so no memory budget helps; the message offers only --tables.
make 5000000000 10000000
expect 5 "$program" info --mem 900G big.sqlite
says "5 000 000 048 events are more than the 4 294 967 294 that can be shown at once; leave tables out with --tables"
expect 0 "$program" info --mem 20G --tables nvtx big.sqlite
rm -f big.sqlite

# A text beyond SQLite's limit of length is cut, both at loading and in columns that the reports read themselves.
"$program" generate --force --kernels 200 long.sqlite || exit 1
sqlite3 long.sqlite "UPDATE StringIds SET value = CAST(zeroblob(70000000) AS TEXT) WHERE id = (SELECT min(demangledName) FROM CUPTI_ACTIVITY_KIND_KERNEL)" ||
    fail "no long text"
for report in cuda_gpu_kern_sum cuda_gpu_trace nvtx_kern_sum cuda_api_sum; do
    expect 0 "$program" stats -r $report -f csv --mem 500M long.sqlite
    [ "$(wc -l <out)" -gt 5 ] || fail "$report: $(wc -l <out) lines beside a long text"
done
rm -f long.sqlite

# A sum that reaches the limit of 64 bits is reported as a lower bound. A row that ends at the limit is kept.
"$program" generate --force --kernels 200 sums.sqlite || exit 1
sqlite3 sums.sqlite "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807 WHERE rowid < 4"
expect 0 "$program" info --json sums.sqlite
grep -A8 '"CUPTI_ACTIVITY_KIND_KERNEL"' out | tr -d '\n ' | grep -q '"rows":200,"events":200,' || fail "a row that ends at the end of time is skipped"
expect 0 "$program" summary sums.sqlite
prints 'at least 292 years'
prints 'A sum of 9223372036854775807 ns is a lower bound'
expect 0 "$program" summary --format json sums.sqlite
prints 'A sum of 9223372036854775807 ns is a lower bound'
expect 0 "$program" summary --format csv sums.sqlite
grep -q 'is a lower bound' err || fail "CSV does not say that a sum stopped: $(cat err)"
expect 0 "$program" stats -r cuda_gpu_kern_sum sums.sqlite
says 'a sum of 9223372036854775807 ns is a lower bound'
expect 0 "$program" report sums.sqlite --json
prints 'A sum of 9223372036854775807 ns is a lower bound'
rm -f sums.sqlite
# Ranges that nest 5,000 deep around all work: time and output do not grow with the square of the depth, and the reports
# name the levels that they leave out.
"$program" generate --force --kernels 8000 deep.sqlite || exit 1
sqlite3 deep.sqlite "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO NVTX_EVENTS(start, end, eventType, text, globalTid, domainId)
    SELECT (SELECT min(start) FROM NVTX_EVENTS) - 10 * i, (SELECT max(end) FROM NVTX_EVENTS) + 10 * i, 59, 'deep', globalTid, 0
    FROM n, (SELECT globalTid FROM NVTX_EVENTS WHERE eventType = 59 LIMIT 1)" || fail "no deep export"
for report in nvtx_kern_sum nvtx_pushpop_trace nvtx_gpu_proj_trace; do
    timeout 60 "$program" stats -r $report -f csv deep.sqlite >out 2>err || fail "$report: status $?"
    [ "$(wc -c <out)" -lt 30000000 ] || fail "$report: $(wc -c <out) bytes of 5,000 levels"
    says "$report: ranges nest deeper than 256 levels"
done
for format in csv json ndjson chrome folded folded-cpu; do
    timeout 60 "$program" export --to $format deep.sqlite >out 2>err || fail "export $format: status $?"
    [ "$(wc -c <out)" -lt 200000000 ] || fail "export $format: $(wc -c <out) bytes of 5,000 levels"
done
# --mem also bounds what a subcommand allocates after the load.
expect 0 "$program" stats -r nvtx_kern_sum --mem 400M deep.sqlite
"$program" generate --force --kernels 40000 deep.sqlite || exit 1
sqlite3 deep.sqlite "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO NVTX_EVENTS(start, end, eventType, text, globalTid, domainId)
    SELECT (SELECT min(start) FROM NVTX_EVENTS) - 10 * i, (SELECT max(end) FROM NVTX_EVENTS) + 10 * i, 59, 'deep', globalTid, 0
    FROM n, (SELECT DISTINCT globalTid FROM NVTX_EVENTS WHERE eventType = 59)" || fail "no deep export"
# The check is skipped for a program with a sanitizer: it does not watch its memory, and it needs more address space.
if (ulimit -v 400000 && "$program" --version >out 2>err); then
    expect 5 "$program" stats -r nvtx_kern_sum --mem 24M deep.sqlite
    grep -q 'raise --mem' err || fail "$(cat err)"
    "$program" generate --force --kernels 500 deep.sqlite || exit 1
    sqlite3 deep.sqlite "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO NVTX_EVENTS(start, end, eventType, text, globalTid, domainId)
        SELECT (SELECT min(start) FROM NVTX_EVENTS) - i, (SELECT max(end) FROM NVTX_EVENTS) + i, 59, 'deep', globalTid, 0
        FROM n, (SELECT globalTid FROM NVTX_EVENTS WHERE eventType = 59 LIMIT 1)" || fail "no deep export"
    # 64M and a quarter, and as much for the program itself; what is over that are the program's own files and stacks
    for words in 'export --to folded-cpu' 'export --to csv' 'export --to json' 'export --to ndjson' 'stats -r nvtx_kern_sum'; do
        (ulimit -v 500000 && ulimit -t 30 && exec "$program" $words --mem 64M deep.sqlite) >out 2>err ||
            fail "$words of 20,000 levels in 64M: status $?: $(cat err)"
        [ "$(wc -c <out)" -lt 200000000 ] || fail "$words: $(wc -c <out) bytes of 20,000 levels"
    done
fi
rm -f deep.sqlite out
finish
