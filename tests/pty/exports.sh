#!/bin/sh
# Makes the exports of this folder's tests: one plain, one whose every name is an attack on the terminal.
set -eu
fixtures=$1
out=$2

rm -rf "$out" && mkdir -p "$out"
sqlite3 "$out/plain.sqlite" <"$fixtures/two_streams.sql"
sqlite3 "$out/hostile.sqlite" <"$fixtures/two_streams.sql"
sqlite3 "$out/hostile.sqlite" <"$fixtures/hostile_names.sql"
