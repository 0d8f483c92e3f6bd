#!/bin/sh
# Reads and locks that fail, at any call, once or from then on: the figures are the right ones, or the line says what failed.
# promises: A40 A41 A42
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 f.sqlite || exit 1

# What no fault may change: how many events of each table, and where in time; the rest may be missing when that is said.
facts() {
    grep -E '"(name|events|start_ns|end_ns|kernels|busy_ns)"' "$1"
}

# meet FAULT [OPTION]: info under it; its status in got.
meet() {
    injected=$1
    shift
    NSC_FAULT_FILE=f.sqlite NSC_FAULT=$injected NSC_FAULT_LOG=count LD_PRELOAD=$faults/fault_read.so \
        timeout 30 "$program" info --json --threads 1 "$@" f.sqlite >out 2>err </dev/null
    got=$?
}

# judge WHAT: a right answer or one line about it.
judge() {
    case $got in
    0)
        facts out | cmp -s - want || fail "$1: other figures"
        cmp -s out whole && return
        grep -qE 'figures may be mixed|has no locks|"changed": true' out && return
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
    # The last reads are those of answers, after the events are loaded.
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

# No locks at all, as on some network file systems: it is read without them, at once, and that is said.
for fault in ENOLCK EACCES EIO; do
    meet fcntl:$fault:1:ever
    [ "$got" = 0 ] && grep -q 'has no locks' out || fail "no locks ($fault): status $got: $(cat err)"
    judge "no locks ($fault)"
done
# They fail from some call on: one wait, not one a table.
for n in 2 10 30 60; do
    meet fcntl:ENOLCK:$n:ever
    judge "locks fail from call $n on"
done

# A program that writes keeps its lock: one line, and the way out.
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
