#!/bin/sh
# An export is written from the screen, a file that is there is asked about, and findings come in their time.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
rm -f out.csv missing

ends 0 capture=sent size=30x100 quiet=400 keys='x\x1b[D\x1b[D\x1b[D\r' quiet=200 keys='\x15out.csv\r' quiet=500 keys=q -- "$program" --no-restore "$file"
is_clean sent
grep -aq 'Written' sent || fail "it is not told that the file is there"
head -1 out.csv | grep -q '^start_ns,duration_ns' || fail "the file is no CSV: $(head -1 out.csv)"
sum=$(cksum out.csv)
ends 0 capture=sent size=30x100 quiet=400 keys=':export csv all out.csv\r' quiet=400 keys='\x1b' quiet=300 keys=q -- "$program" --no-restore "$file"
grep -aq 'it exists' sent || fail "a file that is there is not asked about"
[ "$(cksum out.csv)" = "$sum" ] || fail "it was replaced unasked"
ends 0 size=30x100 quiet=400 keys=':export folded all out.csv\r' quiet=400 keys='\r' quiet=400 keys=q -- "$program" --no-restore "$file"
[ "$(cksum out.csv)" = "$sum" ] && fail "it was not replaced when asked"
ends 0 capture=sent size=30x100 quiet=400 keys=':export csv all missing/out.csv\r' quiet=400 keys=q -- "$program" --no-restore "$file"
grep -aq 'cannot write' sent || fail "a folder that is not there is not told"
[ "$(ls | grep -c 'tmp$')" = 0 ] || fail "a temporary file is left"

ends 0 capture=sent size=30x120 quiet=400 keys='e' quiet=400 keys=q -- "$program" --no-restore "$file"
is_clean sent
grep -aq 'of the whole trace' sent || fail "findings do not come"

# What only the export's columns tell is found as well: through a connection beside the loader's.
cp "$file" told.sqlite
sqlite3 told.sqlite "CREATE TABLE DIAGNOSTIC_EVENT (severity INTEGER, text TEXT); INSERT INTO DIAGNOSTIC_EVENT VALUES (3, 'the buffer was full');"
ends 0 capture=sent size=30x120 quiet=400 keys='e' quiet=400 keys=q -- "$program" --no-restore told.sqlite
grep -aq 'The profiler reports' sent || fail "the error of the profiler is not found"
rm -f out.csv told.sqlite
finish
