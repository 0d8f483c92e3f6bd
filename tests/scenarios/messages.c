/* MPI messages between processes without GPUs: which process is late, if any. */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

enum { RANKS = 8, STEPS = 40 };

/* Processes 500 and up, each with a clock of its own. */
struct job {
    struct scenario *s;
    int n;
    int64_t thread[RANKS], now[RANKS];
    int64_t request; /* the next handle */
};

static void make_tables(struct scenario *s)
{
    scenario_sql(s, "CREATE TABLE MPI_P2P_EVENTS (start INTEGER NOT NULL, end INTEGER, globalTid "
                    "INTEGER, textId INTEGER, commHandle INTEGER, tag INTEGER, remoteRank INTEGER, "
                    "size INTEGER, requestHandle INTEGER)");
    scenario_sql(s, "CREATE TABLE MPI_START_WAIT_EVENTS (start INTEGER NOT NULL, end INTEGER, "
                    "globalTid INTEGER, textId INTEGER, requestHandle INTEGER)");
    scenario_sql(s, "CREATE TABLE MPI_OTHER_EVENTS (start INTEGER NOT NULL, end INTEGER, globalTid "
                    "INTEGER, textId INTEGER)");
    scenario_sql(s, "CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER)");
}

static void other(struct job *job, int r, const char *name, int64_t ns)
{
    scenario_sql(job->s, "INSERT INTO MPI_OTHER_EVENTS VALUES (%lld, %lld, %lld, %lld)",
                 (long long)job->now[r], (long long)(job->now[r] + ns), (long long)job->thread[r],
                 (long long)scenario_string(job->s, name));
    job->now[r] += ns;
}

static struct job begin(struct scenario *s, int n)
{
    struct job job = {.s = s, .n = n, .request = 77000};

    make_tables(s);
    for (int r = 0; r < n; r++) {
        char name[20];

        (void)snprintf(name, sizeof name, "MPI Rank %d", r);
        job.thread[r] = scenario_thread(s, 500 + r, 500 + r, name);
        job.now[r] = MS(1);
        scenario_sql(s, "INSERT INTO MPI_RANKS VALUES (%lld, %d)", (long long)job.thread[r], r);
        other(&job, r, "MPI_Init", MS(50));
    }
    return job;
}

static void finish(struct job *job)
{
    for (int r = 0; r < job->n; r++)
        other(job, r, "MPI_Finalize", MS(1));
    scenario_findings(job->s);
}

/* A call of rank r from now to end; request 0: none. */
static void call(struct job *job, int r, const char *name, int remote, int64_t end, int64_t request)
{
    scenario_sql(job->s,
                 "INSERT INTO MPI_P2P_EVENTS VALUES (%lld, %lld, %lld, %lld, 9, 5, %d, 4096, "
                 "nullif(%lld, 0))",
                 (long long)job->now[r], (long long)end, (long long)job->thread[r],
                 (long long)scenario_string(job->s, name), remote, (long long)request);
    job->now[r] = end;
}

/* The sender sends at once; the receiver has the message 5 us later, or when it receives. */
static void deliver(struct job *job, int from, int to, int remote)
{
    int64_t sent = job->now[from];
    int64_t start = job->now[to];

    call(job, from, "MPI_Send", to, sent + US(2), 0);
    call(job, to, "MPI_Recv", remote, (start > sent ? start : sent) + US(5), 0);
}

/* Each rank of a ring gives its neighbours a message and waits for theirs. */
static void exchange(struct job *job)
{
    int64_t posted[RANKS];
    int64_t first = job->request;

    for (int r = 0; r < job->n; r++)
        for (int k = 0; k < 4; k++) {
            int remote = (r + (k % 2 ? 1 : job->n - 1)) % job->n;

            call(job, r, k < 2 ? "MPI_Irecv" : "MPI_Isend", remote, job->now[r] + US(1),
                 job->request++);
            posted[r] = job->now[r];
        }
    for (int r = 0; r < job->n; r++) {
        int64_t left = posted[(r + job->n - 1) % job->n];
        int64_t right = posted[(r + 1) % job->n];
        int64_t start = posted[r];
        int64_t end = left > right ? left : right;

        end = (end > start ? end : start) + US(5);
        for (int k = 0; k < 4; k++)
            scenario_sql(
                job->s, "INSERT INTO MPI_START_WAIT_EVENTS VALUES (%lld, %lld, %lld, %lld, %lld)",
                (long long)start, (long long)end, (long long)job->thread[r],
                (long long)scenario_string(job->s, "MPI_Waitall"), (long long)(first + 4 * r + k));
        job->now[r] = end;
    }
    job->request = first; /* handles are used again */
}

static void steps_of_a_ring(struct scenario *s, int n, int64_t (*compute)(int rank, int step))
{
    struct job job = begin(s, n);

    for (int i = 0; i < STEPS; i++) {
        for (int r = 0; r < n; r++)
            job.now[r] += compute(r, i);
        exchange(&job);
    }
    finish(&job);
}

static void is_late(struct scenario *s, const char *process)
{
    const char *title;

    assert_int_equal(scenario_count(s, "findings", "rule = 'mpi-imbalance'"), 1);
    title = scenario_text(s, "findings", "rule = 'mpi-imbalance'", "finding");
    if (strstr(title, process) == NULL || strstr(title, "is late") == NULL)
        fail_msg("%s", title);
}

static int64_t rank_2_is_slow(int rank, int step)
{
    return rank == 2 ? MS(10) : MS(7) + US(13 * ((step * 7 + rank * 3) % 11));
}

/* Rank 2 of 8 computes for 10 ms, the others for 7. Its neighbours wait for its messages, their
 * neighbours wait for them, and so on: all because of rank 2. */
SCENARIO(test_a_slow_rank_of_a_ring)
{
    steps_of_a_ring(*state, 8, rank_2_is_slow);
    is_late(*state, "Process 502");
    loop_severity(*state, "mpi-imbalance", "high");
}

static int64_t all_alike(int rank, int step)
{
    return MS(10) + US(3 * ((step * 5 + rank * 7) % 13));
}

SCENARIO(test_a_balanced_ring)
{
    steps_of_a_ring(*state, 8, all_alike);
    loop_is_healthy(*state);
}

static int64_t another_each_step(int rank, int step)
{
    return ((unsigned)step * 2654435761U >> 7) % 4 == (unsigned)rank ? MS(10) : MS(7);
}

/* A different rank is slow in each step: they wait, but no rank is the cause. */
SCENARIO(test_another_rank_each_step)
{
    steps_of_a_ring(*state, 4, another_each_step);
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'mpi-imbalance'", "finding"),
                           "it is not shown that it is late"));
}

/* Rank 0 hands work to 1, and 1 to 2. Rank 0 computes for 8 ms, the others for 1: rank 2 waits for
 * 1, which waits for 0. */
SCENARIO(test_a_chain)
{
    struct job job = begin(*state, 3);

    for (int i = 0; i < STEPS; i++) {
        job.now[0] += MS(8);
        deliver(&job, 0, 1, 0);
        job.now[1] += MS(1);
        deliver(&job, 1, 2, 1);
        job.now[2] += MS(1);
    }
    finish(&job);
    is_late(*state, "Process 500");
}

/* Rank 0 sends by MPI_Ssend and is held until rank 1, which computes for 8 ms, receives. */
SCENARIO(test_a_late_receiver)
{
    struct job job = begin(*state, 2);

    for (int i = 0; i < STEPS; i++) {
        int64_t end;

        job.now[0] += MS(2);
        job.now[1] += MS(8);
        end = job.now[1] + US(8);
        call(&job, 0, "MPI_Ssend", 1, end, 0);
        call(&job, 1, "MPI_Recv", 0, end, 0);
    }
    finish(&job);
    is_late(*state, "Process 501");
}

/* The near miss: rank 1 also receives 6 ms late, but the sends return at once. No rank waits. */
SCENARIO(test_sends_that_return)
{
    struct job job = begin(*state, 2);

    for (int i = 0; i < STEPS; i++) {
        job.now[0] += MS(2);
        job.now[1] += MS(8);
        deliver(&job, 0, 1, 0);
    }
    finish(&job);
    assert_int_equal(scenario_count(*state, "findings", "rule = 'mpi-imbalance'"), 0);
}

/* Receives from any source (-1) have no known sender: the answer gives only the time in MPI. */
SCENARIO(test_any_source)
{
    struct job job = begin(*state, 2);

    for (int i = 0; i < STEPS; i++) {
        job.now[0] += MS(8);
        deliver(&job, 0, 1, -1);
        job.now[1] += MS(1);
    }
    finish(&job);
    assert_int_equal(scenario_count(*state, "findings", "rule = 'mpi-imbalance'"), 0);
    loop_severity(*state, "mpi-waits", "high");
}

/* One of the sends was not recorded, so receives cannot be matched. */
SCENARIO(test_a_missing_send)
{
    struct job job = begin(*state, 2);

    for (int i = 0; i < STEPS; i++) {
        job.now[0] += MS(8);
        deliver(&job, 0, 1, 0);
        job.now[1] += MS(1);
    }
    scenario_sql(*state, "DELETE FROM MPI_P2P_EVENTS WHERE rowid = 1");
    finish(&job);
    assert_int_equal(scenario_count(*state, "findings", "rule = 'mpi-imbalance'"), 0);
}
