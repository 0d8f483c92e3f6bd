#!/bin/sh
# Which function of the program itself makes a CUDA call: from the call stacks of --cudabacktrace, never one of a library.
. "$(dirname "$0")/lib.sh"
command -v sqlite3 >/dev/null || { echo "sqlite3 is missing: NOT TESTED"; exit 77; }

# Even launches come from step(), odd ones from a framework below train(); the first copy is of load(), the second of nobody. The launch of
# kernel 3 has its stack in a second record around it, the launch of kernel 7 none.
rm -f a.sqlite
{
    cat "$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql"
    cat <<'SQL'
INSERT INTO StringIds VALUES
    (20, 'cudaLaunchKernel'), (21, '/opt/cuda/lib64/libcudart.so.12'), (22, 'at::native::add'), (23, '/v/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so'),
    (24, 'step'), (25, '/home/u/lib/model.py'), (26, 'train'), (27, '/home/u/train.py'), (28, '_PyEval_EvalFrameDefault'), (29, '/usr/bin/python3.11'),
    (30, 'load'), (31, '/home/u/data.py'), (32, '0x7f00'), (33, '/home/u/a.out'), (34, 'cudaMemcpyAsync');
CREATE TABLE CUDA_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, unresolved INTEGER, originalIP INTEGER,
    stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
INSERT INTO CUDA_CALLCHAINS VALUES
    (0, 20, 21, NULL, 0, 0), (0, 24, 25, NULL, 0, 1), (0, 26, 27, NULL, 0, 2), (0, 28, 29, NULL, 0, 3),
    (1, 20, 21, NULL, 0, 0), (1, 22, 23, NULL, 0, 1), (1, 26, 27, NULL, 0, 2), (1, 28, 29, NULL, 0, 3),
    (2, 34, 21, NULL, 0, 0), (2, 30, 31, NULL, 0, 1), (2, 26, 27, NULL, 0, 2),
    (3, 34, 21, NULL, 0, 0), (3, 22, 23, NULL, 0, 1), (3, 32, 33, 1, 0, 2), (3, 28, 29, NULL, 0, 3);
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET callchainId = CASE correlationId WHEN 200 THEN 2 WHEN 201 THEN 3 ELSE correlationId % 2 END;
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET callchainId = NULL WHERE correlationId IN (102, 106);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start - 10, end + 10, 67, globalTid, NULL, 20, 0, 0 FROM CUPTI_ACTIVITY_KIND_RUNTIME
    WHERE correlationId = 102;
SQL
} | sqlite3 a.sqlite

# By call, against plain SQL: 5 us a launch, 5 us a copy.
expect 0 "$program" sql a.sqlite "SELECT own_code || ' ' || count(*) || ' ' || sum(dur) FROM call GROUP BY own_code ORDER BY 1" --format csv
printf '%s\n' '' 'load 1 5000' 'step 19 95000' 'train 20 100000' >want
sed 1d out | sed 's/^""$//' | cmp -s - want || fail "calls by own code: $(cat out)"
expect 0 "$program" sql a.sqlite "SELECT count(*) FROM op WHERE own_code = 'step'"
prints 19
expect 0 "$program" skill run own_code a.sqlite --format csv
[ "$(cut -d, -f1-5 out | sed -n '2,4p' | sort | tr '\n' ' ')" = "load,1,0,0,5000 step,19,95000,0,0 train,20,100000,0,0 " ] ||
    fail "the answer: $(cat out)"
idle=$(sed 1d out | cut -d, -f6 | awk '{ n += $1 } END { print n }')
expect 0 "$program" sql a.sqlite "SELECT sum(g.dur) FROM gap g JOIN call c ON c.id = g.call WHERE c.own_code IS NOT NULL" --format csv
[ "$(sed 1d out)" = "$idle" ] || fail "idle time is $idle, the gaps say $(sed 1d out)"
# The flame graph has the same sums: calls by function and name, and the gaps that end with what a function launched.
expect 0 "$program" export a.sqlite --to folded-own
cp out flame
{
    "$program" sql a.sqlite "SELECT own_code || ';' || name || ' ' || sum(dur) FROM call WHERE own_code IS NOT NULL GROUP BY own_code, name" --format csv | sed 1d
    "$program" sql a.sqlite "SELECT c.own_code || ';(GPU idle) ' || sum(g.dur) FROM gap g JOIN call c ON c.id = g.call WHERE c.own_code IS NOT NULL
        GROUP BY c.own_code" --format csv | sed 1d
} | sort >sums
sort flame | cmp -s - sums || fail "the flame graph: $(sort flame | diff - sums)"
grep -q '^step;cudaLaunchKernel.* 95000$' flame || fail "no launches of step(): $(cat flame)"
grep -q '(GPU idle)' flame || fail "no idle time: $(cat flame)"
# So has the pane for its window, which begins before the first op; its frames lead to the calls.
expect 0 "$program" export a.sqlite --to folded-own --trim 0.0008 0.0032
[ "$(awk '{ n += $NF } END { print n }' out)" = 1110000 ] || fail "the sums are others: $(cat out)"
# Of a window that begins inside the calls the file and the table count them whole.
expect 0 "$program" skill run own_code a.sqlite --trim 0.000983 0.0032 --format csv
calls=$(sed 1d out | awk -F, '{ n += $3 + $4 + $5 } END { print n }')
expect 0 "$program" export a.sqlite --to folded-own --trim 0.000983 0.0032
[ "$(grep -v '(GPU idle)' out | awk '{ n += $NF } END { print n }')" = "$calls" ] || fail "the table has $calls ns of calls: $(cat out)"
expect 0 "$program" render a.sqlite --size 120x40 --keys '$ o o o'
prints "Calls, GPU idle by own code  summed 1.11 ms, in the window of 2.40 ms"
prints "505 µs  45.5 % of all  19 calls  step"
expect 0 "$program" render a.sqlite --size 120x40 --keys '$ o o o Down Right'
prints "95.0 µs  18.8 % of the frame around  8.6 % of all  19 calls  cudaLaunchKernel"
expect 0 "$program" render a.sqlite --size 120x40 --keys '$ o o o / l o a d Enter Down Right'
prints "5.00 µs  4.8 % of the frame around  0.5 % of all  1 call  cudaMemcpyAsync"
prints "0.000 $(sqlite3 a.sqlite "SELECT start FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId = 200" | sed 's/\(...\)\(...\)$/\1 \2/; s/^0*//') s"
expect 0 "$program" render a.sqlite --size 120x40 --keys '$ o o o / l o a d Enter'
prints "load is in the names of 1 frame: 105 µs, 9.5 % of all"
expect 0 "$program" render a.sqlite --size 120x40 --keys '/ n a m e = n o n e Enter $ o o o'
prints "Nothing of what the filter keeps is in the window."
expect 0 "$program" export a.sqlite --to folded-own --filter launch
expect 0 "$program" ask a.sqlite "which line of python makes the calls"
prints step

# Details of an op have the function that launched it; those of its call the whole stack.
expect 0 "$program" render a.sqlite --size 160x70 --keys 'D n'
prints 'own code step  model.py'
expect 0 "$program" render a.sqlite --size 160x70 --keys 'D n n n'
grep -q 'own code' out && fail "a launch without a stack has one: $(grep 'own code' out)"

# nsys 2022.2 numbers stacks from 1, and calls from 0.
sqlite3 a.sqlite "UPDATE CUDA_CALLCHAINS SET id = id + 101; UPDATE CUDA_CALLCHAINS SET id = id - 100"
expect 0 "$program" sql a.sqlite "SELECT own_code || ' ' || count(*) || ' ' || sum(dur) FROM call GROUP BY own_code ORDER BY 1" --format csv
sed 1d out | sed 's/^""$//' | cmp -s - want || fail "stacks that begin with 1: $(cat out)"
expect 0 "$program" render a.sqlite --size 160x70 --keys 'D n'
prints 'own code step  model.py'

# Without stacks nothing is told.
sqlite3 a.sqlite "DROP TABLE CUDA_CALLCHAINS"
expect 0 "$program" skill run own_code a.sqlite
prints "No call stack of a CUDA call is recorded"
expect 0 "$program" render a.sqlite --size 160x40 --keys '$ o o o'
prints "record with nsys profile --cudabacktrace=all"
expect 7 "$program" export a.sqlite --to folded-own
says "record with  nsys profile --cudabacktrace=all"
finish
