# Shared by the scripts of this folder, which source it: runs a command and compares its status and output.
set -u
program=$1
failures=0
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs the command for at most 60 s and compares its status; its output is then in ./out and ./err.
expect() {
    want=$1
    shift
    timeout 60 "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || { fail "status $got, not $want: $*"; head -5 err; }
}

# The last command printed exactly one line on stderr, and it contains $1.
says() {
    [ "$(wc -l <err)" = 1 ] || fail "not one line on stderr: $(cat err)"
    grep -qF -- "$1" err || fail "does not say '$1': $(cat err)"
}

prints() {
    grep -qF -- "$1" out || fail "does not print '$1': $(head -3 out)"
}

finish() {
    [ "$failures" = 0 ] && echo "all as expected"
    exit "$failures"
}
