#!/bin/sh
# parallel.sh HOSTS LIST OUT: GNU parallel over ssh. HOSTS: a file of hosts, one a line (":" is this machine);
# LIST: the paths of the exports, one a line, which every host reads; OUT: a folder that this machine sees.
# Sketches come over the connection, so that the hosts write nothing. A failed rank is tried twice, then named.
set -u
nsyscope=${NSYSCOPE:-nsyscope}
mkdir -p "$3"
parallel --sshloginfile "$1" --retries 2 --joblog "$3.log" --results "$3.parts/{#}/" \
    "$nsyscope" sketch {} :::: "$2" >/dev/null || echo "some exports failed: see $3.log" >&2
for part in "$3".parts/*/stdout; do
    [ -s "$part" ] && cp "$part" "$3/$(basename "$(dirname "$part")").nsk.json"
done
exec sh "$(dirname "$0")/merge_all.sh" "$3"
