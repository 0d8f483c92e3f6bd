/*
 * Property tests of the tables of the trace: events equal a loop over the trace, a bound that a
 * search serves equals one that SQLite checks, totals equal GROUP BY, aggregates equal loops.
 */
#include "analysis/base/correlate.h"
#include "core/progress.h"
#include "core/sum.h"
#include "core/text.h"
#include "query/query_data.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 120, BOUNDS = 60, STOPS = 12 };

struct world {
    struct gpu_world of;
    struct nsc_trace_query *query;
};

static void open_world(struct world *world)
{
    struct nsc_trace_query_ground ground = {.scope = &world->of.scope};
    struct nsc_error error = {0};

    gpu_world_roll(&world->of);
    world->of.scope.is_whole = true; /* skills are about the same time as tables */
    assert_int_equal(nsc_trace_query_open(&world->query, false, &error), NSC_OK);
    nsc_trace_query_show(world->query, &ground);
}

static void close_world(struct world *world)
{
    nsc_trace_query_close(world->query);
    gpu_world_clear(&world->of);
}

static struct nsc_relation *ask(struct world *world, const char *sql)
{
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};
    int column = -1;

    if (nsc_trace_query_run(&rows, world->query, sql, NSC_QUERY_FILE, &column, &error) != NSC_OK)
        fail_msg("%s: %s", sql, error.text);
    return rows;
}

static uint32_t count(const struct nsc_relation *rows)
{
    return nsc_sheet_rows(&rows->sheet);
}

static const struct nsc_sheet_cell *cell(const struct nsc_relation *rows, uint32_t row,
                                         const char *column)
{
    uint32_t c = nsc_relation_find(rows, column);

    assert_int_not_equal(c, NSC_NONE);
    return nsc_sheet_at(&rows->sheet, row, c);
}

/* The integer of a cell; INT64_MIN: NULL. */
static int64_t int_at(const struct nsc_relation *rows, uint32_t row, const char *column)
{
    const struct nsc_sheet_cell *of = cell(rows, row, column);

    return of->is_set ? of->integer : INT64_MIN;
}

static double number_at(const struct nsc_relation *rows, uint32_t row, uint32_t column)
{
    const struct nsc_sheet_cell *of = nsc_sheet_at(&rows->sheet, row, column);

    return !of->is_set                                            ? NAN
           : rows->sheet.columns[column].kind == NSC_SHEET_NUMBER ? of->number
                                                                  : (double)of->integer;
}

static bool text_is(const struct nsc_relation *rows, uint32_t row, const char *column,
                    struct nsc_text text)
{
    struct nsc_text own = nsc_sheet_text(&rows->sheet, cell(rows, row, column));

    return own.n == text.n && (text.n == 0 || memcmp(own.bytes, text.bytes, text.n) == 0);
}

/* Whether two answers have equal cells. */
static void assert_same(const struct nsc_relation *a, const struct nsc_relation *b, const char *sql)
{
    if (count(a) != count(b) || a->sheet.n_columns != b->sheet.n_columns)
        fail_msg("%u rows, not %u: %s", count(a), count(b), sql);
    for (uint32_t r = 0; r < count(a); r++)
        for (uint32_t c = 0; c < a->sheet.n_columns; c++) {
            struct nsc_buf x = NSC_BUF_INIT(SIZE_MAX), y = NSC_BUF_INIT(SIZE_MAX);

            nsc_sheet_show(&x, &a->sheet, r, c, true);
            nsc_sheet_show(&y, &b->sheet, r, c, true);
            if (x.n != y.n || (x.n && memcmp(x.bytes, y.bytes, x.n) != 0))
                fail_msg("row %u, column %u: %s, not %s: %s", r, c, x.n ? x.bytes : "",
                         y.n ? y.bytes : "", sql);
            nsc_buf_fini(&x);
            nsc_buf_fini(&y);
        }
}

static void assert_equal_answers(struct world *world, const char *a, const char *b)
{
    struct nsc_relation *x = ask(world, a), *y = ask(world, b);

    assert_same(x, y, a);
    nsc_relation_free(x);
    nsc_relation_free(y);
}

/* ---- events ---- */

static const struct {
    const char *name;
    enum nsc_kind first, last;
} tables[] = {
    {"kernel", NSC_KIND_KERNEL, NSC_KIND_KERNEL},
    {"graph", NSC_KIND_GRAPH, NSC_KIND_GRAPH},
    {"copy", NSC_KIND_COPY_HTOD, NSC_KIND_COPY_OTHER},
    {"memset", NSC_KIND_MEMSET, NSC_KIND_MEMSET},
    {"op", NSC_KIND_KERNEL, NSC_KIND_MEMSET},
    {"call", NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER},
    {"nvtx", NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN},
    {"range", NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN},
    {"os_call", NSC_KIND_OSRT, NSC_KIND_OSRT},
    {"mpi", NSC_KIND_MPI_P2P, NSC_KIND_MPI_OTHER},
    {"event", NSC_KIND_UNKNOWN, NSC_KIND_CUPTI_OVERHEAD},
};
enum { N_TABLES = sizeof tables / sizeof *tables };

static void check_texts(const struct world *world, const struct nsc_relation *rows, uint32_t r,
                        nsc_event event)
{
    const struct nsc_trace *trace = world->of.trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    const char *kind = nsc_kind_label((enum nsc_kind)events->kind[event]);
    char scratch[NSC_NAME_BYTES];
    struct nsc_text full = nsc_trace_event_text(trace, event, false, scratch);

    assert_true(text_is(rows, r, "name", full));
    assert_int_equal(cell(rows, r, "name")->is_set, events->name[event] != 0);
    assert_true(text_is(rows, r, "short", nsc_trace_event_text(trace, event, true, scratch)));
    assert_true(text_is(rows, r, "label",
                        full.n ? nsc_trace_event_text(trace, event, true, scratch)
                               : (struct nsc_text){kind, (uint32_t)strlen(kind)}));
    /* equal texts have equal numbers */
    for (uint32_t k = 0; k < r; k++) {
        struct nsc_text other = nsc_sheet_text(&rows->sheet, cell(rows, k, "name"));

        assert_int_equal(text_is(rows, r, "name", other) && other.n > 0,
                         int_at(rows, r, "name_id") == int_at(rows, k, "name_id") && other.n > 0);
    }
}

static int64_t known(int64_t value)
{
    return value >= 0 ? value : INT64_MIN;
}

static void check_place(const struct world *world, const struct nsc_relation *rows, uint32_t r,
                        nsc_event event)
{
    uint32_t t = gpu_world_track(&world->of, event);
    const struct nsc_track *track = nsc_trace_track(world->of.trace, t);

    assert_int_equal(int_at(rows, r, "track"), t);
    assert_int_equal(int_at(rows, r, "export"), track->capture_no);
    assert_int_equal(int_at(rows, r, "pid"), track->pid ? (int64_t)track->pid : INT64_MIN);
    if (nsc_relation_find(rows, "stream") == NSC_NONE)
        return;
    assert_int_equal(int_at(rows, r, "gpu"), known(track->gpu));
    assert_int_equal(int_at(rows, r, "device"), known(track->device));
    assert_int_equal(int_at(rows, r, "context"), known(track->context));
    assert_int_equal(int_at(rows, r, "stream"), known(track->stream));
}

static void check_links(const struct world *world, const struct nsc_relation *rows, uint32_t r,
                        nsc_event event)
{
    const struct nsc_trace *trace = world->of.trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event path[GPU_WORLD_ROWS];
    uint32_t n = nsc_event_path(trace, event, path, GPU_WORLD_ROWS);
    nsc_event call = nsc_event_launch(trace, event);
    nsc_time queue = 0;

    assert_int_equal(int_at(rows, r, "range"), n ? (int64_t)path[n - 1] : INT64_MIN);
    if (nsc_relation_find(rows, "queue") == NSC_NONE)
        return;
    assert_int_equal(int_at(rows, r, "call"), call != NSC_NONE ? (int64_t)call : INT64_MIN);
    assert_int_equal(int_at(rows, r, "call_end"),
                     call != NSC_NONE ? nsc_event_end(events, call) : INT64_MIN);
    assert_int_equal(int_at(rows, r, "queue"),
                     nsc_event_queue_time(trace, event, &queue) ? queue : INT64_MIN);
}

/* Without a window every event counts, also an instant at the end of the trace. */
static bool is_in(const struct world *world, nsc_event event)
{
    return world->of.scope.has_window ? nsc_scope_has(&world->of.scope, event)
                                      : nsc_scope_selects(&world->of.scope, event);
}

static void check_event(const struct world *world, const struct nsc_relation *rows, uint32_t r,
                        nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(world->of.trace);
    nsc_time start = 0, end = 0;

    assert_int_equal(int_at(rows, r, "id"), event);
    assert_int_equal(int_at(rows, r, "start"), events->start[event]);
    assert_int_equal(int_at(rows, r, "end"), nsc_event_end(events, event));
    assert_int_equal(int_at(rows, r, "dur"), nsc_event_duration(events, event));
    if (!world->of.scope.has_window) {
        start = events->start[event];
        end = nsc_event_end(events, event);
    } else {
        assert_true(nsc_scope_clip(&world->of.scope, event, &start, &end));
    }
    assert_int_equal(int_at(rows, r, "clip_start"), start);
    assert_int_equal(int_at(rows, r, "clip_end"), end);
    assert_int_equal(int_at(rows, r, "clip_dur"), end - start);
    assert_int_equal(int_at(rows, r, "source_row"), events->source[event]);
    check_texts(world, rows, r, event);
    check_place(world, rows, r, event);
    check_links(world, rows, r, event);
}

static void check_table(struct world *world, uint32_t t)
{
    const struct nsc_events *events = nsc_trace_events(world->of.trace);
    struct nsc_relation *rows;
    char sql[80];
    uint32_t r = 0;

    (void)snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY id", tables[t].name);
    rows = ask(world, sql);
    for (nsc_event event = 0; event < events->n; event++)
        if (events->kind[event] >= tables[t].first && events->kind[event] <= tables[t].last &&
            is_in(world, event)) {
            assert_true(r < count(rows));
            check_event(world, rows, r++, event);
        }
    assert_int_equal(r, count(rows));
    nsc_relation_free(rows);
}

TEST(tables_of_events_equal_a_loop_over_the_trace)
{
    struct world world = {.of.dice = dice_new(20101), .of.has_seqs = true};

    for (int round = 0; round < ROUNDS; round++) {
        open_world(&world);
        for (uint32_t t = 0; t < N_TABLES; t++)
            check_table(&world, t);
        close_world(&world);
    }
}

/* ---- ranges as a tree, and what is inside them ---- */

static uint32_t group_of(const struct world *world, nsc_event event)
{
    return nsc_trace_track(world->of.trace, gpu_world_track(&world->of, event))->group;
}

/* The depth of a range within its domain; the lanes of its track are the depths. */
static uint32_t depth_of(const struct world *world, nsc_event event)
{
    const struct nsc_trace *trace = world->of.trace;

    return nsc_trace_lane_of(trace, event) -
           nsc_trace_track(trace, gpu_world_track(&world->of, event))->first_lane;
}

static nsc_time common(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    nsc_time t0 = nsc_later(events->start[a], events->start[b]);
    nsc_time t1 = nsc_earlier(nsc_event_end(events, a), nsc_event_end(events, b));

    return t1 > t0 ? t1 - t0 : 0;
}

/* Whether an event touches a range that takes time. */
static bool touches(const struct nsc_events *events, nsc_event event, nsc_event range)
{
    return events->duration[range] > 0 && events->start[event] < nsc_event_end(events, range) &&
           nsc_event_touch_end(events, event) > events->start[range];
}

/* Whether the range's thread launched the op inside it. */
static bool launches_in(const struct world *world, nsc_event op, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(world->of.trace);
    nsc_event call = nsc_event_launch(world->of.trace, op);

    return call != NSC_NONE && nsc_scope_selects(&world->of.scope, op) &&
           group_of(world, call) == group_of(world, range) &&
           events->start[call] >= events->start[range] &&
           events->start[call] < nsc_event_touch_end(events, range);
}

static void check_path(const struct world *world, const struct nsc_relation *rows, uint32_t r,
                       nsc_event range)
{
    nsc_event path[GPU_WORLD_ROWS];
    uint32_t n = nsc_event_path(world->of.trace, range, path, GPU_WORLD_ROWS);
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    char scratch[NSC_NAME_BYTES];

    path[n++] = range;
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text name = nsc_trace_event_text(world->of.trace, path[i], false, scratch);

        nsc_buf_printf(&text, "%s%.*s", i ? " / " : "", (int)name.n, name.bytes);
    }
    assert_true(text_is(rows, r, "path", (struct nsc_text){text.bytes, (uint32_t)text.n}));
    nsc_buf_fini(&text);
}

static void check_range(const struct world *world, const struct nsc_relation *rows, uint32_t r)
{
    const struct nsc_trace *trace = world->of.trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event range = (nsc_event)int_at(rows, r, "id");
    uint32_t depth = depth_of(world, range);
    int64_t parent = INT64_MIN, self = nsc_event_duration(events, range);
    int64_t calls = 0, call_work = 0, ops = 0, work = 0;
    int64_t gpu_start = INT64_MIN, gpu_end = INT64_MIN; /* NULL */

    for (nsc_event e = 0; e < events->n; e++) {
        bool is_near = gpu_world_track(&world->of, e) == gpu_world_track(&world->of, range);

        if (is_near && depth_of(world, e) + 1 == depth &&
            events->start[e] <= events->start[range] &&
            events->start[range] < nsc_event_touch_end(events, e))
            parent = e;
        if (is_near && depth_of(world, e) == depth + 1)
            self -= common(events, e, range);
        if (nsc_kind_is_api(events->kind[e]) && nsc_scope_selects(&world->of.scope, e) &&
            group_of(world, e) == group_of(world, range) && touches(events, e, range)) {
            calls++;
            call_work += common(events, e, range);
        }
        if (launches_in(world, e, range)) {
            gpu_start = ops == 0 ? events->start[e] : nsc_earlier(gpu_start, events->start[e]);
            gpu_end = nsc_later(gpu_end, nsc_event_end(events, e));
            ops++;
            work += nsc_event_duration(events, e);
        }
    }
    check_path(world, rows, r, range);
    assert_int_equal(int_at(rows, r, "parent"), parent);
    assert_int_equal(int_at(rows, r, "self"), self);
    assert_int_equal(int_at(rows, r, "calls"), calls);
    assert_int_equal(int_at(rows, r, "call_work"), call_work);
    assert_int_equal(int_at(rows, r, "ops"), ops);
    assert_int_equal(int_at(rows, r, "work"), work);
    assert_int_equal(int_at(rows, r, "gpu_start"), gpu_start);
    assert_int_equal(int_at(rows, r, "gpu_end"), gpu_end);
    assert_true(int_at(rows, r, "launches") <= ops &&
                (int_at(rows, r, "launches") > 0) == (ops > 0));
}

TEST(ranges_equal_loops_over_the_trace)
{
    struct world world = {.of.dice = dice_new(20108)};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_relation *rows;

        world.of.has_batches = round % 2;
        open_world(&world);
        rows = ask(&world, "SELECT * FROM range");
        for (uint32_t r = 0; r < count(rows); r++)
            check_range(&world, rows, r);
        nsc_relation_free(rows);
        assert_equal_answers(&world, "SELECT id, op, call, queue FROM launch ORDER BY id",
                             "SELECT id, id op, call, queue FROM op WHERE call IS NOT NULL "
                             "ORDER BY id");
        assert_equal_answers(
            &world,
            "SELECT k.call_tid tid, k.call_thread thread FROM launch k JOIN call c ON c.id = "
            "k.call "
            "ORDER BY k.id",
            "SELECT c.tid, c.group_label thread FROM launch k JOIN call c ON c.id = k.call "
            "ORDER BY k.id");
        close_world(&world);
    }
}

/* ---- bounds ---- */

static void roll_number(struct world *world, char out[64], int64_t most)
{
    int64_t value = (int64_t)dice_below(&world->of.dice, (uint64_t)most) - 3;

    switch (dice_below(&world->of.dice, 12)) {
    case 0:
        (void)snprintf(out, 64, "%" PRId64 ".5", value);
        break;
    case 1:
        (void)snprintf(out, 64, "%" PRId64 ".0", value);
        break;
    case 2:
        (void)snprintf(out, 64, "%s",
                       dice_below(&world->of.dice, 2) ? "9223372036854775807" : "-1e300");
        break;
    case 3:
        (void)snprintf(out, 64, "%s", dice_below(&world->of.dice, 2) ? "NULL" : "1e300");
        break;
    default:
        (void)snprintf(out, 64, "%" PRId64, value);
    }
}

/* A condition on a column that a search serves; plus: a sign before the column that stops that. */
static void roll_bound(struct world *world, struct nsc_buf *a, struct nsc_buf *b)
{
    static const struct {
        const char *column;
        int64_t most; /* of its values; 0: a text */
    } columns[] = {{"id", 200},    {"start", 600}, {"end", 600},    {"gpu", 5},
                   {"stream", 13}, {"pid", 6},     {"export", 5},   {"name", 0},
                   {"short", 0},   {"fold", 0},    {"name_id", 12}, {"track", 30},
                   {"rank", 0},    {"dur", 70},    {"label", 0},    {"comm", 2}};
    static const char *const operators[] = {"=", "<", "<=", ">", ">=", "=", "=", "<>", "IS"};
    static const char *const texts[] = {"gemm",     "relu",   "ncclDevKernel_AllReduce",
                                        "rank 0",   "rank 1", "copy host to device",
                                        "gemm\xff", ""};
    uint64_t c = dice_below(&world->of.dice, sizeof columns / sizeof *columns);
    const char *op = operators[dice_below(&world->of.dice, 9)];
    char value[64];

    if (columns[c].most > 0)
        roll_number(world, value, columns[c].most);
    else
        (void)snprintf(value, sizeof value, "'%s'", texts[dice_below(&world->of.dice, 8)]);
    nsc_buf_printf(a, "%s %s %s", columns[c].column, op, value);
    nsc_buf_printf(b, "+%s %s %s", columns[c].column, op, value);
}

TEST(a_bound_that_a_search_serves_equals_one_that_sqlite_checks)
{
    static const char *const orders[][2] = {
        {"ORDER BY id", "ORDER BY +id"},
        {"ORDER BY start, id", "ORDER BY +start, +id"},
        {"ORDER BY start DESC, id", "ORDER BY -start, +id"},
        {"ORDER BY fold_id", "ORDER BY +fold_id, +id"},
        {"ORDER BY short_id DESC", "ORDER BY +short_id DESC, +id"}};
    struct world world = {.of.dice = dice_new(20102)};

    for (int round = 0; round < ROUNDS; round++) {
        open_world(&world);
        for (int i = 0; i < BOUNDS; i++) {
            const char *table = (const char *[]){"op", "kernel", "event"}[i % 3];
            uint64_t order = dice_below(&world.of.dice, 5);
            struct nsc_buf a = NSC_BUF_INIT(SIZE_MAX), b = NSC_BUF_INIT(SIZE_MAX);

            nsc_buf_printf(&a, "SELECT id, start, short, gpu FROM %s WHERE ", table);
            nsc_buf_printf(&b, "SELECT id, start, short, gpu FROM %s WHERE ", table);
            for (uint64_t k = dice_below(&world.of.dice, 3);; k--) {
                roll_bound(&world, &a, &b);
                if (k == 0)
                    break;
                nsc_buf_puts(&a, " AND ");
                nsc_buf_puts(&b, " AND ");
            }
            nsc_buf_printf(&a, " %s", orders[order][0]);
            nsc_buf_printf(&b, " %s", orders[order][1]);
            assert_equal_answers(&world, a.bytes, b.bytes);
            nsc_buf_fini(&a);
            nsc_buf_fini(&b);
        }
        /* a text that is a number equals the number, and an ordering alone changes nothing */
        assert_equal_answers(&world, "SELECT id FROM op WHERE gpu = '0'",
                             "SELECT id FROM op WHERE gpu = 0");
        assert_equal_answers(&world, "SELECT id, start FROM event ORDER BY start",
                             "SELECT id, start FROM event ORDER BY +start, +id");
        assert_equal_answers(
            &world, "SELECT k.id, c.id, c.end FROM op k JOIN call c ON c.id = k.call ORDER BY k.id",
            "SELECT k.id, c.id, c.end FROM op k JOIN call c ON +c.id = +k.call ORDER BY +k.id");
        close_world(&world);
    }
}

/* ---- totals ---- */

TEST(totals_equal_group_by)
{
    static const char *const by[] = {"short",
                                     "label gpu",
                                     "stream kind",
                                     "name rank",
                                     "fold tid",
                                     "gpu",
                                     "",
                                     "kind_label context short",
                                     "name depth",
                                     "short call_thread",
                                     "family iteration kind",
                                     "phase fold rank"};
    struct world world = {.of.dice = dice_new(20103)};

    for (int round = 0; round < ROUNDS; round++) {
        world.of.has_seqs = round % 2;
        open_world(&world);
        for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
            static const char *const values[] = {"dur", "clip_dur"};
            const char *value = values[dice_below(&world.of.dice, 2)];
            unsigned least = (unsigned)dice_below(&world.of.dice, 3);
            struct nsc_buf list = NSC_BUF_INIT(SIZE_MAX);
            char a[600], b[900];

            for (const char *c = by[i]; *c; c++)
                nsc_buf_printf(&list, "%s%c", *c == ' ' ? "," : "", *c);
            /* without medians first: the answer that is kept does not have them */
            (void)snprintf(a, sizeof a,
                           "SELECT count, total, mean, min, max, longest FROM totals('event', "
                           "'%s', '%s') ORDER BY longest",
                           by[i], value);
            (void)snprintf(b, sizeof b,
                           "SELECT n, t, m, l, h, id FROM (SELECT id, count(*) OVER g n, total(v) "
                           "OVER g t, mean(v) OVER g m, min(v) OVER g l, max(v) OVER g h, "
                           "row_number() OVER (%s%s ORDER BY v DESC, id) AS place FROM (SELECT *, "
                           "%s AS v FROM event) WINDOW g AS (%s%s)) WHERE place = 1 ORDER BY id",
                           list.n ? "PARTITION BY " : "", list.n ? list.bytes : "", value,
                           list.n ? "PARTITION BY " : "", list.n ? list.bytes : "");
            assert_equal_answers(&world, a, b);
            (void)snprintf(a, sizeof a,
                           "SELECT %s%s count, total, mean, median, min, max, round(p90, 6), "
                           "round(stdev, 6) FROM totals('event', '%s', '%s', 'dur>%u') "
                           "ORDER BY %s%s count",
                           list.n ? list.bytes : "", list.n ? "," : "", by[i], value, least,
                           list.n ? list.bytes : "", list.n ? "," : "");
            (void)snprintf(b, sizeof b,
                           "SELECT %s%s count(*), total(%s), mean(%s), median(%s), min(%s), "
                           "max(%s), round(percentile(%s, 90), 6), round(stdev(%s), 6) FROM event "
                           "WHERE dur > %u %s%s ORDER BY %s%s 1",
                           list.n ? list.bytes : "", list.n ? "," : "", value, value, value, value,
                           value, value, value, least, list.n ? "GROUP BY " : "HAVING count(*) > 0",
                           list.n ? list.bytes : "", list.n ? list.bytes : "", list.n ? "," : "");
            assert_equal_answers(&world, a, b);
            nsc_buf_fini(&list);
        }
        close_world(&world);
    }
}

/* ---- aggregates ---- */

static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

static bool is_work(const struct world *world, nsc_event event)
{
    return nsc_kind_is_gpu(nsc_trace_events(world->of.trace)->kind[event]) && is_in(world, event);
}

static void check_aggregates(struct world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->of.trace);
    struct nsc_relation *rows =
        ask(world, "SELECT total(dur), mean(dur), median(dur), percentile(dur, 90), stdev(dur), "
                   "covered(start, end) FROM op");
    int64_t values[GPU_WORLD_ROWS];
    size_t n = 0;
    int64_t sum = 0, covered = 0;
    double square = 0, place;

    for (nsc_event e = 0; e < events->n; e++)
        if (is_work(world, e)) {
            values[n++] = nsc_event_duration(events, e);
            sum += values[n - 1];
        }
    for (nsc_time t = 0; t < 2 * GPU_WORLD_SPAN; t++) {
        bool is_busy = false;

        for (nsc_event e = 0; e < events->n && !is_busy; e++)
            is_busy = is_work(world, e) && events->start[e] <= t && t < nsc_event_end(events, e);
        covered += is_busy;
    }
    assert_int_equal(int_at(rows, 0, "covered(start, end)"), covered);
    if (n > 0) {
        qsort(values, n, sizeof *values, compare_times);
        for (size_t i = 0; i < n; i++)
            square += pow((double)values[i] - (double)sum / (double)n, 2);
        place = 0.9 * (double)(n - 1);
        assert_true(number_at(rows, 0, 0) == (double)sum);
        assert_true(fabs(number_at(rows, 0, 1) - (double)sum / (double)n) < 1e-9);
        assert_true(number_at(rows, 0, 2) == (double)(values[(n - 1) / 2] + values[n / 2]) / 2);
        assert_true(fabs(number_at(rows, 0, 3) -
                         ((double)values[(size_t)floor(place)] * (1 - place + floor(place)) +
                          (double)values[(size_t)ceil(place)] * (place - floor(place)))) < 1e-6);
        assert_true(fabs(number_at(rows, 0, 4) - (n < 2 ? 0 : sqrt(square / (double)(n - 1)))) <
                    1e-6);
    }
    nsc_relation_free(rows);
}

TEST(aggregates_equal_loops)
{
    struct world world = {.of.dice = dice_new(20104)};

    for (int round = 0; round < ROUNDS; round++) {
        open_world(&world);
        check_aggregates(&world);
        assert_equal_answers(&world,
                             "SELECT label_id, count(*), min(id) FROM event GROUP BY label_id",
                             "SELECT +label_id, count(*), min(id) FROM event GROUP BY +label_id");
        assert_equal_answers(
            &world, "SELECT id FROM kernel WHERE name_id IN (SELECT text_id FROM name) ORDER BY id",
            "SELECT id FROM kernel WHERE name IS NOT NULL ORDER BY id");
        assert_equal_answers(
            &world,
            "SELECT s ->> 'count', s ->> 'total', s ->> 'mean', s ->> 'median', s ->> 'min', s ->> "
            "'max', s ->> 'stdev' FROM (SELECT spread(dur) AS s FROM op)",
            "SELECT nullif(count(*), 0), total(dur), mean(dur), median(dur), min(dur), max(dur), "
            "stdev(dur) FROM op");
        assert_equal_answers(&world,
                             "SELECT id, total(dur) OVER w, mean(dur) OVER w FROM op WINDOW w AS "
                             "(ORDER BY id ROWS 3 PRECEDING) ORDER BY id",
                             "SELECT id, sum(dur) OVER w, avg(dur) OVER w FROM op WINDOW w AS "
                             "(ORDER BY id ROWS 3 PRECEDING) ORDER BY id");
        close_world(&world);
    }
    open_world(&world);
    assert_equal_answers(
        &world,
        "SELECT total(x), total(NULL), total(x + 0.5) FROM (SELECT 9223372036854775807 x UNION ALL "
        "SELECT 9223372036854775807 UNION ALL SELECT 1)",
        "SELECT 9223372036854775807, NULL, 2 * 9223372036854775807.0");
    assert_equal_answers(&world, "SELECT shape(8, 1, 12345), shape(1, NULL, 1)",
                         "SELECT '   8    1 12345', NULL");
    assert_equal_answers(&world,
                         "SELECT median(x), stdev(x), covered(x, x) FROM (SELECT 1 x WHERE 0)",
                         "SELECT NULL, NULL, 0");
    close_world(&world);
}

/* ---- the time of devices ---- */

TEST(gaps_and_bins_add_up)
{
    struct world world = {.of.dice = dice_new(20105)};

    for (int round = 0; round < ROUNDS; round++) {
        open_world(&world);
        assert_equal_answers(&world,
                             "SELECT gpu, total(dur), max(dur) FROM gap GROUP BY gpu ORDER BY gpu",
                             "SELECT gpu, total(idle_ns), max(longest_ns) FROM skill_idle GROUP BY "
                             "gpu HAVING total(gaps) > 0 ORDER BY gpu");
        assert_equal_answers(&world, "SELECT count(*) FROM gap(20)",
                             "SELECT count(*) FROM gap WHERE dur >= 20");
        assert_equal_answers(&world,
                             "SELECT count(*) FROM gap WHERE late + queued + waits + unknown = dur",
                             "SELECT count(*) FROM gap");
        assert_equal_answers(
            &world,
            "SELECT rank, gpu, total(busy) FROM time_bin(7) GROUP BY 1, 2 HAVING total(busy) > 0 "
            "ORDER BY 1, 2",
            "SELECT rank r, gpu, covered(clip_start, clip_end) c FROM op GROUP BY r, "
            "gpu HAVING c > 0 ORDER BY r, gpu");
        assert_equal_answers(&world, "SELECT count(*) FROM time_bin(7) WHERE busy + idle <> dur",
                             "SELECT 0");
        assert_equal_answers(
            &world,
            "SELECT gpu, total(dur * compute), total(dur * comm), total(dur * (comm AND NOT "
            "(compute "
            "OR copy OR memset))), total(dur * ((copy OR memset) AND NOT (compute OR comm))) FROM "
            "sweep GROUP BY rank, gpu HAVING total(dur * (compute OR comm OR copy OR memset)) > 0 "
            "ORDER BY gpu",
            "SELECT gpu, total(compute), total(comm), total(exposed), total(copy_only) FROM "
            "time_bin(1) GROUP BY rank, gpu HAVING total(busy) > 0 ORDER BY gpu");
        assert_equal_answers(
            &world,
            "SELECT count(*) FROM (SELECT *, lag(end) OVER rows AS before, compute || comm || copy "
            "|| memset AS of, lag(compute || comm || copy || memset) OVER rows AS of_before FROM "
            "sweep WINDOW rows AS (PARTITION BY rank, gpu ORDER BY rowid)) WHERE start = before "
            "AND of = of_before OR dur <> end - start OR dur <= 0",
            "SELECT 0");
        close_world(&world);
    }
}

/* ---- ranges ---- */

TEST(ranges_around_and_projected_equal_columns)
{
    static const char *const same[][2] = {
        {"SELECT id, (SELECT id FROM around(e.id) WHERE kind = 'nvtx' AND place > 0 ORDER BY place "
         "LIMIT 1) FROM event e ORDER BY id",
         "SELECT id, range FROM event ORDER BY id"},
        {"SELECT id, (SELECT group_concat(coalesce(name, ''), ' / ') FROM (SELECT name FROM "
         "around(r.id) ORDER BY place DESC)) FROM range r WHERE style = 'push/pop' ORDER BY id",
         "SELECT id, path FROM range WHERE style = 'push/pop' ORDER BY id"},
        {"SELECT o.id, (SELECT id FROM around(o.id) WHERE place = 1 AND kind = 'api') FROM op o "
         "ORDER BY 1",
         "SELECT id, call FROM op ORDER BY 1"},
        {"SELECT range, min(start), max(end) FROM projection GROUP BY range ORDER BY range",
         "SELECT id, gpu_start, gpu_end FROM range WHERE ops > 0 AND style = 'push/pop' ORDER BY "
         "id"},
        {"SELECT count(*) FROM projection p JOIN range r ON r.id = p.range WHERE p.depth <> "
         "r.depth "
         "OR p.dur <> p.end - p.start",
         "SELECT 0"},
        {"SELECT count(*), count(DISTINCT range || ' ' || coalesce(rank, '') || ' ' || gpu) FROM "
         "projection",
         "SELECT count(*), count(*) FROM projection"},
    };
    struct world world = {.of.dice = dice_new(20108)};

    for (int round = 0; round < ROUNDS; round++) {
        open_world(&world);
        for (size_t i = 0; i < sizeof same / sizeof *same; i++)
            assert_equal_answers(&world, same[i][0], same[i][1]);
        close_world(&world);
    }
}

/* ---- answers with names of their own ---- */

/* A table of a skill has the rows of the skill, and sums that events give. */
TEST(tables_of_answers_equal_sums_of_events)
{
    static const char *const same[][2] = {
        {"SELECT * FROM device", "SELECT * FROM skill_breakdown"},
        {"SELECT * FROM dependency", "SELECT * FROM skill_dependencies"},
        {"SELECT export, rank, iteration, thread, start, dur, of_median, mark, host, outside, "
         "gpu_start, gpu, kernels, work, comm_kernels, comm_work, kind, slow, clock, pid FROM "
         "iteration",
         "SELECT * FROM skill_iteration_timing"},
        {"SELECT * FROM collective", "SELECT * FROM skill_nccl_breakdown"},
        {"SELECT export, rank, gpu, pid, stream, kernels, comm_kernels, work, avg, busy, "
         "busy_share FROM stream_use",
         "SELECT * FROM skill_stream_concurrency"},
        {"SELECT count(*) FROM iteration i JOIN kernel k ON k.process = i.process AND k.iteration "
         "= i.iteration AND (i.pid IS NULL OR k.pid = i.pid)",
         "SELECT count(iteration) FROM kernel WHERE process IN (SELECT process FROM iteration)"},
        {"SELECT * FROM copy_group", "SELECT * FROM skill_copies"},
        {"SELECT * FROM sync_cost", "SELECT * FROM skill_sync"},
        {"SELECT * FROM finding", "SELECT * FROM skill_findings"},
        {"SELECT total(idle), total(work) FROM (SELECT gpu, idle, NULL work FROM idle UNION ALL "
         "SELECT gpu, NULL, work FROM stream_use)",
         "SELECT (SELECT total(dur) FROM gap), (SELECT total(dur) FROM op WHERE kind IN ('kernel', "
         "'graph'))"},
        {"SELECT gpu, total(window - idle) FROM device GROUP BY gpu HAVING total(window - idle) > "
         "0 "
         "ORDER BY gpu",
         "SELECT gpu, total(busy) FROM time_bin(1) GROUP BY gpu HAVING total(busy) > 0 ORDER BY "
         "gpu"},
        {"SELECT total(count), total(total) FROM collective",
         "SELECT nullif(count(*), 0), total(dur) FROM kernel WHERE comm = 1"},
        {"SELECT coalesce(total(work), 0) FROM copy_group",
         "SELECT coalesce(total(dur), 0) FROM copy"},
        {"SELECT gpu, total(dur), min(start) FROM critical_path GROUP BY gpu ORDER BY gpu",
         "SELECT gpu, total(path_ns), (SELECT min(start) FROM critical_path c WHERE c.gpu = p.gpu) "
         "FROM skill_critical_path p GROUP BY gpu HAVING total(path_ns) > 0 ORDER BY gpu"},
        {"SELECT count(*) FROM iteration_phase WHERE measured > spans", "SELECT 0"},
    };
    struct world world = {.of.dice = dice_new(20107)};

    for (int round = 0; round < ROUNDS; round++) {
        world.of.has_seqs = round % 2;
        open_world(&world);
        for (size_t i = 0; i < sizeof same / sizeof *same; i++)
            assert_equal_answers(&world, same[i][0], same[i][1]);
        close_world(&world);
    }
}

/* ---- what is refused ---- */

TEST(statements_that_do_more_than_read_are_refused)
{
    static const char *const refused[] = {
        "DELETE FROM kernel",
        "INSERT INTO kernel(id) VALUES (1)",
        "UPDATE kernel SET id = 1",
        "CREATE TABLE t(x)",
        "CREATE TEMP TABLE t AS SELECT * FROM kernel",
        "CREATE VIRTUAL TABLE t USING kernel",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE kernel",
        "ATTACH 'other.sqlite' AS other",
        "VACUUM INTO 'other.sqlite'",
        "BEGIN",
        "PRAGMA journal_mode = WAL",
        "PRAGMA writable_schema = ON",
        "PRAGMA database_list",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM sqlite_schema",
        "SELECT load_extension('x')",
        "SELECT readfile('x')",
        "SELECT 1; SELECT 2",
        "",
        "SELECT * FROM totals('counter')",
        "SELECT * FROM totals('op kernel')",
        "SELECT * FROM totals('kernel', 'start')",
        "SELECT * FROM totals('kernel', 'short', 'name')",
        "SELECT * FROM totals('kernel', 'short', 'dur', 'dur>')",
        "SELECT * FROM gap('x')",
        "SELECT * FROM time_bin(0)",
        "SELECT * FROM skill_top_kernels('many')",
        "SELECT passes(1, 'dur>') FROM event",
        "SELECT percentile(id, 101) FROM event",
    };
    struct world world = {.of.dice = dice_new(20106)};
    struct nsc_relation *rows = NULL;

    do { /* two of them need an event */
        open_world(&world);
        rows = ask(&world, "SELECT * FROM event");
        if (count(rows) > 0)
            break;
        nsc_relation_free(rows);
        close_world(&world);
    } while (true);
    nsc_relation_free(rows);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct nsc_error error = {0};
        int column = -1;

        rows = NULL;
        if (nsc_trace_query_run(&rows, world.query, refused[i], NSC_QUERY_FILE, &column, &error) !=
            NSC_EINVAL)
            fail_msg("%s: %d %s", refused[i], (int)error.status, error.text);
        assert_null(rows);
    }
    nsc_relation_free(ask(&world, "SELECT count(*) FROM kernel")); /* still works */
    close_world(&world);
}

/* A statement is checked before there is a trace, and a mistake has its place. */
TEST(a_check_needs_no_trace)
{
    struct nsc_trace_query *query = NULL;
    struct nsc_error error = {0};
    int column = -1;

    assert_int_equal(nsc_trace_query_open(&query, false, &error), NSC_OK);
    assert_int_equal(nsc_trace_query_run(NULL, query, "SELECT short FROM kernel", NSC_QUERY_FILE,
                                         &column, &error),
                     NSC_OK);
    assert_int_equal(nsc_trace_query_run(NULL, query, "SELECT shart FROM kernel", NSC_QUERY_FILE,
                                         &column, &error),
                     NSC_EINVAL);
    assert_int_equal(column, 7);
    nsc_trace_query_close(query);
}

/* An answer that a row of the outer loop asked for is dropped while its text is still the greatest. */
TEST(texts_outlive_the_answer)
{
    struct world world = {.of.dice = dice_new(20112)};

    for (int round = 0; round < ROUNDS / 8; round++) {
        open_world(&world);
        assert_equal_answers(
            &world, "SELECT max(a.name) AS n FROM event e, around(e.id) a WHERE a.place = 0",
            "SELECT max(name) AS n FROM event");
        close_world(&world);
    }
}

/* ---- a stop ---- */

enum { LOOKS = 1 << 30 };

/* Runs a statement that is cancelled at look `looks`. Returns how often it looked; *rows is NULL if it
 * was cancelled. */
static uint32_t run_until(struct nsc_relation **rows, const struct world *world, const char *sql,
                          uint32_t looks)
{
    struct nsc_progress progress = {.looks = looks};
    struct nsc_scope scope = world->of.scope;
    struct nsc_trace_query_ground ground = {.scope = &scope};
    struct nsc_trace_query *query = NULL;
    struct nsc_error error = {0};
    int column = -1;
    enum nsc_status status;

    scope.stop = &progress;
    *rows = NULL;
    assert_int_equal(nsc_trace_query_open(&query, false, &error), NSC_OK);
    nsc_trace_query_show(query, &ground);
    status = nsc_trace_query_run(rows, query, sql, NSC_QUERY_FILE, &column, &error);
    if (status != (progress.looks > 0 ? NSC_OK : NSC_ECANCELLED))
        fail_msg("%s, %u looks: %s", sql, looks, error.text);
    nsc_trace_query_close(query);
    return looks - (uint32_t)progress.looks;
}

/* Stops a statement at its first look, at its last, and at some between. */
static void check_stops(struct world *world, const char *sql)
{
    struct nsc_relation *whole, *rows;
    uint32_t n = run_until(&whole, world, sql, LOOKS);

    for (uint32_t i = 0, at = 1; i < STOPS && at <= n;
         i++, at = 1 + (uint32_t)dice_below(&world->of.dice, n)) {
        (void)run_until(&rows, world, sql, i + 1 == STOPS ? n : at);
        assert_null(rows);
    }
    (void)run_until(&rows, world, sql, n + 1);
    assert_same(whole, rows, sql);
    nsc_relation_free(whole);
    nsc_relation_free(rows);
}

/* The number of rows of a skill that lists events. */
static uint32_t count_listed(const char *name, const struct nsc_scope *scope)
{
    const struct nsc_skill *skill = nsc_skill_find(name);
    struct nsc_question question = nsc_question_of(skill, scope, NULL);
    struct nsc_sheets sheets = {0};
    struct nsc_error error = {0};
    uint32_t n;

    question.error = &error;
    assert_int_equal(nsc_question_set(&question, "limit=0", &error), NSC_OK);
    nsc_skill_run(&sheets, &question);
    n = nsc_sheet_rows(&sheets.list.at[0]);
    nsc_sheets_fini(&sheets);
    return n;
}

/* Whoever lists events looks at the stop before each of them, so that no row follows it. */
TEST(a_stopped_answer_lists_no_events)
{
    static const char *const listing[] = {"search", "name_totals", "nvtx_instances",
                                          "nvtx_kernel_map"};
    uint32_t n[sizeof listing / sizeof *listing] = {0};
    struct world world = {.of.dice = dice_new(20111)};

    for (int round = 0; round < ROUNDS / 4; round++) {
        struct nsc_progress stopped = {.cancel = true};
        struct nsc_scope scope;

        open_world(&world);
        scope = world.of.scope;
        scope.stop = &stopped;
        for (size_t i = 0; i < sizeof listing / sizeof *listing; i++) {
            n[i] += count_listed(listing[i], &world.of.scope);
            assert_int_equal(count_listed(listing[i], &scope), 0);
        }
        close_world(&world);
    }
    for (size_t i = 0; i < sizeof listing / sizeof *listing; i++)
        assert_true(n[i] > 0);
}

/* A connection keeps few bytes of answers that nothing reads, and the last one. */
TEST(kept_answers_are_bounded)
{
    struct world world = {.of.dice = dice_new(20112)};
    uint32_t n_dropped = 0;

    for (int round = 0; round < ROUNDS / 12; round++) {
        static const char sql[] = "SELECT sum(n) FROM (SELECT count(*) AS n FROM gap UNION ALL "
                                  "SELECT count(*) FROM sweep UNION ALL SELECT count(*) FROM "
                                  "time_bin(200) UNION ALL SELECT count(*) FROM gap UNION ALL "
                                  "SELECT count(*) FROM totals('op', 'name gpu'))";
        struct nsc_trace_query *query;
        struct nsc_relation *rows;
        uint64_t bytes = 0;

        open_world(&world);
        query = world.query;
        rows = ask(&world, sql);
        for (size_t i = 0; i < query->answers.n; i++) {
            const struct nsc_query_answer *answer = query->answers.at[i];

            assert_int_equal(answer->n_cursors, 0);
            bytes += i > 0 ? answer->bytes : 0;
        }
        assert_true(bytes <= NSC_QUERY_KEPT_BYTES);
        n_dropped += query->answers.n < 4;
        nsc_relation_free(rows);
        close_world(&world);
    }
    assert_true(n_dropped > 0);
}

/* How often a table looks that is filled for its first row: SQLite itself looks every 50 steps. */
static uint32_t count_looks(const struct world *world, const char *table)
{
    struct nsc_relation *rows;
    char sql[128];
    uint32_t n;

    (void)snprintf(sql, sizeof sql, "SELECT 1 FROM %s LIMIT 1", table);
    n = run_until(&rows, world, sql, LOOKS);
    nsc_relation_free(rows);
    return n;
}

/* A comparison with NULL is never true: it walks no row, as often as it is asked. */
TEST(a_bound_that_is_null_walks_no_row)
{
    static const char *const bounds[] = {
        "b.id =",  "b.id >",   "b.start >=",   "b.end <",  "b.gpu =",
        "b.pid =", "b.name =", "b.short_id =", "b.track ="};
    struct world world = {.of.dice = dice_new(20113)};
    uint32_t most = 0;

    for (int round = 0; round < ROUNDS / 12; round++) {
        open_world(&world);
        for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
            static const char form[] = "SELECT count(b.id) FROM (SELECT %s AS x FROM op) a "
                                       "LEFT JOIN op b ON %s a.x";
            struct nsc_relation *rows, *none;
            char null[160], nothing[160];
            uint32_t n;

            (void)snprintf(null, sizeof null, form, "nullif(id, id)", bounds[i]);
            (void)snprintf(nothing, sizeof nothing, form, "nullif(id, id)", "b.id = -1 AND b.id =");
            n = run_until(&rows, &world, null, LOOKS);
            most = n > most ? n : most;
            if (n > run_until(&none, &world, nothing, LOOKS) + 1)
                fail_msg("%s NULL walks rows: %u looks", bounds[i], n);
            assert_same(none, rows, null);
            nsc_relation_free(rows);
            nsc_relation_free(none);
        }
        close_world(&world);
    }
    assert_true(most > 4);
}

/* Whether a table has something to do in some world and with no argument. */
static bool has_work(struct nsc_text table)
{
    static const char *const idle[] = {"around", "skill_kernel_metrics", "skill_mfu",
                                       "skill_nccl_bandwidth", "skill_region_mfu"};

    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        if (nsc_text_is(table, idle[i]))
            return false;
    }
    return true;
}

/* Stops each table of a world; notes which tables looked more than once in some world so far. */
static void stop_tables(struct world *world, const struct nsc_sheet *listed, bool *looks)
{
    for (uint32_t t = 0; t < nsc_sheet_rows(listed); t++) {
        struct nsc_text name = nsc_sheet_text(listed, nsc_sheet_at(listed, t, 0));
        char table[64], sql[128];

        if (nsc_text_is(name, "around")) /* wants an argument */
            continue;
        (void)snprintf(table, sizeof table, "%.*s", (int)name.n, name.bytes);
        (void)snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
        check_stops(world, sql);
        looks[t] |= count_looks(world, table) > 1;
    }
}

/* The first table that looked though it has no work, or has work and did not look; or the rows. */
static uint32_t find_wrong(const struct nsc_sheet *listed, const bool *looks)
{
    bool is_filled = false; /* tables of events come before "totals" and are not filled */
    uint32_t t;

    for (t = 0; t < nsc_sheet_rows(listed); t++) {
        struct nsc_text name = nsc_sheet_text(listed, nsc_sheet_at(listed, t, 0));

        is_filled |= nsc_text_is(name, "totals");
        if (is_filled && looks[t] != has_work(name))
            break;
    }
    return t;
}

/* A rare world has work for each table (a critical path): worlds are drawn until each had some. */
TEST(every_table_looks_at_the_stop)
{
    struct nsc_sheets sheets = {0};
    struct world world = {.of.dice = dice_new(20110)};
    const struct nsc_sheet *listed;
    uint32_t wrong = 0;
    bool *looks;

    nsc_trace_query_sheets(&sheets);
    listed = nsc_sheets_find(&sheets, "tables");
    looks = calloc(nsc_sheet_rows(listed) + 1, sizeof *looks);
    for (int i = 0; i < ROUNDS / 24 || (i < ROUNDS && wrong < nsc_sheet_rows(listed)); i++) {
        open_world(&world);
        stop_tables(&world, listed, looks);
        close_world(&world);
        wrong = find_wrong(listed, looks);
    }
    if (wrong < nsc_sheet_rows(listed)) {
        struct nsc_text name = nsc_sheet_text(listed, nsc_sheet_at(listed, wrong, 0));

        fail_msg("%.*s %s", (int)name.n, name.bytes, looks[wrong] ? "looks" : "never looks");
    }
    free(looks);
    nsc_sheets_fini(&sheets);
}
