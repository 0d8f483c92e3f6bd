/*
 * Sorts ranges by their start and length.
 */
#include "index/outermost.h"

#include "core/die.h"

#include <stdlib.h>

struct found {
    nsc_time start, duration;
    nsc_event row;
};

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a;
    const struct found *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->duration != y->duration)
        return x->duration > y->duration ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

void nsc_sort_outermost(const struct nsc_trace *trace, nsc_event *rows, size_t n)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct found *list = NULL;

    if (n < 2)
        return;
    list = nsc_xcalloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] =
            (struct found){events->start[rows[i]], nsc_event_duration(events, rows[i]), rows[i]};
    qsort(list, n, sizeof *list, compare_found);
    for (size_t i = 0; i < n; i++)
        rows[i] = list[i].row;
    free(list);
}
