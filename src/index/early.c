/*
 * A trace of the complete families while others are still being read.
 *
 * It borrows the builder's rows; no later family changes them. It copies the small parts that
 * finishing changes. Links, which finishing also changes, read as none.
 */
#include "core/pages.h"
#include "index/builder_data.h"
#include "index/builds.h"

#include <string.h>

/* Copies the parts that finishing changes; shares the rest. */
static struct nsc_builder borrow(const struct nsc_builder *builder)
{
    struct nsc_builder copy = *builder;

#define COPY(vec)                                                                           \
    do {                                                                                    \
        copy.vec.at = nsc_xmalloc((builder->vec.n + 1) * sizeof *builder->vec.at);          \
        if (builder->vec.n)                                                                 \
            memcpy(copy.vec.at, builder->vec.at, builder->vec.n * sizeof *builder->vec.at); \
    } while (0)
    COPY(captures);
    COPY(tracks);
    COPY(names);
#undef COPY
    nsc_strpool_copy(&copy.strings, &builder->strings);
    return copy;
}

static void give_back(struct nsc_builder *copy)
{
    free(copy->captures.at);
    free(copy->tracks.at);
    free(copy->names.at);
}

struct nsc_trace *nsc_builder_build_early(struct nsc_builder *builder)
{
    struct nsc_trace *trace = NULL;
    struct nsc_builder copy;
    size_t bytes = (size_t)builder->n * sizeof(uint32_t);
    void *none = builder->counters.n ? NULL : nsc_pages_new(bytes);

    if (!none)
        return NULL;
    nsc_pages_touch(none, bytes);
    memset(none, 0xFF, bytes);
    trace = nsc_xcalloc(1, sizeof *trace);
    trace->columns[NSC_COLUMN_LINK] = (struct nsc_column){none, bytes};
    copy = borrow(builder);
    nsc_builder_copy(trace, &copy);
    nsc_trace_set_events(trace, builder->columns, builder->n);
    trace->events.link = trace->columns[NSC_COLUMN_LINK].at;
    trace->n_groups = 0; /* devices have no covers yet */
    nsc_strpool_end(&copy.strings);
    trace->strings = copy.strings;
    give_back(&copy);
    trace->summary = nsc_summary_build_on(builder->pool, trace, NULL);
    if (!trace->summary) {
        nsc_trace_free(trace);
        return NULL;
    }
    builder->early = trace;
    return trace;
}
