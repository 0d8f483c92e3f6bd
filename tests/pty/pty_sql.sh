#!/bin/sh
# SQL queries on a terminal: rows appear, keys work meanwhile, and Esc or quitting cancels an endless query.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

ends 0 capture=sent size=30x120 $shown keys=';SELECT 41 + 1 AS answer\r' see='1 row in' idle shot=rows keys=q idle keys=q -- "$program" "$file"
is_clean sent
grep -qE '^ +answer *$' rows || fail "the title of the column is not shown: $(cat rows)"

# Esc cancels a query.
ends 0 capture=sent size=30x120 $shown keys=";$endless\r" see=running keys='\e' see=cancelled keys=':quit\r' -- "$program" "$file"
is_clean sent

# A new query replaces a running one, and quitting does not wait for it.
ends 0 size=30x120 $shown keys=";$endless\r" see=running keys=';SELECT 7 AS seven\r' see='1 row in' idle shot=rows keys=";$endless\r" see=running \
    keys=':quit\r' -- "$program" "$file"
grep -qE '^ +seven *$' rows || fail "the second query did not take the place of the first: $(cat rows)"

# The tables that a query asks are explained beside those of the export, and asked.
ends 0 size=40x120 $shown keys='@' see='Tables  table 1 of' idle keys='vvvvv' see='Tables of the trace' idle shot=trace keys=';' see='FROM "kernel" LIMIT 100' \
    keys='\e' idle keys=':quit\r' -- "$program" "$file"
grep -q 'GPU work: all of the above' trace || fail "the tables of the trace are not explained: $(cat trace)"

finish
