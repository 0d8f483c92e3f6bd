#!/bin/sh
# Makes the first inputs of the fuzz targets in corpus_made/TARGET: make_corpus.sh PROGRAM TESTS. The repository holds no binary:
# databases come from SQL text, reports from the program, texts from corpus/TARGET.lines (one input a line, \033 is a byte).
set -eu
program=$1
fixtures=$2/fixtures
corpus=$2/fuzz/corpus
rm -rf corpus_made && mkdir corpus_made && cd corpus_made

mkdir db
"$program" generate --kernels 40 --layers 1 db/small.sqlite
sqlite3 db/two_streams.sqlite <"$fixtures/two_streams.sql"
for name in names schema texts values; do
    cat "$fixtures/two_streams.sql" "$fixtures/hostile_$name.sql" | sqlite3 "db/$name.sqlite"
done

# The same exports for several subcommands: byte 71 selects the subcommand.
mkdir commands
n=0
while [ $n -lt 40 ]; do
    for name in small two_streams; do
        cp db/$name.sqlite "commands/$name-$n"
        printf "$(printf '\\%03o' $n)" | dd of="commands/$name-$n" bs=1 seek=71 conv=notrunc 2>/dev/null
    done
    n=$((n + 1))
done

for file in "$corpus"/*.lines; do
    what=$(basename "$file" .lines)
    mkdir "$what"
    n=0
    while IFS= read -r line; do
        printf '%b' "$line" >"$what/$n"
        n=$((n + 1))
    done <"$file"
done

mkdir -p report
"$program" report --json db/small.sqlite >report/small
"$program" report --json --no-nvtx-kernel-map db/two_streams.sqlite >report/two
XDG_STATE_HOME=$PWD/state "$program" bookmarks db/small.sqlite add --at 1ms --name one >/dev/null
