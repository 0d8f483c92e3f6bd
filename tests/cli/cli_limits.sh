#!/bin/sh
# More rows than 31 and than 32 bits count: exact figures, a refusal before a row is read, and the way out. The files are sparse.
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1

# make ROWID PAGES: an export whose last kernel has this row id, of so many pages of 4 KiB, nearly all of them holes.
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
grep -A8 '"CUPTI_ACTIVITY_KIND_KERNEL"' out | tr -d '\n ' | grep -q '"rows":41,"events":1,.*"trimmed":40' || fail "a window of it: $(grep -A6 '"CUPTI_ACTIVITY_KIND_KERNEL"' out | tr -d '\n')"

# Row numbers have 32 bits: no budget helps, and no other way out is offered than leaving tables out.
make 5000000000 10000000
expect 5 "$program" info --mem 900G big.sqlite
says "5 000 000 048 events are more than the 4 294 967 294 that can be shown at once; leave tables out with --tables"
expect 0 "$program" info --mem 20G --tables nvtx big.sqlite
rm -f big.sqlite
finish
