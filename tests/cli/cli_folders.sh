#!/bin/sh
# Every command that writes a file refuses a folder that is missing, says so before it reads, and makes none. It makes the folder
# that it is to write, and the folders of its own files.
. "$(dirname "$0")/lib.sh"
rm -rf work && mkdir work && cd work || exit 1
export XDG_CONFIG_HOME="$PWD/none/config" XDG_STATE_HOME="$PWD/none/state"
"$program" generate --force --kernels 300 a.sqlite && "$program" generate --kernels 200 --seed 2 b.sqlite || exit 1
"$program" sketch a.sqlite -o a.nsk.json || exit 1
printf '#!/bin/sh\nexit 0\n' >nsys && chmod +x nsys
expect 0 "$program" bookmarks a.sqlite add --at 1ms --name one
[ -f none/state/nsyscope/*.json ] || fail "the state folder is not made"

# writes FILE ARGUMENT...: FILE is what the command makes in the folder "in".
writes() {
    made=in/$1
    shift
    rm -rf in
    expect 6 "$program" "$@"
    says "there is no folder in; make it first"
    [ ! -e in ] || fail "$*: made a folder"
    mkdir in
    timeout 60 "$program" "$@" >out 2>err </dev/null
    [ -e "$made" ] || fail "$*: does not make $made: $(cat err)"
    rm -rf in
}
writes x schema a.sqlite -o in/x
writes x schema --html -o in/x
writes x bookmarks a.sqlite export -o in/x
writes x bookmarks a.sqlite add --at 1ms --bookmarks in/x
writes x export --to csv a.sqlite -o in/x
writes x export --to page a.sqlite -o in/x
writes x export --summary a.sqlite -o in/x
writes x/trace_gpu0.json export a.sqlite -o in/x
writes x/trace_gpu0.json export a.sqlite -o in/x/
writes x cut a.sqlite -o in/x
writes x viewer a.sqlite -o in/x
writes x viewer a.sqlite b.sqlite -o in/x
writes x.html session a.sqlite -o in/x.html
writes x/index.html session a.sqlite -o in/x
writes x generate --kernels 10 in/x
writes x/report.md report a.sqlite --out in/x
writes x/report.md report a.sqlite --out in/x/
writes x/1_b/report.md report a.sqlite b.sqlite --out in/x
writes x_nvtx_sum.csv stats -r nvtx_sum -f csv a.sqlite -o in/x
writes x_gpu_gaps.csv analyze -r gpu_gaps --format csv a.sqlite -o in/x
writes x sketch a.sqlite -o in/x
writes x merge a.nsk.json -o in/x
writes x/cmd.txt capture --nsys ./nsys --out in/x -- true

# The table has every command with an option that names an output.
names=$(for command in $("$program" --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p'); do
    "$program" "$command" --help | grep -qE -- '^ +--(output|out) ' && echo "$command"
done | grep -v profile | sort | tr '\n' ' ') # profile is another name of capture
known=$(sed -n 's/^writes [^ ]* \([a-z]*\) .*/\1/p' "$0" | sort -u | grep -v generate | tr '\n' ' ')
[ "$names" = "$known" ] || fail "commands with outputs: $names, in this table: $known"

# A folder of several reports that gets none does not stay.
mkdir in
(ulimit -f 1; expect 6 "$program" report a.sqlite b.sqlite --out in/x; exit $failures) || failures=$((failures + 1))
[ ! -e in/x ] || fail "a folder without reports stays: $(ls -R in)"
finish
