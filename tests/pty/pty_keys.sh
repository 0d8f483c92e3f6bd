#!/bin/sh
# Random input, pasted text and answers of a terminal do no harm; the mouse works; a stalled link skips old frames.
# promises: A47 B14 E15 F7
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite

# A47: whatever is typed, the folder of the export stays as it is.
rm -rf kept && mkdir kept && cp "$exports/hostile.sqlite" kept
before=$(ls -lA --time-style=full-iso kept && cksum <kept/hostile.sqlite)
# A signal ends each run: random keys may have opened panes, which q would close first.
for seed in 1 2 3; do
    "$pty" size=30x100 $shown random=20000:$seed idle signal=15 -- "$program" kept/hostile.sqlite >out 2>&1
    grep -qE '^exit=(143|0|1[345][0-9]) ended modes=back screen=back' out || fail "random keys, seed $seed: $(cat out)"
    grep -qE '^exit=(139|134|135|132|136)' out && fail "random keys, seed $seed: $(cat out)"
done
[ "$before" = "$(ls -lA --time-style=full-iso kept && cksum <kept/hostile.sqlite)" ] || fail "keys changed the folder: $(ls -la kept)"
# Pasted text and answers of a terminal are not keys: the q in them must not quit.
got=$("$pty" $shown keys='\e[200~q\rq:q\rq\e[201~' keys='\e]52;c;q\x07\eP1$rq\e\\' keys='\e[?1;2c\e[24;80R' idle signal=15 \
    -- "$program" "$file")
case $got in "exit=143 "*) ;; *) fail "pasted text acted: $got" ;; esac
# The mouse: press, drag, release, wheel, double click, and malformed reports.
ends 0 $shown keys='\e[<0;40;6M\e[<32;50;6M\e[<0;50;6m\e[<64;40;6M\e[<65;40;6M\e[<68;40;6M\e[<2;40;6M\e[<2;40;6m' \
    keys='\e[<0;40;6M\e[<0;40;6m\e[<0;40;6M\e[<0;40;6m\e[<0;9999;9999M\e[<0;0;0M\e[<;M\e[<0M\e[M !!' idle \
    keys='\e' idle keys=qqq -- "$program" "$file"
ends 0 capture=sent $shown keys=q -- "$program" --no-mouse "$file"
grep -aq '?1002h' sent && fail "--no-mouse: the mouse was asked for"
grep -aq '?2004h' sent || fail "pasted text is not asked to be marked"

# Sixty keys while the link is stalled: frames that are out of date by then are not sent. The dense screen makes frames large,
# so that the kernel's buffer holds only a few.
"$program" generate --force --kernels 20000 dense.sqlite
set --
for key in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    set -- "$@" keys=- wait=20 keys=+ wait=20
done
ends 0 capture=before size=60x200 $shown keys=+++ idle capture=sent stall "$@" read idle keys=q -- "$program" dense.sqlite
frames=$(($(grep -ao '2026h' sent | wc -l) - $(grep -ao '2026h' before | wc -l)))
[ "$frames" -le 10 ] || fail "a stalled link was sent $frames frames of sixty"
# Without input the program sleeps and looks at the file once a second.
ends 0 $shown rest=3000:6 keys=q -- "$program" "$file"
finish
