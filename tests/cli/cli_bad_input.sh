#!/bin/sh
# Every subcommand reports a mistake in one line on stderr, with status 2 for wrong words, 3 for a file that is not an export
# and 7 if the export or the window has no data for the question.
# promises: A20 A27 A37 A39 A45 C2 C7
. "$(dirname "$0")/lib.sh"

rm -f ./*.sqlite
expect 0 "$program" generate --force --kernels 500 --layers 2 good.sqlite
cp good.sqlite bare.sqlite
sqlite3 bare.sqlite "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE NVTX_EVENTS; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;
  DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_MEMSET; DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
sqlite3 foreign.sqlite 'CREATE TABLE t (a)'
: >nothing.sqlite
echo 'no database' >text.sqlite

# One subcommand a line. @ stands for the file; without @ the file is the last word.
subcommands='summary
overlap
nccl
iters
tree
tree --instances
search @ x
skill run top_kernels @
setup
window
streams
stages
ranks
diff @ @
ncu-plan @ -- ./a.out
analyze
analyze -r cuda_api_sync
stats -r cuda_gpu_kern_sum
report --json
ask @ why
export --to csv'

# each STATUS FILE TEXT OPTION...: runs every subcommand on FILE with these options and expects STATUS and TEXT.
# By default it runs one subcommand in $share, starting elsewhere at each call, so that each subcommand gets some of the mistakes;
# NSC_LONG=1 runs all.
calls=0
share=4
each() {
    status=$1
    file=$2
    text=$3
    shift 3
    n=$calls
    calls=$((calls + 1))
    while read -r line; do
        n=$((n + 1))
        [ -n "${NSC_LONG-}" ] || [ $((n % share)) = 0 ] || continue
        case $line in
        *@*) words=$(echo "$line" | sed "s/@/$file/g") ;;
        *) words="$line $file" ;;
        esac
        case $words in
        *' -- '*) expect "$status" "$program" ${words%% -- *} "$@" -- ./a.out ;;
        *) expect "$status" "$program" $words "$@" ;;
        esac
        says "$text"
    done <<END
$subcommands
END
}

each 3 missing.sqlite 'missing.sqlite'
each 3 nothing.sqlite 'is empty'
each 3 text.sqlite 'not an SQLite export'
each 3 foreign.sqlite 'no Nsight Systems tables'
share=3
each 7 good.sqlite 'no events there' --trim 9000 9001
each 2 good.sqlite 'no NVTX range has that name' --range no-such-range
each 2 good.sqlite 'no bookmark' --bookmark no-such-bookmark --bookmarks none.json
each 2 good.sqlite 'a value is missing' --filter 'dur>'
each 2 good.sqlite 'no such option' --no-such-option

share=1
# These subcommands have no data in an export without kernels and ranges.
subcommands='summary
overlap
nccl
iters
tree
tree --instances
setup
window
streams
stages
ranks
diff @ @
ncu-plan @ -- ./a.out
stats -r cuda_gpu_kern_sum
stats -r nvtx_sum'
each 7 bare.sqlite ' '
subcommands='summary
overlap
nccl
diff @ @
ncu-plan @ -- ./a.out
stats -r cuda_gpu_kern_sum'
each 7 good.sqlite ' ' --filter name:no-such-name

# An unknown name is repeated in the message.
expect 2 "$program" stats -r no_such_report good.sqlite
says 'no_such_report'
expect 2 "$program" analyze -r no_such_rule good.sqlite
says 'no_such_rule'
expect 2 "$program" skill run no_such_skill good.sqlite
says 'no_such_skill'
expect 3 "$program" merge missing.json
says 'missing.json'
expect 2 "$program" merge
says 'give REPORT.json'
expect 3 "$program" ncu-import missing.csv
says 'missing.csv'
echo '{}' >other.json
"$program" merge other.json >out 2>err && fail 'merges what is no report'
says 'no report of nsyscope'
# Beside an export: a log that is cut inside its header, then a pipe in place of a log. The program creates no file there and does not wait.
rm -rf beside && mkdir beside
sqlite3 beside/e.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql"
for size in 1 20 32; do
    head -c $size /dev/zero >beside/e.sqlite-wal
    expect 3 "$program" info beside/e.sqlite
    says "cut inside its header"
    [ "$(ls beside)" = "$(printf 'e.sqlite\ne.sqlite-wal')" ] || fail "made beside the export: $(ls beside)"
done
rm beside/e.sqlite-wal
for name in e.sqlite-wal e.sqlite-journal; do
    mkfifo beside/$name
    expect 3 timeout 5 "$program" info beside/e.sqlite
    says "no regular file"
    rm beside/$name
done
# An export given as the bookmark file is refused, and no lock file is left beside it.
expect 3 "$program" bookmarks beside/e.sqlite add --at 1s --bookmarks beside/e.sqlite
[ "$(ls beside)" = e.sqlite ] || fail "made beside the export: $(ls beside)"
# A path longer than SQLite accepts, and too few file descriptors: the message names the cause, even if the path is cut.
long=beside
for i in 1 2 3 4 5 6; do long=$long/$(printf '%0100d' 0); done
mkdir -p "$long"
cp beside/e.sqlite "$long/e.sqlite"
expect 3 "$program" info "$long/e.sqlite"
says "SQLite opens no path longer than"
says "move the file"
told=0
for n in 3 4 5 6 7 8 9 10 11 12; do
    sh -c 'ulimit -n "$1" && exec "$2" summary "$3"' sh $n "$program" beside/e.sqlite >out 2>err </dev/null
    got=$?
    [ $got = 127 ] || [ $got = 0 ] && continue # the loader itself lacks descriptors, or they suffice
    [ $got = 3 ] && grep -q "Too many open files" err || fail "$n descriptors: status $got: $(cat err)"
    told=$((told + 1))
done
[ $told -gt 0 ] || fail "no number of descriptors was too small"
# What is wrong with rows is said by every answer.
cp good.sqlite beside/odd.sqlite
sqlite3 beside/odd.sqlite "PRAGMA secure_delete = OFF; UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'x' WHERE rowid = 5; DELETE FROM TARGET_INFO_GPU"
for words in summary overlap 'skill run top_kernels' analyze 'stats -r cuda_gpu_kern_sum' 'export --to csv' tree 'render --size 80x24'; do
    expect 0 "$program" $words beside/odd.sqlite
    grep -qF 'warning: CUPTI_ACTIVITY_KIND_KERNEL: 1 rows skipped (type)' err || fail "$words says nothing of a skipped row: $(cat err)"
    grep -qF 'warning: TARGET_INFO_GPU is empty, although work ran on GPUs' err || fail "$words says nothing of missing GPUs: $(cat err)"
    grep -qF 'warning: TARGET_INFO_GPU is empty, but its page is not' err || fail "$words says nothing of deleted rows: $(cat err)"
    expect 0 "$program" $words good.sqlite
    grep -q warning err && fail "$words warns of a sound export: $(cat err)"
done
# Rows of StringIds that are no text, or a second one of an id.
sqlite3 beside/e.sqlite "CREATE TABLE s AS SELECT * FROM StringIds; DROP TABLE StringIds; CREATE TABLE StringIds(id, value);
    INSERT INTO StringIds SELECT * FROM s; INSERT INTO StringIds VALUES('x', 'y'), (9001, 7), (1, 'again'), (9002, '=1+1')"
expect 0 "$program" info --json beside/e.sqlite
grep -A14 '"StringIds"' out | tr -d '\n ' | grep -q '"skipped_type":2.*"skipped_duplicate":1' || fail "StringIds: $(grep -A14 '"StringIds"' out)"
prints "StringIds: 2 rows skipped"
# TSV disables formulas too, pages load and run nothing, and a skill's title cannot send an escape to the terminal.
expect 0 "$program" sql beside/e.sqlite "SELECT '=1+1' AS a" --format tsv
prints "'=1+1"
expect 0 "$program" render --size 80x24 --format html beside/e.sqlite
prints "default-src 'none'"
"$program" report beside/e.sqlite --out beside/r --html >out 2>err && grep -q "default-src 'none'" beside/r/report.html || fail "report.html has no policy"
mkdir -p beside/config/nsyscope/skills
printf -- '-- question: who \033]0;x\007 am I\nSELECT 1 AS one\n' >beside/config/nsyscope/skills/esc.sql
XDG_CONFIG_HOME=$PWD/beside/config expect 0 "$program" skill run esc beside/e.sqlite
LC_ALL=C grep -q "$(printf '\033')" out && fail "the question of a skill reaches the terminal raw"
rm -rf beside
finish
