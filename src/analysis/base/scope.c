/* Decides which events belong to a scope and clips them to its window. */
#include "analysis/base/scope.h"

#include "core/bits.h"
#include "core/die.h"
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

bool nsc_trace_has_tracks(const struct nsc_trace *trace, uint8_t first, uint8_t last)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t i = 0; i < n; i++)
        if (tracks[i].kind >= first && tracks[i].kind <= last)
            return true;
    return false;
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

uint64_t *nsc_scope_mask(const struct nsc_scope *scope, bool (*keeps)(uint8_t kind))
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint64_t *mask = nsc_xcalloc(nsc_bits_words(events->n) + 1, sizeof *mask);

    for (nsc_event i = 0; i < events->n; i++)
        if (keeps(events->kind[i]) && nsc_scope_has_row(scope, events, i))
            nsc_bits_set(mask, i);
    return mask;
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
    if (nsc_trace_track(scope->trace, track)->kind != NSC_TRACK_STREAM)
        return scope->window;
    return nsc_window_meet(scope->window,
                           scope->of_devices[nsc_trace_group_of(scope->trace, track)]);
}

struct nsc_scope_cursor nsc_scope_open(const struct nsc_scope *scope, uint32_t kinds)
{
    struct nsc_scope_cursor at = {.scope = scope, .kinds = kinds, .track = NSC_NONE};

    (void)nsc_trace_tracks(scope->trace, &at.n_tracks);
    return at;
}

struct nsc_scope_cursor nsc_scope_open_devices(const struct nsc_scope *scope, uint32_t kinds)
{
    struct nsc_scope_cursor at = nsc_scope_open(scope, kinds);

    at.by_device = scope->of_devices != NULL;
    return at;
}

struct nsc_scope_cursor nsc_scope_open_device(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));

    at.track = device;
    at.n_tracks = nsc_group_end(nsc_trace_tracks(scope->trace, NULL), device);
    return at;
}

struct nsc_scope_cursor nsc_scope_open_track(const struct nsc_scope *scope, uint32_t track)
{
    struct nsc_scope_cursor at = nsc_scope_open(scope, UINT32_MAX);

    at.track = track - 1; /* wraps around to NSC_NONE for the first one */
    at.n_tracks = track + 1;
    return at;
}

/* Moves to the next track with lanes. */
static bool next_track(struct nsc_scope_cursor *at)
{
    const struct nsc_track *tracks = nsc_trace_tracks(at->scope->trace, NULL);

    while (++at->track < at->n_tracks)
        if (at->kinds & NSC_TRACK_BIT(tracks[at->track].kind) && tracks[at->track].n_lanes > 0) {
            at->lane = tracks[at->track].first_lane;
            at->lanes = at->lane + tracks[at->track].n_lanes;
            return true;
        }
    return false;
}

static bool next_lane(struct nsc_scope_cursor *at)
{
    struct nsc_row_range rows = {0, 0};
    struct nsc_window w;

    while (rows.first >= rows.end) {
        if (at->lane + 1 < at->lanes)
            at->lane++;
        else if (!next_track(at))
            return false;
        w = at->by_device ? window_of(at->scope, at->track) : at->scope->window;
        if (!at->by_device || w.t0 < w.t1)
            rows = nsc_lane_rows(at->scope->trace, at->lane, w);
    }
    at->next = rows.first;
    at->lane_end = rows.end;
    return true;
}

bool nsc_scope_next_rows(struct nsc_scope_cursor *at)
{
    if (nsc_scope_is_stopped(at->scope) || (at->next == at->lane_end && !next_lane(at)))
        return false;
    at->end = at->lane_end - at->next > NSC_LOOK_ROWS ? at->next + NSC_LOOK_ROWS : at->lane_end;
    return true;
}
