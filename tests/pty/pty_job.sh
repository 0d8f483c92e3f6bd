#!/bin/sh
# Several exports on a terminal: shown, folded, restored as they were left; what cannot be opened is told when the
# terminal is back.
. "$(dirname "$0")/lib.sh"
for i in 1 2; do
    "$program" generate --force --kernels 2000 --layers 2 --devices 1 --seed $i rank$i.sqlite || fail generate
done
keep=yes

ends 0 capture=sent size=30x100 quiet=500 keys='(' quiet=300 keys=q -- "$program" rank1.sqlite rank2.sqlite
is_clean sent
grep -aq '0: rank1' sent || fail "no header of the first export"
grep -aq '1: rank2' sent || fail "no header of the second export"
grep -aq 'by utc' sent || fail "the title does not say what is shown"
ls state/nsyscope/*.json >saved
[ "$(wc -l <saved)" = 1 ] || fail "not one file is kept"
ends 0 capture=sent size=30x100 quiet=500 keys=q -- "$program" rank1.sqlite rank2.sqlite
grep -aq '▸ 0: rank1' sent || fail "the folds did not come back"
ends 0 capture=sent size=30x100 quiet=500 keys=q -- "$program" rank2.sqlite rank1.sqlite
grep -aq '▸ 0: rank2' sent && fail "the other order has the same view"

# Aligned anew: everything is loaded again; what cannot be leaves it as it was, and is told.
ends 0 capture=sent size=30x100 quiet=500 keys=':align start\r' quiet=700 keys=q -- "$program" rank1.sqlite rank2.sqlite
is_clean sent
grep -aq 'by start' sent || fail "not aligned by start"
ends 0 capture=sent size=30x100 quiet=500 keys=':align nvtx:none\r' quiet=900 keys=q -- "$program" rank1.sqlite rank2.sqlite
grep -aq 'no NVTX range or mark called none' sent || fail "what cannot be is not told"
ends 0 capture=sent size=30x100 quiet=500 keys=':align start\r' quiet=300 keys='\x1b' quiet=300 keys=q -- "$program" rank1.sqlite

ends 3 size=30x100 quiet=500 -- "$program" rank1.sqlite none.sqlite
ends 2 size=30x100 quiet=500 -- "$program" rank1.sqlite rank1.sqlite
ends 7 size=30x100 quiet=500 -- "$program" --align nvtx:none rank1.sqlite rank2.sqlite
rm -f rank1.sqlite rank2.sqlite
finish
