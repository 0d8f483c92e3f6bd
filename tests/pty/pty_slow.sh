#!/bin/sh
# A terminal on a slow link gets simpler frames and a mark on the screen; frames that are out of date are not sent.
# promises: E13
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
frames() { grep -ao '\[?2026h' "$1" | wc -l; }

# 20 KB/s, behind a pseudo terminal that buffers about 12 KB: a dense screen takes far longer than a quarter of a second,
# even if a busy machine draws few frames after it.
"$program" generate --force --kernels 20000 dense.sqlite
ends 0 capture=slow size=70x300 slow=20000 see='slow link' slow=0 idle keys=q -- "$program" dense.sqlite
is_clean slow
ends 0 $shown keys='+' see='slow link' keys=q -- "$program" --low-bandwidth "$file"
ends 0 size=70x300 $shown keys='+-+-' idle gone='slow link' keys=q -- "$program" "$file"

# A step to another event sends one frame, with its details: two would erase them and draw them again. A busy machine
# may send some apart.
set --
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    set -- "$@" keys='\t' idle
done
ends 0 capture=begun size=40x120 $shown keys='\t' idle keys=q -- "$program" "$file"
ends 0 capture=steps size=40x120 $shown keys='\t' idle "$@" keys=q -- "$program" "$file"
more=$(($(frames steps) - $(frames begun)))
[ "$more" -le 18 ] || fail "12 steps to the next event: $more frames"

# What both events have stays in place: a step between kernels of other names takes at most 420 bytes.
# A capture holds all that came before it, too.
"$program" generate --force mixed.sqlite
ends 0 capture=begun size=40x120 $shown keys='\t' idle capture=steps "$@" capture=rest keys=q -- "$program" mixed.sqlite
more=$((($(wc -c <steps) - $(wc -c <begun)) / 12))
[ "$more" -le 420 ] || fail "a step to the next event takes $more bytes"

# After a burst of keys the last frame comes soon: the program takes all keys at once and draws one frame for them.
ends 0 capture=burst size=60x200 $shown slow=10000 keys='+++++++++-------++++++++' idle slow=0 keys=q -- \
    "$program" --low-bandwidth "$file"
[ "$(frames burst)" -le 12 ] || fail "a burst of 24 keys on a slow link: $(frames burst) frames"

# After a stall only the frame in progress and the current one are sent, perhaps with the mark of a slow link.
ends 0 capture=before size=60x200 $shown keys=q -- "$program" "$file"
ends 0 capture=after size=60x200 $shown stall keys='+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+' idle read idle \
    keys=q -- "$program" "$file"
more=$(($(frames after) - $(frames before)))
[ "$more" -le 4 ] || fail "34 keys during a stall: $more frames more"
finish
