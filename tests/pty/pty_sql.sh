#!/bin/sh
# Queries by SQL on a terminal: rows come, an endless one is cancelled by Esc and by quitting, keys work meanwhile.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

ends 0 capture=sent size=30x120 quiet=500 keys=';SELECT 41 + 1 AS answer\r' quiet=400 keys=q quiet=200 keys=q -- "$program" "$file"
is_clean sent
grep -aq 'answer' sent || fail "the title of the column is not shown"
grep -aq '1 row in' sent || fail "how many rows is not told"

# Esc cancels, and what is wrong is told.
ends 0 capture=sent size=30x120 quiet=500 keys=";$endless\r" wait=600 keys='\e' quiet=400 keys=':quit\r' -- "$program" "$file"
is_clean sent
grep -aq 'running' sent || fail "that it runs is not shown"
grep -aq 'cancelled' sent || fail "that it was cancelled is not told"

# Another one takes its place; quitting does not wait for it.
ends 0 capture=sent size=30x120 quiet=500 keys=";$endless\r" wait=300 keys=';SELECT 7 AS seven\r' quiet=500 keys=";$endless\r" wait=300 keys=':quit\r' -- "$program" "$file"
grep -aq 'seven' sent || fail "the second query did not take the place of the first"

# One that nothing can stop does not keep the program from ending.
stuck="SELECT instr(zeroblob(40000000), CAST(zeroblob(20000000) || x'01' AS BLOB))"
ends 0 capture=sent size=30x120 quiet=500 keys=";$stuck\r" wait=300 keys=':quit\r' -- "$program" "$file"
finish
