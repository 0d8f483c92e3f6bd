#!/bin/sh
# The subcommands that answer questions (summary, overlap, nccl, iters, tree, search) and all skills: every format, figures that
# agree with each other, and one line for a mistake.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 3000 --layers 3 t.sqlite

# column NAME: prints the values of this column of the first table in ./out (CSV).
column() {
    awk -F, -v name="$1" 'NF == 0 { exit } NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' out
}
total() { column "$1" | awk '{ n += $1 } END { printf "%.0f\n", n }'; }

for command in summary overlap nccl iters tree; do
    for format in table csv tsv json md; do
        expect 0 "$program" $command t.sqlite --format $format
        [ -s out ] || fail "$command --format $format prints nothing"
    done
done

# The parts of the breakdown add up to the window.
expect 0 "$program" skill run overlap_breakdown t.sqlite --format csv
sum=0
for part in compute_alone_ns both_ns comm_alone_ns copies_alone_ns idle_ns; do
    sum=$((sum + $(total $part)))
done
[ "$sum" = "$(total window_ns)" ] || fail "the parts are $sum, the windows $(total window_ns)"

# All answers count the same kernels.
expect 0 "$program" bins t.sqlite --device 0 --columns 1 --filter kind:kernel,graph
kernels=$(sed 1d out | cut -d, -f4)
expect 0 "$program" summary t.sqlite --gpu 0 --format csv
[ "$(total kernels)" = "$kernels" ] || fail "summary counts $(total kernels) kernels, bins $kernels"
expect 0 "$program" skill run stream_concurrency t.sqlite --gpu 0 --format csv
[ "$(total kernels)" = "$kernels" ] || fail "streams hold $(total kernels) kernels, not $kernels"
expect 0 "$program" search t.sqlite '' --parent iteration --type kernel --gpu 0 --format csv -p limit=0
inside=$(($(wc -l <out) - 1))
expect 0 "$program" tree t.sqlite --gpu 0 --tables kernel,api,nvtx --format csv -p limit=0 -p depth=0
ops=$(awk -F, 'NR > 1 && NF && $10 ~ /^iteration/ { n += $7 } END { print n + 0 }' out)
[ "$inside" -gt 0 ] && [ "$inside" = "$ops" ] || fail "search finds $inside kernels inside iterations, the tree $ops"

# iters lists the iterations of the generated export.
expect 0 "$program" iters t.sqlite --format csv
rows=$(column iteration | wc -l)
expect 0 "$program" search t.sqlite 'iteration ' --type nvtx --format csv
[ "$rows" -gt 2 ] || fail "only $rows iterations"

# Each skill answers in JSON. If the filter excludes all events, a skill prints "nothing found" and ends with status 7.
# Skills about the host, the recording, iterations or memory in use answer nevertheless.
"$program" skill list --format csv | sed 1d | cut -d, -f1,2 >skills
while IFS=, read -r skill category; do
    if [ "$skill" = captured ]; then # a generated export captures no graph
        expect 7 "$program" skill run captured t.sqlite --format json
        says 'no captures of CUDA graphs'
        continue
    fi
    expect 0 "$program" skill run "$skill" t.sqlite --format json
    prints "\"$skill\""
    case $category$skill in
    host* | utility* | recording* | summary* | *iteration_timing | *iteration_stats | *memory_use) expect 0 "$program" skill run "$skill" t.sqlite --filter 'name:no-such-name-anywhere' ;;
    *)
        expect 7 "$program" skill run "$skill" t.sqlite --filter 'name:no-such-name-anywhere'
        says "nsyscope info"
        prints "nothing found"
        ;;
    esac
done <skills
[ "$(wc -l <skills)" -gt 30 ] || fail "only $(wc -l <skills) skills"
expect 0 "$program" skill run nccl_breakdown t.sqlite --filter 'kind:copy'

# The critical path is that of an iteration, and both tables say so.
expect 0 "$program" skill run critical_path t.sqlite --format json
window=$(grep -m1 -A1 '"start_ns"' out)
expect 0 "$program" skill run iteration_timing t.sqlite --format json
[ "$window" != "$(grep -m1 -A1 '"start_ns"' out)" ] || fail "the critical path is of the whole recording"
expect 0 "$program" skill run critical_path t.sqlite --format json
[ "$(grep '^        "start_ns": ' out | sort -u | wc -l)" = 1 ] || fail "the tables of the critical path differ in their window"

for skill in iteration_timing iteration_stats critical_path; do
    expect 7 "$program" skill run $skill t.sqlite -p marker=nope
    says 'marker=nope: no NVTX range repeats with a name like that'
done
expect 2 "$program" search t.sqlite
says 'what the name holds'
expect 2 "$program" search t.sqlite x --type thing
says 'kernel|nvtx|hierarchy|api|gpu'
expect 2 "$program" summary t.sqlite -p marker=x
says 'takes limit=10'
expect 3 "$program" overlap none.sqlite
expect 2 "$program" tree

finish
