#!/bin/sh
# session writes each bookmark with its figures, picture, findings, events and commands; importing the session restores the bookmarks.
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
# A bookmark of an instant shows that time, not the begin of its window. Empty tables say that they are empty.
grep -qF '0.001 000 000 s</li>' dir/index.html || fail "the index shows another time than that of the bookmark"
grep -qF ' 0.000 000 000 s to 1.000 000 000 s (1.00 s)</li>' dir/index.html || fail "the index shows no range: $(grep '<li><a href="#b' dir/index.html)"
grep -qF '<dt>time</dt><dd>0.001 000 000 s</dd>' dir/index.html || fail "no time of an instant"
grep -qF "Which collectives take the communication time?</b> No rows." dir/index.html || fail "12 us without a collective have a table of them"
# The command on the page gives the same events as the CSV file in the folder.
line=$(sed -n 's/^nsyscope export --to csv two.sqlite \([^<]*\).*/\1/p' dir/index.html | head -1)
eval "$program export --to csv two.sqlite $line" >again.csv || fail "the command fails: $line"
csv=$(sed -n 's/.*href="\([^"]*csv\)".*/\1/p' dir/index.html | head -1)
cmp -s again.csv "dir/$csv" || fail "other events than those of the command"

# Files are replaced only with --force, and links are not followed.
expect 2 "$program" session two.sqlite -o dir
# A bookmark without events is not the reason why the files cannot be written.
cp -r state kept
expect 0 "$program" bookmarks two.sqlite add --range 50s 60s --name later
expect 2 "$program" session two.sqlite -o dir
says "--force overwrites it"
rm -rf state && mv kept state
expect 0 "$program" session two.sqlite -o dir --force
ln -s dir/index.html link.html 2>/dev/null
expect 6 "$program" session two.sqlite -o link.html --force
rm -f link.html

expect 0 "$program" session two.sqlite -o page.html
[ "$(grep -c '<script' page.html)" = 1 ] || fail "other scripts than the bookmarks"
for from in dir dir/index.html page.html; do
    rm -rf state
    expect 0 "$program" bookmarks copy.sqlite import "$from"
    expect 0 "$program" bookmarks copy.sqlite list
    cmp -s out before || fail "other bookmarks from $from: $(diff before out)"
done

# A page of ranges 1009 deep: each event adds a bounded number of bytes at any depth.
rm -rf state
for groups in 1 3; do
    rm -f deep.sqlite
    { cat "$fixtures/two_streams.sql"; echo "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n
        WHERE i < 1009 * $groups - 1) INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
        SELECT 4000000 + i / 1009 * 10000 + i % 1009, 4000000 + i / 1009 * 10000 + 9000 - i % 1009, 59,
        'level ' || (i % 1009), (111 << 24) | 111, 0 FROM n;"; } | sqlite3 deep.sqlite
    expect 0 "$program" bookmarks deep.sqlite add --range 0ms 1s --name deep
    expect 0 "$program" session deep.sqlite -o deep.html --force
    [ "$(grep -c ',level [0-9]*,' deep.html)" = $((1009 * groups)) ] || fail "$groups: not every range"
    eval "bytes$groups=$(wc -c <deep.html)"
done
each=$(((bytes3 - bytes1) / 2018))
[ "$each" -le 500 ] || fail "an event of a session takes $each bytes"
[ "$bytes1" -le $((500 * 1009 + 200000)) ] || fail "a session of 1009 ranges takes $bytes1 bytes"

# Events beyond the most bytes of a file (less in a build for tests) are refused; they were cut in a line. Otherwise all are there.
"$program" generate --force --kernels 12000 long.sqlite || exit 1
expect 0 "$program" bookmarks long.sqlite add --range 0s 100s --name all
rm -rf long
timeout 60 "$program" session long.sqlite -o long >out 2>err </dev/null
case $? in
0) "$program" export --to csv --window 0s 100s long.sqlite | cmp - long/01-all.csv || fail "the events are not all there" ;;
6) says "the events of a bookmark have more than"
    [ ! -e long ] || fail "a session without all events: $(ls long)" ;;
*) fail "a long session: $(cat err)" ;;
esac
rm -rf long long.sqlite
finish
