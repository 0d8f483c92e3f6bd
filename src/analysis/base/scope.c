/* Decides which events belong to a scope and clips them to its window. */
#include "analysis/base/scope.h"

#include "core/sum.h"
#include "index/lane_merge.h"

struct nsc_scope nsc_scope_all(const struct nsc_trace *trace)
{
    return (struct nsc_scope){
        .trace = trace, .summary = nsc_trace_summary(trace), .window = nsc_trace_extent(trace)};
}

bool nsc_scope_has(const struct nsc_scope *scope, nsc_event event)
{
    return nsc_scope_has_row(scope, nsc_trace_events(scope->trace), event);
}

bool nsc_scope_has_kinds(const struct nsc_scope *scope, enum nsc_kind first, enum nsc_kind last)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    for (nsc_event event = 0; event < events->n; event++)
        if (events->kind[event] >= first && events->kind[event] <= last &&
            nsc_scope_has(scope, event))
            return true;
    return false;
}

bool nsc_scope_clip(const struct nsc_scope *scope, nsc_event event, nsc_time *start, nsc_time *end)
{
    return nsc_scope_clip_row(scope, nsc_trace_events(scope->trace), event, start, end);
}

void nsc_scope_rows(const struct nsc_scope *scope, uint32_t lane, nsc_event *first, nsc_event *end)
{
    struct nsc_row_range rows = nsc_lane_rows(scope->trace, lane, scope->window);

    *first = rows.first;
    *end = rows.end;
}

/* Rows of a lane ascend in start and end, so the first and the last selected row suffice. */
void nsc_scope_widen(struct nsc_window *w, const struct nsc_scope *scope, uint32_t lane)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_event first;
    nsc_event end;

    nsc_scope_rows(scope, lane, &first, &end);
    while (first < end && !nsc_scope_has(scope, first))
        first++;
    while (first < end && !nsc_scope_has(scope, end - 1))
        end--;
    if (first == end)
        return;
    w->t0 = nsc_earlier(w->t0, events->start[first]);
    w->t1 = nsc_later(w->t1, nsc_event_end(events, end - 1));
}

/* The window of a track: a stream has that of its device. */
static struct nsc_window window_of(const struct nsc_scope *scope, uint32_t track)
{
    struct nsc_window w = scope->window;

    if (scope->of_devices && nsc_trace_track(scope->trace, track)->kind == NSC_TRACK_STREAM) {
        struct nsc_window own = scope->of_devices[nsc_trace_group_of(scope->trace, track)];

        w.t0 = nsc_later(w.t0, own.t0);
        w.t1 = nsc_earlier(w.t1, own.t1);
    }
    return w;
}

void nsc_scope_walk(const struct nsc_scope *scope, uint32_t kinds,
                    void (*each)(void *context, uint32_t track, nsc_event event), void *context)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n);
    struct nsc_scope own = *scope;

    for (uint32_t t = 0; t < n; t++) {
        if (!(kinds & NSC_TRACK_BIT(tracks[t].kind)))
            continue;
        own.window = window_of(scope, t);
        if (scope->of_devices && own.window.t0 >= own.window.t1)
            continue;
        for (uint32_t k = 0; k < tracks[t].n_lanes; k++) {
            nsc_event event, end;

            nsc_scope_rows(&own, tracks[t].first_lane + k, &event, &end);
            for (; event < end; event++)
                if (nsc_scope_selects(scope, event))
                    each(context, t, event);
        }
    }
}
