#!/bin/sh
# Bookmarks and the view are saved and restored; a message says if they cannot be saved.
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
keep=yes

ends 0 size=30x100 $shown keys='+' keys='B' see='bookmark:' keys='\x15mine\r' see='⚑1' keys='/dur>1ns\r' see='filter: dur>1ns' keys=q -- \
    "$program" "$file"
[ "$(ls state/nsyscope/*.json | wc -l)" = 1 ] || fail "not one file: $(ls state/nsyscope)"
grep -q '"mine"' state/nsyscope/*.json || fail "the bookmark is not in the file"
grep -q '"window"' state/nsyscope/*.json || fail "the view is not in the file"

# The bookmark and the view come back. A copy of the export has the bookmarks; --no-restore leaves out the view.
ends 0 capture=sent size=30x100 $shown see='⚑1' see='filter: dur>1ns' keys=q -- "$program" "$file"
is_clean sent
cp "$file" moved.sqlite
ends 0 size=30x100 $shown gone='dur>1ns' keys="'" see=mine keys=qq -- "$program" --no-restore moved.sqlite

# A removed bookmark stays removed. With --bookmarks only that file is written.
ends 0 size=30x100 $shown see=mine keys="'" see=mine keys=x see=Removed keys=qq -- "$program" "$file"
"$program" bookmarks "$file" list | grep -q mine && fail "a removed bookmark is listed"
cp -R state before
ends 0 size=30x100 $shown keys='B' see='bookmark:' keys='\x15own\r' see='⚑1' keys=q -- "$program" --bookmarks own.json "$file"
diff -r before state || fail "--bookmarks: the state folder changed"
grep -q '"own"' own.json || fail "--bookmarks: the bookmark is not in the file"
"$program" render --size 100x30 --bookmarks own.json "$file" | grep -q '⚑1' || fail "render: no bookmark"
"$program" render --size 100x30 "$file" | grep -q '⚑' && fail "render: a bookmark that was not asked for"

unset XDG_STATE_HOME HOME
ends 0 size=30x100 $shown keys='B' see='bookmark:' keys='\r' see='⚑1' see=XDG_STATE_HOME keys=q -- "$program" "$file"
rm -rf before own.json own.json.lock moved.sqlite
# Without a state folder, :bookmarks write saves them to a new file, which the bookmarks command reads; it replaces no file.
rm -f shared.json
ends 0 size=30x100 $shown keys='Bhere\r' see='⚑1' see=XDG_STATE_HOME keys=':bookmarks write shared.json\r' see='shared.json.' \
    keys=':bookmarks write shared.json\r' see='shared.json exists' keys=':quit\r' -- "$program" "$file"
grep -q 'here"' shared.json || fail "the bookmark is not in the file"

# w in the pane and :session write the session, as a page or as a folder; another copy of the export imports the bookmarks.
rm -rf bookmarks.html session copy.sqlite screen.*
ends 0 size=30x140 $shown keys='Bhere\r' see='⚑1' see=XDG_STATE_HOME keys="'" see='write all' keys='w\r' see='bookmarks.html.' \
    keys='w\r' see='exists: give the name' keys=':session session\r' see='session.' keys=':quit\r' -- "$program" "$file"
grep -q 'id="nsyscope-bookmarks"\|application/json' bookmarks.html || fail "the page holds no bookmarks"
[ -f session/index.html ] && [ -f session/bookmarks.json ] || fail "the folder holds no session: $(ls session)"
cp "$file" copy.sqlite
"$program" bookmarks --bookmarks own.json copy.sqlite import bookmarks.html || fail "the copy does not take the bookmarks"
ends 0 size=30x100 $shown keys="'" see=here keys=qq -- "$program" --bookmarks own.json copy.sqlite

# :screenshot writes the screen to a file in the format of its ending, and replaces no file.
ends 0 size=30x100 $shown keys=':screenshot screen.svg\r' see='screen.svg.' keys=':screenshot screen.html\r' see='screen.html.' \
    keys=':screenshot screen.ansi\r' see='screen.ansi.' keys=':screenshot screen.txt\r' see='screen.txt.' \
    keys=':screenshot screen.svg\r' see='screen.svg exists' keys=':screenshot screen.png\r' see='must end in' keys=':quit\r' -- \
    "$program" --no-restore "$file"
for what in 'svg:<svg ' 'html:<pre' 'ansi:nsyscope' 'txt:nsyscope'; do
    grep -q "${what#*:}" "screen.${what%%:*}" || fail "screen.${what%%:*} is no screen: $(head -c 200 "screen.${what%%:*}")"
done
grep -q "$(printf '\033')" screen.ansi || fail "screen.ansi has no colours"
rm -rf bookmarks.html session copy.sqlite screen.* own.json own.json.lock
finish
