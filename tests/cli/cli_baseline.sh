#!/bin/sh
# diff --baseline says what diff says of the accepted export itself; the records are bounded, checked and never replaced by accident.
. "$(dirname "$0")/lib.sh"
docs=$(dirname "$0")/../../docs/json
export USER=ann

rm -rf ci state ./*.sqlite
expect 0 "$program" generate --kernels 4000 before.sqlite
expect 0 "$program" generate --kernels 4000 --seed 2 after.sqlite
expect 0 "$program" generate --kernels 9000 --layers 20 other.sqlite

# same STATUS A B [OPTION...]: the baseline of A and A itself give the same bytes and the same status. In JSON the files before the
# sheets are not those of both.
formats='table csv json'
same() {
    status=$1 a=$2 b=$3
    shift 3
    expect 0 "$program" baseline add same "$a" --dir ci --force "$@"
    [ "$(wc -c <ci/same.baseline.json)" -le 262144 ] || fail "$a: more than 256 KB"
    for format in $formats; do
        expect "$status" "$program" diff "$a" "$b" --gate 5% --limit 0 --format $format "$@"
        cp out plain
        cp err plain.err
        expect "$status" "$program" diff "$b" --baseline same --dir ci --gate 5% --limit 0 --format $format "$@"
        for file in out plain; do grep -v 'A: the baseline same' $file | sed 's/,$//; /^  "file": /,/^  "window"/d' >$file.rest; done
        cmp -s out.rest plain.rest || fail "$a $b $*: $format differs: $(diff out.rest plain.rest | head -5)"
        [ $format = csv ] || grep -q 'A: the baseline same, of' out || fail "$format does not name the baseline"
        cmp -s err plain.err || fail "$a $b $*: other messages"
    done
}
same 0 before.sqlite after.sqlite
same 0 before.sqlite before.sqlite --iterations step
same 0 before.sqlite after.sqlite --filter kind:kernel
same 7 before.sqlite other.sqlite
if command -v sqlite3 >/dev/null; then
    cp before.sqlite slow.sqlite
    for table in CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_MEMCPY CUPTI_ACTIVITY_KIND_MEMSET CUPTI_ACTIVITY_KIND_RUNTIME NVTX_EVENTS; do
        sqlite3 slow.sqlite "UPDATE $table SET start = start * 3 / 2, end = end * 3 / 2"
    done
    same 1 before.sqlite slow.sqlite
    # A kernel is called as the rest is.
    cp before.sqlite rest.sqlite
    sqlite3 rest.sqlite "UPDATE StringIds SET value = 'others' WHERE id = (SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1)"
    same 0 rest.sqlite after.sqlite
    # Names that are no text, and a control character in one.
    cp before.sqlite bytes.sqlite
    sqlite3 bytes.sqlite "UPDATE StringIds SET value = CAST(x'62ff1b' || CAST(value AS BLOB) AS TEXT) WHERE value LIKE '%flash%'"
    same 0 bytes.sqlite bytes.sqlite
    # Nothing to accept: nothing is written.
    cp before.sqlite empty.sqlite
    for table in CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_MEMCPY CUPTI_ACTIVITY_KIND_MEMSET CUPTI_ACTIVITY_KIND_GRAPH_TRACE \
        CUPTI_ACTIVITY_KIND_RUNTIME NVTX_EVENTS; do
        sqlite3 empty.sqlite "DELETE FROM $table" 2>/dev/null
    done
    expect 7 "$program" baseline add empty empty.sqlite --dir ci
    [ ! -e ci/empty.baseline.json ] || fail "an empty recording was accepted"
    expect 7 "$program" diff empty.sqlite --baseline same --dir ci --format json
    prints '"status": "cannot_answer"'
fi
head -c 60000 before.sqlite >broken.sqlite
expect 4 "$program" baseline add broken broken.sqlite --dir ci
[ ! -e ci/broken.baseline.json ] || fail "a broken recording was accepted"

# Who, when and why are kept and shown, and what was narrowed.
expect 0 "$program" baseline add main before.sqlite --dir ci --accept "fused $(printf '\033]0;x\007')"
expect 2 "$program" baseline add main after.sqlite --dir ci
says "ci/main.baseline.json exists; --force overwrites it"
expect 0 "$program" baseline list --dir ci
grep -q "main .*before.sqlite .*Z  *ann  *fused" out || fail "not listed: $(cat out)"
LC_ALL=C grep -q "$(printf '\033')" out && fail "a control character reached the terminal"
expect 0 "$program" baseline list --dir ci --format json
prints '"who": "ann"'
expect 0 "$program" diff after.sqlite --baseline main --dir ci --trim 0 1
grep -q "A: the baseline main, of before.sqlite, accepted 20[0-9TZ:-]* by ann: fused" out || fail "the baseline is not told"
prints "A: recorded with no options that narrow it; B: with --trim 0 1."

# The state folder is the default; names are words; only baselines are removed.
expect 0 env XDG_STATE_HOME="$PWD/state" "$program" baseline list
expect 0 env XDG_STATE_HOME="$PWD/state" "$program" baseline add v1.2_x-y before.sqlite
[ -s state/nsyscope/baselines/v1.2_x-y.baseline.json ] || fail "not in the state folder"
expect 0 env XDG_STATE_HOME="$PWD/state" "$program" diff after.sqlite --baseline v1.2_x-y
expect 0 env XDG_STATE_HOME="$PWD/state" "$program" baseline remove v1.2_x-y
[ ! -e state/nsyscope/baselines/v1.2_x-y.baseline.json ] || fail "not removed"
for name in ../main a/b '' .main 'a b' "$(printf 'a\033')"; do
    expect 2 "$program" baseline add "$name" before.sqlite --dir ci
    expect 2 "$program" diff after.sqlite --baseline "$name" --dir ci
done
echo '{"mine":1}' >ci/mine.baseline.json
expect 3 "$program" baseline remove mine --dir ci
[ -s ci/mine.baseline.json ] || fail "removed a file that is no baseline"
expect 0 "$program" baseline list --dir ci
prints "mine.baseline.json: no baseline"
expect 3 "$program" diff after.sqlite --baseline none --dir ci
says "no such baseline"
expect 3 "$program" baseline remove none --dir ci
expect 2 "$program" baseline add main --dir ci
expect 2 "$program" baseline keep main --dir ci
expect 2 "$program" diff before.sqlite after.sqlite --baseline main --dir ci

# Any damage is told, or the comparison holds; a record of too many names keeps its sums.
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 - "$program" "$docs/baseline.schema.json" <<'CHECK' || fail "records"
import json, random, subprocess, sys
import jsonschema
program, schema = sys.argv[1], json.load(open(sys.argv[2]))
good = open("ci/main.baseline.json").read()
record = json.loads(good)
jsonschema.validate(record, schema)
assert good.count("\n") == 1
def diff(text):
    open("ci/bad.baseline.json", "w").write(text)
    return subprocess.run([program, "diff", "after.sqlite", "--baseline", "bad", "--dir", "ci", "--format", "json"], capture_output=True).returncode
def changed(**new):
    return json.dumps({**record, **new}, separators=(",", ":"))
assert diff(changed()) == 0
row = record["rows"][0]
for bad in ({"n": 0}, {"n": -1}, {"n": 2**32}, {"found": 1}, {"by": 4}, {"metrics": record["metrics"][1:]}, {"metrics": [-1.0] * 35},
            {"metrics": [1e300] * 35}, {"metrics": "x"}, {"kinds": [1] * 4000}, {"kinds": [[1]]}, {"t0_ns": 2**63 - 1}, {"rows": {}},
            {"rows": [row[:3]]}, {"rows": [row[:4] + [-1]]}, {"rows": [row[:4] + [1, 1]]}, {"rows": [[-1] + row[1:]]}, {"rows": [[10**6] + row[1:]]}, {"rows": [[0, 0, 1, 1]]}, {"rows": [row, [0, 1, 1, 1]]},
            {"rows": [[0, "a", 0, 1]]}, {"rows": [[0, "a", 1, -1]]}, {"rows": [[0, "a", [1], 1]]}, {"rows": [7]}, {"who": 3}, {"nsys": None}):
    assert diff(changed(**bad)) == 4, bad
assert diff(changed(rows=[[0, "a", 2**63 - 1, 2**63 - 1]] * 3)) in (0, 7)
assert diff(changed(rows=[], kinds=[], metrics=[0] * 35)) == 7
random.seed(1)
for i in range(60):
    at = random.randrange(len(good))
    text = good[:at] + random.choice(["", "9", "-", "]", '"', "[", "null"]) + good[at + random.randrange(3):]
    assert diff(text) in (0, 3, 4, 7), (i, at)
CHECK
    python3 - <<'CHECK' || fail "no long recording"
import shutil, sqlite3
shutil.copy("before.sqlite", "long.sqlite")
db = sqlite3.connect("long.sqlite")
top = db.execute("SELECT max(id) FROM StringIds").fetchone()[0]
rows = db.execute("SELECT rowid FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchall()
for i, (row,) in enumerate(rows):
    db.execute("INSERT INTO StringIds VALUES (?, ?)", (top + 1 + i, f"kernel_{i}<" + "x" * 120 + ">"))
    db.execute("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = ?, shortName = ? WHERE rowid = ?", (top + 1 + i, top + 1 + i, row))
db.commit()
CHECK
    expect 0 "$program" baseline add long long.sqlite --dir ci
    expect 0 "$program" baseline add whole before.sqlite --dir ci
    expect 0 "$program" diff long.sqlite --baseline long --dir ci
    prints 'summed as "others"'
    python3 - "$docs/baseline.schema.json" <<'CHECK' || fail "a long record"
import json, os, sys
import jsonschema
long, whole = (json.load(open(f"ci/{name}.baseline.json")) for name in ("long", "whole"))
jsonschema.validate(long, json.load(open(sys.argv[1])))
assert os.path.getsize("ci/long.baseline.json") <= 262144 and long["least_ns"] > 0
total = lambda record, of: [sum(row[k] for row in record["rows"] if row[0] == of) for k in (2, 3)]
assert total(long, 0) == total(whole, 0), (total(long, 0), total(whole, 0))
parts = lambda record: sum(row[3] for row in record["rows"] if row[0] >= 3)
assert parts(long) == parts(whole)
assert any(row[:2] == [0, "others"] for row in long["rows"])
CHECK
fi
finish
