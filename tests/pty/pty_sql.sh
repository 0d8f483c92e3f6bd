#!/bin/sh
# Queries by SQL on a terminal: rows come, an endless one is cancelled by Esc and by quitting, keys work meanwhile.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

ends 0 capture=sent size=30x120 $shown keys=';SELECT 41 + 1 AS answer\r' see='1 row in' idle shot=rows keys=q idle keys=q -- "$program" "$file"
is_clean sent
grep -qE '^ +answer *$' rows || fail "the title of the column is not shown: $(cat rows)"

# Esc cancels, and what is wrong is told.
ends 0 capture=sent size=30x120 $shown keys=";$endless\r" see=running keys='\e' see=cancelled keys=':quit\r' -- "$program" "$file"
is_clean sent

# Another one takes its place; quitting does not wait for it.
ends 0 size=30x120 $shown keys=";$endless\r" see=running keys=';SELECT 7 AS seven\r' see='1 row in' idle shot=rows keys=";$endless\r" see=running \
    keys=':quit\r' -- "$program" "$file"
grep -qE '^ +seven *$' rows || fail "the second query did not take the place of the first: $(cat rows)"

finish
