# Shared by the scripts of this folder, which source it: finds the preloaded libraries, or skips with a reason.
set -u
program=$1
pty=$2
tests=$3
faults=${4-}
failures=0
# Steps that wait until the trace is shown and the program is idle.
shown="see=overview gone=loading idle"
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME
rm -rf "$XDG_STATE_HOME"

[ -n "$faults" ] || { echo "SKIPPED: nothing can be preloaded below a sanitizer"; exit 77; }
# A library that writes from inside the program needs --no-sandbox.
# The dynamic loader splits LD_PRELOAD at blanks, so the libraries are linked into the current folder.
ln -sf "$faults"/fault_*.so .

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

finish() {
    [ "$failures" = 0 ] && echo "all as expected"
    exit "$failures"
}
