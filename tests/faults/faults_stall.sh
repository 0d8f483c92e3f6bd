#!/bin/sh
# A disk that does not answer: whatever the program waits for, it responds to keys and ends when told to.
# promises: A43 D7
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 f.sqlite || exit 1

# stalled N STEPS...: every read of the export from the Nth on waits.
stalled() {
    n=$1
    shift
    got=$("$pty" "$@" -- env NSC_FAULT_FILE=f.sqlite NSC_FAULT=pread:hold:$n:ever NSC_FAULT_GATE="$PWD/gate" \
        LD_PRELOAD=./fault_read.so "$program" f.sqlite 2>&1)
}

rm -f gate
for n in 1 40 100; do
    stalled $n keys=h see='the rest' keys=h gone='the rest' keys=q
    case $got in
    "exit=0 ended modes=back screen=back late="[ns]*) ;;
    *) fail "read $n waits, q: $got" ;;
    esac
    stalled $n see=loading signal=15
    case $got in
    "exit=143 ended modes=back screen=back late="[ns]*) ;;
    *) fail "read $n waits, TERM: $got" ;;
    esac
done

# When the disk answers again, loading continues to its end.
stalled 40 keys=h see='the rest' keys=h gone='the rest' see=loading touch=gate see=overview gone=loading idle keys=q
case $got in
"exit=0 ended modes=back screen=back "*) ;;
*) fail "after the wait: $got" ;;
esac
finish
