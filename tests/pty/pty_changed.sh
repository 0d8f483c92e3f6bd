#!/bin/sh
# An export that is overwritten while it is shown: the title says so, nothing is read from the new file, and :reload shows
# the new file with the same view. The view is saved however the program ends.
# promises: A34 A35 E5
. "$(dirname "$0")/lib.sh"
cp "$exports/plain.sqlite" f.sqlite
cp f.sqlite new.sqlite
sqlite3 new.sqlite "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 2; UPDATE StringIds SET value = 'renamed_' || value" || exit 1

# change GATE: overwrites the export, as cp does, once the file GATE exists.
change() {
    rm -f "$1"
    (
        until [ -e "$1" ]; do sleep 0.05; done
        cat new.sqlite >f.sqlite
    ) &
}
# Three seconds of keys, each of which asks for a row of the file.
flood=
for i in $(seq 15); do flood="$flood keys=l wait=100 keys=h wait=100"; done

change go
# shellcheck disable=SC2086
ends 0 size=30x150 $shown keys='+' idle shot=before touch=go $flood shot=flooded see='file changed' \
    keys=';SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL\r' idle shot=asked keys='\x1b\x1b' idle \
    keys=':export csv all out.csv\r' idle shot=exported keys='\x1b' idle shot=still \
    keys=':reload\r' gone='file changed' see='Loaded again' idle shot=after keys='q' -- "$program" f.sqlite
wait
grep -q 'file changed' flooded || fail "keys keep the notice from coming"
grep -q 'changed since it was opened' asked || fail "SQL is answered from another file: $(cat asked)"
[ ! -e out.csv ] && grep -q 'changed on disk' exported || fail "an export of a changed file"
grep -q 'file changed' still || fail "the mark is gone at the next key"
# the window stays the same
window=$(sed -n 's/.*· \([^ ]* [^ ]*\) of.*/\1/p' before | head -n 1)
[ -n "$window" ] && head -n 1 after | grep -qF "$window" || fail "the view is another after :reload: $(head -n 1 before after)"
cmp -s before after && fail "the old file is still shown"

# The file is overwritten with half an export: :reload fails and the old trace stays.
cp "$exports/plain.sqlite" f.sqlite
change go2
ends 0 size=30x150 $shown touch=go2 see='file changed' shot=old keys='q' -- "$program" f.sqlite
wait
head -c 1000 new.sqlite >f.sqlite.part
cp "$exports/plain.sqlite" f.sqlite
rm -f go3
(
    until [ -e go3 ]; do sleep 0.05; done
    cat f.sqlite.part >f.sqlite
) &
ends 0 size=30x150 $shown touch=go3 see='file changed' keys=':reload\r' idle shot=cut keys='q' -- "$program" f.sqlite
wait
grep -q 'file changed' cut && grep -q 'cut' cut || fail "a file that cannot be loaded again: $(tail -n 1 cut)"

# Any signal that ends the program leaves the view saved: window and pane come back.
cp "$exports/plain.sqlite" f.sqlite
for signal in 15 1 2; do
    rm -rf "$XDG_STATE_HOME"
    keep=yes
    ends $((128 + signal)) size=30x150 $shown keys='+' idle keys='\t' idle shot=before signal=$signal end -- "$program" f.sqlite
    ends 0 size=30x150 $shown shot=after keys='q' -- "$program" f.sqlite
    keep=
    [ "$(head -n 1 before)" = "$(head -n 1 after)" ] || fail "signal $signal loses the view"
done
# ten seconds after a change the view is saved, so that even SIGKILL keeps it
rm -rf "$XDG_STATE_HOME"
keep=yes
"$pty" size=30x150 $shown keys='+' idle shot=before wait=11000 signal=9 end -- "$program" f.sqlite >out
ends 0 size=30x150 $shown shot=after keys='q' -- "$program" f.sqlite
[ "$(head -n 1 before)" = "$(head -n 1 after)" ] || fail "SIGKILL loses the view of 11 s ago"
finish
