/*
 * Numbers the texts of events: once a name where it has no counters, else once a text.
 */
#include "analysis/texts.h"

#include "analysis/label.h"
#include "core/die.h"

#include <stdlib.h>

void nsc_texts_init(struct nsc_texts *texts, const struct nsc_trace *trace)
{
    uint32_t n = nsc_trace_names(trace)->n;

    *texts = (struct nsc_texts){.trace = trace, .most = NSC_TEXTS_MAX};
    nsc_strpool_init(&texts->pool);
    texts->of_name = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_name);
    texts->of_event = nsc_xcalloc((size_t)nsc_trace_events(trace)->n + 1, sizeof *texts->of_event);
    texts->of_pattern = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_pattern);
}

void nsc_texts_fini(struct nsc_texts *texts)
{
    nsc_strpool_fini(&texts->pool);
    free(texts->of_name);
    free(texts->of_event);
    free(texts->of_pattern);
    *texts = (struct nsc_texts){0};
}

static nsc_str pattern_of(struct nsc_texts *texts, nsc_event event, nsc_name name)
{
    char scratch[NSC_NAME_BYTES];

    texts->is_folded = true;
    if (!texts->of_pattern[name])
        texts->of_pattern[name] =
            1 +
            nsc_strpool_add(&texts->pool, scratch, nsc_label_pattern(scratch, texts->trace, event));
    return texts->of_pattern[name] - 1;
}

/* A text with counters; beyond the most texts only those that are known already. */
static nsc_str number_of(struct nsc_texts *texts, nsc_event event, nsc_name name)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_trace_event_text(texts->trace, event, false, scratch);
    nsc_str known;

    if (texts->pool.n <= texts->most)
        return nsc_strpool_add(&texts->pool, text.bytes, text.n);
    known = nsc_strpool_find(&texts->pool, text.bytes, text.n);
    return known != NSC_NONE ? known : pattern_of(texts, event, name);
}

nsc_str nsc_texts_of(struct nsc_texts *texts, nsc_event event)
{
    nsc_name name = nsc_trace_events(texts->trace)->name[event];
    bool counts = nsc_trace_names(texts->trace)->counters[name] > 0;
    nsc_str *slot = counts ? &texts->of_event[event] : &texts->of_name[name];
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text;

    if (*slot)
        return *slot - 1;
    if (counts) {
        *slot = 1 + number_of(texts, event, name);
    } else {
        text = nsc_trace_event_text(texts->trace, event, false, scratch);
        *slot = 1 + nsc_strpool_add(&texts->pool, text.bytes, text.n);
    }
    return *slot - 1;
}

struct nsc_text nsc_texts_at(const struct nsc_texts *texts, nsc_str text)
{
    return nsc_strpool_text(&texts->pool, text);
}
