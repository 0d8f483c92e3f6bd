#!/bin/sh
# Every pair of exports of seven shapes through every subcommand that takes several: none crashes, each ends with a status of README.md
# that sound exports can have, and the shares of each GPU are those of its export alone. Three at once answer every skill.
. "$(dirname "$0")/lib.sh"

generate() { "$program" generate --force --kernels 120 --layers 2 "$@" >/dev/null 2>&1 || fail "cannot generate $*"; }
# change NAME SQL: a copy of gpus.sqlite with changes.
change() {
    cp gpus.sqlite "$1.sqlite"
    sqlite3 "$1.sqlite" "$2" || fail "cannot make $1.sqlite"
}
no_gpu="DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY; DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET;
    DROP TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE; DROP TABLE GPU_METRICS; DROP TABLE CUDA_GPU_MEMORY_USAGE_EVENTS;"
no_calls="DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;"
generate gpus.sqlite --devices 2 --streams 2
"$NSC_MAKE_EXPORT" graphs 120 nodes.sqlite || fail "cannot make nodes.sqlite" # one call of each process launches all its ops, as a graph does that is recorded by node
change processes "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 0; UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET deviceId = 0;
    UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET deviceId = 0"
change nogpu "$no_gpu"
change nvtx "$no_gpu $no_calls DROP TABLE OSRT_API"
change cpu "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER);
    INSERT INTO SCHED_EVENTS SELECT start, 0, 1, globalTid FROM OSRT_API UNION ALL SELECT end, 0, 0, globalTid FROM OSRT_API;
    $no_gpu $no_calls DROP TABLE NVTX_EVENTS"
rm -f mpi.sqlite
sqlite3 mpi.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/every_report.sql" || fail "cannot make mpi.sqlite"
shapes="gpus nodes processes nogpu nvtx cpu mpi"
reports=$("$program" stats --help-reports | sed -n 's/^\([a-z][a-z_]*\).*/\1/p' | paste -sd, -)
skills=$("$program" skill list --format csv | cut -d, -f1 | sed 1d)

# sound COMMAND...: ends with 0, or with 7: not enough data for the question.
sound() {
    timeout 60 "$program" "$@" >out 2>err </dev/null
    got=$?
    case $got in 0 | 7) ;; *) fail "status $got: $*: $(head -5 err)" ;; esac
}

# shares COLUMN FILE...: the time of each GPU as CSV, after a first column.
shares() {
    column=$1
    shift
    "$program" overlap --format csv "$@" 2>>err | sed "1d;/^\$/,\$d;s/^/$column/"
}

pair() {
    sound render "$1.sqlite" "$2.sqlite" --size 120x200 --keys ') Y s V F A t $ O I'
    sound render --compare "$1.sqlite" "$2.sqlite"
    sound stats -r "$reports" "$1.sqlite" "$2.sqlite"
    sound report --out report --force "$1.sqlite" "$2.sqlite"
    sound diff --anyway "$1.sqlite" "$2.sqlite"
    sound search "$1.sqlite" "$2.sqlite" a
    sound bins --lane 0 "$1.sqlite" "$2.sqlite"
    rm -f marks
    sound bookmarks "$1.sqlite" "$2.sqlite" add --range 1ms 2ms --name pair --bookmarks marks
    sound session "$1.sqlite" "$2.sqlite" --bookmarks marks -o session --force
    for command in info viewer summary nccl iters tree ranks setup window streams stages; do
        sound "$command" "$1.sqlite" "$2.sqlite"
    done
    { shares "0: $1," "$1.sqlite"; shares "1: $2," "$2.sqlite"; } >want
    shares "" "$1.sqlite" "$2.sqlite" | diff want - || fail "the shares of $1 and $2 are not those of each alone"
}

# Takes each second pair, in a folder of its own; one half takes the later shape first.
half() {
    mkdir -p "half$1" && cd "half$1" || exit 1
    for shape in $shapes; do ln -sf "../$shape.sqlite" .; done
    n=0
    for a in $shapes; do for b in $shapes; do
        [ "$a" != "$b" ] || break
        n=$((n + 1))
        case $((n % 2))$1 in 00) pair "$a" "$b" ;; 11) pair "$b" "$a" ;; esac
    done; done
    exit "$failures"
}
(half 0) &
(half 1) || failures=1
wait $! || failures=1

for skill in $skills; do sound skill run "$skill" nodes.sqlite mpi.sqlite cpu.sqlite; done
finish
