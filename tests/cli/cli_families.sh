#!/bin/sh
# Kinds of work: the columns family, engine, iteration and phase say what functions and tables say, and the answer sums them.
. "$(dirname "$0")/lib.sh"

# same FILES QUERY: the query counts rows that differ, of at least one.
same() {
    expect 0 "$program" sql "$@" --format csv
    [ "$(sed -n 2p out)" = 0,1 ] || fail "$*: $(sed -n 2p out)"
}
"$program" generate --force --kernels 4000 example.sqlite >/dev/null
"$program" generate --force --kernels 4000 --seed 2 --layers 9 other.sqlite >/dev/null
for files in "example.sqlite" "example.sqlite other.sqlite"; do
    # shellcheck disable=SC2086
    same $files "SELECT total(family IS NOT family_of(name) OR engine IS NOT engine_of(name)), count(*) > 0 FROM kernel"
    # Each kernel is in the iteration of its export whose window, on the host or on the GPU, holds its start.
    # shellcheck disable=SC2086
    same $files "SELECT total(k.start < i.start OR k.start >= i.start + i.dur), count(*) > 0 FROM kernel k
        JOIN iteration i ON i.rank IS k.rank AND i.iteration = k.iteration AND i.process = k.process
        WHERE k.gpu = 0"
    # shellcheck disable=SC2086
    same $files "SELECT total(n > 1), count(*) > 0 FROM (SELECT count(DISTINCT k.phase) AS n FROM kernel k WHERE k.call IS NOT NULL GROUP BY k.call)"
done
# Each export has the iterations and phases that it has alone.
parts="SELECT iteration, phase, count(*), total(dur) FROM kernel WHERE export ="
for i in 0 1; do
    expect 0 "$program" sql example.sqlite other.sqlite "$parts $i GROUP BY iteration, phase" --limit 0 --format csv
    mv out together
    file=$([ $i = 0 ] && echo example.sqlite || echo other.sqlite)
    expect 0 "$program" sql $file "$parts 0 GROUP BY iteration, phase" --limit 0 --format csv
    grep -q ',backward,[1-9]' out || fail "no phase in $file"
    cmp -s together out || fail "$file beside another: $(diff together out | head -3)"
done
expect 0 "$program" sql example.sqlite "SELECT count(*) FROM copy WHERE family IS NOT NULL OR engine IS NOT NULL" --format csv
[ "$(sed -n 2p out)" = 0 ] || fail 'a copy has a family'

expect 0 "$program" families example.sqlite --format csv
grep -q '^0,forward,gemm,[1-9]' out || fail 'no phase'
grep -q '^0,gemm,[0-9]*,[1-9][0-9]*,[1-9][0-9]*,[1-9][0-9]*,[0-9]*$' out || fail 'no iteration'
# The user's words come first, in the answer, in SQL and in diff.
XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
mkdir -p config/nsyscope
printf '[families]\nmine = no_such_kernel FLASH_FWD*kernel\ntoo late = flash_fwd\n[engines]\nhouse = fused_dropout\n' >config/nsyscope/config.ini
expect 0 "$program" families example.sqlite --format csv
grep -q '^0,mine,[1-9]' out || fail "no family of the user: $(head -3 out)"
grep -q '^0,elementwise,house,,[1-9]' out || fail "no engine of the user: $(grep elementwise out)"
expect 0 "$program" sql example.sqlite "SELECT total(family IS NOT family_of(name)), total(family = 'mine') FROM kernel WHERE contains(name, 'flash_fwd')" --format csv
grep -q '^0,[1-9]' out || fail "columns and functions differ: $(cat out)"
expect 0 "$program" diff example.sqlite example.sqlite --format csv
grep -q '^mine,unchanged,[1-9]' out || fail "diff has no family of the user"
rm -r config

# Iterations without phases.
sqlite3 plain.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql"
expect 0 "$program" families plain.sqlite
prints 'The iterations have no phases'
finish
