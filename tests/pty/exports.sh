#!/bin/sh
# Makes the exports for the tests of this folder: a plain one, and one with hostile names.
set -eu
fixtures=$1
out=$2

rm -rf "$out" && mkdir -p "$out"
sqlite3 "$out/plain.sqlite" <"$fixtures/two_streams.sql"
sqlite3 "$out/hostile.sqlite" <"$fixtures/two_streams.sql"
sqlite3 "$out/hostile.sqlite" <"$fixtures/hostile_names.sql"
