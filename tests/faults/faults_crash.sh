#!/bin/sh
# A crash inside the allocator, which never releases its lock, and a crash inside the crash handler: the program still ends.
# promises: E8
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 f.sqlite || exit 1

# crash STEPS...: the allocator crashes at its first call after the file gate exists; prints how the program ended into got.
crash() {
    rm -f gate
    got=$("$pty" "$@" -- env NSC_FAULT_GATE="$PWD/gate" NSC_FAULT=$where LD_PRELOAD=./fault_malloc.so "$program" f.sqlite 2>&1)
}

where=allocator
for steps in 'keys=+' 'keys=:' 'size=50x190' 'keys=jjjj' 'stall keys=+-+-'; do
    # shellcheck disable=SC2086
    crash $shown touch=gate $steps idle 'keys=+h:zz\r'
    case $got in
    "exit=139 ended modes=back screen=back late="[ns]*) ;;
    *) fail "a crash in the allocator after $steps: $got" ;;
    esac
done
where=handler
crash $shown touch=gate keys=+ idle 'keys=+h:zz\r'
case $got in
"exit=139 ended "*) ;;
*) fail "a crash in the handler: $got" ;;
esac
# A signal while the program restores the terminal.
for keys in q ':quit\r'; do
    rm -f leave
    got=$("$pty" $shown touch=leave keys=$keys -- env NSC_FAULT_LEAVE="$PWD/leave" LD_PRELOAD=./fault_malloc.so "$program" f.sqlite 2>&1)
    case $got in
    "exit="*" ended modes=back screen=back late="[ns]*) ;;
    *) fail "a signal while it quits: $got" ;;
    esac
done
finish
