#!/bin/sh
# merge_all.sh OUT: merges the sketches in the folder OUT to OUT.nsk.json, and prints the job.
# What is missing or broken is named and left out; the exit status is 0 as long as something was merged.
set -u
nsyscope=${NSYSCOPE:-nsyscope}
"$nsyscope" merge "$1" -o "$1.nsk.json"
[ -s "$1.nsk.json" ] || exit 1
"$nsyscope" merge "$1.nsk.json"
