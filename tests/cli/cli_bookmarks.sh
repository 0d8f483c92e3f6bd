#!/bin/sh
# Bookmarks belong to the content of an export, programs merge them, and none is lost to other programs, kills or damaged files.
# promises: D4 D5 D6 D8 D9 D13 D14 D15 D16
. "$(dirname "$0")/lib.sh"
adds=12 kills=12 step=61
[ -z "${NSC_LONG-}" ] || adds=50 kills=60 step=7

rm -rf work state && mkdir work && cd work || exit 1
export XDG_STATE_HOME="$PWD/state"
unset HOME
umask 000
expect 0 "$program" generate --kernels 300 a.sqlite
expect 0 "$program" generate --kernels 300 --seed 2 b.sqlite
bm() { "$program" bookmarks "$@"; }
count() { bm "$@" list --format csv | sed 1d | wc -l; }
# Prints the path of the only file of bookmarks in the state folder.
the_file() { ls -d state/nsyscope/*.json; }

# Mistakes on the command line.
expect 2 "$program" bookmarks a.sqlite
says "list, add, remove, export, import"
expect 2 "$program" bookmarks a.sqlite frob
expect 2 "$program" bookmarks a.sqlite list more
expect 2 "$program" bookmarks a.sqlite import one.json two.json
says "two.json: bookmarks import takes no such word; nsyscope bookmarks --help lists its options"
expect 2 "$program" bookmarks a.sqlite add --name x
says "--at TIME"
expect 2 "$program" bookmarks a.sqlite add --at 1s --range 1s 2s
expect 2 "$program" bookmarks a.sqlite add --range 2s 1s
expect 2 "$program" bookmarks a.sqlite remove --id 5
expect 2 "$program" bookmarks a.sqlite remove --id 0123456789abcdef
says "no such bookmark"
expect 2 "$program" bookmarks a.sqlite import
expect 3 "$program" bookmarks missing.sqlite list
expect 2 "$program" info --at 5 a.sqlite
says "not for nsyscope info"
[ -z "$(find state -type f 2>/dev/null)" ] || fail "a file was made though nothing was saved"

# An added bookmark is listed without control characters, and its file is private.
expect 0 "$program" bookmarks a.sqlite add --at 1.5ms --name "$(printf 'x\033[31m"')" --tags a,b --note "with a note"
expect 0 "$program" bookmarks a.sqlite add --range 1ms 3ms --name second
expect 0 "$program" bookmarks a.sqlite list
prints "second"
prints "a,b"
[ "$(sed -n 4p out | grep -c second)" = 1 ] || fail "not in the order of time"
[ "$(LC_ALL=C tr -d '\n' <out | LC_ALL=C grep -c '[[:cntrl:]]')" = 0 ] || fail "list prints a control character"
[ "$(stat -c %a "$(the_file)")" = 600 ] || fail "the file is not private"
[ "$(stat -c %a state/nsyscope)" = 700 ] || fail "the folder is not private"
expect 0 "$program" bookmarks a.sqlite list --json
prints '"length_ns": 2000000'

# A copy of the export has its bookmarks; another export under the same name has none.
cp a.sqlite copy.sqlite
[ "$(count copy.sqlite)" = 2 ] || fail "a copy does not find them"
[ "$(count b.sqlite)" = 0 ] || fail "another export has them"
cp b.sqlite moved.sqlite && mv a.sqlite kept.sqlite && mv moved.sqlite a.sqlite
[ "$(count a.sqlite)" = 0 ] || fail "another export of the same name has them"
mv kept.sqlite a.sqlite

# Export and import. A removed bookmark stays removed until an import brings it back.
expect 0 "$program" bookmarks a.sqlite export --output out.json
expect 2 "$program" bookmarks a.sqlite export --output out.json
says "exists"
expect 0 "$program" bookmarks a.sqlite export --output out.json --force
expect 0 "$program" bookmarks a.sqlite import out.json
[ "$(count a.sqlite)" = 2 ] || fail "importing twice adds"
id=$(bm a.sqlite list --format csv | sed -n 2p | cut -c1-16)
expect 0 "$program" bookmarks a.sqlite remove --id "$id"
[ "$(count a.sqlite)" = 1 ] || fail "not removed"
expect 0 "$program" bookmarks a.sqlite import out.json
expect 0 "$program" bookmarks a.sqlite import out.json
[ "$(count a.sqlite)" = 2 ] || fail "an import does not bring back, once, what was removed"
expect 2 "$program" bookmarks b.sqlite import out.json
says "another export"
expect 0 "$program" bookmarks b.sqlite import out.json --force
[ "$(count b.sqlite)" = 2 ] || fail "--force does not import"
rm -r state

# A file named with --bookmarks, a link to it, and files that are not ours.
expect 0 "$program" bookmarks a.sqlite add --at 1s --bookmarks shared.json
ln -s shared.json link.json
expect 0 "$program" bookmarks a.sqlite add --at 2s --bookmarks link.json
[ -L link.json ] || fail "the link was replaced"
[ "$(count a.sqlite --bookmarks shared.json)" = 2 ] || fail "not written through the link"
sum=$(cksum <shared.json)
expect 2 "$program" bookmarks b.sqlite add --at 1s --bookmarks shared.json
says "another export"
[ "$sum" = "$(cksum <shared.json)" ] || fail "a file of another export was changed"
echo '{"name": "package", "bookmarks": 7}' >package.json
echo 'notes' >notes.txt
printf '{"format": "nsyscope-bookmarks-2",\n"bookmarks": [{"time": 5, "id": "00000000000000aa"}]}\n' >newer.json
for file in package.json notes.txt newer.json; do
    sum=$(cksum <$file)
    bm a.sqlite add --at 1s --bookmarks $file 2>err && fail "$file was taken for ours"
    [ "$sum" = "$(cksum <$file)" ] || fail "$file was changed"
done
expect 0 "$program" bookmarks a.sqlite list --bookmarks newer.json
says "newer"
[ "$(grep -c '^[0-9a-f]\{16\} ' out)" = 1 ] || fail "a newer file is not read"
mkdir folder.json
expect 3 "$program" bookmarks a.sqlite list --bookmarks folder.json
expect 3 "$program" bookmarks a.sqlite add --at 1s --bookmarks folder.json
mkfifo pipe.json
expect 3 "$program" bookmarks a.sqlite list --bookmarks pipe.json
head -c 67108865 /dev/zero >large.json
expect 3 "$program" bookmarks a.sqlite add --at 1s --bookmarks large.json
says "larger"
rm large.json

# No state folder: no HOME, a HOME that is not a folder, a relative XDG_STATE_HOME, a read-only folder.
(
    unset XDG_STATE_HOME
    expect 6 "$program" bookmarks a.sqlite add --at 1s
    says "neither"
    HOME=/dev/null
    export HOME
    expect 6 "$program" bookmarks a.sqlite add --at 1s
    expect 0 "$program" bookmarks a.sqlite list
    XDG_STATE_HOME=relative HOME=$PWD/home
    export XDG_STATE_HOME
    expect 0 "$program" bookmarks a.sqlite add --at 1s
    [ -d home/.local/state/nsyscope ] && [ ! -e relative ] || fail "a relative state folder was used"
    exit "$failures"
) || failures=$((failures + $?))
if [ "$(id -u)" != 0 ]; then
    mkdir -m 500 readonly
    expect 6 env XDG_STATE_HOME="$PWD/readonly" "$program" bookmarks a.sqlite add --at 1s
fi

# Many programs that add bookmarks at once lose none.
many() { # PROGRAMS ADDS
    for p in $(seq "$1"); do
        for i in $(seq "$2"); do bm a.sqlite add --at ${i}ms --name "$p-$i" || echo "$p-$i" >>failed; done &
    done
    wait
}
many 8 $adds
[ ! -e failed ] || fail "some could not be saved: $(head -3 failed)"
[ "$(count a.sqlite)" = $((8 * adds)) ] || fail "8 programs with $adds bookmarks each kept $(count a.sqlite)"
[ "$(ls state/nsyscope | wc -l)" = 2 ] || fail "files are left: $(ls state/nsyscope)"

# A program killed at any moment loses no bookmark that it reported as saved, and damages nothing.
for i in $(seq $kills); do
    "$program" bookmarks a.sqlite add --at 1s --name "killed-$i" &
    pid=$!
    sleep "0.0$(printf %02d $((i * 7 % 20)))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null && echo "killed-$i" >>saved
    expect 0 "$program" bookmarks a.sqlite list --format csv
    [ ! -s err ] || fail "damaged by a kill: $(cat err)"
    [ "$(sed 1d out | grep -vc killed-)" = $((8 * adds)) ] || fail "a kill lost some"
done
expect 0 "$program" bookmarks a.sqlite list --format csv
for name in $(cat saved 2>/dev/null); do grep -q ",$name,,\$" out || fail "$name is lost"; done

# The next save removes our stale temporary files and no others.
file=$(the_file)
pid=$(sh -c 'echo $$')
for i in $(seq 20); do echo x >"$file.$pid-$i.tmp"; done
echo x >"$file.note.tmp"
echo x >"$file.1-0.tmp"
mkdir "$file.$pid-99.tmp"
expect 0 "$program" bookmarks a.sqlite add --at 1s
[ "$(ls -d "$file".*.tmp | wc -l)" = 3 ] || fail "temporary files: $(ls -d "$file".*.tmp | wc -l)"
[ -f "$file.note.tmp" ] && [ -f "$file.1-0.tmp" ] && [ -d "$file.$pid-99.tmp" ] || fail "a file of others is gone"
rm -r state

# A file cut at some lengths: whole bookmarks are read, and a copy of the damaged file is kept before the next save.
for i in 1 2 3; do expect 0 "$program" bookmarks a.sqlite add --at ${i}s --name "cut-$i"; done
file=$(the_file)
cp "$file" whole.json
size=$(wc -c <whole.json)
for cut in $(seq 1 $step $((size - 2))); do
    head -c "$cut" whole.json >"$file"
    cp "$file" cut.json
    lines=$(head -c "$cut" whole.json | grep -c '^    {.*}')
    expect 0 "$program" bookmarks a.sqlite list --format csv
    says "damaged"
    [ "$(sed 1d out | wc -l)" -ge "$lines" ] || fail "cut at $cut: $(wc -l <out) of $lines"
    expect 0 "$program" bookmarks a.sqlite add --at 9s --name new
    cmp -s "$file.bad-1" cut.json || fail "cut at $cut: the damaged file is not kept"
    expect 0 "$program" bookmarks a.sqlite list --format csv
    [ ! -s err ] || fail "cut at $cut: still damaged"
    [ "$(sed 1d out | wc -l)" -gt "$lines" ] || fail "cut at $cut: not saved"
    rm "$file.bad-1"
    [ "$(ls state/nsyscope | wc -l)" = 2 ] || fail "cut at $cut: files are left"
done

# A differently damaged file is kept under a second name; the same damage is not kept twice.
head -c 200 whole.json >"$file"
expect 0 "$program" bookmarks a.sqlite add --at 9s
head -c 201 whole.json >"$file"
expect 0 "$program" bookmarks a.sqlite add --at 9s
head -c 201 whole.json >"$file"
expect 0 "$program" bookmarks a.sqlite add --at 9s
[ -f "$file.bad-1" ] && [ -f "$file.bad-2" ] && [ ! -e "$file.bad-3" ] || fail "damaged files: $(ls state/nsyscope)"
finish
