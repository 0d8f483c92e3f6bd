#!/bin/sh
# The screen of a job on a terminal: Enter opens the timeline of a rank at its iteration and q comes back, at two sizes and in tmux.
. "$(dirname "$0")/lib.sh"
rm -rf runs && mkdir -p runs/sketches
for rank in 0 1 2 3; do
    "$program" generate --kernels 3000 --devices 1 --seed $rank runs/rank$rank.sqlite >/dev/null
    "$program" sketch runs/rank$rank.sqlite -o runs/sketches/rank$rank.nsk.json || fail "no sketch of rank $rank"
done
sums=$(cat runs/sketches/* | cksum)

# What the sketch says is reachable from here; the timeline is at the iteration, and the job at its cell again afterwards.
ends 0 capture=sent size=24x80 see='4 ranks' keys=j see='rank 1, iteration' keys='\r' see=rank1.sqlite $shown keys=q see='4 ranks' see='rank 1, iteration' \
    keys=v see='exposed, sorted' keys=q end -- "$program" runs/sketches
is_clean sent
ends 0 size=60x200 see='4 ranks' keys=w see='for whom' keys='?' see='Keys' keys='\e' gone='Keys' keys='/2\r' see='filter 2' \
    keys='/\e' gone='filter 2' keys=q end -- "$program" runs/sketches/*.json
# x writes what is shown: the header and a row for each rank of the filter and iteration. It overwrites nothing.
rm -f shown.csv
ends 0 size=24x80 see='4 ranks' keys='/2-3\r' see='filter 2-3' keys=x see='write to' keys='\x15shown.csv\r' see='Written to shown.csv' \
    keys=x see='write to' keys='\r' see='shown.csv exists: give the name' keys=q end -- "$program" runs/sketches
[ "$(head -1 shown.csv)" = rank,node,iteration,late_ns,waiting_ns,duration_ns,exposed_ns,idle_ns,compute_ns ] || fail "the header: $(head -1 shown.csv)"
[ "$(sed 1d shown.csv | cut -d, -f1 | sort -u | tr '\n' ' ')" = '2 3 ' ] || fail "the ranks: $(head -3 shown.csv)"
# Bookmarks, by the keys of the timeline: saved at once, named, walked, removed; the command line has the same ones. A merged file has them too.
rm -rf state
keep=yes
ends 0 size=24x80 see='4 ranks' keys=j keys=B see='bookmark rank 1' keys='slow\r' see='iteration 0: slow' keys='j\e[C\e[CB' see='bookmark rank 2' keys='\r' \
    see='iteration 2: rank 2' keys=, see='rank 1, iteration 0: slow' keys="'" see='rank 2, iteration 2' keys=q \
    end -- "$program" runs/sketches
"$program" merge runs/sketches -o all.nsk.json || fail "no merged file"
for names in runs/sketches all.nsk.json; do
    [ "$("$program" bookmarks $names list --format csv | sed 1d | cut -d, -f2,4 | tr '\n' ' ')" = '0,slow 2,rank 2 ' ] ||
        fail "the bookmarks of $names: $("$program" bookmarks $names list)"
done
rm -f marks.json
"$program" bookmarks runs/sketches export -o marks.json || fail "no exported bookmarks"
ends 0 size=24x80 see='4 ranks' keys="'" see='slow' keys='\e[3~' gone='slow' keys=q end -- "$program" all.nsk.json
[ "$("$program" bookmarks runs/sketches list --format csv | sed 1d | cut -d, -f4)" = 'rank 2' ] || fail "a removed bookmark is there"
ends 0 size=24x80 see='4 ranks' keys="'" see='rank 2, iteration 2' keys='\e[3~' gone='iteration 2: rank 2' keys=u see='iteration 2: rank 2' keys='\e[3~uu' see='iteration 2: rank 2' \
    keys=q end -- "$program" all.nsk.json
[ "$("$program" bookmarks runs/sketches list --format csv | sed 1d | cut -d, -f2,4)" = '2,rank 2' ] || fail "a restored bookmark: $("$program" bookmarks runs/sketches list)"
"$program" render runs/sketches --size 80x24 --bookmarks marks.json --keys "'" >out || fail "render shows no bookmarks"
grep -q '⚑' out && grep -q 'rank 1, iteration 0: slow' out || fail "render shows no bookmarks: $(cat out)"
"$program" bookmarks runs/sketches import marks.json && "$program" bookmarks runs/sketches list | grep -q slow || fail "not imported"
keep=
# Not reachable: the command to copy. A pattern finds it elsewhere.
mv runs/rank0.sqlite runs/elsewhere0
ends 0 size=24x80 see='4 ranks' keys='\r' see='is not here' see='scp --' keys='yq' end -- "$program" runs/sketches
ends 0 size=24x80 see='4 ranks' keys='\r' see=elsewhere0 $shown keys=q see='4 ranks' keys=q end -- "$program" runs/sketches --exports 'runs/elsewhere{rank}'
# A rank's export that is none: the job goes on and says so.
echo none >runs/elsewhere0
ends 0 size=24x80 see='4 ranks' keys='\r' see='cannot be opened' keys=q end -- "$program" runs/sketches --exports 'runs/elsewhere{rank}'
ends 130 size=24x80 see='4 ranks' keys='\x03' end -- "$program" runs/sketches
# Esc while many sketches are read ends the program at once, also if other keys came before.
mkdir many
cat all.nsk.json >many/0.nsk.json
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    cat many/0.nsk.json many/0.nsk.json >more && mv more many/0.nsk.json
done
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    ln -s 0.nsk.json many/$i.nsk.json
done
for keys in '\e' '\x03'; do
    ends 130 size=24x80 see='Esc cancels' keys='\e[B' keys=j "keys=$keys" gone='Esc cancels' end -- "$program" many
done
rm -r many
# In tmux, with resizes between.
if command -v tmux >/dev/null; then
    trap stop_tmux EXIT
    has() { tm capture-pane -p | grep -qF "$1"; }
    tm new-session -d -x 80 -y 24 "$(quoted "$program") runs/sketches; sleep 60"
    within has '4 ranks' || fail "no job in tmux: $(tm capture-pane -p)"
    tm send-keys o && within has 'sorted by lateness' || fail "no other order: $(tm capture-pane -p)"
    tm resize-window -x 200 -y 60 && within has 'export runs/rank' || fail "not larger: $(tm capture-pane -p)"
    tm send-keys Space + + w q
fi
[ "$sums" = "$(cat runs/sketches/* | cksum)" ] || fail "a sketch was touched"
finish
