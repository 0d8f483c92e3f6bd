#!/bin/sh
# Faults that no other script covers: damaged headers, cut files, odd paths, few resources, closed descriptors, unusable temporary
# folders; and that the program starts no other program, opens no connection and creates no file that was not asked for.
# promises: A13 A28 A29 A32 A38 A44 A45 A47 A48 B12 B13 B16 C15 D12 F2 F3 F10
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1
export XDG_CONFIG_HOME="$PWD/config" XDG_STATE_HOME="$PWD/state"
expect 0 "$program" generate --kernels 300 a.sqlite
expect 0 "$program" summary --format csv a.sqlite
cp out right

# put FILE AT BYTES...: overwrites bytes of the file; each is an octal number.
put() {
    to=$1
    at=$2
    shift 2
    for byte in "$@"; do printf "\\$byte"; done | dd of="$to" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

# A13: a NaN stored in a NOT NULL column. SQLite reads it as NULL; the row is counted as skipped, not read as 0 ns.
sqlite3 nan.sqlite "PRAGMA page_size=512; CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL); INSERT INTO StringIds VALUES(1, 'k');
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start REAL NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
    streamId INTEGER NOT NULL, shortName INTEGER, demangledName INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (123456.789, 200000, 0, 1, 7, 1, 1), (5, 9, 0, 1, 7, 1, 1)"
at=$(LC_ALL=C grep -obUaP '\x40\xfe\x24\x0c\x9f\xbe\x76\xc9' nan.sqlite | head -n 1 | cut -d: -f1)
if [ -n "$at" ]; then
    put nan.sqlite "$at" 177 370 0 0 0 0 0 0
    expect 0 "$program" info --json nan.sqlite
    grep -A8 '"CUPTI_ACTIVITY_KIND_KERNEL"' out | tr -d '\n ' | grep -q '"skipped_type":[12],' || fail "a NaN is not counted: $(grep -A8 '"CUPTI_ACTIVITY_KIND_KERNEL"' out)"
else
    fail "the real number is not found in the file"
fi

# A28: odd file names open the right file and create no other.
mkdir paths
for name in 'a?b.sqlite' 'a#b.sqlite' 'a%20b.sqlite' 'a b.sqlite' 'file:a.sqlite' "$(printf 'a\nb.sqlite')" "$(printf 'a\033b.sqlite')" 'a?mode=rwc' "a'b.sqlite" 'a;b.sqlite'; do
    cp a.sqlite "paths/$name"
    before=$(ls -A paths | wc -l)
    expect 0 "$program" summary --format csv "./paths/$name"
    cmp -s out right || fail "another answer for the name $name"
    [ "$(ls -A paths | wc -l)" = "$before" ] || fail "a file was made beside $name"
    rm -f "paths/$name"
done
cp a.sqlite paths/-f.sqlite
(cd paths && expect 0 "$program" summary --format csv -- -f.sqlite; rm -f out err; exit "$failures") || fail "a name that begins with a dash"

# A29: each byte of the header becomes 0, 255 or changes one bit: the same answer or one line, never a crash.
n=0
while [ $n -lt 100 ]; do
    for byte in 0 377 flip; do
        cp a.sqlite header.sqlite
        if [ $byte = flip ]; then
            old=$(od -An -tu1 -j $n -N 1 a.sqlite)
            put header.sqlite $n "$(printf %o $((old ^ (1 << n % 8))))"
        else
            put header.sqlite $n $byte
        fi
        timeout 20 "$program" summary --format csv header.sqlite >out 2>err </dev/null
        got=$?
        case $got in
        0) cmp -s out right || fail "byte $n of the header: another answer" ;;
        3 | 4 | 7) [ "$(wc -l <err)" = 1 ] || fail "byte $n of the header: not one line: $(cat err)" ;;
        *) fail "byte $n of the header as $byte: status $got: $(cat err)" ;;
        esac
    done
    n=$((n + 1))
done

# A32: files cut at page boundaries and one byte beside them.
size=$(wc -c <a.sqlite)
for cut in 1 99 100 101 511 512 4095 4096 4097 8191 8192 8193 $((size / 2)) $((size - 4097)) $((size - 4096)) $((size - 1)); do
    head -c "$cut" a.sqlite >cut.sqlite
    timeout 20 "$program" summary cut.sqlite >out 2>err </dev/null
    got=$?
    [ $got = 3 ] || [ $got = 4 ] || fail "cut at $cut: status $got"
    [ "$(wc -l <err)" = 1 ] || fail "cut at $cut: $(cat err)"
done

# A44: the program needs no temporary folder.
for folder in /nonexistent /proc /dev/full; do
    TMPDIR=$folder SQLITE_TMPDIR=$folder expect 0 "$program" summary --format csv a.sqlite
    cmp -s out right || fail "another answer with TMPDIR=$folder"
    TMPDIR=$folder SQLITE_TMPDIR=$folder expect 0 "$program" sql a.sqlite "SELECT k.start, r.start FROM CUPTI_ACTIVITY_KIND_KERNEL k, CUPTI_ACTIVITY_KIND_RUNTIME r ORDER BY r.end, k.end LIMIT 3"
done

# A45: closed standard streams and little address space. The export must not get the number of a standard stream.
for closed in '0<&-' '2>&-' '0<&- 2>&-'; do
    eval "timeout 20 \"\$program\" summary --format csv a.sqlite >out $closed" || fail "with $closed: status $?"
    cmp -s out right || fail "another answer with $closed"
done
timeout 20 "$program" summary --format csv a.sqlite 0<&- 1>&- 2>&-
[ $? = 6 ] || fail "all streams closed is not status 6"
for kib in 60000 100000 200000 400000 800000; do
    (ulimit -v $kib && exec timeout 60 "$program" summary --format csv a.sqlite >out 2>err </dev/null)
    got=$?
    case $got in
    0) cmp -s out right || fail "another answer in $kib KiB" ;;
    5) [ -s err ] || fail "$kib KiB: nothing is said" ;;
    127) ;; # the libraries do not fit
    *) grep -q 'Sanitizer\|LeakSanitizer\|shadow memory' err || fail "$kib KiB of address space: status $got: $(head -2 err)" ;;
    esac
done

# B13: a terminal gets clean text, a pipe gets the bytes of the names.
sqlite3 a.sqlite "UPDATE StringIds SET value = char(27) || '[31m' || value WHERE id IN (SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)"
expect 0 "$program" stats -r cuda_gpu_kern_sum -f csv a.sqlite
LC_ALL=C grep -q "$(printf '\033')" out || fail "a pipe does not get the bytes of the names"
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "'$program' stats -r cuda_gpu_kern_sum -f csv a.sqlite" /dev/null </dev/null >out 2>&1
    LC_ALL=C grep -q "$(printf '\033')" out && fail "a terminal gets an escape of a name"
fi

# C15: an export may take at most 64 MiB more memory than the load.
kernels=60000
[ -z "${NSC_LONG:-}" ] || kernels=3000000
expect 0 "$program" generate --force --kernels $kernels large.sqlite
for format in csv chrome speedscope; do
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -f %M -o peak "$program" export --to $format large.sqlite >out 2>err || fail "export --to $format: $(cat err)"
        /usr/bin/time -f %M -o base "$program" bins --device 0 --columns 2 large.sqlite >out 2>err || fail "$(cat err)"
        [ $(($(tail -n 1 peak) - $(tail -n 1 base))) -lt 65536 ] || fail "export --to $format took $(tail -n 1 peak) KiB, the load $(tail -n 1 base)"
    fi
done

# F10: two programs at once, each with its own budget, give the same answer.
expect 0 "$program" summary --format csv --mem 1G large.sqlite
cp out right
"$program" summary --format csv --mem 1G large.sqlite >one 2>&1 &
one=$!
"$program" summary --format csv --mem 1G large.sqlite >two 2>&1 || fail "the second of two: $(cat two)"
wait $one || fail "the first of two: $(cat one)"
cmp -s one right && cmp -s two right || fail "two at once answer otherwise"
rm -f large.sqlite

# A48: the program starts no other program, opens no socket and creates only files that were asked for.
# A sanitizer's leak check cannot run under strace, so it is off.
if strace -f -o trace true 2>/dev/null; then
    for words in 'summary' 'report --json' 'stats -r nvtx_sum' 'render --size 80x24' 'export --to csv -o made.csv' 'sql @ SELECT_1'; do
        case $words in
        *@*) set -- sql a.sqlite 'SELECT 1' ;;
        *) set -- $words a.sqlite ;;
        esac
        rm -f made.csv
        ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=execve,execveat,socket,connect,openat,open,creat,mkdir,mkdirat -o trace "$program" "$@" >out 2>err </dev/null || fail "$*: $(cat err)"
        [ "$(grep -c 'execve(' trace)" = 1 ] || fail "$*: starts $(grep 'execve(' trace)"
        grep -q 'socket(\|connect(' trace && fail "$*: opens a socket: $(grep 'socket(' trace)"
        made=$(grep -E 'O_CREAT|creat\(|mkdir' trace | grep -v 'made\.csv\|/state/\|/dev/shm' | grep -v ENOENT)
        [ -z "$made" ] || fail "$*: makes $made"
    done
else
    echo "strace is missing or may not trace: what the program does is not looked at"
fi

# A38: a log beside an export in a folder without write permission: the message names the log, not the folder.
# Root may write everywhere, so the program runs as another user.
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --clear-groups true 2>/dev/null && setpriv --reuid=65534 --clear-groups test -x "$program"; then
    mkdir locked
    cp a.sqlite locked/l.sqlite
    head -c 5000 /dev/zero >locked/l.sqlite-wal
    chmod 555 locked
    chmod 755 .
    timeout 20 setpriv --reuid=65534 --clear-groups "$program" info locked/l.sqlite >out 2>err </dev/null
    [ $? = 126 ] || { grep -q 'sqlite-wal' err || fail "the log in a locked folder: $(cat err)"; grep -qi 'readonly database' err && fail "$(cat err)"; }
    chmod 755 locked
fi

# A47: random keys leave the folder of the export as it is.
mkdir kept
cp right kept/beside
"$program" generate --kernels 200 kept/k.sqlite
before=$(ls -la --time-style=full-iso kept && cat kept/* | cksum)
n=0
while [ $n -lt 30 ]; do
    keys=$(awk -v seed=$n 'BEGIN { srand(seed); for (i = 0; i < 60; i++) printf "%s ", substr("hjklHJKLwasdfFYAiITSDnNpPrRvVgGzZ+-09=<>[]{}()bBeEtToOmMuUxX", 1 + int(rand() * 61), 1) }')
    "$program" render kept/k.sqlite --size 100x30 --keys "$keys" >out 2>err </dev/null || fail "keys $keys: $(cat err)"
    n=$((n + 1))
done
[ "$before" = "$(ls -la --time-style=full-iso kept && cat kept/* | cksum)" ] || fail "keys changed the folder: $(ls -la kept)"

# B12: messages repeat words of the command line without their escapes.
for words in "$(printf '\033]0;x\007')" "--$(printf '\033[31m')" "info $(printf '\033]0;x\007').sqlite"; do
    # shellcheck disable=SC2086
    "$program" $words >out 2>err </dev/null && fail "takes $words"
    tr -d '\n' <err | LC_ALL=C grep -q '[[:cntrl:]]' && fail "an escape of the command line reaches the terminal"
done

# B16: patterns that are slow in other engines end in time.
sqlite3 a.sqlite "UPDATE StringIds SET value = replace(hex(zeroblob(30000)), '0', 'a') || '!' WHERE id IN (SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)"
# shellcheck disable=SC2016
for pattern in '/(a+)+$/' '/(a|aa)+$/' '/(.*)*b/' '/a{1,200}{1,200}b/'; do
    timeout 20 "$program" summary a.sqlite --filter "$pattern" >out 2>err </dev/null
    case $? in 0 | 2 | 7) ;; *) fail "the pattern $pattern: status $?" ;; esac
done

# D12: a bookmark file beyond the size limit is refused.
truncate -s 1G marks.json
timeout 20 "$program" bookmarks a.sqlite list --bookmarks marks.json >out 2>err </dev/null
[ $? = 3 ] && grep -q 'larger than' err || fail "a gigabyte of bookmarks: $(cat err)"
rm -f marks.json

# F2: the trace takes at most 32 bytes an event, plus 4 MB for names.
expect 0 "$program" generate --force --kernels $((kernels / 4)) large.sqlite
expect 0 "$program" info --json large.sqlite
events=$(sqlite3 :memory: "SELECT sum(json_extract(r.value, '\$.events')) FROM json_each(readfile('out'), '\$.sheets') s, json_each(s.value, '\$.rows') r
    WHERE json_extract(s.value, '\$.key') = 'tables'")
bytes=$(sqlite3 :memory: "SELECT json_extract(readfile('out'), '\$.sheets[0].rows[0].trace_bytes')")
[ "$events" -gt 10000 ] && [ "$bytes" -lt $((32 * events + 4000000)) ] || fail "$events events take $bytes bytes"
cd .. && rm -rf work
finish
