#!/bin/sh
# Under a shell's job control in tmux: suspend, resize while stopped, continue, and the same screen as a fresh start.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
command -v tmux >/dev/null || { echo "tmux is not installed: NOT TESTED"; exit 0; }
server=nsyscope-test-$$
tm() { tmux -L "$server" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null' EXIT

# waits TEXT: until the screen shows it, at most 10 s.
waits() {
    for _ in $(seq 100); do
        tm capture-pane -p | grep -qF -- "$1" && return
        sleep 0.1
    done
    fail "the screen never shows '$1': $(tm capture-pane -p | head -5)"
}
same_modes() {
    tm send-keys "stty -g >after; cmp before after && echo modes-$1" Enter
    waits "modes-$1"
}

tm new-session -d -x 100 -y 30 "PS1='ready> ' PROMPT_COMMAND= bash --norc --noprofile"
waits "ready>"
tm send-keys 'stty -g >before' Enter
tm send-keys "'$program' '$file'" Enter
waits "quit"
tm send-keys '+' C-z
waits "Stopped"
same_modes stopped
tm resize-window -x 80 -y 24
tm send-keys C-l fg Enter
waits "quit"
tm capture-pane -p | grep -q "ready>" && fail "fg: the screen was not painted in full"
tm send-keys q
waits "ready>"
same_modes back

# Resized while it runs, it shows what a fresh start at that size shows.
tm send-keys C-l "'$program' '$file'" Enter
waits "quit"
tm resize-window -x 61 -y 17
sleep 0.5
tm resize-window -x 90 -y 28
sleep 1
tm capture-pane -p -e >resized
tm send-keys q
waits "ready>"
tm send-keys C-l "'$program' '$file'" Enter
waits "quit"
sleep 1
tm capture-pane -p -e >fresh
cmp resized fresh || { fail "a resized screen differs from a fresh one"; diff resized fresh | head -6; }

# Stopped by somebody else, and continued by the shell.
pid=$(tm list-panes -F '#{pane_pid}' | xargs -I{} pgrep -P {})
kill -STOP "$pid"
waits "Stopped"
tm send-keys fg Enter
sleep 1
tm capture-pane -p -e >continued
cmp fresh continued || fail "SIGSTOP, fg: the screen was not painted in full"
tm send-keys q
waits "ready>"
same_modes end
finish
