#!/bin/sh
# A machine that slept and a clock that is set: few frames, keys work, and bookmarks are kept.
# promises: D17 E19
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 f.sqlite || exit 1

# Each frame is one synchronized update.
frames() { grep -ao '\[?2026h' "$1" | wc -l; }

for seconds in 3600 -100000000; do
    rm -f gate
    got=$("$pty" capture=jump $shown touch=gate keys=+ idle wait=1500 keys=q -- env NSC_FAULT_GATE="$PWD/gate" NSC_FAULT_SECONDS=$seconds \
        LD_PRELOAD=./fault_clock.so "$program" f.sqlite 2>&1)
    case $got in
    "exit=0 ended modes=back screen=back late="[ns]*) ;;
    *) fail "a jump of $seconds s: $got" ;;
    esac
    bytes=${got##*bytes=}
    [ "$bytes" -lt 2000 ] || fail "a jump of $seconds s: $bytes bytes are sent while nothing is done"
    [ "$(frames jump)" -lt 40 ] || fail "a jump of $seconds s: $(frames jump) frames"
    grep -aqE '[^0-9.]-[0-9.]+ ?(ns|µs|ms|s)\b' jump && fail "a jump of $seconds s: a negative time is shown"
    # Keys after the jump: help opens and closes.
    got=$("$pty" $shown keys=h see='zoom in about' keys=h gone='zoom in about' keys=q -- env NSC_FAULT_GATE="$PWD/gate" \
        NSC_FAULT_SECONDS=$seconds LD_PRELOAD=./fault_clock.so "$program" f.sqlite 2>&1)
    case $got in
    "exit=0 ended modes=back screen=back "*) ;;
    *) fail "keys with a clock that is off by $seconds s: $got" ;;
    esac
    env NSC_FAULT_GATE="$PWD/gate" NSC_FAULT_SECONDS=$seconds LD_PRELOAD=./fault_clock.so "$program" bookmarks f.sqlite add --at 1ms --name "at$seconds" ||
        fail "no bookmark with a clock that is off by $seconds s"
done
[ "$("$program" bookmarks f.sqlite list --format csv | sed 1d | wc -l)" = 2 ] || fail "bookmarks are lost over clocks that jump"

# A stop of the whole program for a while, as by a sleeping machine.
got=$("$pty" capture=slept $shown signal=19 wait=2000 keys=++ signal=18 idle keys=q -- "$program" f.sqlite 2>&1)
case $got in
"exit=0 ended modes=back screen=back late="[ns]*) ;;
*) fail "stopped for 2 s: $got" ;;
esac
[ "$(frames slept)" -lt 40 ] || fail "stopped for 2 s: $(frames slept) frames"
finish
