#!/bin/sh
# A session: each bookmark with its figures, picture, findings, events and commands; importing it puts the bookmarks back.
. "$(dirname "$0")/lib.sh"
fixtures=$NSC_TEST_SOURCE/tests/fixtures

rm -rf state dir page.html two.sqlite copy.sqlite
sqlite3 two.sqlite <"$fixtures/two_streams.sql"
cp two.sqlite copy.sqlite

expect 7 "$program" session two.sqlite -o dir
says "no bookmarks"
expect 2 "$program" session two.sqlite
says "give -o"
expect 0 "$program" bookmarks two.sqlite add --range 0ms 1s --name '</pre><script>alert(1)</script>' --note 'slow
here' --tags one,two
expect 0 "$program" bookmarks two.sqlite add --at 1ms --name '=HYPERLINK("x")'
expect 0 "$program" bookmarks two.sqlite list
cp out before

expect 0 "$program" session two.sqlite -o dir
[ "$(find dir -type f | wc -l)" = 6 ] || fail "files: $(ls dir)"
[ "$(grep -c '<section ' dir/index.html)" = 2 ] || fail "not a section for each bookmark"
grep -q '&lt;script&gt;' dir/index.html || fail "the name is not there"
if grep -q '<script' dir/index.html; then fail "a name became an element"; fi
grep -q "default-src 'none'" dir/index.html || fail "no policy"
for what in 'one,two' 'What does each GPU do' 'Findings that touch' 'The same on another machine' '<svg ' '.csv">'; do
    grep -qF "$what" dir/index.html || fail "index.html does not hold $what"
done
# The command of the page gives the events of the folder.
line=$(sed -n 's/^nsyscope export --to csv two.sqlite \([^<]*\).*/\1/p' dir/index.html | head -1)
eval "$program export --to csv two.sqlite $line" >again.csv || fail "the command fails: $line"
csv=$(sed -n 's/.*href="\([^"]*csv\)".*/\1/p' dir/index.html | head -1)
cmp -s again.csv "dir/$csv" || fail "other events than those of the command"

# Nothing is replaced unasked, and no link is followed.
expect 2 "$program" session two.sqlite -o dir
expect 0 "$program" session two.sqlite -o dir --force
ln -s dir/index.html link.html 2>/dev/null
expect 6 "$program" session two.sqlite -o link.html --force
rm -f link.html

expect 0 "$program" session two.sqlite -o page.html
[ "$(grep -c '<script' page.html)" = 1 ] || fail "other scripts than the bookmarks"
for from in dir page.html; do
    rm -rf state
    expect 0 "$program" bookmarks copy.sqlite import "$from"
    expect 0 "$program" bookmarks copy.sqlite list
    cmp -s out before || fail "other bookmarks from $from: $(diff before out)"
done
finish
