#!/bin/sh
# The sandbox (Landlock) limits a program that a file took over: it starts no program, makes no connection, and writes only where
# it was told to. --no-sandbox switches it off. Skipped if the kernel has no Landlock.
# promises: A48
. "$(dirname "$0")/lib.sh"
"$program" --version | grep -q 'sandbox: Landlock' || { echo "SKIPPED: no Landlock here"; exit 77; }
rm -rf work && mkdir work work/elsewhere && cd work || exit 1
mkdir in out out/new state
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME
"$program" generate --force --kernels 300 in/f.sqlite || exit 1

# A server to connect to; without python3 connecting is not tried.
port=
if command -v python3 >/dev/null; then
    python3 -c 'import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(50); print(s.getsockname()[1], flush=True); time.sleep(100)' >port &
    listener=$!
    trap 'kill $listener' EXIT
    while [ ! -s port ]; do sleep 0.05; done
    port=$(cat port)
fi

# tries WANT COMMAND...: at its end the command tries to start, write and connect; WANT lists which of them succeed.
tries() {
    want=$1
    shift
    rm -f tried elsewhere/made
    NSC_TRIED=$PWD/tried NSC_TRY_FILE=$PWD/elsewhere/made ${port:+env NSC_TRY_PORT=$port} LD_PRELOAD=../fault_sandbox.so "$@" >got 2>&1 </dev/null ||
        fail "$*: $(cat got)"
    got=$(tr '\n' ' ' <tried)
    [ -n "$port" ] || want=${want%connect: *}
    [ "$got" = "$want" ] || fail "$*: $got, not $want"
}
none="exec: no write: no connect: no "
all="exec: yes write: yes connect: yes "
for words in summary 'report --json' 'stats -r nvtx_sum' 'export --to csv' analyze 'render --size 80x24' info; do
    tries "$none" "$program" $words in/f.sqlite
    tries "$all" "$program" $words in/f.sqlite --no-sandbox
done
tries "$none" "$program" sql in/f.sqlite 'SELECT 1'
tries "$none" "$program" bookmarks in/f.sqlite add --at 1ms --name one

# Output that was asked for is written in any folder.
tries "$none" "$program" export --to csv in/f.sqlite -o out/e.csv
tries "$none" "$program" report in/f.sqlite --out out/new/deeper --html
tries "$none" "$program" report in/f.sqlite --out out/new/deeper --force
tries "$none" "$program" stats -r nvtx_sum in/f.sqlite -f csv -o out/base
tries "$none" "$program" stats -r nvtx_sum in/f.sqlite -f csv -o .
tries "$none" "$program" session in/f.sqlite -o out/session
tries "$none" "$program" viewer in/f.sqlite -o out/page.html
tries "$none" "$program" generate --kernels 100 out/made.sqlite
tries "$none" "$program" bookmarks in/f.sqlite export --output out/marks.json
tries "$none" "$program" bookmarks in/f.sqlite add --at 2ms --name two --bookmarks out/own.json
for name in out/e.csv out/new/deeper/report.md out/session/index.html out/page.html out/made.sqlite out/marks.json out/own.json in/f_nvtx_sum.csv; do
    [ -s $name ] || fail "$name is not written: $(ls -R out in)"
done

# The process of ask --llm that reads the export starts nothing; the one that starts the command of the user has no sandbox.
tries "$none$all" "$program" ask in/f.sqlite 'why is it idle?' --llm 'cat >/dev/null'
# The screen may be told where to write at any time, so it may write; it starts and connects to nothing.
NSC_TRIED=$PWD/tried
export NSC_TRIED
rm -f tried
env LD_PRELOAD=../fault_sandbox.so "$program" in/f.sqlite </dev/null >got 2>&1 || fail "$(cat got)"
grep -q 'exec: no' tried || fail "the screen: $(cat tried)"
cd .. && rm -rf work
finish
