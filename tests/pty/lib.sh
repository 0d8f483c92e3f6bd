# What the scripts of this folder share: run the program on a terminal, compare how it ended. Sourced.
set -u
program=$1
pty=$2
vtcheck=$3
exports=$4
failures=0
# Each run starts as the first one, unless keep is set: nothing is kept where people keep theirs, nor read from there.
keep=
# The steps that wait for the trace, and for a program that has nothing left to do.
seen="see=overview gone=loading"
shown="$seen idle"
# A dark terminal, as in the pictures of render.
COLORFGBG="15;0"
export COLORFGBG
XDG_STATE_HOME=$PWD/state
XDG_CONFIG_HOME=$PWD/config
export XDG_STATE_HOME XDG_CONFIG_HOME
rm -rf "$XDG_STATE_HOME" "$XDG_CONFIG_HOME"

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# ends STATUS STEPS... -- COMMAND...: every step came true, the exit status, and a terminal that is as before within a second.
# Nobody waits a fixed time here: see, gone, idle and end wait for what they name.
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

# ---- for those with a terminal of tmux: its server is this script's own, and ends with it

name=nsyscope-$$
tm() {
    tmux -L "$name" -f /dev/null "$@"
}
stop_tmux() {
    tm kill-server 2>/dev/null
}

# As a word of a command line of the shell.
quoted() {
    printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}

# within COMMAND...: until it succeeds, at most 20 s.
within() {
    n=0
    until "$@"; do
        n=$((n + 1))
        [ "$n" -lt 400 ] || return 1
        sleep 0.05
    done
}

# ink COLUMNSxROWS FILE...: the characters of a screen that was printed with its colours; a full block is a blank on its colour.
# The last row is the shell's of cat.
ink() {
    size=$1
    shift
    "$pty" size=$((${size#*x} + 1))x"${size%x*}" end ink=inked -- cat "$@" >/dev/null &&
        head -n "${size#*x}" inked | sed 's,█/\(-*[0-9]*\)/-*[0-9]*/[0-9]*, /-1/\1/0,g'
}

is_like() { # COLUMNSxROWS
    tm capture-pane -p -e -N >captured && ink "$1" captured >looks && cmp -s looks wanted
}

# shows COLUMNSxROWS KEYS FILE: waits for what render prints of the file after these keys.
shows() {
    "$program" render --size "$1" --keys "$2" --format ansi256 "$3" >rendered
    ink "$1" rendered >wanted
    within is_like "$1" || { fail "not the screen of $1 after '$2': $(tm capture-pane -p)"; finish; }
}

finish() {
    [ "$failures" = 0 ] && echo "all as expected"
    exit "$failures"
}
