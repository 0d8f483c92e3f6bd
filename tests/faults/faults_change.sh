#!/bin/sh
# The export is overwritten at any read: the answer is that of the opened file, or one line says that the file changed, with
# status 3. The answer never mixes both files.
# promises: A33 A34 A35 A49 C14
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 old.sqlite || exit 1
# the same size, but other values: the same pages hold other rows
"$program" generate --force --kernels 1500 --seed 7 new.sqlite || exit 1

other=new.sqlite
meet() {
    at=$1
    shift
    cp old.sqlite f.sqlite
    NSC_FAULT_FILE=f.sqlite NSC_FAULT_OTHER=$other NSC_FAULT=pread:swap:$at:once NSC_FAULT_LOG=count \
        LD_PRELOAD=$faults/fault_read.so timeout 60 "$program" "$@" --no-sandbox >out 2>err </dev/null
    got=$?
}

# judge WHAT: expects the old answer, or one line about the change.
judge() {
    case $got in
    0) grep -v 'ms$' out | cmp -s - want || fail "$1: another answer with status 0" ;;
    3) grep -qE 'changed since it was opened|being written|was replaced while|is cut at' err || fail "$1: says $(cat err)" && refused=$((refused + 1)) ;;
    *) fail "$1: status $got: $(cat err)" ;;
    esac
}

# try NAME COMMAND...: overwrites the export at reads spread over the whole run.
try() {
    refused=0
    meet 1000000 "$@"
    [ "$got" = 0 ] || fail "$1 without a change: status $got: $(cat err)"
    grep -v 'ms$' out >want
    reads=$(cat count)
    for part in 0 1 2 3 4 5 6 7 8; do
        n=$((3 + part * (reads - 4) / 8))
        meet $n "$@"
        judge "$* at read $n of $reads"
    done
    [ $refused -gt 3 ] || fail "$*: refused only $refused times"
}

try sql f.sqlite 'SELECT count(*), sum(start), sum("end"), max(shortName) FROM CUPTI_ACTIVITY_KIND_KERNEL'
try skill run schema_inspect f.sqlite
try summary f.sqlite
try stats -r cuda_gpu_sum,cuda_gpu_mem_size_sum f.sqlite
try stats -r cuda_gpu_sum --no-pages f.sqlite
try analyze f.sqlite
try export --to csv f.sqlite
try ask f.sqlite 'which copies are slow?'
try schema f.sqlite
try viewer f.sqlite -o -
try bookmarks f.sqlite list

# The file is emptied at one of the last reads, which look up columns beside the index.
: >empty.sqlite
other=empty.sqlite
meet 1000000 ask f.sqlite 'which copies are slow?'
cp out want
all=$(cat count)
n=$((all - 30))
while [ $n -le "$all" ]; do
    meet $n ask f.sqlite 'which copies are slow?'
    judge "ask, emptied at read $n"
    n=$((n + 1))
done
other=new.sqlite

# A session is written whole or not at all, and the status says why not.
cp old.sqlite f.sqlite
"$program" bookmarks f.sqlite add --at 2ms --name one --bookmarks own.json >out || fail "no bookmark"
meet 1000000 session f.sqlite --bookmarks own.json -o whole --force
all=$(cat count)
refused=0
for part in 1 2 3 4 5 6 7; do
    rm -rf folder
    meet $((part * all / 7 - 1)) session f.sqlite --bookmarks own.json -o folder
    [ "$got" = 3 ] && refused=$((refused + 1)) && [ ! -e folder ] && grep -q 'changed since\|being written' err || [ "$got" = 0 ] || fail "session: status $got: $(cat err)"
done
[ $refused -gt 3 ] || fail "session: refused only $refused times"

# A report is written whole or not at all.
meet 1000000 report f.sqlite --out whole --force
for part in 1 2 3 4 5; do
    rm -rf folder
    meet $((part * $(cat count) / 6)) report f.sqlite --out folder
    [ "$got" = 3 ] && [ ! -e folder ] || [ "$got" = 0 ] || fail "report: status $got"
done

# info reports the change in its answer.
meet 60 info --json f.sqlite
[ "$got" = 3 ] || grep -q '"changed": true' out || fail "info says nothing of the change: status $got, $(cat err)"

# Another file gets the name: the program still reads the old file, and says that the name now means another.
cp old.sqlite f.sqlite
rm -f gate
NSC_FAULT_FILE=f.sqlite NSC_FAULT=pread:hold:60:once NSC_FAULT_GATE=gate LD_PRELOAD=$faults/fault_read.so \
    timeout 60 "$program" summary f.sqlite >out 2>err &
job=$!
inode=$(stat -c %i f.sqlite)
i=0
# The program locks the export while it loads, so programs that respect locks do not begin to write.
until grep -q "READ.*:$inode " /proc/locks; do
    sleep 0.1
    i=$((i + 1))
    [ $i -lt 100 ] || { fail "no lock is held while loading"; break; }
done
cp new.sqlite g.sqlite
mv g.sqlite f.sqlite
: >gate
wait $job
[ $? = 3 ] && grep -q 'changed since it was opened' err || fail "renamed over: $(cat err)"

# A failed read in the check for changes is not reported as a change: the program retries, then names the failed read.
cp old.sqlite f.sqlite
for n in $(seq $((reads - 3)) $((reads + 3))); do
    NSC_FAULT_FILE=f.sqlite NSC_FAULT=pread:EIO:$n:once LD_PRELOAD=$faults/fault_read.so timeout 60 "$program" bookmarks f.sqlite list >out 2>err
    grep -q 'changed' err && fail "a failed read is told as a change: $(cat err)"
done
finish
