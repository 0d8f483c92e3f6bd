#!/bin/sh
# The command lines of nsys-ai and nsys-llm-explainer run here with status 0 and give the same kind of output.
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1
expect 0 "$program" generate --kernels 2000 --layers 3 f.sqlite
expect 0 "$program" info f.sqlite --json
trim="--gpu 0 --trim 0.01 0.03"

# timeline and tui print the screen as text if there is no terminal; tui begins with the tree of the whole window.
expect 0 "$program" timeline f.sqlite $trim
prints "overview"
prints "GPU 0"
grep -qF "GPU 1" out && fail "timeline --gpu 0 shows GPU 1"
# A window outside the recording: the message names the time span of the recording, with status 7.
expect 0 "$program" info f.sqlite
span=$(sed -n 's/.*time  *\(.* s\) .*/\1/p' out | head -1)
for command in timeline tui render summary 'viewer -o none.html'; do
    expect 7 "$program" ${command%% *} f.sqlite $(expr "$command" : '[a-z]* \(.*\)') --trim 390 420
    says "--trim 390.000 000 000 s to 420.000 000 000 s: no events there; the recording runs from 0.001 000 000 s to "
    [ "$(wc -l <err)" = 1 ] || fail "$command --trim outside says $(wc -l <err) lines"
done
[ ! -e none.html ] || fail "an empty page is written"
expect 0 "$program" tui f.sqlite $trim
prints "[Tree t]"
prints "range or work"
prints "close open"

for line in info summary overlap nccl iters tree markdown; do
    expect 0 "$program" $line f.sqlite
    [ -s out ] || fail "$line prints nothing"
    expect 0 "$program" $line f.sqlite $trim
    [ -s out ] || fail "$line $trim prints nothing"
done

# --gpu and --trim narrow what the other commands give.
for line in "search f.sqlite -q gemm" "export-csv f.sqlite" "export-json f.sqlite" "skill run top_kernels f.sqlite" "agent analyze f.sqlite" \
    "report f.sqlite --json" "ncu-plan f.sqlite" "viewer f.sqlite"; do
    expect 0 "$program" $line
    mv out whole
    expect 0 "$program" $line $trim
    [ -s out ] || fail "$line $trim prints nothing"
    cmp -s out whole && fail "$line $trim gives the whole"
done

# markdown: a heading for each range, below it every kernel once, in rows of four cells.
expect 0 "$program" markdown f.sqlite --gpu 0
prints "| Kernel or copy | GPU | Stream | Duration |"
grep -q '^## iteration 0 (' out || fail "no heading of an iteration"
grep -q '^###* .*GPU work' out || fail "no heading tells the GPU work"
[ "$(sed -n 1p out | cut -c1-2)" = "# " ] || fail "the first heading is no thread: $(sed -n 1p out)"
rows=$(grep -c '^| .* | 0 | ' out)
expect 0 "$program" tree f.sqlite --gpu 0 --instances -p limit=0 --format csv
ops=$(awk -F, 'NR > 1 && NF && $2 != "range"' out | wc -l)
[ "$rows" -gt 500 ] && [ "$rows" = "$ops" ] || fail "markdown lists $rows ops, the tree $ops"

# It has no rows to choose from: what would bound the table of tree is refused, not ignored.
expect 0 "$program" markdown f.sqlite --gpu 0 --format md
for option in --json '--format csv' '--max-bytes 3000' '--limit 2' '--fields range' '--sort range'; do
    # shellcheck disable=SC2086
    expect 2 "$program" markdown f.sqlite $option
    says "prints all as Markdown"
done

# Start/end ranges are no part of the tree: the message names the kind of range that is.
for line in 'tree --instances' markdown; do
    expect 7 "$program" $line f.sqlite --tables kernel
    says "no push/pop NVTX ranges there"
done

# A thread whose ranges launched nothing has a heading too.
expect 0 "$program" markdown f.sqlite --tables nvtx
[ "$(sed -n 1p out | cut -c1-2)" = "# " ] || fail "ranges without a thread: $(sed -n 1p out)"

# search -q TEXT finds the same rows as search TEXT.
expect 0 "$program" search f.sqlite gemm --parent layer --type kernel -p limit=3 --format csv
cp out expected
expect 0 "$program" search f.sqlite -q gemm --parent layer --type kernel --limit 3 --format csv
cmp -s out expected || fail "search -q differs from search TEXT"
expect 0 "$program" search f.sqlite -q gemm --parent layer --type hierarchy --limit 3 --gpu 0 --format csv
[ "$(wc -l <out)" = 4 ] || fail "hierarchy finds $(wc -l <out) lines"
grep -q ' > ' out || fail "hierarchy shows no ranges around the kernels"
expect 0 "$program" search f.sqlite --query iteration --type nvtx --limit 0 --format csv
[ "$(wc -l <out)" -gt 3 ] || fail "--type nvtx finds nothing"

# export creates the folder with one Perfetto file a GPU; each file holds that GPU and the threads that use it.
expect 0 "$program" export f.sqlite -o traces/
[ "$(ls traces | tr '\n' ' ')" = "trace_gpu0.json trace_gpu1.json " ] || fail "the folder holds $(ls traces)"
expect 0 "$program" export f.sqlite --to csv --filter "kind:kernel gpu:1"
kernels=$(($(wc -l <out) - 1))
[ "$(grep -o '"cat":"kernel"' traces/trace_gpu1.json | wc -l)" = "$kernels" ] || fail "trace_gpu1.json does not hold the $kernels kernels of GPU 1"
grep -q 'GPU 0' traces/trace_gpu1.json && fail "trace_gpu1.json holds GPU 0"
grep -q '"cat":"nvtx"' traces/trace_gpu1.json || fail "trace_gpu1.json holds no NVTX range"
# A process that sees one GPU calls it device 0, whichever it is.
cp f.sqlite own.sqlite
sqlite3 own.sqlite "UPDATE TARGET_INFO_CUDA_DEVICE SET cudaId = 0; UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 0"
expect 0 "$program" export own.sqlite -o own/
[ "$(grep -o '"cat":"kernel"' own/trace_gpu1.json | wc -l)" = "$kernels" ] || fail "own/trace_gpu1.json does not hold the $kernels kernels of GPU 1"
grep -q 'GPU 0' own/trace_gpu1.json && fail "own/trace_gpu1.json holds GPU 0"
expect 2 "$program" export f.sqlite -o traces
says "--force"
# A GPU without events is left out, and is not the reason why the next file fails.
rm traces/trace_gpu0.json
expect 2 "$program" export f.sqlite -o traces --filter "kind:kernel gpu:1"
says "trace_gpu1.json exists"
expect 0 "$program" export f.sqlite -o traces --force $trim
expect 6 "$program" export f.sqlite -o no/such/folder
expect 7 "$program" export f.sqlite -o none --filter name=nothing
expect 2 "$program" export f.sqlite

# export-csv writes kernels, copies and NVTX ranges, nothing else.
expect 0 "$program" export-csv f.sqlite -o kernels.csv
kinds=$(cut -d, -f3 kernels.csv | sort -u | tr '\n' ' ')
case $kinds in *api*|*sample*) fail "export-csv writes $kinds" ;; esac
for kind in copy kernel nvtx; do case " $kinds " in *" $kind "*) ;; *) fail "export-csv lacks $kind: $kinds" ;; esac; done
expect 0 "$program" export-json f.sqlite -o kernels.json $trim
grep -q nsyscope-events-1 kernels.json || fail "export-json writes no events"
expect 0 "$program" export-json f.sqlite -o summary.json --summary
grep -q '"nsyscope.summary"' summary.json || fail "export-json --summary writes no summary"
expect 0 "$program" summary f.sqlite --format json --filter kind:kernel,graph,copy,memset,nvtx
cmp -s out summary.json || fail "export-json --summary differs from summary --format json"

# Every skill name of nsys-ai runs and is in the list of skills.
for name in top_kernels memory_transfers nvtx_kernel_map gpu_idle_gaps nccl_breakdown kernel_launch_overhead thread_utilization schema_inspect; do
    for format in table csv; do
        expect 0 "$program" skill list --format $format
        prints "$name"
    done
    expect 0 "$program" skill run $name f.sqlite
done

expect 0 "$program" analyze f.sqlite
cp out expected
expect 0 "$program" agent analyze f.sqlite
cmp -s out expected || fail "agent analyze differs from analyze"
expect 0 "$program" agent ask f.sqlite "why are there bubbles in the pipeline?"
prints "skill run idle"

echo '{"forward": "forward", "rest": "re:^layer"}' >phases.json
expect 0 "$program" report f.sqlite --out r1 --phase-map phases.json --nvtx-coverage-warn-threshold 0.5 --no-nvtx-kernel-map
expect 0 "$program" report f.sqlite --out r2 --phases-json phases.json
[ -s r1/report.md ] && [ -s r2/report.json ] || fail "report wrote no report"

for command in capture profile; do
    expect 0 "$program" $command --dry-run -- python train.py
    prints "nsys profile"
done
expect 0 "$program" timeline-html f.sqlite $trim -o timeline.html
grep -q '<title>nsyscope' timeline.html || fail "timeline-html writes no page"
# Times without a unit are seconds, as with --trim; size suffixes may be small letters.
expect 0 "$program" viewer f.sqlite --window 0.01 0.03 -o timeline.html --force --max-size 900k
expect 0 "$program" viewer f.sqlite --window 10ms 30ms -o window.html --max-size 900K
sed 's/--window [^ <]* [^ <]*//; s/900[kK]//' timeline.html >a
sed 's/--window [^ <]* [^ <]*//; s/900[kK]//' window.html >b
[ "$(wc -c <a)" -gt 60000 ] || fail "no page of --window"
expect 2 "$program" viewer f.sqlite --max-size soon
says "--max-size: 'soon' is no size: write a number and K, M, G or T"
expect 2 "$program" viewer f.sqlite --max-size 1K
least=$(sed -n 's/.*--max-size: the smallest page of this takes \([0-9]*K\); give that, or a part of the export.*/\1/p' err)
expect 0 "$program" viewer f.sqlite --max-size "$least" -o least.html
# A report of nsys is never overwritten.
echo recorded >kept.nsys-rep
expect 6 "$program" export f.sqlite --to chrome -o kept.nsys-rep --force
says "a report of nsys is never overwritten"
expect 6 "$program" viewer f.sqlite -o kept.nsys-rep --force
[ "$(cat kept.nsys-rep)" = recorded ] || fail "the report is gone"
expect 0 "$program" ncu-plan f.sqlite -- python train.py
prints "ncu "

# Options may stand before the command and between the command and the file.
expect 0 "$program" summary f.sqlite $trim
cp out expected
for line in "$trim summary f.sqlite" "--gpu=0 --trim 0.01 0.03 summary f.sqlite" "summary $trim f.sqlite" "--gpu 0 summary f.sqlite --trim 0.01 0.03"; do
    expect 0 "$program" $line
    cmp -s out expected || fail "$line differs from summary f.sqlite $trim"
done
expect 0 "$program" --gpu 0 agent analyze f.sqlite
expect 3 "$program" --gpu 0 sumary f.sqlite
says "the nearest: summary"

# Words that are not commands: the message names the nearest command.
expect 3 "$program" markdwn f.sqlite
says "the nearest: markdown"
for line in 'perfetto:export --to perfetto' 'web:viewer' 'chat:ask' 'kernals:skill run top_kernels' 'timline:timeline' \
    'idle:skill run idle' 'gpu_idle_gaps:skill run gpu_idle_gaps'; do
    expect 3 "$program" "${line%%:*}" f.sqlite
    says "${line%%:*}: no such command, and no such file; the nearest: ${line#*:}"
done
expect 3 "$program" agnt analyze f.sqlite
says "the nearest: agent"
expect 3 "$program" agent
says "agent: no such command, and no such file; the nearest: agent analyze, agent ask"
expect 2 "$program" bookmarks add f.sqlite --at 1
says "the export comes first: nsyscope bookmarks f.sqlite add"
expect 2 "$program" bookmarks list
says "nsyscope bookmarks FILE list"
expect 2 "$program" bookmarks f.sqlite
says "bookmarks: give FILE and one of list"
: >list
expect 3 "$program" bookmarks list list
says "list is empty"
rm list
expect 3 "$program" missing.sqlite
says "missing.sqlite: No such file"
expect 0 "$program" tui --help
prints "The same as nsyscope open --command tree"
finish
