/* Every export of a folder in every format: the output contains all rows, nested and balanced. */
#include "nsyscope/open.h"

#include "support/cm.h"
#include "support/dump_check.h"
#include "support/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MOST 60000 /* of an export: the check's parser keeps it all */

static void check_trace(const struct nsc_trace *trace, const char *path)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_dump_query query = {.trace = trace, .window = {INT64_MIN, INT64_MAX}};
    nsc_time sum = 0;

    for (nsc_event i = 0; i < events->n; i++)
        sum += nsc_event_duration(events, i);
    for (int f = 0; f < NSC_N_DUMP_FORMATS && events->n && events->n <= EVENTS_MOST; f++) {
        bool folded = f == NSC_DUMP_FOLDED || f == NSC_DUMP_FOLDED_CPU ||
                      f == NSC_DUMP_FOLDED_SAMPLES || f == NSC_DUMP_FOLDED_CAPTURED ||
                      f == NSC_DUMP_FOLDED_OWN;
        struct nsc_buf out;
        struct dump_seen seen;

        if (folded || f == NSC_DUMP_PAGE) /* tests/viewer reads pages */
            continue;
        query.format = (enum nsc_dump_format)f;
        out = dump_write(&query, NSC_OK);
        seen = dump_check(query.format, (struct nsc_text){out.bytes, (uint32_t)out.n});
        if (seen.events != events->n)
            fail_msg("%s as %s: %llu events of %u", path, nsc_dump_formats[query.format].name,
                     (unsigned long long)seen.events, events->n);
        assert_true(seen.duration == sum || f == NSC_DUMP_PERFETTO);
        nsc_buf_fini(&out);
    }
}

static void check_file(const char *path)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {0};
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;

    if (nsc_test_leaves_out(path) || nsc_capture_open(&capture, path, &options, &error) != NSC_OK)
        return;
    if (nsc_capture_load(&trace, capture, NULL, &error) == NSC_OK)
        check_trace(trace, path);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
}

TEST(every_export_in_every_format)
{
    assert_true(nsc_test_each_export(check_file) > 0);
}

TEST_MAIN
{
    return nsc_test_exports() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
