#!/bin/sh
# The sandbox limits a program that a file took over: it starts no program, opens no socket, types nothing, signals no other
# process, and writes only where it was told to. --no-sandbox switches it off. What the system does not offer is expected to work.
# promises: A48
. "$(dirname "$0")/lib.sh"
offer=$("$program" --version | sed -n 's/^sandbox: //p')
case $offer in *Landlock*seccomp*) ;; *) echo "SKIPPED: $offer"; exit 77 ;; esac
rm -rf work && mkdir work work/elsewhere work/home && cd work || exit 1
mkdir in out out/new
unset XDG_STATE_HOME XDG_CONFIG_HOME
HOME=$PWD/home
export HOME
"$program" generate --force --kernels 300 in/f.sqlite || exit 1

# Servers to connect to; without python3 connecting is not tried.
port=
if command -v python3 >/dev/null; then
    python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(50)
u = socket.socket(socket.AF_UNIX); u.bind("listener"); u.listen(50)
print(s.getsockname()[1], flush=True); time.sleep(250)' >port &
    listener=$!
    trap 'kill $listener' EXIT
    while [ ! -s port ]; do sleep 0.05; done
    port=$(cat port)
fi

# Rights that only newer systems can deny: "no" if this one can, else "yes".
denied() {
    case $offer in *"$1"*) echo no ;; *) echo yes ;; esac
}
sockets=
[ -z "$port" ] || sockets="tcp: no udp: no unix: no "
none="exec: no memory: no write: no shm: no ioctl: $(denied ioctl) type: no signal: $(denied signals) $sockets"
all=$(echo "$none" | sed 's/: no/: yes/g')

# runs COMMAND...: at its end the command tries what a compromised program would; $tried has what it could.
runs() {
    rm -rf tried elsewhere/made home/made
    NSC_TRIED=$PWD/tried NSC_TRY_FILE=${made:-$PWD/elsewhere/made} ${port:+env NSC_TRY_PORT=$port NSC_TRY_SOCKET=listener} \
        LD_PRELOAD=../fault_sandbox.so "$@" >got 2>&1 </dev/null || fail "$*: $(cat got)"
    tried=$(tr '\n' ' ' <tried)
}
# tries WANT COMMAND...
tries() {
    want=$1
    shift
    runs "$@"
    [ "$tried" = "$want" ] || fail "$*: $tried, not $want"
}
for words in summary 'report --json' 'stats -r nvtx_sum' 'export --to csv' analyze 'render --size 80x24' info; do
    tries "$none" "$program" $words in/f.sqlite
    tries "$all" "$program" $words in/f.sqlite --no-sandbox
done
tries "$none" "$program" sql in/f.sqlite 'SELECT 1'

# The folder of bookmarks is made and may be written to, and nothing else in HOME, or in / without a HOME: neither before nor
# after it exists, and only by what saves bookmarks.
for made in "$PWD/home/made" "$PWD/home/.local/state/made" "$PWD/home/.config/made"; do
    tries "$none" "$program" bookmarks in/f.sqlite list
    tries "$none" "$program" bookmarks in/f.sqlite add --at 1ms --name one
    tries "$none" "$program" summary in/f.sqlite
    rm -rf home/.local
done
[ ! -e home/.config ] || fail "a subcommand made the folder of settings"
mkdir home/.config
made=$PWD/home/.local/state/nsyscope/made
tries "$none" "$program" summary in/f.sqlite
[ ! -e home/.local ] || fail "summary made the folder of bookmarks"
tries "$(echo "$none" | sed 's/write: no/write: yes/')" "$program" bookmarks in/f.sqlite add --at 1ms --name one
rm $made
tries "$none" "$program" bookmarks in/f.sqlite list
made=/nsc_tried_$$
unset HOME
tries "$none" "$program" summary in/f.sqlite
HOME=$PWD/home
export HOME
made=

# Output that was asked for is written in any folder, also through a link to one, and to devices and pipes.
ln -s ../elsewhere out/link
mkfifo out/pipe
tries "$none" "$program" export --to csv in/f.sqlite -o out/e.csv
tries "$none" "$program" export --to csv in/f.sqlite -o /dev/null
"$program" export --to csv in/f.sqlite -o /dev/stdout | cmp - out/e.csv || fail "standard output by its name"
cat out/pipe >piped &
tries "$none" "$program" export --to csv in/f.sqlite -o out/pipe
wait $!
cmp piped out/e.csv || fail "the pipe got something else"
tries "$none" "$program" report in/f.sqlite --out out/new/deeper --html
tries "$none" "$program" report in/f.sqlite --out out/new/deeper --force
runs "$program" report in/f.sqlite --out out/link
tries "$none" "$program" stats -r nvtx_sum in/f.sqlite -f csv -o out/base
tries "$none" "$program" stats -r nvtx_sum in/f.sqlite -f csv -o .
tries "$none" "$program" session in/f.sqlite -o out/session
tries "$none" "$program" viewer in/f.sqlite -o out/page.html
tries "$none" "$program" generate --kernels 100 out/made.sqlite
tries "$none" "$program" bookmarks in/f.sqlite export --output out/marks.json
tries "$none" "$program" bookmarks in/f.sqlite add --at 2ms --name two --bookmarks out/own.json
for name in out/e.csv out/new/deeper/report.md elsewhere/report.md out/session/index.html out/page.html out/made.sqlite out/marks.json \
    out/own.json in/f_nvtx_sum.csv; do
    [ -s $name ] || fail "$name is not written: $(ls -R out in)"
done

# ask --llm starts a program of the user; a child without rights reads the export before.
tries "$none$all" "$program" ask in/f.sqlite 'why is it idle?' --llm 'cat >prompt'
grep -q 'Question: why is it idle?' prompt || fail "no question: $(head -3 prompt)"
grep -q 'GPU' prompt || fail "no evidence: $(cat prompt)"
# Other commands that start programs read no export.
tries "$all" "$program" help nsys

# The screen may be told where to write at any time, so it may write; it starts and connects to nothing.
tries "$(echo "$none" | sed 's/write: no/write: yes/; s/shm: no/shm: yes/; s/signal: no/signal: yes/')" "$program" in/f.sqlite

# A refusal of the system is said, and costs nothing else.
NSC_REFUSE=1 LD_PRELOAD=../fault_sandbox.so "$program" summary in/f.sqlite >got 2>said || fail "refused: $(cat said)"
grep -q 'warning: not all rights are given up' said && [ "$(wc -l <said)" = 1 ] || fail "a refusal is not said: $(cat said)"
"$program" summary in/f.sqlite 2>said | cmp - got || fail "another answer without the sandbox"
[ ! -s said ] || fail "without a refusal: $(cat said)"
NSC_REFUSE=1 LD_PRELOAD=../fault_sandbox.so "$program" summary --no-sandbox in/f.sqlite >got 2>said
[ ! -s said ] || fail "--no-sandbox: $(cat said)"
cd .. && rm -rf work
finish
