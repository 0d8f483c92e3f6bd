#!/bin/sh
# Under a shell's job control in tmux: suspend, resize while stopped, continue; the screen then equals one that is drawn at once.
# promises: E9 E15
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
start_shell
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

# A signal ends the program while it is stopped, by its key or in the middle of its screen: it does not wait for the terminal.
is_gone() { ! kill -0 "$pid" 2>/dev/null; }
for stop in TSTP STOP; do
    run "$(quoted "$program") --no-restore $(quoted "$file")"
    shows 90x28 '' "$file"
    pid=$(tm list-panes -F '#{pane_pid}' | xargs -I{} pgrep -P {})
    kill -$stop "$pid"
    waits "Stopped"
    run "kill %%"
    within is_gone || fail "a signal does not end a program that $stop stopped: $(tm capture-pane -p)"
    tm send-keys Enter # the prompt may have been on the screen that the program left
    same_modes "ended-$stop"
done
waits "ready-$prompt>"
finish
