/* Builds a trace of spans with the index's builder. */
#include "view/model/span_track.h"

#include "core/threads.h"
#include "index/builder.h"

static uint32_t feed_spans(struct nsc_feed *feed, const struct nsc_track_span *spans, uint32_t n,
                           bool is_answer)
{
    struct nsc_track_key key = {
        NSC_TRACK_SPANS, is_answer ? NSC_SPAN_ANSWER : NSC_SPAN_QUERY, 1, -1, -1, -1, 0};
    uint32_t fed = 0;

    nsc_feed_begin_task(feed, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_row row = {.source = i,
                              .kind = NSC_KIND_NVTX_SPAN,
                              .start = spans[i].at.t0,
                              .end = spans[i].at.t1};

        key.domain = spans[i].gpu + 1;
        row.track = nsc_feed_track(feed, &key);
        if (spans[i].text.n)
            row.name = nsc_feed_text(feed, spans[i].text, false, 0, &row.link);
        fed += nsc_feed_event(feed, &row);
    }
    return fed;
}

static struct nsc_trace *build(const struct nsc_track_span *spans, uint32_t n, bool is_answer,
                               struct nsc_pool *pool, struct nsc_error *error)
{
    struct nsc_builder *builder = nsc_builder_new(n, pool, NULL);
    struct nsc_family *family = NULL;
    struct nsc_trace *trace = NULL;
    enum nsc_status status = NSC_OK;
    uint32_t fed = 0;

    if (!builder) {
        (void)nsc_fail(error, NSC_ENOMEM, "Too little memory to show these rows.");
        return NULL;
    }
    family = nsc_family_new(builder, 1);
    fed = feed_spans(nsc_family_feed(family, 0), spans, n, is_answer);
    status = nsc_family_end(family, error);
    if (status == NSC_OK && !fed)
        status = nsc_fail(error, NSC_ENODATA, "No row has a time.");
    if (status == NSC_OK)
        status = nsc_builder_finish(&trace, builder, error);
    nsc_builder_free(builder);
    return status == NSC_OK ? trace : NULL;
}

struct nsc_trace *nsc_span_track(const struct nsc_track_span *spans, uint32_t n, bool is_answer,
                                 struct nsc_error *error)
{
    struct nsc_pool *pool = nsc_pool_new(1);
    struct nsc_trace *trace = build(spans, n, is_answer, pool, error);

    nsc_pool_free(pool);
    return trace;
}
