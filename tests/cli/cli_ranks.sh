#!/bin/sh
# ranks compares the ranks of a job, from one export or several, in every format, and reports mistakes.
. "$(dirname "$0")/lib.sh"

rm -f ./*.sqlite
expect 0 "$program" generate --kernels 3000 a.sqlite
expect 0 "$program" generate --kernels 3000 --seed 2 b.sqlite
expect 0 "$program" ranks a.sqlite
prints "Stages by rank"
prints "iteration #"
expect 0 "$program" ranks --format csv --limit 2 a.sqlite
grep -q "^stage,ranks,median_ns,slowest_pid,spread_pct,pid_[0-9]*_ns,pid_[0-9]*_ns$" out || fail "$(tail -3 out)"
expect 0 "$program" ranks --format json --align start a.sqlite b.sqlite
prints '"kind": "nsyscope.ranks"'
prints "export_1_pid_"
expect 2 "$program" ranks --limit x a.sqlite
says "--limit x"
expect 3 "$program" ranks a.sqlite missing.sqlite
says "missing.sqlite"
expect 2 "$program" ranks
says "give FILE"
# The screen answers the same, for one export or several.
expect 0 "$program" render --align start a.sqlite b.sqlite --size 160x60 -c 'answer ranks'
prints "Late ranks"
prints "table 1 of"
expect 0 "$program" render a.sqlite --size 160x60 -c 'answer ranks' --keys 'v v'
prints "came late"
# Waits of MPI meet across exports by their common ends: rank 1 waits 80 us longer each time; its clock is 0.777 ms ahead. They name nobody.
if command -v sqlite3 >/dev/null; then
    for rank in 0 1; do
        rm -f wait$rank.sqlite
        sqlite3 wait$rank.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/two_streams.sql"
        sqlite3 wait$rank.sqlite "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; INSERT INTO StringIds VALUES (60, 'MPI_Barrier'), (61, 'MPI_Wait'), (62, 'MPI_Test');
            CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER NOT NULL, end INTEGER, globalTid INTEGER, textId INTEGER, commHandle INTEGER);
            CREATE TABLE MPI_START_WAIT_EVENTS (start INTEGER NOT NULL, end INTEGER, globalTid INTEGER, textId INTEGER, requestHandle INTEGER);
            CREATE TABLE n AS WITH RECURSIVE n (at) AS (SELECT 2000000 + 777000 * $rank UNION ALL SELECT at + 1000000 FROM n LIMIT 20) SELECT at FROM n;
            INSERT INTO MPI_COLLECTIVES_EVENTS SELECT at, at + 10000, (111 << 24) | 111, 60, 1 FROM n;
            INSERT INTO MPI_START_WAIT_EVENTS SELECT at + 500000 - 80000 * $rank, at + 520000, (111 << 24) | 111, 61, 1 FROM n;
            INSERT INTO MPI_START_WAIT_EVENTS SELECT at + 300000, at + 300500, (111 << 24) | 111, 62, 1 FROM n; DROP TABLE n"
    done
    expect 0 "$program" ranks wait0.sqlite wait1.sqlite --format csv
    grep -q '^MPI_Wait,0 1,,2,20,400000,1600000,80000,' out || fail "waits across exports: $(grep MPI out)"
    grep -q '^MPI_Test' out && fail "a test is no wait: $(grep MPI_Test out)"
    expect 0 "$program" ranks wait0.sqlite wait1.sqlite
    prints "No rank is shown to hold the others up"
    # The file's name numbers a rank, in ranks as in merge, and not the host.
    for rank in 1 10 2; do
        cp wait0.sqlite job_r$rank.sqlite
        sqlite3 job_r$rank.sqlite "CREATE TABLE IF NOT EXISTS TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL, nameEnum INTEGER NOT NULL, value TEXT NOT NULL);
            INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (NULL, 'Hostname', 'Hostname', 1, 'node$((20 - rank))')"
    done
    expect 0 "$program" ranks job_r1.sqlite job_r2.sqlite job_r10.sqlite --format csv
    grep -q '^MPI_Wait,1 2 10,' out || fail "numbers of files: $(grep MPI out)"
    for rank in 1 10 2; do
        expect 0 "$program" sketch -o job_r$rank.nsk.json job_r$rank.sqlite
    done
    expect 0 "$program" merge job_r1.nsk.json job_r10.nsk.json job_r2.nsk.json --format csv
    grep -q '^MPI_Wait,1 2 10,' out || fail "numbers in merge: $(grep MPI out)"
fi
finish
