#!/bin/sh
# Panned in tmux and in GNU screen, where rows are shifted by the terminal: the same screen as a repaint shows.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
name=nsyscope-pans-$$

if command -v tmux >/dev/null; then
    tm() { tmux -L "$name" -f /dev/null "$@"; }
    tm new-session -d -x 120 -y 30 "'$program' '$file'"
    for _ in $(seq 100); do
        tm capture-pane -p | grep -q quit && break
        sleep 0.1
    done
    for keys in "+ + + +" "Right" "Right Right Left" "S-Right" "S-Left Left" "+ Right" "Tab Right" "Down Left" "T Right Right"; do
        # shellcheck disable=SC2086 # one argument a key
        tm send-keys $keys
        sleep 0.3
        tm capture-pane -p >panned
        tm send-keys C-l
        sleep 0.3
        tm capture-pane -p >repainted
        cmp panned repainted || { fail "tmux, $keys: not what a repaint shows"; diff panned repainted | head -4; }
    done
    grep -q . panned || fail "tmux: an empty screen"
    tm kill-server
else
    echo "tmux is not installed: NOT TESTED"
fi

if command -v screen >/dev/null; then
    SCREENDIR=$PWD/sockets
    export SCREENDIR
    mkdir -p sockets && chmod 700 sockets
    sc() { screen -S "$name" -X "$@"; }
    TERM=xterm-256color screen -dmS "$name" -U sh -c "stty rows 24 cols 80; exec '$program' '$file'"
    sleep 2
    for keys in "++++" "^[[C^[[C" "^[[1;2C" "^[[D" "+^[[C^[[C^[[C"; do
        sc stuff "$keys"
        sleep 0.4
        sc hardcopy panned
        sleep 0.3
        sc stuff '^L'
        sleep 0.4
        sc hardcopy repainted
        sleep 0.3
        cmp panned repainted || fail "screen, $keys: not what a repaint shows"
    done
    grep -q . panned || fail "screen: an empty screen"
    sc quit
else
    echo "screen is not installed: NOT TESTED"
fi
finish
