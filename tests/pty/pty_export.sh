#!/bin/sh
# The screen exports a file, asks before it replaces one, and lists findings when they are computed.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
rm -f out.csv missing

ends 0 capture=sent size=30x100 $shown keys='x\x1b[D\x1b[D\x1b[D' idle keys='\x1b[A' idle keys='\x15out.csv\r' see=Written keys=q -- "$program" --no-restore "$file"
is_clean sent
head -1 out.csv | grep -q '^start_ns,duration_ns' || fail "the file is no CSV: $(head -1 out.csv)"
sum=$(cksum out.csv)
ends 0 size=30x100 $shown keys=':export csv all out.csv\r' see='it exists' keys='\x1b' gone='it exists' keys=q -- "$program" --no-restore "$file"
[ "$(cksum out.csv)" = "$sum" ] || fail "it was replaced unasked"
ends 0 size=30x100 $shown keys=':export folded all out.csv\r' see='it exists' keys='\r' see=Written keys=q -- "$program" --no-restore "$file"
[ "$(cksum out.csv)" = "$sum" ] && fail "it was not replaced when asked"
ends 0 size=30x100 $shown keys=':export csv all missing/out.csv\r' see='there is no folder missing' keys=q -- "$program" --no-restore "$file"
for words in 'screenshot missing/x.svg' 'session missing/x' 'session missing/x.html' 'bookmarks write missing/x' 'answer-write missing/x'; do
    ends 0 size=30x100 $shown keys='Bhere\r' see='⚑' keys=':ask how many kernels are below 5 us\r' idle keys=":$words\r" see='there is no folder missing' \
        keys=':quit\r' -- "$program" --no-restore --bookmarks marks.json "$file"
done
[ ! -e missing ] || fail "the screen made a folder"
[ "$(ls | grep -c 'tmp$')" = 0 ] || fail "a temporary file is left"

ends 0 capture=sent size=30x120 $shown keys='e' see='could save' keys=q -- "$program" --no-restore "$file"
is_clean sent

# Findings that need columns that only the export has appear too.
cp "$file" told.sqlite
sqlite3 told.sqlite "CREATE TABLE DIAGNOSTIC_EVENT (severity INTEGER, text TEXT); INSERT INTO DIAGNOSTIC_EVENT VALUES (3, 'the buffer was full');"
ends 0 size=30x120 $shown keys='e' see='The profiler reports' keys=q -- "$program" --no-restore told.sqlite

# If the terminal goes away or a signal ends the program while it writes, no temporary file is left.
"$program" generate --kernels 150000 --force told.sqlite
got=$("$pty" size=30x100 $shown keys=':export json all long.json\r' gone=:export hangup -- "$program" --no-restore told.sqlite)
case $got in "exit=129 ended modes=gone "*) ;; *) fail "hang up while a file is written: $got" ;; esac
rm -f long.json
# The program may have ended by q before the signal.
got=$("$pty" size=30x100 $shown keys=':export json all long.json\r' gone=:export keys=q wait=1 signal=15 -- "$program" --no-restore told.sqlite)
case $got in "exit=143 ended modes=back screen=back "* | "exit=0 ended modes=back screen=back "*) ;; *) fail "a signal after q: $got" ;; esac
[ "$(ls | grep -c 'tmp$')" = 0 ] || fail "a temporary file is left"
rm -f out.csv told.sqlite long.json
finish
