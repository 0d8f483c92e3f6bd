# Shared by the scripts of this folder, which source it: runs the program on a terminal and compares how it ended.
set -u
program=$1
pty=$2
vtcheck=$3
exports=$4
failures=0
# Each run starts without saved state, unless keep is set. State and settings of the user are neither read nor written.
keep=
# Steps that wait until the trace is shown, and then until the program is idle.
seen="see=overview gone=loading"
shown="$seen idle"
# A dark terminal, as in pictures drawn by render.
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

# ends STATUS STEPS... -- COMMAND...: every step succeeded, the exit status is STATUS, and the terminal is restored.
# The steps see, gone, idle and end wait for a condition, never for a fixed time.
ends() {
    want=$1
    shift
    [ -n "$keep" ] || rm -rf "$XDG_STATE_HOME"
    got=$("$pty" "$@" 2>&1)
    case $got in
    "exit=$want ended modes=back screen=back late="*) ;;
    *) fail "$got, wanted exit=$want: $*" ;;
    esac
}

# is_clean [--ascii] FILE: the program sent only text and drawing.
is_clean() {
    "$vtcheck" "$@" || fail "what was sent is not clean: $*"
}

# ---- for scripts that use tmux: each has its own tmux server, which ends with the script

name=nsyscope-$$
tm() {
    tmux -L "$name" -f /dev/null "$@"
}
stop_tmux() {
    tm kill-server 2>/dev/null
}

# Quotes a word for a shell.
quoted() {
    printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}

# within COMMAND...: repeats the command until it succeeds, for at most 20 s.
within() {
    n=0
    until "$@"; do
        n=$((n + 1))
        [ "$n" -lt 400 ] || return 1
        sleep 0.05
    done
}

# ink COLUMNSxROWS FILE...: prints the characters and colours of a screen that FILE draws; a full block becomes a blank on its colour.
# The last row is left out: cat leaves the cursor there.
ink() {
    size=$1
    shift
    "$pty" size=$((${size#*x} + 1))x"${size%x*}" end ink=inked -- cat "$@" >/dev/null &&
        head -n "${size#*x}" inked | sed 's,█/\(-*[0-9]*\)/-*[0-9]*/[0-9]*, /-1/\1/0,g'
}

is_like() { # COLUMNSxROWS
    tm capture-pane -p -e -N >captured && ink "$1" captured >looks && cmp -s looks wanted
}

# shows COLUMNSxROWS KEYS FILE: waits until tmux shows the screen that render draws of FILE after these keys.
shows() {
    "$program" render --size "$1" --keys "$2" --format ansi256 "$3" >rendered
    ink "$1" rendered >wanted
    within is_like "$1" || { fail "not the screen of $1 after '$2': $(tm capture-pane -p)"; finish; }
}

# ---- for scripts that use a shell in tmux

holds() {
    tm capture-pane -p | grep -qF -- "$1"
}
# waits TEXT: waits until the screen shows it.
waits() {
    within holds "$1" || { fail "the screen never shows '$1': $(tm capture-pane -p)"; finish; }
}
# Prompts are numbered: prompt N appears when the commands before it have ended.
prompt=1
run() {
    waits "ready-$prompt>"
    prompt=$((prompt + 1))
    tm send-keys C-l "$1" Enter
}
in_foreground() {
    set -- $(sed 's/.*) //' "/proc/$(tm display-message -p '#{pane_pid}')/stat")
    [ "$3" != "$6" ]
}
# continues: fg, and waits until the terminal is the job's: Ctrl-C before that would reach the shell and discard what it has not read.
continues() {
    run fg
    within in_foreground || { fail "fg does not continue the job: $(tm capture-pane -p)"; finish; }
}
# The quote in the command makes it differ from its output.
same_modes() {
    run "stty -g >after; cmp before after && echo modes'-'$1"
    waits "modes-$1"
}
start_shell() {
    command -v tmux >/dev/null || { echo "tmux is not installed: NOT TESTED"; exit 0; }
    trap stop_tmux EXIT
    tm new-session -d -x 100 -y 30 "PS1='ready-\\#> ' PROMPT_COMMAND= bash --norc --noprofile"
    run 'stty -g >before'
}

finish() {
    [ "$failures" = 0 ] && echo "all as expected"
    exit "$failures"
}
