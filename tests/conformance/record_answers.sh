#!/usr/bin/env bash
# Records what a program answers, so that two builds can be compared by diff -r:
#   record_answers.sh PROGRAM OUT FILE...
# Writes OUT/FILE/COMMAND: standard output, standard error and exit status of each command, for each export alone and
# with the export after it. A small export takes some 15 s. JOBS=N runs N exports at once (2).
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
shift 2

export program out
export HOME=$out/.home XDG_CONFIG_HOME='' XDG_STATE_HOME='' TZ=UTC LC_ALL=C.UTF-8
mkdir -p "$HOME"

# ask NAME ARGUMENT...: runs the program and keeps what it says in the file NAME.
ask() {
    local name=$1 status=0
    shift
    timeout 120 "$program" "$@" >"$folder/$name" 2>"$folder/$name.err" </dev/null || status=$?
    sed -i -E 's/("peak_bytes"|"generated_at"): [^,]*/\1: 0/; s/^(  memory .*, ).* at most/\1most/' "$folder/$name"
    { sed 's/^/error: /' "$folder/$name.err"; echo "status: $status"; } >>"$folder/$name"
    rm "$folder/$name.err"
}

one() {
    local file=$1 second=$2 name reports
    folder=$out/$(basename "$file")
    mkdir -p "$folder" && cd "$folder"
    for name in summary overlap nccl iters tree analyze setup window streams stages ranks info; do ask "$name" "$name" "$file"; done
    ask tree-instances tree --instances "$file"
    ask tree-headings tree --headings "$file"
    ask info-json info --json --lanes "$file"
    ask analyze-json analyze --format json "$file"
    ask analyze-filter analyze --whole --filter 'kind:kernel,copy' --format csv "$file"
    reports=$("$program" stats --help-reports | grep -oE '^[a-z_]+' | paste -sd,)
    ask stats stats -r "$reports" --format csv "$file"
    ask stats-base stats -r cuda_gpu_kern_sum:base,cuda_gpu_sum:mangled,cuda_gpu_kern_sum:nvtx-name --format json "$file"
    reports=$("$program" analyze --help-rules | grep -oE "^[a-z_]+" | paste -sd,)
    ask rules analyze -r "$reports" --format csv "$file"
    for name in $("$program" skill list --format csv | awk -F, 'NR > 1 && !/The same as/ && $1 ~ /^[a-z_]+$/ { print $1 }'); do
        ask "skill-$name" skill run "$name" "$file" --format csv
    done
    for name in top_kernels breakdown idle copies layers sync exposed; do
        ask "window-$name" skill run "$name" "$file" --format csv --filter 'dur>2us' --gpu 0
    done
    ask search search "$file" a --limit 0 --format csv
    ask hierarchy search "$file" e --type hierarchy --limit 50 --format csv
    for name in chrome perfetto speedscope folded folded-cpu csv ndjson; do
        ask "export-$name" export "$file" --to "$name"
        [ "$(stat -c %s "$folder/export-$name")" -lt 100000 ] || { sha256sum <"$folder/export-$name" >"$folder/x" && mv "$folder/x" "$folder/export-$name"; }
    done
    ask report report "$file" --json
    ask report-folder report "$file" --out report --html --force
    ask ncu-plan ncu-plan "$file" -- ./app
    ask ask-bubbles ask "$file" 'why are there bubbles?'
    ask ask-slow ask "$file" 'which iteration is slow and why?'
    ask bins bins "$file" --columns 50
    ask picture render "$file" --size 120x40
    ask picture-tree render "$file" --size 120x40 --keys 't Down Down Right'
    ask picture-gap render "$file" --size 200x60 --keys '+ + b n'
    ask picture-tabs render "$file" --size 120x40 --keys 'F Tab' --format roles
    ask picture-list render "$file" --size 100x30 --keys '+ + V Down Down'
    ask picture-flame render "$file" --size 100x30 --keys '$'
    ask picture-answers render "$file" --size 120x40 --keys 'A Down Enter'
    ask pair-picture render "$file" "$second" --size 120x40 --keys '+ +'
    ask pair-compare render --compare "$file" "$second" --size 120x40
    ask pair-diff diff "$file" "$second" --anyway
    ask pair-ranks ranks "$file" "$second" --format json
    for name in summary overlap nccl iters tree; do ask "pair-$name" "$name" "$file" "$second"; done
    for name in top_kernels breakdown idle copies layers sync exposed findings; do
        ask "pair-skill-$name" skill run "$name" "$file" "$second" --format csv
    done
    ask pair-stats stats -r cuda_gpu_kern_sum,nvtx_sum,cuda_api_sum --format csv "$file" "$second"
}
export -f ask one

for ((i = 1; i <= $#; i++)); do
    next=$((i % $# + 1))
    printf '%s\0%s\0' "$(realpath "${!i}")" "$(realpath "${!next}")"
done | xargs -0 -n 2 -P "${JOBS:-2}" bash -euo pipefail -c 'one "$1" "$2"' record
rm -rf "$HOME"
