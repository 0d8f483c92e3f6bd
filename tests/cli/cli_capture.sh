#!/bin/sh
# capture records through nsys; a stand-in for nsys shows which command is built, run and refused, and which files are kept.
. "$(dirname "$0")/lib.sh"

rm -rf bin made "made two" log
mkdir bin
cat >bin/nsys <<'SH'
#!/bin/sh
# Logs its words. "profile" creates a report and runs the command, "export" creates the file that --output names.
printf '%s\n' "--" "$@" >>log
case $1 in
profile)
    while [ "$1" != -o ]; do shift; done
    base=$2
    shift 2
    [ -n "${NO_REPORT:-}" ] || : >"$base.nsys-rep"
    [ -z "${TWO_REPORTS:-}" ] || : >"$base.2.nsys-rep"
    exec "$@" ;; # replaces the shell, so that a signal reaches the command
export)
    [ -z "${NO_EXPORT:-}" ] || exit 9
    while [ "$1" != --output ]; do shift; done
    cp "$3" "$2" ;;
esac
SH
chmod +x bin/nsys
PATH=$PWD/bin:$PATH
export PATH

# A shell reads the printed commands back as the same words. The dry run creates nothing.
expect 0 "$program" capture --dry-run --out "made two" --nvtx-capture "a b@*" -- ./train "it's" ""
prints "mkdir -p 'made two'/nsys"
prints "--capture-range=nvtx '--nvtx-capture=a b@*' --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0"
prints "-o 'made two/nsys/capture' ./train 'it'\\''s' ''"
prints "nsys export --type=sqlite --force-overwrite=true --include-blobs=true --output 'made two/nsys/capture.sqlite' 'made two/nsys/capture.nsys-rep'"
[ ! -e "made two" ] && [ ! -e log ] || fail "a dry run did something"

# A recording passes the words on unchanged. The folder then holds the report, the export and the command that made them.
expect 0 "$program" capture --out "made two" --graphs graph --sample cpu -- sh -c 'echo "it ran: $1"' x "two words"
prints "it ran: two words"
prints "nsyscope 'made two/nsys/capture.sqlite'"
grep -qx -- "--cuda-graph-trace=graph" log || fail "graphs: $(cat log)"
grep -qx -- "--sample=cpu" log || fail "sample: $(cat log)"
grep -qx -- "two words" log || fail "a word was torn: $(cat log)"
grep -q "^nsys profile .*'two words'" "made two/cmd.txt" || fail "cmd.txt: $(cat "made two/cmd.txt")"
[ -e "made two/nsys/capture.sqlite" ] || fail "no export"
expect 2 "$program" capture --out "made two" -- true
says "cannot be made"

# The status is that of the command; a signal that ends it gives the status that a shell would give.
expect 5 "$program" capture --out made -- sh -c "exit 5"
rm -rf made
expect 143 "$program" capture --out made -- sh -c 'kill -TERM $$'
rm -rf made
TWO_REPORTS=1 expect 0 "$program" capture --out made -- true
prints "nsyscope made/nsys/capture.2.sqlite"
rm -rf made
NO_REPORT=1 expect 7 "$program" capture --out made -- true
rm -rf made
NO_EXPORT=1 expect 3 "$program" capture --out made -- true
grep -q "ended with 9; the report is kept" err || fail "$(cat err)"
[ -e made/nsys/capture.nsys-rep ] || fail "the report is gone"
rm -rf made

# A signal to the program reaches the command, and the program waits for the command.
"$program" capture --out made -- sh -c 'trap "echo was told; exit 3" TERM; : >started; while :; do sleep 0.05; done' >out 2>err </dev/null &
running=$!
tries=0
until [ -e started ] || [ "$tries" -ge 400 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -TERM "$running"
wait "$running"
rm -f started
prints "was told"
rm -rf made

# The same under a parent that ignores the signal of a child's end.
if env --ignore-signal=CHLD true 2>/dev/null; then
    expect 5 timeout -s KILL 20 env --ignore-signal=CHLD "$program" capture --out made -- sh -c "exit 5"
    rm -rf made
else
    echo "env has no --ignore-signal: NOT TESTED"
fi

# No word and no name of a folder reaches the terminal or cmd.txt as an escape, and none becomes a line of cmd.txt.
odd=$(printf 'x\ntouch owned #\033[31m')
rm -rf "$odd" && mkdir "$odd" && cd "$odd" || exit 1
expect 0 "$program" capture --out made -- printf '%s' "$odd"
! grep -q "$(printf '\033')" err || fail "an escape: $(cat -v err)"
[ "$(cat out)" = "${odd}nsyscope made/nsys/capture.sqlite" ] || fail "the odd word is another: $(cat -v out)"
printf '#!/bin/sh\nfor word; do :; done\nprintf %%s "$word" >heard\n' >nsys
chmod +x nsys
PATH=$PWD:$PATH expect 0 sh made/cmd.txt
[ "$(cat heard)" = "$odd" ] || fail "a shell reads another word: $(cat -v heard)"
expect 0 "$program" capture --dry-run --preset multi-node --out "$odd" -- true
cp out plan
PATH=$PWD:$PATH expect 0 sh plan
[ "$(cat heard)" = true ] || fail "the plan ran $(cat -v heard)"
[ ! -e owned ] || fail "the name of a folder was run"
! grep -q "$(printf '\033')" made/cmd.txt plan || fail "an escape: $(cat -v made/cmd.txt plan)"
cd .. && rm -rf "$odd"

expect 2 "$program" capture
says "give the command behind --"
# Options of nsys without a command, and an option that took the next one as its value.
expect 2 "$program" capture --dry-run -- --trace=cuda
says "give the command behind --"
expect 2 "$program" capture --dry-run --cuda-memory-usage --pytorch autograd-nvtx -- ./a
says "--cuda-memory-usage needs true|false, and --pytorch follows"
expect 2 "$program" capture --dry-run --pytorch -- ./a
says "--pytorch needs LIST, and -- follows"
expect 2 "$program" capture true
says "put -- before"
expect 2 "$program" capture --capture-range nvtx -- true
says "go together"
expect 2 "$program" capture --capture-range cudaProfilerApi --nvtx-capture x -- true
says "go together"
expect 2 "$program" capture --capture-range cudaProfilerApi --range-end repeat:0 -- true
says "--range-end repeat:0"
expect 2 "$program" capture --range-end stop -- true
says "no --capture-range"
expect 2 "$program" capture --graphs all -- true
says "node|graph"
expect 2 "$program" capture --nsys ./nothing-here -- true
says "no such program"
[ ! -e made ] || fail "a folder was left behind"
# Options have the names of nsys, a preset sets several. A given option wins over the preset, the preset over the default.
expect 0 "$program" capture --dry-run --delay 5 --duration 20 --cudabacktrace kernel:1000 --gpu-metrics-devices all --cuda-memory-usage true --pytorch autograd-nvtx --python-backtrace cuda --backtrace lbr -- ./a
for option in --delay=5 --duration=20 --cudabacktrace=kernel:1000 --gpu-metrics-devices=all --cuda-memory-usage=true --pytorch=autograd-nvtx --python-backtrace=cuda --backtrace=lbr --sample=process-tree; do
    prints " $option "
done
presets=$(sed -n 's/^NSC_CAPTURE_PRESET("\([a-z-]*\)".*/\1/p' "$NSC_TEST_SOURCE/src/cli/cmd/capture_option.def")
[ "$(echo "$presets" | wc -l)" = 5 ] || fail "presets are $presets"
for preset in $presets; do
    expect 0 "$program" capture --dry-run --preset "$preset" -- ./a
    prints "nsys profile --trace=cuda,nvtx"
    expect 0 "$program" capture --explain --preset "$preset" --format csv
    grep -q ",$preset," out || fail "--explain does not say what $preset sets"
done
expect 0 "$program" capture --dry-run --preset host --sample none -- ./a
prints "--sample=none --cpuctxsw=process-tree"
expect 0 "$program" capture --dry-run --preset multi-node -- ./a
prints "/nsys/capture-%h-%p ./a"
# --cudabacktrace needs CPU samples; --python-backtrace and --backtrace none do not switch them on.
expect 0 "$program" capture --dry-run --python-backtrace cuda -- ./a
prints "--sample=none"
expect 0 "$program" capture --dry-run --backtrace none -- ./a
prints "--sample=none"
expect 0 "$program" capture --dry-run --cudabacktrace kernel --sample system-wide -- ./a
prints "--sample=system-wide"
expect 2 "$program" capture --dry-run --cudabacktrace kernel --sample none -- ./a
says "--cudabacktrace and --sample none"
for seconds in 0 -1 x 5s nan ''; do
    expect 2 "$program" capture --dry-run --duration "$seconds" -- ./a
    says "give seconds, more than 0"
done
expect 0 "$program" capture --dry-run --delay 0 --duration 0.5 -- ./a
prints "--delay=0 --duration=0.5"
expect 2 "$program" capture --dry-run --delay soon -- ./a
says "--delay soon"
expect 0 "$program" capture --explain --nvtx-capture epoch --format csv
grep -q '^nvtx-capture,epoch,given,' out || fail "--explain does not name the range: $(cat out)"
expect 0 "$program" capture --dry-run -- ./a
prints "--include-blobs=true"
expect 2 "$program" capture --preset hots -- ./a
says "overlap|memory|host|inference|multi-node"
expect 2 "$program" capture --cuda-memory-usage maybe -- ./a
says "true|false"

# Other options of nsys go behind --. The name of the report cannot be changed there.
expect 0 "$program" capture --dry-run -- --osrt-threshold=10000 ./a
prints "/nsys/capture --osrt-threshold=10000 ./a"
for word in -o -omine --output --output=mine; do
    expect 2 "$program" capture -- $word mine ./a
    says "give --out DIR"
done
expect 0 "$program" capture --dry-run -- ./a -o mine
prints " ./a -o mine"
expect 0 "$program" capture --explain
prints "cuda-graph-trace"
finish
