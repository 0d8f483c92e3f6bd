#!/bin/sh
# Makes the databases that the fuzz targets begin with, in corpus_db: make_corpus_db.sh PROGRAM FIXTURES.
set -eu
rm -rf corpus_db && mkdir corpus_db
"$1" generate --kernels 40 --layers 1 corpus_db/small.sqlite
sqlite3 corpus_db/two_streams.sqlite <"$2/two_streams.sql"
for name in names schema texts values; do
    cat "$2/two_streams.sql" "$2/hostile_$name.sql" | sqlite3 "corpus_db/$name.sqlite"
done
