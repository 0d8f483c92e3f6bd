#!/bin/sh
# A link that is slow to take frames gets simpler ones, and is told of; what is old is never sent.
# promises: E13
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
frames() { grep -ao '\[?2026h' "$1" | wc -l; }

# 20 KB/s, behind a pseudo terminal that takes some 12 KB at once: a dense screen takes far longer than a quarter of a second,
# however few of the frames after it a busy machine draws.
"$program" generate --force --kernels 20000 dense.sqlite
ends 0 capture=slow size=70x300 slow=20000 see='slow link' slow=0 idle keys=q -- "$program" dense.sqlite
is_clean slow
ends 0 $shown keys='+' see='slow link' keys=q -- "$program" --low-bandwidth "$file"
ends 0 size=70x300 $shown keys='+-+-' idle gone='slow link' keys=q -- "$program" "$file"

# After a burst the last frame comes soon: keys are taken all at once, and drawn together.
ends 0 capture=burst size=60x200 $shown slow=10000 keys='+++++++++-------++++++++' idle slow=0 keys=q -- \
    "$program" --low-bandwidth "$file"
[ "$(frames burst)" -le 12 ] || fail "a burst of 24 keys on a slow link: $(frames burst) frames"

# Behind a stall come the frame that was under way and what is to be seen now, perhaps with the link's mark.
ends 0 capture=before size=60x200 $shown keys=q -- "$program" "$file"
ends 0 capture=after size=60x200 $shown stall keys='+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+' idle read idle \
    keys=q -- "$program" "$file"
more=$(($(frames after) - $(frames before)))
[ "$more" -le 4 ] || fail "34 keys during a stall: $more frames more"
finish
