#!/bin/sh
# cut writes a part of an export as an export: our answers on it are those of the original there, and names can be masked.
. "$(dirname "$0")/lib.sh"
fixtures=$NSC_TEST_SOURCE/tests/fixtures

rm -f ./*.sqlite
"$program" generate --kernels 6000 --devices 2 --layers 4 plain.sqlite || exit 1
"$program" generate --kernels 3000 --devices 1 --streams 3 --depth 3 --seed 4 deep.sqlite || exit 1
"$NSC_MAKE_EXPORT" graphs 120 nodes.sqlite || exit 1
sqlite3 two.sqlite <"$fixtures/two_streams.sql"
cat "$fixtures/two_streams.sql" "$fixtures/nccl_payloads.sql" | sqlite3 nccl.sqlite
sqlite3 every.sqlite <"$fixtures/every_report.sql"

# same FILE T0 T1 QUESTION...: the answer of the cut is that of the original.
same() {
    file=$1 t0=$2 t1=$3
    shift 3
    command=$1
    shift
    "$program" "$command" "$@" "$file" --trim "$t0" "$t1" 2>&1 | sed "s/$file/FILE/g" >want
    "$program" "$command" "$@" cut.sqlite --trim "$t0" "$t1" 2>&1 | sed "s/cut.sqlite/FILE/g" >got
    cmp -s want got || { fail "$file from $t0 to $t1: $command $*"; diff want got | head -5; }
}

for case in "plain.sqlite 2ms 6ms" "plain.sqlite 20ms 30ms" "deep.sqlite 3ms 9ms" "nodes.sqlite 0 1ms" "two.sqlite 0 1ms" "nccl.sqlite 0 1ms" "every.sqlite 0 5ms"; do
    # shellcheck disable=SC2086
    set -- $case
    expect 0 "$program" cut "$1" --trim "$2" "$3" -o cut.sqlite --force
    [ "$(sqlite3 cut.sqlite 'PRAGMA integrity_check')" = ok ] || fail "$1: not sound"
    [ "$(sqlite3 "$1" .schema | grep -vi index)" = "$(sqlite3 cut.sqlite .schema)" ] || fail "$1: other tables"
    for question in summary overlap nccl tree "tree --instances" iters; do
        # shellcheck disable=SC2086
        same "$@" $question
    done
    for skill in top_kernels idle copies findings critical_path quality; do
        same "$@" skill run "$skill"
    done
done

# Only texts that are used, and a window makes the file smaller.
expect 0 "$program" generate --kernels 200000 --devices 1 long.sqlite
expect 0 "$program" cut long.sqlite --trim 0.5 0.6 --filter 'kind:kernel' -o cut.sqlite --force
[ $(($(wc -c <cut.sqlite) * 3)) -lt "$(wc -c <long.sqlite)" ] || fail "the cut is large: $(wc -c <cut.sqlite) bytes"
same long.sqlite 0.5 0.6 summary --filter kind:kernel
[ "$(sqlite3 cut.sqlite "SELECT count(*) FROM StringIds WHERE id NOT IN (SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL
    UNION SELECT shortName FROM CUPTI_ACTIVITY_KIND_KERNEL UNION SELECT nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME UNION SELECT nameId FROM ThreadNames)")" = 0 ] ||
    fail "texts that nothing uses"
[ "$(sqlite3 cut.sqlite "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k WHERE k.correlationId NOT IN (SELECT correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME)")" = 0 ] ||
    fail "kernels without their launch"

# Masked names: the same figures; nothing of the program's own words is left, and the same word is the same again.
expect 0 "$program" cut plain.sqlite --trim 2ms 6ms --mask-names -o cut.sqlite --force
expect 0 "$program" cut plain.sqlite --trim 2ms 6ms --mask-names -o again.sqlite
cmp -s cut.sqlite again.sqlite || fail "other words on a rerun"
for word in forward backward layer gemm iteration python; do
    ! strings cut.sqlite | grep -qiw "$word" || fail "$word is left: $(strings cut.sqlite | grep -iw "$word" | head -1)"
done
strings cut.sqlite | grep -q cudaLaunchKernel || fail "names of calls are masked"
for question in "overlap" "skill run idle" "nccl"; do
    # shellcheck disable=SC2086
    "$program" $question plain.sqlite --trim 2ms 6ms --format csv >want
    # shellcheck disable=SC2086
    "$program" $question cut.sqlite --trim 2ms 6ms --format csv >got
    [ "$(tr -dc '0-9,\n' <want)" = "$(tr -dc '0-9,\n' <got)" ] || { fail "masked: $question"; diff want got | head -4; }
done

# NSC_NSYS names a real nsys, whose stats open the cut and say what ours do (docs/TESTING.md).
for report in ${NSC_NSYS:+cuda_gpu_kern_sum cuda_api_sum cuda_gpu_mem_size_sum}; do
    "$NSC_NSYS" stats -q -f csv -r "$report" cut.sqlite >got
    "$program" stats -f csv -r "$report" cut.sqlite >want
    cmp want got || fail "nsys stats -r $report"
done

# Never over the original, nor another file without --force, nor without a name.
cp plain.sqlite before.sqlite
expect 6 "$program" cut plain.sqlite --trim 2ms 6ms -o plain.sqlite --force
cmp -s plain.sqlite before.sqlite || fail "the original was changed"
expect 2 "$program" cut plain.sqlite --trim 2ms 6ms -o cut.sqlite
says cut.sqlite
expect 2 "$program" cut plain.sqlite --trim 2ms 6ms
says "give -o FILE"
expect 7 "$program" cut plain.sqlite --trim 2h 3h -o none.sqlite
[ ! -e none.sqlite ] || fail "a file without a cut"

# A declaration that is no plain table is left out; nothing of it is run.
cp two.sqlite odd.sqlite
sqlite3 odd.sqlite "CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(x); CREATE TABLE g(a, b AS (a + 1)); INSERT INTO g(a) VALUES(1)" 2>/dev/null
expect 0 "$program" cut odd.sqlite -o cut.sqlite --force
[ "$(sqlite3 cut.sqlite "SELECT count(*) FROM sqlite_schema WHERE name IN ('v', 'f')")" = 0 ] || fail "a view or a virtual table"
finish
