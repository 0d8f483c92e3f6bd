#!/bin/sh
# Every subcommand handles a full disk, a closed output, a reader that leaves and a locale with ASCII only.
# promises: B9 C9 C10 C11
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1
export XDG_CONFIG_HOME="$PWD/config" XDG_STATE_HOME="$PWD/state"
name=$(printf 'n\303\266.sqlite')
high=$(printf '[\200-\377]')
expect 0 "$program" generate --kernels 600 "$name"
sqlite3 "$name" "UPDATE NVTX_EVENTS SET text = char(228) || text; UPDATE StringIds SET value = char(235) || value;
  CREATE TABLE $(printf 't\303\244ble') (a)"
expect 0 "$program" bookmarks "$name" add --range 1ms 1.0125ms --name "$(printf 'n\303\244me')" --note "$(printf '\303\274')"

# of ARGUMENT...: runs the program with each of these outputs and checks status, message and characters.
of() {
    (exec timeout 60 "$program" "$@" >/dev/full 2>err </dev/null)
    [ $? = 6 ] || fail "$*: a full disk is not status 6"
    grep -q 'standard output.*No space left on device' err || fail "$*: does not say why it could not write: $(cat err)"
    (exec timeout 60 "$program" "$@" >&- 2>err </dev/null)
    [ $? = 6 ] || fail "$*: a closed output is not status 6"
    { timeout 60 "$program" "$@" 2>err </dev/null; echo $? >status; } | head -c 1 >/dev/null
    [ "$(cat status)" = 0 ] && [ ! -s err ] || fail "$*: a reader that leaves gets status $(cat status): $(head -1 err)"
    LC_ALL=C timeout 60 "$program" "$@" >out 2>err </dev/null || fail "$*: status $? in the C locale: $(head -1 err)"
    [ -s out ] || fail "$*: prints nothing"
    LC_ALL=C grep -q "$high" out err && fail "$*: not ASCII in the C locale: $(LC_ALL=C grep -m 1 "$high" out err)"
}

for words in info summary overlap nccl iters tree ranks analyze 'skill run idle' 'skill run top_kernels' 'stats -r cuda_gpu_kern_sum' \
    'analyze -r gpu_gaps' 'report --print-schema' 'render --keys Tab' 'info --lanes'; do
    of $words "$name"
done
for words in 'skill list' 'capture --dry-run -- ./a' 'docs man' 'docs keys' 'docs bash' 'stats --help-reports' '--help' '--version' \
    'tree --help'; do
    of $words
done
of diff "$name" "$name"
of search "$name" a
of ask "$name" 'why is it idle?'
of sql --raw "$name" 'SELECT * FROM StringIds'
of sql "$name" 'SELECT name, label FROM nvtx'
of bookmarks "$name" list
of ncu-plan "$name" -- ./a

# CSV and JSON are for other programs: UTF-8 in every locale.
for words in 'export --to csv' 'export --to chrome' 'report --json' 'bins --device 0' 'info --json'; do
    (exec timeout 60 "$program" $words "$name" >/dev/full 2>err </dev/null)
    [ $? = 6 ] || fail "$words: a full disk is not status 6"
    says "No space left on device"
    LC_ALL=C timeout 60 "$program" $words "$name" >out 2>err </dev/null || fail "$words: status $? in the C locale"
    LC_ALL=C grep -q "$high" out || fail "$words: the names were changed"
done

# --json is --format json, and what prints JSON prints CSV too.
for words in info 'bookmarks --bookmarks none.json' 'bins --device 0'; do
    set -- $words
    command=$1
    shift
    for format in json csv; do
        last=
        [ "$command" = bookmarks ] && last=list
        "$program" $command "$@" "$name" $last --json >want 2>err
        timeout 60 "$program" $command "$@" "$name" $last --format $format >got 2>err
        status=$?
        case $format$command in
        json*) grep -v _bytes want >a && grep -v _bytes got >b && cmp a b || fail "$command --format json is not --json" ;;
        *) [ $status = 0 ] && head -1 got | grep -qE '^(start_ns|id|export),' || fail "$command --format csv: $(head -1 got err)" ;;
        esac
    done
done
# A folder that was made for files that cannot be written goes with them.
(
    ulimit -f 16
    exec timeout 60 "$program" export "$name" --output made >out 2>err </dev/null
)
[ $? = 6 ] && [ ! -e made ] || fail "a folder of a failed export: $(ls -R made) $(cat err)"

# No signal leaves a temporary file. A file left by SIGKILL is removed by the next writer once its process is gone
# and it is a minute old.
"$program" generate --force --kernels 30000 big.sqlite || exit 1
for signal in TERM HUP INT; do
    # a shell makes its background commands ignore INT
    env --default-signal=INT "$program" export big.sqlite --to chrome --output big.json --force >out 2>err &
    job=$!
    i=0
    until ls big.json.*.tmp >/dev/null 2>&1 || [ $i -gt 600 ]; do
        sleep 0.02
        i=$((i + 1))
    done
    kill -$signal $job
    wait $job
    [ $? -gt 128 ] || fail "$signal came too late for a temporary file"
    ls big.json.*.tmp >/dev/null 2>&1 && fail "$signal leaves a temporary file"
done
rm -f big.json*
sh -c 'echo $$' >gone
: >"big.json.$(cat gone)-0.tmp"
: >"big.json.$(cat gone)-1.tmp"
: >big.json.1-0.tmp
: >big.json.mine.tmp
touch -d '2 minutes ago' "big.json.$(cat gone)-0.tmp" big.json.1-0.tmp big.json.mine.tmp
expect 0 "$program" export big.sqlite --to chrome --output big.json --window 0 10s
[ ! -e "big.json.$(cat gone)-0.tmp" ] || fail "a stale temporary file stays"
[ -e "big.json.$(cat gone)-1.tmp" ] && [ -e big.json.1-0.tmp ] && [ -e big.json.mine.tmp ] || fail "a file of others is gone"
rm -f big.*
finish
