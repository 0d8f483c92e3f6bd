#!/bin/sh
# Under a shell's job control in tmux: suspend, resize while stopped, continue; the screen then equals one that is drawn at once.
# promises: E9 E15
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
command -v tmux >/dev/null || { echo "tmux is not installed: NOT TESTED"; exit 0; }
trap stop_tmux EXIT

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
# The quote in the command makes it differ from its output.
same_modes() {
    run "stty -g >after; cmp before after && echo modes'-'$1"
    waits "modes-$1"
}

tm new-session -d -x 100 -y 30 "PS1='ready-\\#> ' PROMPT_COMMAND= bash --norc --noprofile"
run 'stty -g >before'
run "$(quoted "$program") --no-restore $(quoted "$file")"
shows 100x30 '' "$file"
tm send-keys '+'
shows 100x30 + "$file"
tm send-keys C-z
waits "Stopped"
same_modes stopped
waits "ready-$prompt>"
tm resize-window -x 80 -y 24
run fg
shows 80x24 + "$file"
tm send-keys q
same_modes back

# After a resize the screen equals one that is drawn at once at that size.
run "$(quoted "$program") --no-restore $(quoted "$file")"
shows 80x24 '' "$file"
tm resize-window -x 61 -y 17
tm resize-window -x 90 -y 28
shows 90x28 '' "$file"

# Another process stops the program, and the shell continues it.
pid=$(tm list-panes -F '#{pane_pid}' | xargs -I{} pgrep -P {})
kill -STOP "$pid"
waits "Stopped"
run fg
shows 90x28 '' "$file"
tm send-keys q
same_modes end
waits "ready-$prompt>"
finish
