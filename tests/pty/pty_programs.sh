#!/bin/sh
# The programs that help, capture and ask start, under a shell's job control in tmux: keys reach them, Ctrl-Z gives the shell back, fg
# continues, and the terminal's modes are the same at the end.
# promises: E21
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite
nsyscope=$(quoted "$program")

cat >own-pager <<'SH'
#!/bin/sh
# Shows its input and waits for a line from the terminal; Ctrl-C ends it.
cat
echo "own-pager: $1"
read -r line </dev/tty && echo "own-pager read $line"
SH
# Stands in for nsys: "profile" runs the command, "export" copies.
cat >nsys <<'SH'
#!/bin/sh
case $1 in
profile)
    while [ "$1" != -o ]; do shift; done
    : >"$2.nsys-rep"
    shift 2
    exec "$@" ;;
export)
    while [ "$1" != --output ]; do shift; done
    cp "$3" "$2" ;;
esac
SH
# Works until the file "finish" exists, and tells of Ctrl-C. "deaf": ignores what would end it.
cat >work <<'SH'
#!/bin/sh
trap 'echo work-got-INT' INT
[ "${1-}" != deaf ] || trap '' INT QUIT TERM HUP
rm -f finish
echo work-begins
while [ ! -e finish ]; do sleep 0.05; done
echo work-ends
SH
chmod +x own-pager nsys work
capture="rm -rf made; $nsyscope capture --nsys ./nsys --out made -- "
start_shell

# stopped NAME [KEY]: Ctrl-Z (and KEY) stops all, and the shell has its terminal.
stopped() {
    tm send-keys C-z ${2-}
    waits Stopped
    same_modes "stopped-$1"
}

# ---- pagers

# quits: presses q until the prompt is there: a pager may drop keys that follow Ctrl-C.
quits() {
    tm send-keys q
    holds "ready-$prompt>"
}
# pages NAME SETTING TEXT [KEY]: the pager shows TEXT of a guide, is stopped (by Ctrl-Z and KEY) and continued, and ends by q; then Ctrl-C
# reaches it.
pages() {
    run "$2 $nsyscope help nvtx"
    waits "$3"
    stopped "$1" ${4-}
    continues
    tm send-keys q Enter
    same_modes "$1"
    run "jobs; $2 $nsyscope help nvtx"
    waits "$3"
    tm send-keys C-c
    [ "$1" = own ] || within quits || fail "$1 does not end by q"
    tm send-keys C-u
    same_modes "$1-interrupted"
}
# more of util-linux looks for signals when a key comes.
for pager in less more; do
    key=
    [ $pager = less ] || key=Space
    if command -v $pager >/dev/null; then
        pages $pager "PAGER=$pager" "NVTX annotations" $key
    else
        echo "$pager is not installed: NOT TESTED"
    fi
done
command -v less >/dev/null && pages default PAGER= "NVTX annotations"
pages own "PAGER='./own-pager  mine'" "own-pager: mine"
# Without the pager of that name, the guide is printed.
run "PAGER=no-such-pager $nsyscope help nvtx"
waits "$(tail -1 "$(dirname "$0")/../../docs/guides/03-nvtx.md" | cut -c 1-60)"
same_modes none

# ---- capture

run "$capture./work"
waits work-begins
stopped capture
continues
tm send-keys C-c
waits work-got-INT
touch finish
waits "nsyscope made/nsys/capture.sqlite"
same_modes capture

run "$capture./work deaf"
waits work-begins
tm send-keys C-c C-\\
stopped deaf
continues
touch finish
waits "nsyscope made/nsys/capture.sqlite"
same_modes deaf

run "$capture sh -c 'kill -KILL \$\$'; echo status'-'\$?"
waits status-137
same_modes killed

# ---- ask --llm

run "$nsyscope ask $(quoted "$file") 'why is it idle?' --llm 'grep -c Evidence; echo model'-'begins; read -r x </dev/tty; echo model-\$x'"
waits model-begins
tm send-keys hears Enter
waits model-hears
same_modes model
run "$nsyscope ask $(quoted "$file") 'why is it idle?' --llm 'cat >/dev/null; echo model'-'waits; read -r x </dev/tty'"
waits model-waits
stopped model
continues
tm send-keys C-c
same_modes model-interrupted
finish
