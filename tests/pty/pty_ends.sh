#!/bin/sh
# However the program ends, the terminal is restored within 250 ms and the exit status tells the cause.
# promises: E5 E6 E7 E10
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite

ends 0 $shown keys=q -- "$program" "$file"
ends 0 keys=q -- "$program" "$file"
ends 0 keys='\e' idle keys=q -- "$program" "$file"
ends 3 -- "$program" "$exports/missing.sqlite"

# A window without events gives a message with the time span of the recording, not an empty screen.
ends 7 capture=outside -- "$program" "$file" --trim 390 420
grep -aq 'no events there; the recording runs from ' outside || fail "--trim outside of the recording does not say its time"

# HUP INT QUIT USR1 USR2 PIPE ALRM TERM XCPU XFSZ
for signal in 1 2 3 10 12 13 14 15 24 25; do
    ends $((128 + signal)) $shown signal=$signal -- "$program" "$file"
done
# A stalled link: the terminal does not take the program's output.
for signal in 1 2 15; do
    ends $((128 + signal)) size=200x500 $shown stall keys=+-+-+-+-0lljj idle keys=++--0 idle signal=$signal \
        -- "$program" "$file"
done
ends 0 size=200x500 $shown stall keys=+-+-+-+-0lljj idle keys=+-0 idle keys=q -- "$program" "$file"
# A signal while the program starts.
for ms in 1 3 10 30 60 100; do
    got=$("$pty" wait=$ms signal=15 -- "$program" "$file")
    case $got in
    "exit=143 ended modes=back screen=back "*) ;;
    *) fail "$got: signal after $ms ms" ;;
    esac
done

# ILL ABRT BUS FPE SEGV. A sanitizer may end the program with its own report and status.
for signal in 4 6 7 8 11; do
    got=$("$pty" capture=crash $shown signal=$signal -- "$program" "$file")
    case $got in
    "exit=$((128 + signal)) ended modes=back screen=back "*) ;;
    "exit=1 ended modes=back screen=back "*) grep -aq Sanitizer crash || fail "$got: signal $signal" ;;
    *) fail "$got: signal $signal" ;;
    esac
    grep -aq "ended by signal" crash || fail "signal $signal: no line about it"
done

# The terminal goes away, first with the default action of HUP, then with HUP ignored as under nohup.
got=$("$pty" $shown hangup -- "$program" "$file")
case $got in "exit=129 ended modes=gone "*) ;; *) fail "hang up: $got" ;; esac
got=$("$pty" $shown hangup -- sh -c 'trap "" HUP; exec "$0" "$1"' "$program" "$file")
case $got in "exit=129 ended modes=gone "*) ;; *) fail "hang up ignored: $got" ;; esac

# An idle screen sends nothing: the wait adds no bytes to what was sent before it.
"$pty" capture=before $shown capture=after wait=2500 capture=end signal=15 -- "$program" "$file" >waited || fail "$(cat waited)"
cmp before after || fail "idle for 2.5 s: $(($(wc -c <after) - $(wc -c <before))) bytes"
finish
