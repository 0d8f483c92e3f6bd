#!/bin/sh
# Several exports on a terminal: shown, folded, restored, aligned again; errors are printed after the terminal is restored.
. "$(dirname "$0")/lib.sh"
for i in 1 2; do
    "$program" generate --force --kernels 2000 --layers 2 --devices 1 --seed $i rank$i.sqlite || fail generate
done
keep=yes

ends 0 capture=sent size=30x100 $shown see='▾ 0: rank1' see='by utc' keys='(' see='▸ 0: rank1' see='▸ 1: rank2' keys=q -- \
    "$program" rank1.sqlite rank2.sqlite
is_clean sent
ls state/nsyscope/*.json >saved
[ "$(wc -l <saved)" = 1 ] || fail "not one file is kept"
ends 0 size=30x100 $shown see='▸ 0: rank1' keys=q -- "$program" rank1.sqlite rank2.sqlite
# The exports in another order have a view of their own.
ends 0 size=30x100 $shown gone='▸ 0: rank2' keys=q -- "$program" rank2.sqlite rank1.sqlite

# :align loads everything again. If the alignment is impossible, a message says so and the view stays.
ends 0 capture=sent size=30x100 $shown keys=':align start\r' see='by start' gone=loading idle keys=q -- "$program" rank1.sqlite rank2.sqlite
is_clean sent
ends 0 size=30x100 $shown keys=':align nvtx:none\r' see='no NVTX range or mark called none' idle keys=q -- "$program" rank1.sqlite rank2.sqlite
ends 0 size=30x100 $shown keys=':align start\r' idle keys='\x1b' idle keys=q -- "$program" rank1.sqlite

ends 3 size=30x100 end -- "$program" rank1.sqlite none.sqlite
ends 2 size=30x100 end -- "$program" rank1.sqlite rank1.sqlite
ends 7 size=30x100 end -- "$program" --align nvtx:none rank1.sqlite rank2.sqlite
rm -f rank1.sqlite rank2.sqlite
finish
