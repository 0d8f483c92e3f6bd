#!/bin/sh
# What is on the screen before there is a recording: the picker of a folder, and the tour with the example that it makes.
. "$(dirname "$0")/lib.sh"
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
rm -rf many cache && mkdir -p many/deep
for i in $(seq 117); do cp "$exports/plain.sqlite" many/export$i.sqlite; done
echo report >many/export5.nsys-rep # beside its export
cp "$exports/plain.sqlite" many/deep/below.sqlite
touch -d yesterday many/deep/below.sqlite
kept=$(ls -lR --time-style=full-iso many)

# All are there at once; Esc leaves, and nothing is opened.
ends 0 capture=sent size=24x80 see='118 of 118 recordings, 0 picked' keys='\e' end -- "$program" many
is_clean sent
# Typing filters, Enter opens the one at the cursor.
ends 0 size=24x100 see='118 of 118' keys=below see='1 of 118' keys='\r' see=below.sqlite $shown keys=q -- "$program" many
# Tab picks several, which are one job; Shift+Tab picks all that the filter keeps, or no longer.
ends 0 size=24x100 see='118 of 118' keys='export11\t' see='* export11' keys='\t' see='2 picked' keys='\r' see='.sqlite +1' $shown keys=q -- "$program" many
ends 0 size=24x100 see='118 of 118' keys='export11\e[Z' see='9 picked' keys='\e[Z' see='0 picked' keys='nothing\r' see='0 of 118' keys='\e' end -- "$program" many
# The cursor stays at its recording while the list changes; a click and the wheel move it.
ends 130 size=24x100 see='118 of 118' keys='\e[6~\e[B\e[A\e[5~' keys='\e[<0;40;5M\e[<0;40;5m' keys='\e[<65;40;5M' idle keys='\x03' end -- "$program" many
[ "$kept" = "$(ls -lR --time-style=full-iso many)" ] || fail "a recording was touched"
mkdir -p empty && ends 0 size=24x80 see='0 of 0' see='no export (.sqlite) and no report' keys='\r\e' end -- "$program" empty
# Alone, it lists what is here and below.
(cd many/deep && ends 0 size=24x80 see='1 of 1 recordings' see=' below.sqlite' keys='\r' $shown keys=q -- "$program"; exit $failures) || failures=$((failures + 1))

# The tour: each step is done by its keys, and says the next.
ends 0 capture=sent size=24x100 see='1 of 7' $seen keys='\e[D' see='1 of 7' keys='\e[C' see='2 of 7' keys=+ see='3 of 7' keys=b see='4 of 7' keys='\t' \
    see='press <:' keys='<' see='5 of 7' keys=t see='press t:' keys=t see='6 of 7' keys=B see='press Enter' keys='x\r' see='7 of 7' keys=x see='tour is done' \
    see='Export' keys='\e' gone='Esc leaves' keys='\e' idle keys=q -- "$program" tour
is_clean sent
[ "$(cd cache && find . -type f)" = ./nsyscope/example.sqlite ] || fail "the example: $(find cache)"
# Esc leaves it in the middle, and the program goes on.
ends 0 size=24x100 see='1 of 7' $seen keys='\e' gone='1 of 7' keys=q -- "$program" tour

# A schema that is newer than the known ones is said on the status line, with what of it is not read.
cp "$exports/plain.sqlite" newer.sqlite && sqlite3 newer.sqlite "CREATE TABLE IF NOT EXISTS META_DATA_EXPORT(name TEXT, value TEXT);
    DELETE FROM META_DATA_EXPORT; INSERT INTO META_DATA_EXPORT VALUES('EXPORT_SCHEMA_VERSION', '3.31.0'); CREATE TABLE NEW_EVENTS(start INTEGER);
    INSERT INTO NEW_EVENTS VALUES(1)" || fail "newer.sqlite cannot be made"
ends 0 size=24x100 see='schema 3.31.0 is newer than 3.28; not read: tables NEW_EVENTS' keys=q -- "$program" newer.sqlite

# doctor measures the link to a terminal that says where its cursor is, and leaves it out where none answers.
ends 0 capture=sent size=24x200 see='sandbox' end -- "$program" doctor
grep -q '^link' sent && fail "a link that was not measured: $(cat sent)"
has_link() {
    tm capture-pane -p | grep -q '^link  *answers in [0-9.]* ms, takes [a-z ]* [0-9]* KiB a second'
}
if command -v tmux >/dev/null; then
    trap stop_tmux EXIT
    tm new-session -d -x 200 -y 40 "$(quoted "$program") doctor; sleep 60"
    within has_link || fail "no link in tmux: $(tm capture-pane -p)"
fi
finish
