# What the scripts of this folder share: where the preloaded libraries are, and a skip that says why. Sourced.
set -u
program=$1
pty=$2
tests=$3
faults=${4-}
failures=0
# The steps that wait for the trace, and for a program that has nothing left to do.
shown="see=overview gone=loading idle"
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME
rm -rf "$XDG_STATE_HOME"

[ -n "$faults" ] || { echo "SKIPPED: nothing can be preloaded below a sanitizer"; exit 77; }
# The loader would cut a path at its blanks.
ln -sf "$faults"/fault_*.so .

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

finish() {
    [ "$failures" = 0 ] && echo "all as expected"
    exit "$failures"
}
