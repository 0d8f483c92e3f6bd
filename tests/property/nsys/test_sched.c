/*
 * Property test of thread scheduling: the times of threads on CPUs equal those of a plain sort of
 * all switches, in whatever order the rows come.
 */
#include "nsyscope/trace.h"

#include "support/cm.h"
#include "support/dice.h"
#include "support/make_db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 600, ROUNDS = 40, ROW_BYTES = 200 };

struct row {
    int64_t rowid, start, cpu;
    uint64_t thread;
    bool in;
};

/* A time of a thread on a CPU. */
struct run {
    uint64_t thread;
    int64_t start, end, cpu;
    uint32_t source;
};

struct world {
    struct dice dice;
    char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];
    struct row rows[MOST_ROWS];
    uint32_t n;
    struct run want[MOST_ROWS], got[MOST_ROWS];
    uint32_t n_want, n_got;
};

/* ---- rows ---- */

static int64_t roll_cpu(struct dice *dice)
{
    static const int64_t odd[] = {-1,          INT32_MAX, (int64_t)INT32_MAX + 1,
                                  -5000000000, INT64_MIN, INT64_MAX};

    return dice_below(dice, 20) ? (int64_t)dice_below(dice, 4)
                                : odd[dice_below(dice, sizeof odd / sizeof odd[0])];
}

/* Rows in order of time, mostly in and out in turn; some share their start. */
static void roll_rows(struct world *world)
{
    static const int64_t steps[] = {3, 2000, (int64_t)1 << 28, (int64_t)1 << 33};
    struct dice *dice = &world->dice;
    int64_t step = steps[dice_below(dice, 4)];
    int64_t time = (int64_t)dice_below(dice, 3) * ((int64_t)1 << 40) - ((int64_t)1 << 40);
    uint64_t n_threads = 1 + dice_below(dice, 5);
    bool runs[5] = {false};

    world->n = (uint32_t)dice_below(dice, MOST_ROWS + 1);
    for (uint32_t i = 0; i < world->n; i++) {
        uint64_t t = dice_below(dice, n_threads);

        time += dice_below(dice, 4) ? (int64_t)dice_below(dice, (uint64_t)step) : 0;
        runs[t] = dice_below(dice, 10) ? !runs[t] : runs[t];
        world->rows[i] = (struct row){.start = time,
                                      .cpu = roll_cpu(dice),
                                      .thread = (1 + t / 3) << 24 | (t + 1),
                                      .in = runs[t]};
    }
}

static void swap_rows(struct world *world, uint32_t a, uint32_t b)
{
    struct row row = world->rows[a];

    world->rows[a] = world->rows[b];
    world->rows[b] = row;
}

/* Leaves the rows as they are, interleaves two halves of time, or shuffles a part or all of them. */
static void disorder(struct world *world)
{
    static struct row halves[MOST_ROWS];
    uint32_t shuffled = (uint32_t)dice_below(&world->dice, world->n + 1);

    switch (dice_below(&world->dice, 4)) {
    case 0:
        return;
    case 1:
        memcpy(halves, world->rows, sizeof halves);
        for (uint32_t i = 0; i < world->n; i++)
            world->rows[i % 2 ? world->n / 2 + i / 2 + world->n % 2 : i / 2] = halves[i];
        return;
    case 2:
        shuffled = world->n;
    }
    for (uint32_t i = 1; i < shuffled; i++)
        swap_rows(world, i, (uint32_t)dice_below(&world->dice, i + 1));
}

/* Ascending row ids, some of them beyond 32 bits. */
static void number_rows(struct world *world)
{
    int64_t rowid = dice_below(&world->dice, 3) ? 1 : -200;

    for (uint32_t i = 0; i < world->n; i++) {
        world->rows[i].rowid = rowid;
        rowid += dice_below(&world->dice, 200) ? 1 : (int64_t)1 << 31;
    }
}

static void write_rows(const struct world *world)
{
    char *sql = malloc((MOST_ROWS + 3) * (size_t)ROW_BYTES);
    size_t n = 0;

    assert_non_null(sql);
    n += (size_t)sprintf(sql, "PRAGMA page_size=512; CREATE TABLE SCHED_EVENTS (start INTEGER, cpu "
                              "INTEGER, isSchedIn INTEGER, globalTid INTEGER);");
    n += (size_t)sprintf(sql + n, "BEGIN;");
    for (uint32_t i = 0; i < world->n; i++) {
        const struct row *row = &world->rows[i];

        n += (size_t)snprintf(sql + n, ROW_BYTES,
                              "INSERT INTO SCHED_EVENTS(rowid, start, cpu, isSchedIn, globalTid) "
                              "VALUES(%" PRId64 ",%" PRId64 ",%" PRId64 ",%d,%" PRIu64 ");",
                              row->rowid, row->start, row->cpu, row->in, row->thread);
    }
    (void)sprintf(sql + n, "COMMIT;");
    nsc_test_db(world->path, sql);
    free(sql);
}

/* ---- both ways ---- */

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->rowid < y->rowid ? -1 : 1;
}

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void find_runs(struct world *world)
{
    int64_t last = INT64_MIN;

    qsort(world->rows, world->n, sizeof *world->rows, compare_rows);
    for (uint32_t i = 0; i < world->n; i++)
        last = world->rows[i].start > last ? world->rows[i].start : last;
    world->n_want = 0;
    for (uint32_t i = 0; i < world->n; i++) {
        const struct row *row = &world->rows[i];
        bool is_last = i + 1 == world->n || row[1].thread != row->thread;

        if (row->in)
            world->want[world->n_want++] = (struct run){
                row->thread, row->start, is_last ? last : row[1].start, row->cpu,
                row->rowid >= 0 && row->rowid < NSC_NONE ? (uint32_t)row->rowid : NSC_NONE};
    }
    qsort(world->want, world->n_want, sizeof *world->want, compare_runs);
}

static int64_t cpu_of(const struct nsc_trace *trace, nsc_event event)
{
    char scratch[NSC_NAME_BYTES], text[64];
    struct nsc_text name = nsc_trace_event_text(trace, event, false, scratch);

    assert_in_range(name.n, 5, sizeof text - 1);
    memcpy(text, name.bytes, name.n);
    text[name.n] = '\0';
    assert_memory_equal(text, "CPU ", 4);
    return strtoll(text + 4, NULL, 10);
}

static const struct nsc_track *track_of(const struct nsc_trace *trace, nsc_event event)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);

    return nsc_trace_track(trace, lanes[nsc_trace_lane_of(trace, event)].track);
}

static void load_runs(struct world *world)
{
    struct nsc_trace *trace = nsc_test_load(world->path, &world->dice);
    const struct nsc_events *events = nsc_trace_events(trace);

    assert_in_range(events->n, 0, MOST_ROWS);
    world->n_got = events->n;
    for (nsc_event i = 0; i < events->n; i++) {
        const struct nsc_track *track = track_of(trace, i);

        assert_int_equal(events->kind[i], NSC_KIND_SCHED);
        world->got[i] = (struct run){track->process << 24 | track->tid, events->start[i],
                                     nsc_event_end(events, i), cpu_of(trace, i), events->source[i]};
    }
    qsort(world->got, world->n_got, sizeof *world->got, compare_runs);
    nsc_trace_free(trace);
}

TEST(threads_run_from_a_switch_in_to_the_next_switch)
{
    static struct world world;
    uint64_t n_runs = 0;

    world.dice = dice_new(20251127);
    for (int round = 0; round < ROUNDS; round++) {
        nsc_test_folder_new(world.folder);
        nsc_test_path(world.path, world.folder, "x.sqlite");
        roll_rows(&world);
        disorder(&world);
        number_rows(&world);
        write_rows(&world);
        load_runs(&world);
        find_runs(&world);
        assert_int_equal(world.n_got, world.n_want);
        for (uint32_t i = 0; i < world.n_want; i++)
            if (compare_runs(&world.got[i], &world.want[i]) != 0)
                fail_msg(
                    "round %d: thread %" PRIu64 " at %" PRId64 " until %" PRId64 " on CPU %" PRId64
                    ", not at %" PRId64 " until %" PRId64 " on CPU %" PRId64,
                    round, world.got[i].thread, world.got[i].start, world.got[i].end,
                    world.got[i].cpu, world.want[i].start, world.want[i].end, world.want[i].cpu);
        n_runs += world.n_want;
        nsc_test_folder_free(world.folder);
    }
    assert_true(n_runs > 500);
}
