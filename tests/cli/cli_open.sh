#!/bin/sh
# A file that is not an export gives one line and the right status, and no file appears beside it.
# promises: A25 A26
. "$(dirname "$0")/lib.sh"

rm -rf files && mkdir files
: >files/empty.sqlite
head -c 100000 /dev/zero >files/zeros.sqlite
echo "just text, but long enough to be a header of a hundred bytes or more, as the format wants it ........" >files/text.sqlite
printf '\037\213\010\0more' >files/zipped.sqlite.gz
head -c 2000 /dev/zero | tr '\0' 'r' >files/report.nsys-rep
sqlite3 files/other.sqlite "create table t(a); insert into t values(1)"
mkfifo files/pipe.sqlite
mkdir files/folder.sqlite
ln -s loop.sqlite files/loop.sqlite
before=$(ls -lA files)

for name in empty zeros text other loop missing; do
    expect 3 "$program" info files/$name.sqlite
    says "files/$name.sqlite"
done
expect 3 "$program" info files/zipped.sqlite.gz
says "gzip"
expect 3 "$program" info files/report.nsys-rep
says "nsys export --type sqlite"
expect 3 timeout 5 "$program" info files/pipe.sqlite
says "pipe.sqlite"
expect 7 "$program" info files/folder.sqlite
says "no export and no report in this folder"
expect 3 "$program" info /dev/null
expect 3 "$program" info /dev/zero
[ "$before" = "$(ls -lA files)" ] || fail "the folder changed"

expect 0 "$program" generate --force --kernels 500 files/a.sqlite
expect 2 "$program" generate --kernels 500 files/a.sqlite
says "exists"
expect 0 "$program" generate --force --kernels 500 files/b.sqlite
cmp files/a.sqlite files/b.sqlite || fail "generate is not deterministic"
expect 6 "$program" generate files/no/such/folder.sqlite
expect 0 "$program" files/a.sqlite
prints "CUPTI_ACTIVITY_KIND_KERNEL"
expect 5 "$program" info --mem 1M files/a.sqlite
says "--trim"

# If --trim excludes all events, info says so.
expect 0 "$program" info --trim 5000 6000 files/a.sqlite
prints "skip all of"
expect 0 "$program" info --trim 0 0.05 files/a.sqlite
grep -q "skip all" out && fail "rows were left, and it says none"

# Output that cannot be written gives status 6. A locale that is not UTF-8 gets ASCII.
for command in info 'info --json' render bins\ --device\ 0; do
    (exec timeout 20 "$program" $command files/a.sqlite >&- 2>err)
    [ $? = 6 ] || fail "$command with a closed standard output: not status 6"
    (exec timeout 20 "$program" $command files/a.sqlite >/dev/full 2>err)
    [ $? = 6 ] || fail "$command on a full disk: not status 6"
done
(ulimit -f 64 && exec timeout 20 "$program" generate files/limited.sqlite) 2>err
[ $? = 6 ] || fail "generate past the limit of a file's size: not status 6"
umlaut=$(printf 'files/n\303\266.sqlite')
cp files/a.sqlite "$umlaut"
sqlite3 "$umlaut" "UPDATE StringIds SET value = 'gr' || char(252) || 'n ' || value"
for command in info 'info --lanes' 'render --keys Tab' 'render --format ansi'; do
    LC_ALL=C timeout 20 "$program" $command "$umlaut" >out 2>err || fail "LC_ALL=C $command: status $?"
    LC_ALL=C grep -q "$(printf '[\200-\377]')" out && fail "LC_ALL=C $command: a byte past ASCII"
    (unset LC_ALL LC_CTYPE LANG && timeout 20 "$program" render "$umlaut") >out 2>err
    LC_ALL=C grep -q "$(printf '[\200-\377]')" out || fail "no locale: not UTF-8"
done
LC_ALL=C timeout 20 "$program" info "no $umlaut" 2>err
LC_ALL=C grep -q "$(printf '[\200-\377]')" err && fail "LC_ALL=C: an error with a byte past ASCII"
rm -f "$umlaut"

# An export with a write-ahead log or a hot journal beside it is refused.
cp files/a.sqlite files/w.sqlite
head -c 5000 /dev/urandom >files/w.sqlite-wal
expect 3 "$program" info files/w.sqlite
says "wal"
rm files/w.sqlite-wal
{ printf '\331\325\005\371\040\241\143\327'; head -c 600 /dev/zero; } >files/w.sqlite-journal
expect 3 "$program" info files/w.sqlite
says "journal"
cmp files/a.sqlite files/w.sqlite || fail "the export was changed"
rm files/w.sqlite-journal

# File names with special characters open the right file and create no other.
for name in 'q?a=1.sqlite' 'h#x.sqlite' 'p%41.sqlite' 'sp ace.sqlite' '-dash.sqlite'; do
    cp files/a.sqlite "files/$name"
    (cd files && timeout 20 "$program" info -- "$name" >/dev/null 2>&1) || fail "cannot open $name"
done
[ "$(ls files | wc -l)" = 17 ] || { fail "files appeared"; ls files; }

# An export cut at any length gives a status, never a crash.
size=$(wc -c <files/a.sqlite)
for cut in 1 99 100 511 512 4095 4096 4097 8192 $((size / 2)) $((size - 1)); do
    head -c $cut files/a.sqlite >files/cut.sqlite
    timeout 20 "$program" info files/cut.sqlite >/dev/null 2>err
    case $? in 0 | 3 | 4) ;; *) fail "cut at $cut: status $?"; cat err ;; esac
done
finish
