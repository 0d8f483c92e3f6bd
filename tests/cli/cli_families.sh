#!/bin/sh
# Kinds of work: the columns family, engine, iteration and phase say what functions and tables say, and the answer sums them.
. "$(dirname "$0")/lib.sh"

# same FILES QUERY: the query counts rows that differ, of at least one.
same() {
    expect 0 "$program" sql "$@" --format csv
    [ "$(sed -n 2p out)" = 0,1 ] || fail "$*: $(sed -n 2p out)"
}
"$program" generate --force example.sqlite >/dev/null
"$program" generate --force --seed 2 --layers 9 other.sqlite >/dev/null
for files in "example.sqlite" "example.sqlite other.sqlite"; do
    # shellcheck disable=SC2086
    same $files "SELECT total(family IS NOT family_of(name) OR engine IS NOT engine_of(name)), count(*) > 0 FROM kernel"
    # Each kernel is in the iteration whose window, on the host or on the GPU, holds its start.
    # shellcheck disable=SC2086
    same $files "SELECT total(k.start < i.start OR k.start >= i.start + i.dur), count(*) > 0 FROM kernel k
        JOIN iteration i ON i.iteration = k.iteration AND i.process LIKE '% ' || k.pid || ' %' WHERE k.gpu = 0"
    # shellcheck disable=SC2086
    same $files "SELECT total(n > 1), count(*) > 0 FROM (SELECT count(DISTINCT k.phase) AS n FROM kernel k WHERE k.call IS NOT NULL GROUP BY k.call)"
done
expect 0 "$program" sql example.sqlite "SELECT count(*) FROM copy WHERE family IS NOT NULL OR engine IS NOT NULL" --format csv
[ "$(sed -n 2p out)" = 0 ] || fail 'a copy has a family'

expect 0 "$program" families example.sqlite --format csv
prints '0,forward,gemm,576,'
prints '0,gemm,72,'
# Iterations without phases.
sqlite3 plain.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql"
expect 0 "$program" families plain.sqlite
prints 'The iterations have no phases'
finish
