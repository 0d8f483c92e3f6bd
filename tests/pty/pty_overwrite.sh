#!/bin/sh
# The program never overwrites an export, and never creates a file beside it that SQLite would take for its log. This script tries
# every command and key that writes with every name of an export, with and without --force.
# promises: C12 C13
. "$(dirname "$0")/lib.sh"
rm -rf job && mkdir job
cp "$exports/plain.sqlite" job/a.sqlite
cp "$exports/plain.sqlite" job/b.sqlite # part of the folder, but not opened
echo log >job/b.sqlite-journal
ln -s a.sqlite job/link
ln job/a.sqlite job/hard
ln -s nowhere job/dangling
absolute=$PWD/job/a.sqlite
names="job/a.sqlite ./job/../job/a.sqlite absolute job/link job/hard job/b.sqlite job/a.sqlite-wal job/a.sqlite-shm job/a.sqlite-journal job/b.sqlite-journal job/dangling"

# Prints the contents of the folder: names, kinds and a checksum.
state() {
    (cd job && ls -l --time-style=+ -I "*.lock" -I "*.bad-*" | awk '{print $1, $NF}' && cat a.sqlite b.sqlite b.sqlite-journal | cksum)
}
for ending in svg html; do
    ln -s a.sqlite job/link.$ending
    ln job/a.sqlite job/hard.$ending
done
before=$(state)

unchanged() {
    [ "$(state)" = "$before" ] && return
    fail "changed by: $*"
    state
    rm -rf job/*
    exit 1
}

# refuses COMMAND...: the command fails with one line, and the folder is unchanged.
refuses() {
    timeout 60 "$@" >out 2>err </dev/null && fail "not refused: $*"
    [ "$(wc -l <err)" = 1 ] || fail "not one line: $* says $(cat err)"
    unchanged "$*"
}

# A link to an export in the place of the lock of bookmarks is not opened: its times stay, the bookmarks are kept.
ln job/a.sqlite job/own.json.lock
touched=$(stat -c %y%z job/a.sqlite)
sleep 0.05
"$program" bookmarks job/a.sqlite --bookmarks job/own.json add --at 1ms --name one >out 2>err || fail "no bookmark beside a link: $(cat err)"
[ "$(stat -c %y%z job/a.sqlite)" = "$touched" ] || fail "the lock of bookmarks touched the export that it is a link to"
grep -q '"one"' job/own.json || fail "the bookmark was not kept"
rm job/own.json job/own.json.lock

"$program" bookmarks job/a.sqlite add --at 1ms --name one --bookmarks marks.json >out || fail "no bookmark"
for name in $names; do
    [ "$name" != absolute ] || name=$absolute
    for force in "" --force; do
        for format in chrome perfetto page speedscope folded folded-cpu csv json ndjson; do
            refuses "$program" export job/a.sqlite --to $format --output "$name" $force
        done
        refuses "$program" bookmarks job/a.sqlite export --output "$name" $force
        refuses "$program" viewer job/a.sqlite --output "$name" $force
        refuses "$program" schema job/a.sqlite --output "$name" $force
        refuses "$program" schema --html --output "$name" $force
        refuses "$program" session job/a.sqlite --bookmarks marks.json --output "$name" $force
        refuses "$program" export job/a.sqlite --output "$name" $force
        refuses "$program" export-json job/a.sqlite --summary --output "$name" $force
        refuses "$program" report job/a.sqlite --out "$name/new" $force
        refuses "$program" report job/a.sqlite --out "$name" $force
    done
    # generate may replace another database that is not open, if --force is given, and nothing else
    case $name in
    *b.sqlite) refuses "$program" generate --kernels 100 "$name" ;;
    */a.sqlite | *hard | *link)
        refuses "$program" generate --kernels 100 "$name"
        ;;
    *)
        refuses "$program" generate --kernels 100 --force "$name"
        ;;
    esac
    case $name in *-wal | *-shm | *-journal | *dangling) ;; *)
        refuses "$program" bookmarks job/a.sqlite add --at 1s --bookmarks "$name"
        ;;
    esac
done

# The shell redirects the output or the messages into an export.
for command in "summary" "export --to csv" "render" "summary --no-such-option"; do
    for to in job/a.sqlite job/hard job/b.sqlite; do
        # shellcheck disable=SC2086
        "$program" $command job/a.sqlite >>$to 2>err </dev/null && fail "prints into $to: $command"
        # shellcheck disable=SC2086
        "$program" $command job/a.sqlite 1<>$to 2>err </dev/null && fail "prints over $to: $command"
        grep -q 'redirected into an SQLite database' err || fail "printing over $to: says $(cat err)"
        # shellcheck disable=SC2086
        "$program" $command job/a.sqlite >out 2>>$to </dev/null && fail "complains into $to: $command"
    done
    unchanged "$command"
done

# Names of output files that are links to the export, or the export itself.
mkdir -p job/r/tables
for file in job/r/report.md job/r/report.json job/r/report.html job/r/tables/kernels.csv job/x_cuda_gpu_sum.csv; do
    for link in "ln -s" ln cp; do
        case $link in
        cp) cp job/b.sqlite $file ;;
        *) $link "$absolute" $file ;;
        esac
        before=$(state)
        case $file in
        *gpu_sum*) refuses "$program" stats -r cuda_gpu_sum -f csv -o job/x --force job/a.sqlite ;;
        *) refuses "$program" report job/a.sqlite --out job/r --html --force ;;
        esac
        rm $file
        before=$(state)
    done
done

# shows_why WHAT: the saved screens say why the file was not written, and the folder is unchanged.
shows_why() {
    grep -qE 'never overwritten|symbolic link|SQLite would take it|exists|no bookmarks file|Not a directory' asked answered ||
        fail "the screen does not say why: $*: $(cat asked answered)"
    unchanged "$*"
}
# Enter confirms a replacement; Esc closes what is still open.
answer="idle shot=asked keys=\\r idle shot=answered keys=\\x1b idle"

# The screen: each command that writes a file.
for name in job/a.sqlite job/link job/hard job/b.sqlite job/a.sqlite-wal job/dangling; do
    for command in "export csv all" "export perfetto view" "bookmarks write" session; do
        ends 0 size=30x120 $shown keys='Bhere\r' see='⚑1' keys=":$command $name\\r" $answer keys=':quit\r' -- "$program" job/a.sqlite
        shows_why "$command $name"
    done
done
for name in job/link.svg job/hard.svg job/link.html job/hard.html; do
    for command in screenshot session; do
        case $command$name in session*svg) continue ;; esac
        ends 0 size=30x120 $shown keys='Bhere\r' see='⚑1' keys=":$command $name\r" $answer keys=':quit\r' -- "$program" job/a.sqlite
        shows_why "$command $name"
    done
done
for name in job/a.sqlite job/link job/hard job/a.sqlite-wal; do
    ends 0 size=30x120 $shown keys=':ask how many kernels are below 5 us\r' idle keys=":answer-write $name\r" $answer keys=':quit\r' -- "$program" job/a.sqlite
    shows_why "answer-write $name"
done
# x with a path; B with an export as the bookmark file; settings and state files that are links to the export.
ends 0 size=30x120 $shown keys='x\x1b[A' idle keys='\x15job/link\r' $answer keys=':quit\r' -- "$program" job/a.sqlite
shows_why x
ends 0 size=30x120 $shown keys='Bhere\r' see='⚑1' $answer keys=':quit\r' -- "$program" --bookmarks job/a.sqlite job/a.sqlite
shows_why "B in the export"
mkdir -p config/nsyscope
ln -s "$absolute" config/nsyscope/config.ini
ends 0 size=30x120 $shown keys='C' idle keys='w' $answer keys=':quit\r' -- "$program" job/a.sqlite
shows_why "settings in the export"
rm -rf config
"$program" bookmarks job/a.sqlite add --at 1s >out
kept=$(echo state/nsyscope/*.json)
rm "$kept"
ln -s "$absolute" "$kept"
keep=yes
ends 0 size=30x120 $shown keys='Bhere\r' see='⚑1' $answer keys=':quit\r' -- "$program" job/a.sqlite
shows_why "bookmarks in the export"
rm -rf job
finish
