#!/bin/sh
# A bookmark that was saved is there the next time, and so is the view; nowhere to save is told and does no harm.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
keep=yes

ends 0 size=30x100 $shown keys='+' keys='B' see='bookmark:' keys='\x15mine\r' see='⚑1' keys='/dur>1ns\r' see='filter: dur>1ns' keys=q -- \
    "$program" "$file"
[ "$(ls state/nsyscope/*.json | wc -l)" = 1 ] || fail "not one file: $(ls state/nsyscope)"
grep -q '"mine"' state/nsyscope/*.json || fail "the bookmark is not in the file"
grep -q '"window"' state/nsyscope/*.json || fail "the view is not in the file"

# The bookmark and the view come back; a copy of the export has the bookmarks, without the view when that is not wanted.
ends 0 capture=sent size=30x100 $shown see='⚑1' see='filter: dur>1ns' keys=q -- "$program" "$file"
is_clean sent
cp "$file" moved.sqlite
ends 0 size=30x100 $shown gone='dur>1ns' keys="'" see=mine keys=qq -- "$program" --no-restore moved.sqlite

# Removed, it does not come back; what is kept in a file of one's own is kept there.
ends 0 size=30x100 $shown see=mine keys="'" see=mine keys=x see=Removed keys=qq -- "$program" "$file"
"$program" bookmarks "$file" list | grep -q . && fail "a removed bookmark is listed"
cp -R state before
ends 0 size=30x100 $shown keys='B' see='bookmark:' keys='\x15own\r' see='⚑1' keys=q -- "$program" --bookmarks own.json "$file"
diff -r before state || fail "--bookmarks: the state folder changed"
grep -q '"own"' own.json || fail "--bookmarks: the bookmark is not in the file"
"$program" render --size 100x30 --bookmarks own.json "$file" | grep -q '⚑1' || fail "render: no bookmark"
"$program" render --size 100x30 "$file" | grep -q '⚑' && fail "render: a bookmark that was not asked for"

unset XDG_STATE_HOME HOME
ends 0 size=30x100 $shown keys='B' see='bookmark:' keys='\r' see='⚑1' see=XDG_STATE_HOME keys=q -- "$program" "$file"
rm -rf before own.json own.json.lock moved.sqlite
# They are written to a new file, which another export's bookmarks command reads; never over one that is there.
rm -f shared.json
ends 0 size=30x100 $shown keys='Bhere\r' see='⚑1' see=XDG_STATE_HOME keys=':bookmarks write shared.json\r' see='Written to shared.json' \
    keys=':bookmarks write shared.json\r' see='shared.json exists' keys=':quit\r' -- "$program" "$file"
grep -q 'here"' shared.json || fail "the bookmark is not in the file"
finish
