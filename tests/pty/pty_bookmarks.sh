#!/bin/sh
# A bookmark that was saved is there the next time, and so is the view; nowhere to save is told and does no harm.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
keep=yes

ends 0 size=30x100 quiet=300 keys='+' quiet=200 keys='B' quiet=200 keys='\x15mine\r' quiet=300 keys='/dur>1ns\r' quiet=300 keys=q -- "$program" "$file"
[ "$(ls state/nsyscope/*.json | wc -l)" = 1 ] || fail "not one file: $(ls state/nsyscope)"
grep -q '"mine"' state/nsyscope/*.json || fail "the bookmark is not in the file"
grep -q '"window"' state/nsyscope/*.json || fail "the view is not in the file"

ends 0 capture=sent size=30x100 quiet=400 keys=q -- "$program" "$file"
is_clean sent
grep -aq '⚑1' sent || fail "the bookmark did not come back"
grep -aq 'dur>1ns' sent || fail "the view did not come back"
cp "$file" moved.sqlite
ends 0 capture=sent size=30x100 quiet=400 keys="'" quiet=200 keys=qq -- "$program" --no-restore moved.sqlite
grep -aq 'mine' sent || fail "a copy of the export has no bookmarks"
grep -aq 'dur>1ns' sent && fail "--no-restore: the view came back"

# Removed, it does not come back; what is kept in a file of one's own is kept there.
ends 0 size=30x100 quiet=400 keys="'" quiet=200 keys=x quiet=300 keys=qq -- "$program" "$file"
"$program" bookmarks "$file" list | grep -q . && fail "a removed bookmark is listed"
cp -R state before
ends 0 size=30x100 quiet=400 keys='B' quiet=200 keys='\x15own\r' quiet=300 keys=q -- "$program" --bookmarks own.json "$file"
diff -r before state || fail "--bookmarks: the state folder changed"
grep -q '"own"' own.json || fail "--bookmarks: the bookmark is not in the file"
"$program" render --size 100x30 --bookmarks own.json "$file" | grep -q '⚑1' || fail "render: no bookmark"
"$program" render --size 100x30 "$file" | grep -q '⚑' && fail "render: a bookmark that was not asked for"

unset XDG_STATE_HOME HOME
ends 0 capture=sent size=30x100 quiet=400 keys='B' quiet=200 keys='\r' quiet=300 keys=q -- "$program" "$file"
grep -aq 'XDG_STATE_HOME' sent || fail "nowhere to save is not told"
grep -aq '⚑1' sent || fail "without a place to save there are no bookmarks"
rm -rf before own.json own.json.lock moved.sqlite
# They are written to a new file, which another export's bookmarks command reads; never over one that is there.
rm -f shared.json
ends 0 capture=sent size=30x100 quiet=500 keys='Bhere\r' quiet=300 keys=':bookmarks write shared.json\r' quiet=400 keys=':bookmarks write shared.json\r' quiet=400 keys=':quit\r' -- "$program" "$exports/plain.sqlite"
grep -aq 'Written to shared.json' sent || fail "that they are written is not told"
grep -aq 'shared.json exists' sent || fail "a file that is there is not refused"
grep -q 'here"' shared.json || fail "the bookmark is not in the file"
finish
