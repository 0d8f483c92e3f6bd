#!/bin/sh
# The options that select what a question is about: --trim, --filter, --range, --projected, --bookmark. Each mistake gives one line.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 2000 --layers 3 t.sqlite
ask() { # STATUS OPTION...
    status=$1
    shift
    expect "$status" "$program" skill run top_kernels t.sqlite --format csv "$@"
}

# count FILE: prints the number of kernels in the answer.
count() { sed 1d "$1" | awk -F, '{ n += $2 } END { print n + 0 }'; }

ask 0 -p limit=0
all=$(count out)
expect 0 "$program" bins t.sqlite --device 0 --columns 1 --filter kind:kernel
zero=$(sed 1d out | cut -d, -f4)
expect 0 "$program" bins t.sqlite --device 1 --columns 1 --filter kind:kernel
one=$(sed 1d out | cut -d, -f4)
[ "$all" = $((zero + one)) ] || fail "$all kernels, bins counts $zero and $one"

ask 0 -p limit=0 --filter gpu:1
[ "$(count out)" = "$one" ] || fail "the filter keeps $(count out) kernels, not $one"

# A GPU without work is named in a warning, one with work is not.
ask 0 --gpu 0,1
grep -q warning err && fail "a warning about GPUs with work: $(cat err)"
ask 7 --gpu 5
grep -q -- '--gpu 5: no work of that GPU was read' err || fail "nothing is said of GPU 5: $(cat err)"
ask 7 --gpu -1
grep -q -- '--gpu -1: no work of that GPU was read' err || fail "nothing is said of GPU -1: $(cat err)"
ask 7 --pid 9
grep -q -- '--pid 9: nothing of that process was read' err || fail "nothing is said of process 9: $(cat err)"
expect 0 "$program" sql t.sqlite 'SELECT pid FROM kernel LIMIT 1' --format csv
ask 0 --pid "$(sed -n 2p out)"
grep -q warning err && fail "a warning about a process with events: $(cat err)"

# A question about a bookmarked range counts the kernels that bins counts there.
expect 0 "$program" bins t.sqlite --device 0 --columns 4
t0=$(sed -n 3p out | cut -d, -f1)
t1=$(sed -n 3p out | cut -d, -f2)
rm -f m.json
expect 0 "$program" bookmarks t.sqlite add --bookmarks m.json --range "${t0}ns" "${t1}ns" --name 'second quarter'
expect 0 "$program" bookmarks t.sqlite add --bookmarks m.json --at "${t0}ns" --name moment
ask 0 -p limit=0 --bookmarks m.json --bookmark 'second quarter' --gpu 0
inside=$(count out)
expect 0 "$program" bins t.sqlite --device 0 --columns 1 --window "$t0" "$t1" --filter kind:kernel
[ "$inside" = "$(sed 1d out | cut -d, -f4)" ] || fail "the bookmark holds $inside kernels"
id=$("$program" bookmarks t.sqlite list --bookmarks m.json | sed -n '/second/s/ .*//p')
ask 0 -p limit=0 --bookmarks m.json --bookmark "$id" --gpu 0
[ "$(count out)" = "$inside" ] || fail 'a bookmark by id is another window'
ask 2 --bookmarks m.json --bookmark 'secnd quarter'
says 'the nearest: second quarter'
ask 2 --bookmarks m.json --bookmark moment
says 'a moment, not a range'

# A GPU that is idle in all of the window is listed, with the cause that the whole gap has.
expect 0 "$program" sql t.sqlite --format csv \
    'SELECT start + dur / 4 AS t0, start + dur / 2 AS t1 FROM gap WHERE gpu = 0 ORDER BY dur DESC LIMIT 1'
t0=$(sed -n 2p out | cut -d, -f1)
t1=$(sed -n 2p out | cut -d, -f2)
expect 0 "$program" skill run idle t.sqlite --trim "${t0}ns" "${t1}ns" --format csv
grep -q "^0,$((t1 - t0)),0,$((t1 - t0)),100.0," out || fail "GPU 0 is not idle: $(cat out)"
grep -q 'not known' out && fail "the next op is not known: $(cat out)"

# NVTX ranges by name, by number and projected.
expect 0 "$program" skill run top_kernels t.sqlite --range 'iteration #'
prints 'may run later: --projected'
ask 0 --range 'iteration #/1' --projected
ask 2 --range 'itertion #'
says 'no NVTX range has that name; the nearest: '
ask 2 --range 'iteration #/100000'
says 'of that name, from /0 to /'
ask 2 --range step --bookmark x
says 'not both'
ask 2 --projected
says 'goes with --range'
ask 7 --trim 100000 100001
says 'no events there'

ask 2 -p limits=3
says 'takes limit=15'
expect 2 "$program" skill run top_kernel t.sqlite
says 'the nearest: top_kernels'
expect 2 "$program" skill run
says 'skill run NAME FILE'
expect 2 "$program" skill dance
says 'skill list'
expect 3 "$program" skill run top_kernels none.sqlite
expect 2 "$program" skill run top_kernels none.sqlite --format xml
says 'table|csv|tsv|json|md'
for format in table csv tsv json md; do
    expect 0 "$program" skill list --format $format
    prints 'Which kernels take'
done

finish
