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
ends 0 size=24x100 see='118 of 118' keys='export11\t' see='* many' keys='\t' see='2 picked' keys='\r' see='.sqlite +1' $shown keys=q -- "$program" many
ends 0 size=24x100 see='118 of 118' keys='export11\e[Z' see='9 picked' keys='\e[Z' see='0 picked' keys='nothing\r' see='0 of 118' keys='\e' end -- "$program" many
# The cursor stays at its recording while the list changes; a click and the wheel move it.
ends 130 size=24x100 see='118 of 118' keys='\e[6~\e[B\e[A\e[5~' keys='\e[<0;40;5M\e[<0;40;5m' keys='\e[<65;40;5M' idle keys='\x03' end -- "$program" many
[ "$kept" = "$(ls -lR --time-style=full-iso many)" ] || fail "a recording was touched"
# Alone, it lists what is here and below.
(cd many/deep && ends 0 size=24x80 see='1 of 1 recordings' see='./below.sqlite' keys='\r' $shown keys=q -- "$program"; exit $failures) || failures=$((failures + 1))

# The tour: each step is done by its keys, and says the next.
ends 0 capture=sent size=24x100 see='1 of 7' $seen keys='\e[D' see='1 of 7' keys='\e[C' see='2 of 7' keys=+ see='3 of 7' keys=b see='4 of 7' keys='\t' \
    see='press <:' keys='<' see='5 of 7' keys=t see='press t:' keys=t see='6 of 7' keys=B see='press Enter' keys='x\r' see='7 of 7' keys=x see='tour is done' \
    see='Export' keys='\e' gone='Esc leaves' keys='\e' idle keys=q -- "$program" tour
is_clean sent
[ "$(cd cache && find . -type f)" = ./nsyscope/example.sqlite ] || fail "the example: $(find cache)"
# Esc leaves it in the middle, and the program goes on.
ends 0 size=24x100 see='1 of 7' $seen keys='\e' gone='1 of 7' keys=q -- "$program" tour
finish
