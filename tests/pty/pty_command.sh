#!/bin/sh
# The rc file and -c run their commands once the trace is loaded; themes and settings change while the screen is shown.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite

mkdir -p config/nsyscope

# A wrong line of the rc file is reported, and the other lines run.
printf 'zomm-in\n\n# a comment\n  filter kind:kernel\n' >config/nsyscope/rc
ends 0 capture=sent size=30x100 $shown see='zomm-in: no such command' see='filter: kind:kernel' keys=q -- "$program" "$file"
is_clean sent

# The commands of -c run after the rc file.
ends 0 size=30x100 end -- "$program" -c 'filter' -c quit "$file"
rm config/nsyscope/rc
ends 0 size=30x100 end -- "$program" -c quit "$file"

ends 0 capture=sent size=30x100 $shown ink=default keys=':theme light\r' idle ink=light keys=':theme none-such\r' see='no such theme' \
    keys=q -- "$program" "$file"
is_clean sent
[ "$(diff default light | grep -c '^>')" -gt 10 ] || fail "the theme was not drawn"

# A GPU of --gpu without work is named on the status line.
ends 0 size=30x100 see='--gpu 5: no work of that GPU was read' keys=q -- "$program" "$file" --gpu 5

# w saves the changed setting and keeps the rest of the file.
printf '[settings]\nticks = 3\n[filters]\nmine = kind:kernel # all\n' >config/nsyscope/config.ini
ends 0 size=30x100 $shown keys=C see='< 3 >' keys='+' see='< 4 >' keys=w see=Saved keys=qq -- "$program" "$file"
grep -qx 'mine = kind:kernel # all' config/nsyscope/config.ini || fail "a preset is lost"
grep -qx 'ticks = 4' config/nsyscope/config.ini || fail "not saved: $(cat config/nsyscope/config.ini)"
[ "$(grep -c 'settings' config/nsyscope/config.ini)" = 1 ] || fail "not one section of settings"
ends 0 size=30x100 $shown keys=':set ticks\r' see='ticks is 4' keys=q -- "$program" "$file"
rm config/nsyscope/config.ini

# The right button opens the menu, and :set mouse off releases the mouse.
ends 0 capture=sent size=30x100 $shown keys='\e[<2;40;6M\e[<2;40;6m' see='zoom in about' keys='\e' gone='zoom in about' keys=q -- \
    "$program" "$file"
is_clean sent
ends 0 capture=sent size=30x100 $shown keys=':set mouse off\r' idle keys=q -- "$program" "$file"
[ "$(grep -ao '?1002[hl]' sent | head -n 2 | tail -n 1)" = '?1002l' ] || fail "the mouse was not let go"
ends 0 capture=sent size=30x100 $shown keys=':set colours mono\r' idle keys=':set glyphs ascii\r' see='Left Right move' keys=q -- "$program" "$file"
is_clean sent

# The command line wins over saved settings.
printf '[settings]\nmouse = off\nglyphs = ascii\n' >config/nsyscope/config.ini
ends 0 size=30x100 $shown keys=':set glyphs\r' see='glyphs is ascii' keys=q -- "$program" "$file"
printf '[settings]\nglyphs = unicode\n' >config/nsyscope/config.ini
ends 0 size=30x100 $shown keys=':set glyphs\r' see='glyphs is ascii' keys=q -- "$program" --ascii "$file"
rm config/nsyscope/config.ini
finish
