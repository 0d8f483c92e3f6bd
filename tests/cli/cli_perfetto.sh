#!/bin/sh
# Both traces for Perfetto, read by a reader of their own: every event of one is in the other, ranges on the GPU are those of
# nvtx_gpu_proj_trace (a test build projects few ranges), kernels have their launch shape, bookmarks are there, each GPU op is a render stage.
# promises: C5
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3; the traces for Perfetto are not read"; exit 77; }

rm -rf state made.sqlite
expect 0 "$program" generate made.sqlite --kernels 60 --layers 2 --devices 2 --force
expect 0 "$program" bookmarks made.sqlite add --range 1ms 2ms --name 'a range' --note why
expect 0 "$program" bookmarks made.sqlite add --at 1500us --name 'a time'
expect 0 "$program" export made.sqlite --to chrome -o chrome.json --force
expect 0 "$program" export made.sqlite --to perfetto -o trace.perfetto --force
expect 0 "$program" stats -r nvtx_gpu_proj_trace --format csv made.sqlite
sed '/^$/d' out >projected.csv
origin=$(sed -n 's/.*"origin_ns": *"\{0,1\}\(-\{0,1\}[0-9]*\).*/\1/p' chrome.json | head -1)
expect 0 python3 "$(dirname "$0")/read_traces.py" chrome.json trace.perfetto projected.csv "$origin"
cat out
prints 'render stages'
grep -q '"grid":"[0-9]*,[0-9]*,[0-9]*","block":"[0-9]*,[0-9]*,[0-9]*","registers":[0-9]' chrome.json || fail "no launch shape"
grep -q '"cat":"bookmark","name":"a range"' chrome.json || fail "no bookmark"
grep -q '"bytes":[0-9]' chrome.json || fail "no bytes"
finish
