#!/bin/sh
# export writes whole files or none, obeys the filter and the window, replaces nothing without --force, and reports errors in one line.
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1
expect 0 "$program" generate --kernels 400 a.sqlite
folder_holds() { [ "$(ls | grep -vxF -e out -e err)" = "$1" ] || fail "the folder holds $(ls)"; }

expect 2 "$program" export a.sqlite
says "chrome|perfetto"
expect 2 "$program" export a.sqlite --to excel
says "--to excel: give chrome"
expect 2 "$program" export a.sqlite --to csv --filter 'dur>'
expect 3 "$program" export missing.sqlite --to csv
expect 2 "$program" info a.sqlite --to csv
says "not for nsyscope info"
folder_holds a.sqlite

# Output goes to standard output unless -o names a file; no file appears beside the export.
expect 0 "$program" export a.sqlite --to csv
prints "start_ns,duration_ns,kind,name"
all=$(wc -l <out)
from=$(sed -n 50p out | cut -d, -f1)
to=$((from + 100000))
folder_holds a.sqlite
expect 0 "$program" export a.sqlite --to csv --filter kind:kernel
[ "$(grep -c ,kernel, out)" = 400 ] || fail "not all kernels"
[ "$(wc -l <out)" = 401 ] || fail "more than kernels"
expect 0 "$program" export a.sqlite --to csv --trim "${from}ns" "${to}ns"
[ "$(wc -l <out)" -lt "$all" ] || fail "--trim leaves everything"
expect 0 "$program" export a.sqlite --to csv --window "$from" "$to"
[ "$(wc -l <out)" -lt "$all" ] || fail "--window leaves everything"
expect 7 "$program" export a.sqlite --to csv --filter name=nothing
says "no event is left"
expect 7 "$program" export a.sqlite --to folded-cpu --filter kind:kernel -o f.folded
says "leave no NVTX ranges"
folder_holds a.sqlite

# An existing file is kept unless --force is given.
for format in chrome perfetto speedscope folded folded-cpu csv json ndjson; do
    expect 0 "$program" export a.sqlite --to $format -o "x.$format"
    [ -s "x.$format" ] || fail "x.$format is empty"
    sum=$(cksum "x.$format")
    expect 2 "$program" export a.sqlite --to $format --output "x.$format"
    says "exists; --force overwrites it"
    expect 0 "$program" export a.sqlite --to $format --output "x.$format" --force
    [ "$(cksum "x.$format")" = "$sum" ] || fail "$format is not the same twice"
    rm "x.$format"
done
folder_holds a.sqlite
expect 2 "$program" export a.sqlite --to csv -o a.sqlite
says "exists"

# A full disk gives one line and status 6. The old file stays, no new one is left.
echo old >kept.csv
(ulimit -f 8; expect 6 "$program" export a.sqlite --to csv -o kept.csv --force; says "cannot write"; exit $failures) || failures=$((failures + 1))
[ "$(cat kept.csv)" = old ] || fail "a full disk spoilt the old file"
rm kept.csv
[ -w /dev/full ] && { expect 6 "$program" export a.sqlite --to csv -o /dev/full; says "No space left"; }
expect 6 "$program" export a.sqlite --to csv -o no/such/folder.csv
says "there is no folder no/such; make it first"
folder_holds a.sqlite

# "-" means standard output, not a file; the number of threads changes no byte.
expect 0 "$program" export a.sqlite --to csv
mv out whole
for threads in 1 3; do
    expect 0 "$program" export a.sqlite --to csv -o - --threads $threads
    cmp -s out whole || fail "-o - --threads $threads: other bytes"
done
rm whole
folder_holds a.sqlite

# CSV and TSV put an apostrophe before a text that a spreadsheet would run; --raw-csv does not.
cp a.sqlite f.sqlite
sqlite3 f.sqlite "UPDATE StringIds SET value = '=1+' || value WHERE id IN (SELECT shortName FROM CUPTI_ACTIVITY_KIND_KERNEL UNION SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)"
for command in 'export --to csv' 'search =1 --format csv' 'stats -r cuda_gpu_kern_sum:base -f csv' 'stats -r cuda_gpu_kern_sum:base -f tsv' \
    'skill run top_kernels --format csv' 'skill run top_kernels --format tsv' 'bins --device 0'; do
    # shellcheck disable=SC2086
    case $command in search*) set -- search f.sqlite =1 --format csv ;; *) set -- $command f.sqlite ;; esac
    expect 0 "$program" "$@"
    grep -q "'=1+" out || fail "$command: a formula is not safe"
    grep -qE "(^|[,	\"])=1\+" out && fail "$command: a formula"
    expect 0 "$program" "$@" --raw-csv
    grep -q "'=1+" out && fail "$command --raw-csv: an apostrophe"
    grep -qE "(^|[,	\"])=1\+" out || fail "$command --raw-csv: no text as it is"
done
expect 0 "$program" report f.sqlite --out folder --raw-csv
grep -q '^=1+' folder/tables/kernels.csv || fail "report --raw-csv: no text as it is"
rm -r f.sqlite folder

# A closed pipe is no failure.
"$program" export a.sqlite --to csv | head -1 >out || fail "a closed pipe is a failure"

finish
