#!/bin/sh
# CPU samples by call stack: folded stacks, and the flame graph of one export or several.
. "$(dirname "$0")/lib.sh"

# Four samples of one thread, 1 ms apart: main;step;read twice, main;step, and one without a stack. A symbol holds an escape sequence, a
# semicolon and a number at its end.
with_samples() {
    expect 0 "$program" generate --force --kernels 400 "$1"
    sqlite3 "$1" "CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER,
            globalTid INTEGER, cpuCycles INTEGER NOT NULL);
        CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, kernelMode INTEGER,
            thumbCode INTEGER, unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER,
            stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
        INSERT INTO StringIds(id, value) VALUES (900001, '$2main'), (900002, 'step;' || char(27) || '[31m 2'), (900003, 'read'),
            (900004, '/lib/libx.so'), (900005, '0x1234');
        INSERT INTO COMPOSITE_EVENTS SELECT i, (SELECT min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL) + 1000000 * i, 0, 0,
            (SELECT min(globalTid) FROM CUPTI_ACTIVITY_KIND_RUNTIME), 1 FROM (SELECT 1 i UNION SELECT 2 UNION SELECT 3 UNION SELECT 4);
        INSERT INTO SAMPLING_CALLCHAINS(id, symbol, module, unresolved, stackDepth) VALUES (1, 900003, 900004, 0, 0),
            (1, 900002, 900004, 0, 1), (1, 900001, 900004, 0, 2), (2, 900003, 900004, 0, 0), (2, 900002, 900004, 0, 1),
            (2, 900001, 900004, 0, 2), (3, 900002, 900004, 0, 0), (3, 900001, 900004, 0, 1);" || fail "no samples in $1"
}
with_samples a.sqlite ""
with_samples b.sqlite "b_"

expect 0 "$program" export a.sqlite --to folded-samples
cat >want <<'END'
main;step:␛[31m 2 1
main;step:␛[31m 2;read 2
[no call stack] 1
END
sort out >got
sort want >wanted
cmp -s got wanted || fail "other stacks: $(cat out)"
from=$(sqlite3 a.sqlite "SELECT start FROM COMPOSITE_EVENTS WHERE id = 2")
expect 0 "$program" export a.sqlite --to folded-samples --trim "${from}ns" "$((from + 1000000))ns"
[ "$(cat out)" = "main;step:␛[31m 2;read 1" ] || fail "--trim: $(cat out)"
expect 0 "$program" export a.sqlite --to folded-samples --filter kind:sample -o f.folded
[ "$(sort f.folded)" = "$(cat wanted)" ] || fail "-o: $(cat f.folded)"
rm f.folded
expect 7 "$program" export a.sqlite --to folded-samples --filter kind:kernel
says "leave no CPU samples with call stacks"

# Without call stacks the reason is told.
cp a.sqlite none.sqlite
sqlite3 none.sqlite "DELETE FROM SAMPLING_CALLCHAINS"
expect 7 "$program" export none.sqlite --to folded-samples
says "record with  nsys profile --sample"

# A deep stack is cut, and says so; the samples add up.
sqlite3 a.sqlite "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO SAMPLING_CALLCHAINS(id, symbol, module, unresolved, stackDepth) SELECT 4, 900003 + i % 2 * -2, 900004, 0, i FROM n"
expect 0 "$program" export a.sqlite --to folded-samples
grep -q ';(deeper) 1$' out || fail "a deep stack is not cut"
[ "$(awk -F';' '{print NF}' out | sort -n | tail -1)" = 257 ] || fail "a deep stack is written whole"
[ "$(awk '{n += $NF} END {print n}' out)" = 4 ] || fail "samples are lost: $(cut -c1-80 out)"
sqlite3 a.sqlite "WITH RECURSIVE n(i) AS (SELECT 301 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
    INSERT INTO SAMPLING_CALLCHAINS(id, symbol, module, unresolved, stackDepth) SELECT 4, 900003 + i % 2 * -2, 900004, 0, i FROM n"
expect 0 "$program" export a.sqlite --to folded-samples
says "too many or too deep"
sqlite3 a.sqlite "DELETE FROM SAMPLING_CALLCHAINS WHERE id = 4"

# The flame graph of several exports has a frame around the stacks of each; an export without stacks has none.
flame() { "$program" render "$@" --size 120x40 --keys '$ o o' >out 2>err || fail "render $*: $(cat err)"; }
flame a.sqlite
prints "4 samples"
grep -q "0: a" out && fail "one export has a frame of its own"
flame a.sqlite b.sqlite
prints "8 samples"
prints "0: a█"
prints "1: b█"
prints "b_main"
flame --compare a.sqlite b.sqlite
prints "A: a█"
prints "B: b█"
expect 0 "$program" render --compare a.sqlite b.sqlite --size 120x40 --keys t
prints "A: a ·"
flame none.sqlite b.sqlite
prints "4 samples"
prints "1: b█"
flame none.sqlite
prints "No CPU samples with call stacks in this export"
rm -f ./*.sqlite out err got want wanted
finish
