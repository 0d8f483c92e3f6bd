#!/bin/sh
# After panning in tmux and in GNU screen, where the terminal shifts rows, the screen equals one that is drawn at once.
# promises: B7
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
command -v tmux screen >/dev/null || { echo "SKIPPED: neither tmux nor screen is installed"; exit 77; }

if command -v tmux >/dev/null; then
    trap stop_tmux EXIT
    tm new-session -d -x 120 -y 30 "$(quoted "$program") --no-restore $(quoted "$file")"
    done=
    shows 120x30 '' "$file"
    for keys in "+ + + +" "Right" "Right Right Left" "S-Right" "S-Left Left" "+ Right" "Tab Right" "Down Left" "T Right Right"; do
        # shellcheck disable=SC2086 # one argument a key
        tm send-keys $keys
        done="$done $(echo "$keys" | sed 's/S-/Shift-/g')"
        shows 120x30 "$done" "$file"
    done
    stop_tmux
else
    echo "tmux is not installed: NOT TESTED"
fi

if command -v screen >/dev/null; then
    SCREENDIR=$PWD/sockets
    export SCREENDIR
    mkdir -p sockets && chmod 700 sockets
    echo 'startup_message off' >screenrc
    trap 'screen -S "$name" -X quit >/dev/null' EXIT
    # Each word holds the name of keys for render and what the terminal sends for them.
    set -- like=wanted-0
    done=
    n=0
    "$program" render --size 80x24 "$file" >wanted-0
    for keys in "+ + + +=++++" 'Right Right=\eOC\eOC' 'Shift-Right=\e[1;2C' 'Left=\eOD' '+ Right Right Right=+\eOC\eOC\eOC'; do
        n=$((n + 1))
        done="$done ${keys%=*}"
        "$program" render --size 80x24 --keys "$done" "$file" >"wanted-$n"
        set -- "$@" keys="${keys##*=}" like="wanted-$n"
    done
    ends 0 "$@" keys=q end -- screen -c screenrc -U -S "$name" "$program" --no-restore "$file"
else
    echo "screen is not installed: NOT TESTED"
fi
finish
