/* Builds traces for tests: distributes rows among feeds and finishes the builder. */
#include "support/build_trace.h"

#include "core/vec.h"
#include "index/builder.h"
#include "index/derived_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdio.h>
#include <string.h>

/* cmocka.h needs the includes above */
/* The track kind that follows from an event's kind. */
static uint8_t track_kind_of(uint8_t kind)
{
    static const struct {
        uint8_t first, last, track;
    } ranges[] = {
        {NSC_KIND_KERNEL, NSC_KIND_MEMSET, NSC_TRACK_STREAM},
        {NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER, NSC_TRACK_API},
        {NSC_KIND_SYNC, NSC_KIND_SYNC, NSC_TRACK_SYNC},
        {NSC_KIND_GRAPH_EVENT, NSC_KIND_GRAPH_NODE_EVENT, NSC_TRACK_GRAPH_EVENTS},
        {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE, NSC_TRACK_NVTX},
        {NSC_KIND_NVTX_SPAN, NSC_KIND_NVTX_SPAN, NSC_TRACK_SPANS},
        {NSC_KIND_NVTX_MARK, NSC_KIND_NVTX_MARK, NSC_TRACK_MARKS},
        {NSC_KIND_OSRT, NSC_KIND_OSRT, NSC_TRACK_OSRT},
        {NSC_KIND_SCHED, NSC_KIND_SCHED, NSC_TRACK_SCHED},
        {NSC_KIND_SAMPLE, NSC_KIND_SAMPLE, NSC_TRACK_SAMPLES},
        {NSC_KIND_MPI_P2P, NSC_KIND_MPI_OTHER, NSC_TRACK_MPI},
        {NSC_KIND_OMP_PARALLEL, NSC_KIND_OMP_FLUSH, NSC_TRACK_OPENMP},
        {NSC_KIND_ACC_DATA, NSC_KIND_ACC_OTHER, NSC_TRACK_OPENACC},
        {NSC_KIND_CUDNN, NSC_KIND_CUBLAS, NSC_TRACK_LIBRARY},
        {NSC_KIND_GENERIC, NSC_KIND_GENERIC, NSC_TRACK_GENERIC},
        {NSC_KIND_UM_CPU_FAULT, NSC_KIND_UM_CPU_FAULT, NSC_TRACK_CPU_FAULT},
        {NSC_KIND_UM_GPU_FAULT, NSC_KIND_UM_GPU_FAULT, NSC_TRACK_GPU_FAULT},
    };

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (kind >= ranges[i].first && kind <= ranges[i].last)
            return ranges[i].track;
    return NSC_TRACK_OVERHEAD;
}

static struct nsc_track_key key_of(const struct nsc_test_row *row)
{
    struct nsc_track_key key = {track_kind_of(row->kind), row->tid, row->process, -1, -1, -1, 0};

    if (key.kind == NSC_TRACK_STREAM || key.kind == NSC_TRACK_GPU_FAULT) {
        key.tid = 0;
        key.device = row->device;
    }
    if (key.kind == NSC_TRACK_STREAM) {
        key.context = row->context;
        key.stream = row->stream;
    }
    if (nsc_kind_is_nvtx(row->kind))
        key.domain = row->domain;
    return key;
}

static void feed_row(struct nsc_feed *feed, const struct nsc_test_row *test, uint32_t source)
{
    struct nsc_track_key key = key_of(test);
    struct nsc_text text = {test->name, test->name ? (uint32_t)strlen(test->name) : 0};
    struct nsc_row row = {test->start, test->end, 0, test->correlation, source, 0, test->kind};

    row.track = nsc_feed_track(feed, &key);
    if (test->name && nsc_kind_is_nvtx(test->kind))
        row.name = nsc_feed_text(feed, text, false, 0, &row.link);
    else if (test->name)
        row.name = nsc_feed_name(feed, text, text);
    assert_true(nsc_feed_event(feed, &row));
}

static uint32_t count_exports(const struct nsc_test_row rows[], uint32_t n)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < n; i++)
        last = rows[i].capture_no > last ? rows[i].capture_no : last;
    return last + 1;
}

/* The rows of a family: those of an export that are NVTX, or the others. */
struct share {
    uint32_t capture_no;
    bool nvtx;
};

static void feed_family(struct nsc_builder *builder, const struct nsc_test_row rows[], uint32_t n,
                        struct share share, const unsigned deal[2])
{
    struct nsc_family *family = nsc_family_new(builder, deal[0]);
    struct nsc_error error = {NSC_OK, ""};
    uint32_t task = 0;

    assert_non_null(family);
    for (uint32_t first = 0; first < n; first += deal[1], task++) {
        struct nsc_feed *feed = nsc_family_feed(family, task * 7 % deal[0]);

        nsc_feed_begin_task(feed, task);
        for (uint32_t i = first; i < n && i < first + deal[1]; i++)
            if (nsc_kind_is_nvtx(rows[i].kind) == share.nvtx &&
                rows[i].capture_no == share.capture_no)
                feed_row(feed, &rows[i], i);
    }
    assert_int_equal(nsc_family_end(family, &error), NSC_OK);
}

/* trim: limits the extent, or NULL; early: gets the trace before NVTX of the first export, or NULL;
 * finish false: the load ends there. */
static struct nsc_trace *build(const struct nsc_test_row rows[], uint32_t n, const unsigned deal[2],
                               const struct nsc_window *trim, struct nsc_trace **early, bool finish)
{
    struct nsc_pool *pool = nsc_pool_new(deal[0]);
    struct nsc_builder *builder = nsc_builder_new(n, pool, NULL);
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_trace *trace = NULL;

    assert_non_null(builder);
    if (trim)
        nsc_builder_set_trim(builder, *trim);
    for (uint32_t x = 0; x < count_exports(rows, n); x++) {
        char label[32];

        if (x)
            nsc_builder_next_capture(builder);
        (void)snprintf(label, sizeof label, "rank %u", x);
        nsc_builder_info(builder)->label =
            nsc_builder_string(builder, (struct nsc_text){label, (uint32_t)strlen(label)});
        if (x)
            nsc_builder_alignment(builder)->by = NSC_ALIGN_UTC;
        feed_family(builder, rows, n, (struct share){x, false}, deal);
        if (early && !x)
            *early = nsc_builder_build_early(builder);
        feed_family(builder, rows, n, (struct share){x, true}, deal);
    }
    if (finish)
        assert_int_equal(nsc_builder_finish(&trace, builder, &error), NSC_OK);
    nsc_builder_free(builder);
    nsc_pool_free(pool);
    return trace;
}

struct nsc_trace *nsc_test_trace_build_parallel(const struct nsc_test_row rows[], uint32_t n,
                                                unsigned workers, uint32_t task_rows)
{
    const unsigned deal[2] = {workers, task_rows};
    struct nsc_trace *trace = build(rows, n, deal, NULL, NULL, true);

    assert_non_null(trace);
    return trace;
}

struct nsc_trace *nsc_test_trace_build_early(struct nsc_trace **early,
                                             const struct nsc_test_row rows[], uint32_t n,
                                             bool finish)
{
    const unsigned deal[2] = {2, n / 3 + 1};

    return build(rows, n, deal, NULL, early, finish);
}

struct nsc_trace *nsc_test_trace_build_trimmed(const struct nsc_test_row rows[], uint32_t n,
                                               struct nsc_window trim)
{
    const unsigned deal[2] = {1, n + 1};
    struct nsc_trace *trace = build(rows, n, deal, &trim, NULL, true);

    assert_non_null(trace);
    return trace;
}

struct nsc_trace *nsc_test_trace_build(const struct nsc_test_row rows[], uint32_t n)
{
    return nsc_test_trace_build_parallel(rows, n, 1, n ? n : 1);
}

nsc_event nsc_test_event_of(const struct nsc_trace *trace, uint32_t i)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    for (nsc_event event = 0; event < events->n; event++)
        if (events->source[event] == i)
            return event;
    return NSC_NONE;
}

uint32_t nsc_test_track_of(const struct nsc_trace *trace, uint8_t track_kind, int64_t number)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        bool device = tracks[i].stream >= 0;

        if (tracks[i].kind == track_kind &&
            (device ? tracks[i].stream : (int64_t)tracks[i].tid) == number)
            return i;
    }
    return NSC_NONE;
}

void nsc_test_captures(struct nsc_trace *trace, struct dice *dice)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    NSC_VEC(struct nsc_capture_link) links = {0};

    for (nsc_event i = 0; i < events->n; i++) {
        nsc_event made = (nsc_event)dice_below(dice, events->n);

        if (nsc_kind_is_gpu(events->kind[i]) && nsc_kind_is_api(events->kind[made]))
            *NSC_VEC_ADD(&links) = (struct nsc_capture_link){i, made};
    }
    if (links.n)
        assert_true(nsc_captures_add(trace, links.at, links.n));
    NSC_VEC_FINI(&links);
}
