#!/bin/sh
# Reads and locks fail at any call, once or from then on: the figures are right, or one line names the failure.
# promises: A40 A41 A42
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 f.sqlite || exit 1

# The figures that no fault may change: the events of each table and their times. Other parts may be missing if that is said.
facts() {
    grep -E '"(name|events|start_ns|end_ns|kernels|busy_ns)"' "$1"
}

# meet FAULT [OPTION...]: runs info with this fault; got is its status.
meet() {
    injected=$1
    shift
    NSC_FAULT_FILE=f.sqlite NSC_FAULT=$injected NSC_FAULT_LOG=count LD_PRELOAD=$faults/fault_read.so \
        timeout 30 "$program" info --no-sandbox --json --threads 1 "$@" f.sqlite >out 2>err </dev/null
    got=$?
}

# judge WHAT: expects the right answer, or one line about the failure.
judge() {
    case $got in
    0)
        facts out | cmp -s - want || fail "$1: other figures"
        cmp -s out whole && return
        grep -qE 'figures may be mixed|has no locks|"changed": true|"cannot read f.sqlite' out && return
        sed -e '/"reader":/d' -e '/"fallback":/d' -e '/_bytes":/d' out | cmp -s - plain || fail "$1: something is missing, and nothing is said"
        ;;
    3) [ "$(wc -l <err)" = 1 ] && grep -qE 'Input/output error|reading failed|being written' err || fail "$1: says $(cat err)" ;;
    *) fail "$1: status $got: $(cat err)" ;;
    esac
}

for reader in '' --no-pages; do
    meet pread:EIO:1000000:once $reader
    [ "$got" = 0 ] || fail "without a fault: status $got"
    cp out whole
    facts out >want
    sed -e '/"reader":/d' -e '/"fallback":/d' -e '/_bytes":/d' out >plain
    reads=$(cat count)
    [ "$reads" -gt 50 ] || fail "only $reads reads were seen"
    for fault in EIO:once EIO:ever EINTR:once short:once short:ever; do
        n=1
        while [ $n -le "$reads" ]; do
            meet pread:${fault%:*}:$n:${fault#*:} $reader
            judge "$reader pread $n $fault"
            case $fault in
            EINTR* | short*) [ "$got" = 0 ] || fail "$reader pread $n $fault: status $got, though every read can be repeated" ;;
            EIO:ever) [ "$n" -gt 20 ] || [ "$got" = 3 ] || fail "$reader pread $n: nothing can be read, and the status is $got" ;;
            esac
            [ $n -lt 8 ] && n=$((n + 1)) || n=$((n + 41))
        done
    done
    # The last reads belong to answers, after the events are loaded.
    n=$((reads - 16))
    while [ $n -le "$reads" ]; do
        meet pread:EIO:$n:ever $reader
        judge "$reader pread $n of $reads EIO"
        n=$((n + 1))
    done
    meet fcntl:EIO:1000000:once $reader
    locks=$(cat count)
    [ "$locks" -gt 20 ] || fail "only $locks locks were seen"
    for fault in ENOLCK EACCES EINTR EIO; do
        n=1
        while [ $n -le "$locks" ]; do
            meet fcntl:$fault:$n:once $reader
            judge "$reader fcntl $n $fault"
            [ "$got" = 0 ] || [ $fault != EINTR ] || fail "$reader fcntl $n EINTR: status $got"
            [ $n -lt 12 ] && n=$((n + 1)) || n=$((n + 97))
        done
    done
done

# Reads after the load: the answer is right, or one line names the failed read, with status 3. A failed read is no damage.
asks() { # FAULT COMMAND...
    injected=$1
    shift
    NSC_FAULT_FILE=f.sqlite NSC_FAULT=$injected NSC_FAULT_LOG=count LD_PRELOAD=$faults/fault_read.so \
        timeout 60 "$program" "$@" --no-sandbox >out 2>err </dev/null
    got=$?
}

try() { # COMMAND...
    asks pread:EIO:1000000:once "$@"
    [ "$got" = 0 ] || fail "$*: without a fault: status $got"
    grep -v 'ms$' out >right
    all=$(cat count)
    n=$((all / 2))
    while [ $n -le "$all" ]; do
        for often in once ever; do
            asks pread:EIO:$n:$often "$@"
            case $got in
            0) grep -v 'ms$' out | cmp -s - right || fail "$*: read $n $often: another answer with status 0" ;;
            3) [ "$(wc -l <err)" = 1 ] && grep -qE 'Input/output error|reading failed' err || fail "$*: read $n $often: says $(cat err)" ;;
            *) fail "$*: read $n $often: status $got: $(cat err)" ;;
            esac
        done
        n=$((n + all / 60))
    done
}

# Opening several: a failed read moves none of them on the common axis.
"$program" generate --force --kernels 300 --seed 7 g.sqlite || exit 1
asks pread:EIO:1000000:once info --json --threads 1 f.sqlite g.sqlite
grep -q '"aligned_by": "utc"' out || fail "two exports are not aligned by their clocks"
grep -v '_bytes":' out >right
n=1
while [ $n -le 60 ]; do
    for often in once ever; do
        asks pread:EIO:$n:$often info --json --threads 1 f.sqlite g.sqlite
        case $got in
        0) grep -v '_bytes":' out | cmp -s - right || fail "two exports: read $n $often: another answer with status 0" ;;
        3) [ "$(wc -l <err)" = 1 ] || fail "two exports: read $n $often: says $(cat err)" ;;
        *) fail "two exports: read $n $often: status $got: $(cat err)" ;;
        esac
    done
    n=$((n + 1))
done

"$program" bookmarks f.sqlite add --at 2ms --name one --bookmarks own.json >out || fail "no bookmark"
try schema f.sqlite
try ask f.sqlite 'which copies are slow?'
try session f.sqlite --bookmarks own.json -o folder --force
try export f.sqlite --to perfetto
try stats -r cuda_gpu_mem_size_sum,cuda_gpu_trace f.sqlite

# A file system without locks, as some network file systems: the program reads without them at once, and says so.
for fault in ENOLCK EACCES EIO; do
    meet fcntl:$fault:1:ever
    [ "$got" = 0 ] && grep -q 'has no locks' out || fail "no locks ($fault): status $got: $(cat err)"
    judge "no locks ($fault)"
done
# Locks that fail from some call on: the program waits once, not once a table.
for n in 2 10 30 60; do
    meet fcntl:ENOLCK:$n:ever
    judge "locks fail from call $n on"
done

# Another program holds a write lock: one line says to try again.
mkfifo hold 2>/dev/null
sqlite3 f.sqlite <hold >held &
exec 3>hold
echo "BEGIN EXCLUSIVE; SELECT 'locked';" >&3
while ! grep -q locked held 2>/dev/null; do sleep 0.05; done
timeout 30 "$program" info f.sqlite >out 2>err
[ $? = 3 ] && grep -q 'being written by another program; try again' err || fail "a locked export: $(cat err)"
echo "ROLLBACK;" >&3
exec 3>&-
wait
timeout 30 "$program" info f.sqlite >out 2>err || fail "after the lock was let go: $(cat err)"
rm -f hold
finish
