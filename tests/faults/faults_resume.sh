#!/bin/sh
# A signal right after the program was stopped and continued, at each place where it touches the terminal: the terminal is restored.
# promises: E22
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 f.sqlite || exit 1

# The session of a pseudo terminal has no shell that could continue the program, so the system does not stop it: it goes on at once.
for twice in '' 1; do
    n=0
    got=
    until [ "${got#exit=0 }" != "$got" ] || [ "$n" -ge 100 ]; do
        n=$((n + 1))
        got=$("$pty" $shown signal=20 idle keys=q -- env NSC_FAULT_AT=$n ${twice:+NSC_FAULT_TWICE=1} LD_PRELOAD=./fault_resume.so \
            "$program" f.sqlite 2>&1)
        case $got in
        "exit=143 ended modes=back screen=back late="[ns]*) ;;
        "exit=0 ended modes=back screen=back late="[ns]*) ;;
        *) fail "at place $n: $got" ;;
        esac
    done
    [ "$n" -gt 4 ] && [ "$n" -lt 100 ] || fail "the terminal is touched at $((n - 1)) places"
done
finish
