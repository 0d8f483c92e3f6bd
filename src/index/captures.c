/* Holds a second column of links beside that of a trace. */
#include "index/captures.h"

#include "core/die.h"
#include "core/pages.h"
#include "index/trace_data.h"

#include <stdlib.h>
#include <string.h>

bool nsc_captures_add(struct nsc_trace *trace, const struct nsc_capture_link links[], size_t n)
{
    struct nsc_column column = trace->columns[NSC_COLUMN_LINK];
    uint32_t *link = column.at = nsc_pages_new(column.bytes);

    if (!link)
        return false;
    memcpy(link, trace->events.link, trace->events.n * sizeof *link);
    for (nsc_event i = 0; i < trace->events.n; i++)
        link[i] = nsc_kind_is_gpu(trace->events.kind[i]) ? NSC_NONE : link[i];
    for (size_t i = 0; i < n; i++)
        link[links[i].op] = links[i].made;
    trace->captured = nsc_xmalloc(sizeof *trace->captured);
    *trace->captured = *trace;
    trace->captured->captured = trace->captured;
    trace->captured->columns[NSC_COLUMN_LINK] = column;
    trace->captured->events.link = link;
    return true;
}

void nsc_captures_free(struct nsc_trace *captured)
{
    if (captured)
        nsc_pages_free(captured->columns[NSC_COLUMN_LINK].at,
                       captured->columns[NSC_COLUMN_LINK].bytes);
    free(captured);
}

const struct nsc_trace *nsc_trace_captured(const struct nsc_trace *trace)
{
    return trace->captured;
}
