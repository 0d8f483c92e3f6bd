#!/bin/sh
# Commands given with -c run in order before the keys; a wrong one is reported and ends the program with status 2.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 2000 --layers 3 t.sqlite

# A picture waits for the figures that the screen computes in slices.
expect 0 "$program" render t.sqlite --size 120x30
prints "GPU work"
expect 0 "$program" render t.sqlite --size 120x20
cp out plain
expect 0 "$program" render t.sqlite --size 120x20 -c zoom-in -c zoom-out -c 'goto 20ms' -c fit
cp out commanded
cmp -s plain commanded && fail "the commands changed nothing"
expect 0 "$program" render t.sqlite --size 120x20 -c 'filter kind:kernel' --command zoom-in
cp out commands
expect 0 "$program" render t.sqlite --size 120x20 --keys '+' --filter kind:kernel
diff out commands || fail "commands and keys differ"
expect 0 "$program" render t.sqlite --size 120x20 -c 'set ticks 4' --keys ': s e t Space t i Tab Enter'
prints "ticks is 4"
expect 0 "$program" render t.sqlite --size 120x20 -c quit

expect 2 "$program" render t.sqlite -c 'zomm-in'
says "-c zomm-in: zomm-in: no such command"
expect 2 "$program" render t.sqlite -c 'goto soon'
says "goto: give seconds"
expect 2 "$program" render t.sqlite -c
says "-c needs CMD"
expect 2 "$program" info t.sqlite -c zoom-in
says "-c: not for nsyscope info"

expect 0 "$program" render t.sqlite --size 120x20 --format ansi --theme light
cp out light
expect 0 "$program" render t.sqlite --size 120x20 --format ansi -c 'theme light'
cmp -s light out || fail "--theme light and :theme light differ"
expect 2 "$program" render t.sqlite -c 'theme none-such'
says "no such theme; there are"

# render ignores the rc file, which is for interactive use.
mkdir -p config/nsyscope
printf '# a comment\nzomm-in\n' >config/nsyscope/rc
XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
expect 0 "$program" render t.sqlite --size 120x20
cmp -s plain out || fail "render read the rc file"

finish
