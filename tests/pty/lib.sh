# What the scripts of this folder share: run the program on a terminal, compare how it ended. Sourced.
set -u
program=$1
pty=$2
vtcheck=$3
exports=$4
failures=0
# Each run starts as the first one, unless keep is set: nothing is kept where people keep theirs, nor read from there.
keep=
XDG_STATE_HOME=$PWD/state
XDG_CONFIG_HOME=$PWD/config
export XDG_STATE_HOME XDG_CONFIG_HOME
rm -rf "$XDG_STATE_HOME" "$XDG_CONFIG_HOME"

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# ends STATUS STEPS... -- COMMAND...: exit status, and a terminal that is as before, without a second's wait: a busy machine is
# not always in time for a quarter of one.
ends() {
    want=$1
    shift
    [ -n "$keep" ] || rm -rf "$XDG_STATE_HOME"
    got=$("$pty" "$@" 2>&1)
    case $got in
    "exit=$want ended modes=back screen=back late="[ns]*) ;;
    *) fail "$got, wanted exit=$want: $*" ;;
    esac
}

# is_clean [--ascii] FILE: nothing but text and drawing was sent.
is_clean() {
    "$vtcheck" "$@" || fail "what was sent is not clean: $*"
}

finish() {
    [ "$failures" = 0 ] && echo "all as expected"
    exit "$failures"
}
