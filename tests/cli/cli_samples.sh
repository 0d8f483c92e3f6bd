#!/bin/sh
# CPU samples by call stack: the flame graph of one export or several.
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

cp a.sqlite none.sqlite
sqlite3 none.sqlite "DELETE FROM SAMPLING_CALLCHAINS"

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
flame none.sqlite b.sqlite
prints "4 samples"
prints "1: b█"
flame none.sqlite
prints "have no call stacks"
rm -f ./*.sqlite out err
finish
