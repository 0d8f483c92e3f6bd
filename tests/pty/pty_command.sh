#!/bin/sh
# The command line on a terminal: the rc file and -c run once the trace is there, themes change while it is shown.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite

mkdir -p config/nsyscope

# The first line of the rc file is wrong: it is told, and the others run.
printf 'zomm-in\n\n# a comment\n  filter kind:kernel\n' >config/nsyscope/rc
ends 0 capture=sent size=30x100 quiet=500 keys=q -- "$program" "$file"
is_clean sent
grep -aq 'zomm-in: no such command' sent || fail "a wrong line of the rc file is not told"
grep -aq 'kind:kernel' sent || fail "the rc file did not filter"

# What is given with -c comes after it.
ends 0 capture=sent size=30x100 quiet=500 -- "$program" -c 'filter' -c quit "$file"
rm config/nsyscope/rc
ends 0 capture=sent size=30x100 quiet=500 -- "$program" -c quit "$file"

ends 0 capture=plain size=30x100 quiet=500 keys=q -- "$program" "$file"
ends 0 capture=sent size=30x100 quiet=500 keys=':theme light\r' quiet=300 keys=':theme none-such\r' quiet=300 keys=q -- "$program" "$file"
is_clean sent
[ "$(wc -c <sent)" -gt "$(($(wc -c <plain) * 3 / 2))" ] || fail "the theme was not drawn"
grep -aq 'no such theme' sent || fail "an unknown theme is not told"

# What is saved is there the next time, and the rest of the file stays.
printf '[settings]\nticks = 3\n[filters]\nmine = kind:kernel # all\n' >config/nsyscope/config.ini
ends 0 capture=sent size=30x100 quiet=500 keys=C quiet=200 keys='+' quiet=200 keys=w quiet=200 keys=qq -- "$program" "$file"
grep -qx 'mine = kind:kernel # all' config/nsyscope/config.ini || fail "a preset is lost"
grep -qx 'ticks = 4' config/nsyscope/config.ini || fail "not saved: $(cat config/nsyscope/config.ini)"
[ "$(grep -c 'settings' config/nsyscope/config.ini)" = 1 ] || fail "not one section of settings"
ends 0 capture=sent size=30x100 quiet=500 keys=':set ticks\r' quiet=200 keys=q -- "$program" "$file"
grep -aq 'ticks is 4' sent || fail "what was saved is not there the next time"
rm config/nsyscope/config.ini

# The right button opens the menu, which the left one chooses from; the mouse can be let go.
ends 0 capture=sent size=30x100 quiet=500 keys='\e[<2;40;6M\e[<2;40;6m' quiet=300 keys='\e' quiet=200 keys=q -- "$program" "$file"
is_clean sent
grep -aqE 'filter to the name|zoom in about' sent || fail "no menu by the right button"
ends 0 capture=sent size=30x100 quiet=500 keys=':set mouse off\r' quiet=300 keys=q -- "$program" "$file"
grep -aq '?1002l' sent || fail "the mouse was not let go"
ends 0 capture=sent size=30x100 quiet=500 keys=':set colours mono\r' quiet=300 keys=':set glyphs ascii\r' quiet=300 keys=q -- "$program" "$file"
is_clean sent

# What is saved comes behind what the command line says.
printf '[settings]\nmouse = off\nglyphs = ascii\n' >config/nsyscope/config.ini
ends 0 capture=sent size=30x100 quiet=500 keys=':set glyphs\r' quiet=200 keys=q -- "$program" "$file"
grep -aq 'glyphs is ascii' sent || fail "saved glyphs are not there"
printf '[settings]\nglyphs = unicode\n' >config/nsyscope/config.ini
ends 0 capture=sent size=30x100 quiet=500 keys=':set glyphs\r' quiet=200 keys=q -- "$program" --ascii "$file"
grep -aq 'glyphs is ascii' sent || fail "what was saved came before --ascii"
rm config/nsyscope/config.ini
finish
