#!/bin/sh
# sketch_one.sh EXPORT OUT: sketches one export or report into the folder OUT, for the engines beside this file.
# A sketch that is there already stays: a rerun does only what is missing. Exit status 0: it is there.
set -u
nsyscope=${NSYSCOPE:-nsyscope}
name=$(basename "$1")
target=$2/${name%.*}.nsk.json
[ -s "$target" ] && exit 0
"$nsyscope" sketch "$1" -o "$target" || { echo "failed: $1 on $(hostname)" >&2; exit 1; }
