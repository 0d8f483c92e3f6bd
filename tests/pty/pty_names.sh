#!/bin/sh
# Names with escapes, bidi controls and broken UTF-8 reach the terminal only as text.
# promises: A7 B1 B10
. "$(dirname "$0")/lib.sh"
file=$exports/hostile.sqlite

for size in 24x80 60x200 12x33 3x10; do
    ends 0 capture=sent size=$size idle keys='\t\t\t\r' idle keys='+++++' idle keys='jjjj\t\r' idle keys='kd' \
        idle keys='iz' idle keys='0(' idle keys=')?' idle keys='\e' idle keys=qqq -- "$program" "$file"
    is_clean sent
done
esc=$(printf '\033')

# Hostile bookmarks of another user are shown as text, and their names are never used as paths.
XDG_STATE_HOME=$PWD/theirs "$program" bookmarks "$file" add --at 1ms --name "${esc}]52;c;QUJD$(printf '\007\342\200\256\377')" \
    --note "../../${esc}[2J" --tags "/etc/x,${esc}c"
ends 0 capture=sent $shown keys="'1\r" see=52 idle keys=z idle keys=zn idle keys='\e' idle keys=qqq -- \
    "$program" --bookmarks "$(ls theirs/nsyscope/*.json)" "$file"
is_clean sent
rm -rf theirs
cp "$file" "bad${esc}]0;name.sqlite"
ends 0 capture=sent $shown keys=q -- "$program" "bad${esc}]0;name.sqlite"
is_clean sent
ends 3 capture=sent -- "$program" "no${esc}[2Jsuch.sqlite"
is_clean sent
rm -f bad*
finish
