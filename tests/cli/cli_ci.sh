#!/bin/sh
# The commands of docs/CI.md run, their snippets are YAML, and a recording that tells nothing fails the job.
. "$(dirname "$0")/lib.sh"
page=$NSC_TEST_SOURCE/docs/CI.md

rm -rf ci rec ./*.sqlite
mkdir -p ci rec/nsys
expect 0 "$program" generate --kernels 4000 --devices 1 accepted.sqlite
expect 0 "$program" generate --kernels 4000 --devices 1 --seed 2 rec/nsys/capture.sqlite
sed -n 's/^ *\(- \)\{0,1\}\(run: \)\{0,1\}\(nsyscope .*\)$/\3/p' "$page" | sort -u >commands
[ "$(wc -l <commands)" = 5 ] || fail "$(wc -l <commands) commands: $(cat commands)"
while read -r _ command words; do
    dry=
    [ "$command" = capture ] && dry=--dry-run
    eval "set -- $words"
    expect 0 "$program" "$command" $dry "$@"
done <commands
[ -s rec/report/report.md ] || fail "no report"
python3 - "$page" <<'CHECK' || fail "a snippet is no YAML"
import re, sys
try:
    import yaml
except ImportError:
    sys.exit(0)
snippets = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", open(sys.argv[1]).read(), re.S)]
assert len(snippets) == 2 and "jobs" in snippets[0] and "script" in snippets[1]["performance"], snippets
CHECK

# gate STATUS WORD: what diff says of run.sqlite.
gate() {
    expect "$1" "$program" diff run.sqlite --baseline main --dir ci --gate 5% --format json
    grep -q "\"status\": \"$2\"" out || fail "not $2: $(grep -m1 status out)"
}
cp rec/nsys/capture.sqlite run.sqlite
gate 0 ok
for table in CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_MEMCPY CUPTI_ACTIVITY_KIND_MEMSET CUPTI_ACTIVITY_KIND_GRAPH_TRACE \
    CUPTI_ACTIVITY_KIND_RUNTIME CUPTI_ACTIVITY_KIND_SYNCHRONIZATION NVTX_EVENTS; do
    sqlite3 run.sqlite "UPDATE $table SET start = start * 6 / 5, end = end * 6 / 5"
done
gate 1 ok
grep -q '"verdict": "regression"' out || fail "no regression: $(grep verdict out)"
sqlite3 run.sqlite "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL"
gate 7 not_assessable
for table in CUPTI_ACTIVITY_KIND_MEMCPY CUPTI_ACTIVITY_KIND_MEMSET CUPTI_ACTIVITY_KIND_GRAPH_TRACE CUPTI_ACTIVITY_KIND_RUNTIME NVTX_EVENTS; do
    sqlite3 run.sqlite "DELETE FROM $table"
done
gate 7 cannot_answer
head -c 60000 rec/nsys/capture.sqlite >run.sqlite
gate 4 cannot_answer
rm run.sqlite
gate 3 cannot_answer
finish
