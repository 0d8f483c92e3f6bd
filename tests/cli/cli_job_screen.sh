#!/bin/sh
# The screen of a job, drawn by render: a folder of sketches, sketches and a merged file are the same job; its pictures are those of
# the folder job_screen (NSC_UPDATE=1 draws them again); hostile sketches send nothing but text.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "python3 is missing: NOT TESTED"; exit 77; }

rm -rf job one && mkdir one
python3 "$here/../fleet/simulate.py" job 16 60 fifth 3

# picture NAME OPTION...: what render draws is the file.
picture() {
    name=$1
    shift
    expect 0 "$program" render job "$@"
    [ -z "${NSC_UPDATE:-}" ] || cp out "$here/job_screen/$name"
    cmp -s out "$here/job_screen/$name" || { fail "other picture: $name"; diff out "$here/job_screen/$name" | head -8; }
}
picture ranks_80x24.txt --size 80x24 --keys 'e Right Right'
picture ranks_200x60.txt --size 200x60 --keys 'o Down Right'
picture waits_80x24.txt --size 80x24 --keys 'w Right Right Right Right Right'
picture nodes_ascii.txt --size 80x24 --keys 'Space o v v' --ascii
picture dark_80x24.ansi --size 80x24 --format ansi256
picture light_80x24.ansi --size 80x24 --format ansi256 --theme light
for theme in default light; do
    expect 0 "$program" render job --size 200x60 --format svg --theme $theme
    [ "$(grep -o 'fill="#[0-9a-f]*"' out | sort -u | wc -l)" -ge 12 ] || fail "$theme: hardly any colours"
done

# Groups of a parallelism, by the ranges and payloads of the sketches.
rm -rf grouped
python3 "$here/../fleet/simulate.py" grouped 16 30 slow 3 --tensor 4
expect 0 "$program" render grouped --size 80x24 --keys 'o o o Space'
prints "sorted by TP group"
prints "rank 4 +3"
expect 0 "$program" render grouped --size 80x24 --keys 'o o o o Down Down Down Down'
prints "sorted by DP group"

# The same job, however it is named.
expect 0 "$program" render job --size 80x24
sed 1d out >wanted # but its name
expect 0 "$program" merge job -o one/all.nsk.json
for names in one one/all.nsk.json 'job/rank*.nsk.json' 'job/rank1.nsk.json job'; do
    # shellcheck disable=SC2086
    expect 0 "$program" render $names --size 80x24
    sed 1d out | cmp -s - wanted || fail "another job: $names"
done
expect 0 "$program" job # no terminal: its first picture
prints "16 ranks, 60 iterations"

# Enter tells how to open an export that is not here; the filter, and what it leaves.
expect 0 "$program" render job --size 100x30 --keys '/ 5 Enter Enter'
prints "The export is not here"
prints "scp -- node0:/scratch/rank5.sqlite . && nsyscope --command 'goto"
expect 0 "$program" render job --size 100x30 --keys '/ n o n e Enter'
prints "the filter leaves no rank"
expect 0 "$program" render job --keys '?'
prints "who waits for whom"
if grep -qE 'query the export|menu for the event' out; then fail "the help has keys that do nothing here"; fi
expect 2 "$program" render job --keys 'NoKey'

# Bookmarks of a file, of which texts and numbers are hostile, too.
cat >marks.json <<'MARKS'
{"format": "nsyscope-bookmarks-1", "count": 3, "bookmarks": [{"id": "1111111111111111", "name": "here", "path": "rank 5 on node0", "time": 7, "modified": 1},
    {"id": "2222222222222222", "name": "\u001b]52;c;eA==\u0007\u202e %s%n", "path": "rank 5 on \u001b[2J", "time": 9223372036854775807, "modified": 1},
    {"id": "3333333333333333", "name": "no rank", "path": "rank 99999999999999999999", "time": -5, "modified": 1}]}
MARKS
cp marks.json kept.json
for size in 60x13 80x24 200x60; do
    expect 0 "$program" render job --size $size --bookmarks marks.json --keys "' . . . , B Enter Delete '"
    if LC_ALL=C tr -d '\n' <out | LC_ALL=C grep -q '[[:cntrl:]]'; then fail "control characters of bookmarks at $size"; fi
done
expect 0 "$program" render job --size 80x24 --bookmarks marks.json --keys "' ."
prints 'rank 5 on node0, iteration 7: here'
expect 0 "$program" render job --size 80x24 --bookmarks marks.json
[ "$(grep -c '⚑' out)" = 1 ] || fail "a rank is not marked: $(cat out)" # those of no cell are not
cmp -s marks.json kept.json || fail "render wrote bookmarks"

# Hostile texts and numbers.
mkdir -p hostile
python3 - <<'MAKE'
import json
for rank in range(3):
    path = f"job/rank{rank}.nsk.json"
    sketch = json.load(open(path))
    sketch["identity"].update(host="\x1b]52;c;eA==\x07\u202enode'$(touch x)", path="\x1b[2J'; touch y; '/" + "z" * 900, file="\x9b2J.sqlite")
    sketch["ranks"][0]["iterations"].update(of_a_row=[1, 2**31 - 1, -5][rank], unit_ns=[2**62, 1, -1][rank])
    for series in sketch["series"]:
        series.update(kernel="ncclDevKernel_AllReduce\x1b[31m", every=2**40, unit_ns=2**60)
    json.dump(sketch, open(f"hostile/rank{rank}.json", "w"), separators=(",", ":"))
sketch["ranks"] = []
json.dump(sketch, open("hostile/none.json", "w"), separators=(",", ":"))
MAKE
for keys in '' 'e' 'w' 'Space o' 'Enter' 'y' '+ + + End' 'v v v v v Enter'; do
    timeout 60 "$program" render hostile --size 100x30 --keys "$keys" >out 2>err || [ $? = 3 ] || fail "status $?: $keys"
    if LC_ALL=C tr -d '\n' <out | LC_ALL=C grep -q '[[:cntrl:]]'; then fail "control characters: $keys"; fi
done
expect 0 "$program" render hostile --size 200x30 --keys Enter
prints "'node'\\''\$(touch x):'"
[ ! -e x ] && [ ! -e y ] || fail "a text of a sketch was run"
echo '{"format":"nsyscope-sketch-1"' >hostile/rank0.json
echo '{"format":"nsyscope-sketch-1","ranks":[]}' >broken.json
timeout 60 "$program" render broken.json >out 2>err
[ $? = 7 ] || fail "a job without ranks: $(cat err)"
finish
