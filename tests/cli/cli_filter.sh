#!/bin/sh
# The screen and bins count the same events under a filter, a wrong filter is reported, and presets come from the settings file.
. "$(dirname "$0")/lib.sh"

size='--kernels 500 --layers 1 --devices 1'
[ -z "${NSC_LONG-}" ] || size='--kernels 2000 --layers 3'
expect 0 "$program" generate --force $size t.sqlite

# kept FILTER: prints the number of events that the title line shows.
kept() {
    expect 0 "$program" render t.sqlite --size 200x20 --filter "$1"
    sed -n 1p out | sed -n 's/.*  \([0-9][0-9 ]*\) of [0-9 ]* events *$/\1/p' | tr -d ' '
}

# counted FILTER: prints the number of events that bins counts on all lanes.
lanes=$("$program" info t.sqlite --lanes --json | grep -o '"lane": *[0-9]*' | grep -o '[0-9]*$')
counted() {
    sum=0
    for lane in $lanes; do
        n=$("$program" bins t.sqlite --lane "$lane" --columns 1 --filter "$1" | sed 1d | cut -d, -f4)
        sum=$((sum + n))
    done
    echo "$sum"
}

for filter in kind:kernel 'name:gemm' 'dur>30us !kind:nvtx' 'gpu:0' 'name~^void.*gemm' 'layer'; do
    a=$(kept "$filter")
    b=$(counted "$filter")
    [ "$a" = "$b" ] || fail "render shows $a events, bins counts $b: $filter"
done

expect 2 "$program" render t.sqlite --filter 'gpu:x'
says 'filter, column 5'
expect 2 "$program" open t.sqlite --filter 'kind:nothing'
says 'no such kind'

mkdir -p config/nsyscope
printf '[filters]\ncomm = kind:kernel name:nccl\nbad = kind:nothing\n' >config/nsyscope/config.ini
XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
expect 0 "$program" render t.sqlite --size 120x20 --keys '/ c o m Tab Enter'
prints 'filter: kind:kernel name:nccl'
says 'no such kind'

finish
