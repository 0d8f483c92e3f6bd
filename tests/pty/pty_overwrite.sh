#!/bin/sh
# No export is ever overwritten, nor is anything put beside it that SQLite would take for its log: by no command, with
# --force or without, and by no key. Every way in which the program writes is tried with every name of an export.
. "$(dirname "$0")/lib.sh"
rm -rf job && mkdir job
cp "$exports/plain.sqlite" job/a.sqlite
cp "$exports/plain.sqlite" job/b.sqlite # of the job, opened by nobody
echo log >job/b.sqlite-journal
ln -s a.sqlite job/link
ln job/a.sqlite job/hard
ln -s nowhere job/dangling
names="job/a.sqlite ./job/../job/a.sqlite $PWD/job/a.sqlite job/link job/hard job/b.sqlite job/a.sqlite-wal job/a.sqlite-shm job/a.sqlite-journal job/b.sqlite-journal job/dangling"

# What the folder holds: names, kinds, bytes.
state() {
    (cd job && ls -l --time-style=+ -I "*.lock" -I "*.bad-*" | awk '{print $1, $NF}' && cat a.sqlite b.sqlite b.sqlite-journal | cksum)
}
before=$(state)

unchanged() {
    [ "$(state)" = "$before" ] && return
    fail "changed by: $*"
    state
    rm -rf job/*
    exit 1
}

# refuses COMMAND...: fails with one line, and the folder is as before.
refuses() {
    timeout 60 "$@" >out 2>err </dev/null && fail "not refused: $*"
    [ "$(wc -l <err)" = 1 ] || fail "not one line: $* says $(cat err)"
    unchanged "$*"
}

for name in $names; do
    for force in "" --force; do
        for format in chrome perfetto speedscope csv; do
            refuses "$program" export job/a.sqlite --to $format --output "$name" $force
        done
        refuses "$program" bookmarks job/a.sqlite export --output "$name" $force
        refuses "$program" report job/a.sqlite --out "$name/new" $force
    done
    # a database is made in the place of another that nobody reads, when asked for, and of nothing else
    case $name in
    *b.sqlite) refuses "$program" generate --kernels 100 "$name" ;;
    */a.sqlite | *hard | *link)
        refuses "$program" generate --kernels 100 "$name"
        refuses "$program" generate --tile job/a.sqlite "$name"
        refuses "$program" generate --tile job/a.sqlite --force "$name"
        ;;
    *)
        refuses "$program" generate --kernels 100 --force "$name"
        refuses "$program" generate --tile job/a.sqlite --force "$name"
        ;;
    esac
    case $name in *-wal | *-shm | *-journal | *dangling) ;; *)
        refuses "$program" bookmarks job/a.sqlite add --at 1s --bookmarks "$name"
        ;;
    esac
done

# Files whose names the program makes: they are links to the export, or the export itself.
mkdir -p job/r/tables
for file in job/r/report.md job/r/report.json job/r/report.html job/r/tables/kernels.csv job/x_cuda_gpu_sum.csv; do
    for link in "ln -s $PWD/job/a.sqlite" "ln job/a.sqlite" "cp job/b.sqlite"; do
        $link $file
        before=$(state)
        case $file in
        *gpu_sum*) refuses "$program" stats -r cuda_gpu_sum -f csv -o job/x --force job/a.sqlite ;;
        *) refuses "$program" report job/a.sqlite --out job/r --html --force ;;
        esac
        rm $file
        before=$(state)
    done
done

why='never overwritten|symbolic link|SQLite would take it|exists|no bookmarks file'
# shows WHAT: the screen that was captured says why not, and the folder is as before.
shows() {
    grep -aqE "$why" sent || fail "the screen does not say why: $*"
    unchanged "$*"
}

# The screen: each command that writes, answered by Enter when it asks whether the file may be replaced.
for name in job/a.sqlite job/link job/hard job/b.sqlite job/a.sqlite-wal job/dangling; do
    for command in "export csv all" "export perfetto view" "bookmarks write"; do
        ends 0 capture=sent size=30x120 quiet=400 keys="Bhere\\r" quiet=200 keys=":$command $name\\r" quiet=400 keys='\r' quiet=300 keys='\x1b' quiet=200 keys=':quit\r' -- "$program" "job/a.sqlite"
        shows "$command $name"
    done
done
# x and a path; B with the bookmarks' file being an export; settings and state that lead to one.
ends 0 capture=sent size=30x120 quiet=400 keys='x\x1b[D\x1b[D\x1b[D\r' quiet=200 keys='\x15job/link\r' quiet=400 keys='\r' quiet=300 keys='\x1b' quiet=200 keys=':quit\r' -- "$program" job/a.sqlite
shows x
ends 0 capture=sent size=30x120 quiet=400 keys='Bhere\r' quiet=400 keys=':quit\r' -- "$program" --bookmarks job/a.sqlite job/a.sqlite
shows "B in the export"
mkdir -p config/nsyscope
ln -s "$PWD/job/a.sqlite" config/nsyscope/config.ini
ends 0 capture=sent size=30x120 quiet=400 keys='C' quiet=200 keys='w' quiet=300 keys='C' quiet=400 keys=':quit\r' -- "$program" job/a.sqlite
shows "settings in the export"
rm -rf config
"$program" bookmarks job/a.sqlite add --at 1s >out
kept=$(echo state/nsyscope/*.json)
rm "$kept"
ln -s "$PWD/job/a.sqlite" "$kept"
keep=yes
ends 0 capture=sent size=30x120 quiet=400 keys='Bhere\r' quiet=400 keys=':quit\r' -- "$program" job/a.sqlite
shows "bookmarks in the export"
rm -rf job
finish
