/*
 * Counts the events of each name.
 */
#include "view/model/name_counts.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

void nsc_name_counts_fini(struct nsc_name_counts *counts)
{
    free(counts->count);
    free(counts->kind);
    *counts = (struct nsc_name_counts){0};
}

void nsc_name_counts_of(struct nsc_name_counts *counts, const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    if (counts->trace == trace)
        return;
    nsc_name_counts_fini(counts);
    counts->trace = trace;
    counts->n = nsc_trace_names(trace)->n;
    counts->count = nsc_xcalloc((size_t)counts->n + 1, sizeof *counts->count);
    counts->kind = nsc_xcalloc((size_t)counts->n + 1, sizeof *counts->kind);
    for (nsc_event row = 0; row < events->n; row++) {
        uint32_t name = events->name[row];

        if (name < counts->n && counts->count[name]++ == 0)
            counts->kind[name] = events->kind[row];
    }
}

struct nsc_text nsc_name_counts_text(const struct nsc_name_counts *counts, uint32_t name)
{
    const struct nsc_names *names = nsc_trace_names(counts->trace);
    struct nsc_text text = nsc_trace_string(counts->trace, names->brief[name]);
    const char *end =
        names->counters[name] && text.n ? memchr(text.bytes, NSC_COUNTER_BYTE, text.n) : NULL;

    if (end)
        text.n = (uint32_t)(end - text.bytes);
    return text;
}
