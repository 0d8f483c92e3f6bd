#!/bin/sh
# sql runs a query: rows in every format, one line for a mistake, and no statement that writes.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 500 t.sqlite
kernels='SELECT count(*) AS n FROM CUPTI_ACTIVITY_KIND_KERNEL'
sum=$(cksum <t.sqlite)

expect 0 "$program" sql t.sqlite "$kernels" --format csv
prints 'n'
prints '500'
expect 0 "$program" sql t.sqlite "$kernels" --format json
prints '"kind": "nsyscope.sql"'
prints '"n": 500'
expect 0 "$program" sql t.sqlite "$kernels" --format md
prints '| 500 |'
expect 0 "$program" sql t.sqlite 'SELECT id, value FROM StringIds ORDER BY id LIMIT 2'
prints 'id  value'

expect 2 "$program" sql t.sqlite 'SELECT missing FROM StringIds'
says 'no such column: missing, at column 8'
expect 2 "$program" sql t.sqlite 'DELETE FROM StringIds'
says 'queries only read'
expect 2 "$program" sql t.sqlite "ATTACH 'other.sqlite' AS other"
says 'queries only read'
expect 2 "$program" sql t.sqlite
says 'give FILE and a query'
expect 3 "$program" sql none.sqlite 'SELECT 1'
[ "$sum" = "$(cksum <t.sqlite)" ] || fail "the export was changed"
[ ! -e other.sqlite ] || fail "another file was made"

# The bins of all GPUs are limited, not those of each.
expect 0 "$program" generate --force --kernels 500 --devices 2 two.sqlite
expect 0 "$program" sql two.sqlite 'SELECT count(*) FROM time_bin(5000)' --format csv
prints '10000'
expect 2 "$program" sql two.sqlite 'SELECT count(*) FROM time_bin(600000)'
says 'at most 1000000 bins of all GPUs'

# Tables of WITH that double 30 times end soon, before they run.
doubling='WITH a0(x) AS (SELECT 1)'
i=0
while [ $i -lt 30 ]; do
    doubling="$doubling, a$((i + 1)) AS (SELECT * FROM a$i UNION ALL SELECT * FROM a$i)"
    i=$((i + 1))
done
if (ulimit -v 600000 && "$program" --version >out 2>err); then # a program with a sanitizer needs more address space
    (ulimit -v 600000 && ulimit -t 8 && exec "$program" sql t.sqlite "$doubling SELECT count(*) FROM a30") >out 2>err
    [ $? = 5 ] || fail "a query that doubles 30 times: $(cat err)"
    says 'copied wherever they are named'
fi

# The screen asks the same.
expect 0 "$program" render t.sqlite --size 120x30 -c "sql $kernels"
prints '1 row in'
prints ' 500'

# A query of the trace comes first on the screen too, and sees all exports.
expect 0 "$program" render t.sqlite --size 120x30 -c 'sql SELECT count(*), total(grid_x) > 0 FROM kernel'
prints ' 500'
expect 0 "$program" render t.sqlite --size 120x30 -c 'sql SELECT missing FROM kernel'
prints 'no such column: missing'

# With several exports a query of an export's tables runs on the export of the cursor.
expect 0 "$program" generate --force --kernels 300 --seed 5 u.sqlite
expect 0 "$program" render t.sqlite u.sqlite --size 120x30 -c 'rows /1: u/' -c "sql $kernels"
prints ' 300'
expect 0 "$program" render t.sqlite u.sqlite --size 120x30 -c 'rows /0: t/' -c "sql $kernels"
prints ' 500'
expect 0 "$program" render t.sqlite u.sqlite --size 120x30 -c 'sql SELECT count(grid_x) AS n FROM kernel'
prints ' 800'
finish
