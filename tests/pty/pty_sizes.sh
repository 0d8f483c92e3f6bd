#!/bin/sh
# Every size that a terminal can have, and impossible ones.
# promises: E1 E2 E3 E4
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite

for size in 0x0 1x1 1x2 2x3 3x1 1x500 200x1 5x20 24x80 60x200 200x500 1000x1000; do
    ends 0 size=$size idle keys='+-hjklT?q\tu0' idle keys='\e' idle keys=qqq -- "$program" "$file"
done
ends 2 size=65535x65535 -- "$program" "$file"
for n in -5 0 100000 1000000000000; do
    ends 0 idle keys=q -- env LINES=$n COLUMNS=$n "$program" "$file"
done

# Many size changes, while loading and after.
set --
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    set -- "$@" size=$((i * 7919 % 60))x$((i * 104729 % 200)) wait=$((i % 12))
done
ends 0 "$@" size=24x80 $shown keys=q -- "$program" "$file"
finish
