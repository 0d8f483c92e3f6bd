/*
 * Unit tests of jobs: labels, the data for alignment, rows kept and skipped on the common axis,
 * details, refusals.
 */
#include "nsyscope/job.h"

#include "support/cm.h"
#include "support/make_db.h"

#include <stdio.h>
#include <string.h>

#define TID     "281476654432261"
#define SESSION "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"
#define UTC(ns) SESSION "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (" ns ");"
#define HOST(h)                                                    \
    "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);" \
    "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname', '" h "');"
#define KERNEL(start, end, name)                                                          \
    "INSERT OR IGNORE INTO StringIds VALUES (7, '" name "');"                             \
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, " \
    "demangledName, shortName) VALUES (" start ", " end ", 0, 1, 7, 7, 7);"
#define RANGE(start, end, text)                                                                \
    "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, text) VALUES (" start ", " end \
    ", 59, " TID ", " text ");"

static char folder[NSC_TEST_PATH];
static char paths[2][NSC_TEST_PATH];
static struct nsc_job *job;
static struct nsc_trace *trace;
static struct nsc_error error;

static int set_up(void **state)
{
    (void)state;
    nsc_test_folder_new(folder);
    nsc_test_path(paths[0], folder, "first.sqlite");
    nsc_test_path(paths[1], folder, "second.sqlite");
    job = NULL;
    trace = NULL;
    memset(&error, 0, sizeof error);
    return 0;
}

static void unload(void)
{
    nsc_trace_free(trace);
    nsc_job_close(job);
    trace = NULL;
    job = NULL;
}

static int tear_down(void **state)
{
    (void)state;
    unload();
    nsc_test_folder_free(folder);
    return 0;
}

static void make(int i, const char *sql)
{
    nsc_test_db(paths[i], nsc_test_schema);
    nsc_test_db(paths[i], sql);
}

static enum nsc_status load(enum nsc_align align, const char *range,
                            const struct nsc_open_options *open)
{
    const char *const both[] = {paths[0], paths[1]};
    const struct nsc_job_options options = {open, align, range, NULL};
    enum nsc_status status = NSC_OK;

    unload();
    memset(&error, 0, sizeof error);
    status = nsc_job_open(&job, both, 2, &options, &error);
    return status == NSC_OK ? nsc_job_load(&trace, job, NULL, &error) : status;
}

static void check_string(nsc_str id, const char *want)
{
    struct nsc_text text = nsc_trace_string(trace, id);

    assert_int_equal(text.n, strlen(want));
    assert_memory_equal(text.bytes, want, text.n);
}

static nsc_time start_of(nsc_event event)
{
    return nsc_trace_events(trace)->start[event];
}

TEST_WITH(labels_tell_number_file_and_host, set_up, tear_down)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = NULL;

    make(0, UTC("5000") HOST("node1") KERNEL("10", "20", "k"));
    make(1, UTC("5300") HOST("node2") KERNEL("10", "20", "k"));
    assert_int_equal(load(NSC_ALIGN_AUTO, NULL, NULL), NSC_OK);
    exports = nsc_trace_captures(trace, &n);
    assert_int_equal(n, 2);
    check_string(exports[0].label, "0: first on node1");
    check_string(exports[1].label, "1: second on node2");
    check_string(exports[1].host, "node2");
    check_string(nsc_trace_tracks(trace, &n)[exports[1].first_track].label, "1: second on node2");
    assert_int_equal(nsc_trace_alignment(trace)->by, NSC_ALIGN_UTC);
    assert_int_equal(exports[1].offset, 300);
    assert_int_equal(start_of(1), 310);
}

TEST_WITH(without_utc_the_first_work_decides, set_up, tear_down)
{
    make(0, UTC("5000") KERNEL("100", "120", "k") RANGE("0", "500", "'a'"));
    make(1, KERNEL("7100", "7120", "k") KERNEL("7050", "7060", "k"));
    assert_int_equal(load(NSC_ALIGN_UTC, NULL, NULL), NSC_ENODATA);
    assert_non_null(strstr(error.text, paths[1]));
    assert_int_equal(load(NSC_ALIGN_AUTO, NULL, NULL), NSC_OK);
    assert_int_equal(nsc_trace_alignment(trace)->by, NSC_ALIGN_START);
    assert_true(nsc_trace_string(trace, nsc_trace_alignment(trace)->why).n > 0);
    assert_int_equal(nsc_trace_captures(trace, NULL)[1].offset, 100 - 7050);
}

TEST_WITH(without_work_the_first_event_decides, set_up, tear_down)
{
    make(0, KERNEL("100", "120", "k") RANGE("40", "50", "'a'"));
    make(1, RANGE("1040", "1050", "'a'"));
    assert_int_equal(load(NSC_ALIGN_START, NULL, NULL), NSC_OK);
    assert_int_equal(nsc_trace_captures(trace, NULL)[1].offset, -1000);
}

TEST_WITH(ranges_are_found_by_text_and_by_string, set_up, tear_down)
{
    make(0, RANGE("100", "110", "'step 1'") RANGE("200", "210", "'step'")
                RANGE("300", "310", "'step'"));
    make(1, "INSERT INTO StringIds VALUES (3, 'step');"
            "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId) VALUES "
            "(1300, 1310, 60, " TID ", 3), (1207, NULL, 59, " TID ", 3), (9, 8, 59, " TID ", 3), "
            "(5, 6, 59, " TID ", 4);");
    assert_int_equal(load(NSC_ALIGN_NVTX, "step", NULL), NSC_OK);
    assert_int_equal(nsc_trace_alignment(trace)->instances, 2);
    assert_int_equal(nsc_trace_captures(trace, NULL)[1].offset, -1007);
    assert_int_equal(nsc_trace_alignment(trace)->residual, 7);
    check_string(nsc_trace_alignment(trace)->range, "step");
    assert_int_equal(load(NSC_ALIGN_NVTX, "nothing", NULL), NSC_ENODATA);
    assert_int_equal(load(NSC_ALIGN_NVTX, NULL, NULL), NSC_EINVAL);
}

TEST_WITH(what_is_left_out_counts_on_the_axis, set_up, tear_down)
{
    const struct nsc_open_options open = {.has_trim = true, .trim = {1000, 1100}};

    make(0, UTC("5000") KERNEL("1010", "1020", "k") KERNEL("10", "20", "k"));
    make(1, UTC("6000") KERNEL("1010", "1020", "k") KERNEL("10", "20", "k"));
    assert_int_equal(load(NSC_ALIGN_UTC, NULL, &open), NSC_OK);
    assert_int_equal(nsc_trace_events(trace)->n, 2);
    assert_int_equal(start_of(0), 1010);
    assert_int_equal(start_of(1), 1010);
    assert_int_equal(nsc_trace_events(trace)->source[1], 2);
}

TEST_WITH(times_that_leave_64_bits_are_skipped, set_up, tear_down)
{
    uint32_t n = 0;
    uint64_t skipped = 0;
    const struct nsc_table_status *tables = NULL;

    make(0, UTC("5000") KERNEL("10", "20", "k"));
    make(1, UTC("6000") KERNEL("10", "20", "k")
                KERNEL("9223372036854775000", "9223372036854775100", "k")
                    RANGE("9223372036854775000", "NULL", "'a'"));
    assert_int_equal(load(NSC_ALIGN_UTC, NULL, NULL), NSC_OK);
    assert_int_equal(nsc_trace_events(trace)->n, 2);
    tables = nsc_capture_tables(nsc_job_capture(job, 1), &n);
    for (uint32_t i = 0; i < n; i++)
        skipped += tables[i].skipped[NSC_SKIP_OVERFLOW];
    assert_int_equal(skipped, 2);
}

TEST_WITH(open_ranges_end_with_their_own_export, set_up, tear_down)
{
    const struct nsc_events *events = NULL;

    make(0, UTC("5000") KERNEL("10", "9000", "k"));
    make(1, UTC("5100") KERNEL("10", "20", "k") RANGE("5", "NULL", "'a'"));
    assert_int_equal(load(NSC_ALIGN_UTC, NULL, NULL), NSC_OK);
    events = nsc_trace_events(trace);
    assert_int_equal(events->kind[2], NSC_KIND_NVTX_RANGE);
    assert_int_equal(nsc_event_end(events, 2), 120);
}

TEST_WITH(one_of_them_lies_where_it_lies_among_all, set_up, tear_down)
{
    struct nsc_trace *one = NULL;
    uint32_t n = 0;

    make(0, UTC("5000") KERNEL("10", "20", "k"));
    make(1, UTC("5100") KERNEL("10", "20", "k") KERNEL("50", "60", "k"));
    assert_int_equal(load(NSC_ALIGN_UTC, NULL, NULL), NSC_OK);
    assert_int_equal(nsc_job_load_one(&one, job, 1, NULL, &error), NSC_OK);
    assert_int_equal(nsc_trace_events(one)->n, 2);
    assert_int_equal(nsc_trace_events(one)->start[0], start_of(1));
    assert_int_equal(nsc_trace_tracks(one, &n)[0].kind, NSC_TRACK_DEVICE);
    (void)nsc_trace_captures(one, &n);
    assert_int_equal(n, 1);
    nsc_trace_free(one);
}

static const char *detail(nsc_event event, const char *name, struct nsc_details *details)
{
    assert_int_equal(nsc_job_details(details, job, trace, event, &error), NSC_OK);
    for (uint32_t i = 0; i < details->n; i++)
        if (strcmp(details->at[i].name, name) == 0)
            return details->at[i].value;
    return "";
}

TEST_WITH(details_come_from_the_right_file, set_up, tear_down)
{
    struct nsc_details details;

    make(0, UTC("5000") KERNEL("10", "20", "mine"));
    make(1, UTC("5100") KERNEL("10", "20", "other"));
    assert_int_equal(load(NSC_ALIGN_UTC, NULL, NULL), NSC_OK);
    assert_non_null(strstr(detail(0, "demangledName", &details), "mine"));
    nsc_details_fini(&details);
    assert_non_null(strstr(detail(1, "demangledName", &details), "other"));
    nsc_details_fini(&details);
    assert_false(nsc_job_has_changed(job));
}

TEST_WITH(a_job_that_cannot_be_says_which_file, set_up, tear_down)
{
    char many[NSC_TEST_PATH];

    make(0, KERNEL("10", "20", "k"));
    assert_int_equal(load(NSC_ALIGN_AUTO, NULL, NULL), NSC_EFORMAT);
    assert_non_null(strstr(error.text, paths[1]));
    (void)snprintf(many, sizeof many, "%s", paths[1]);
    (void)snprintf(paths[1], sizeof paths[1], "%s", paths[0]);
    assert_int_equal(load(NSC_ALIGN_AUTO, NULL, NULL), NSC_EINVAL);
    assert_non_null(strstr(error.text, "is given twice"));
    (void)snprintf(paths[1], sizeof paths[1], "%s", many);
}

TEST_WITH(one_estimate_is_made_for_all, set_up, tear_down)
{
    struct nsc_open_options open = {.memory = 1 << 20};

    make(0, KERNEL("10", "20", "k"));
    make(1, KERNEL("10", "20", "k"));
    assert_int_equal(load(NSC_ALIGN_AUTO, NULL, &open), NSC_ENOMEM);
    assert_non_null(strstr(error.text, "2 events need"));
}

TEST_MAIN
{
#undef TEST

    return nsc_test_run(NULL, NULL);
}
