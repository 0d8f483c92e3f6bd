/* Compares the launch calls with the work that they launch. */
#include "analysis/base/loss.h"

#include "analysis/base/limit.h"
#include "analysis/names/host_act.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"
#include "index/names.h"

#include <stdio.h>
#include <stdlib.h>

enum { HOLE = 64 /* launch calls in a row; fewer may have failed */ };
enum call { UNREAD, OTHER, CAPTURE, LAUNCH, KERNEL /* a launch of one */ };

static struct nsc_text find_message(const struct nsc_fields *messages)
{
    static const char *const words[] = {"not all cuda events", "events were lost", NULL};
    int64_t name;

    for (uint32_t i = 0; nsc_fields_has(messages, NSC_DIAGNOSTIC_TEXT) && i < messages->n; i++)
        if (nsc_fields_int(&name, messages, NSC_DIAGNOSTIC_TEXT, i) &&
            nsc_text_contains_any(nsc_strpool_text(&messages->texts, (nsc_str)name), words))
            return nsc_strpool_text(&messages->texts, (nsc_str)name);
    return nsc_text_from("");
}

static enum call call_of(struct nsc_text name)
{
    if (nsc_text_contains_folded(name, nsc_text_from("begincapture")))
        return CAPTURE;
    if (nsc_host_act_api(name) != NSC_HOST_LAUNCH)
        return OTHER;
    return nsc_text_contains_folded(name, nsc_text_from("kernel")) ? KERNEL : LAUNCH;
}

/* Passes a launch of a kernel. Returns the number of kernels in a row without work that it ends; 0: none. Work follows
 * a hole, a tenth as much at least; none follows the end of a recording that was cut. */
static nsc_time end_hole(nsc_time *missing, nsc_time *resumed, bool has_work)
{
    nsc_time hole = *missing;

    *resumed = has_work ? *resumed + 1 : 0;
    *missing = has_work && 10 * *resumed >= hole ? 0 : hole + !has_work;
    return *missing > 0 || hole < HOLE ? 0 : hole;
}

/* The longest time between two rows of CUDA calls and GPU work in which none runs; whole: from the first to the last. */
static struct nsc_window find_silence(struct nsc_window *whole, const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_window silence = {0, 0};
    NSC_VEC(uint32_t) lanes = {0};
    struct nsc_lane_merge merge;

    *whole = (struct nsc_window){INT64_MAX, INT64_MIN};
    for (struct nsc_lane_walk at = nsc_trace_all_lanes(trace, NSC_TRACK_BIT(NSC_TRACK_API) |
                                                                  NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_lane_walk_next(&at);)
        *NSC_VEC_ADD(&lanes) = at.lane;
    nsc_lane_merge_init(&merge, trace, lanes.at, (uint32_t)lanes.n);
    for (nsc_event e; (e = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        struct nsc_window since = {whole->t0 < whole->t1 ? whole->t1 : INT64_MAX, events->start[e]};

        whole->t0 = nsc_earlier(whole->t0, events->start[e]);
        if (since.t0 < since.t1 && nsc_window_length(since) > nsc_window_length(silence))
            silence = since;
        whole->t1 = nsc_later(whole->t1, nsc_event_end(events, e));
    }
    nsc_lane_merge_fini(&merge);
    NSC_VEC_FINI(&lanes);
    return silence;
}

/* Whether the thread of a range makes a CUDA call while it is open. */
static bool has_call(const struct nsc_trace *trace, uint32_t track, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_window w = {events->start[range], nsc_event_end(events, range)};

    for (struct nsc_lane_walk at = nsc_group_lanes(trace, nsc_trace_track(trace, track)->group,
                                                   NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_lane_walk_next(&at);) {
        struct nsc_row_range rows = nsc_lane_rows(trace, at.lane, w);

        if (rows.first < rows.end)
            return true;
    }
    return false;
}

/* Whether two ranges of a name lie in a silence, and one outside of it has a CUDA call. */
static bool goes_on(const struct nsc_scope *scope, struct nsc_window silence)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint8_t *inside = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *inside);
    bool does = false;

    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_RANGE_TRACKS);
         nsc_scope_next(&at);) {
        uint8_t *n = &inside[events->name[at.row]];

        if (*n < 2 && events->start[at.row] >= silence.t0 &&
            nsc_event_end(events, at.row) <= silence.t1)
            ++*n;
    }
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_RANGE_TRACKS);
         !does && nsc_scope_next(&at);)
        does = inside[events->name[at.row]] == 2 && has_call(scope->trace, at.track, at.row);
    free(inside);
    return does;
}

/* Whether calls and work stop together though the program goes on. */
static bool find_stop(struct nsc_loss *out, const struct nsc_scope *scope)
{
    struct nsc_window whole, silence = find_silence(&whole, scope->trace);
    double share = nsc_percent(nsc_window_length(silence), nsc_window_length(whole));
    char took[NSC_UNITS_BYTES];

    if (share < NSC_LIMIT_MATTERS || !goes_on(scope, silence))
        return false;
    (void)snprintf(
        out->seen, sizeof out->seen,
        "no CUDA call and no GPU work for %s, %.1f %% of the time, while NVTX ranges go on",
        nsc_units_duration(took, nsc_window_length(silence), true), share);
    return true;
}

bool nsc_loss_find(struct nsc_loss *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint8_t *calls = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *calls);
    nsc_time n[2] = {0}; /* launch calls without and with their work */
    nsc_time holes = 0, missing = 0, resumed = 0;
    uint32_t lane = NSC_NONE;
    bool captures = false; /* graphs: a launch call that one captures has no work */
    double share;

    out->said = find_message(nsc_field_set(fields, NSC_FIELDS_DIAGNOSTICS));
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_scope_next(&at); lane = at.lane) {
        uint8_t *call = &calls[events->name[at.row]];
        bool has_work = events->link[at.row] != NSC_NONE;

        *call = *call ? *call : (uint8_t)call_of(nsc_name_text(scope->trace, events->name[at.row]));
        n[has_work] += *call >= LAUNCH;
        captures |= *call == CAPTURE;
        missing = at.lane == lane ? missing : 0;
        holes += *call == KERNEL ? end_hole(&missing, &resumed, has_work) : 0;
    }
    free(calls);
    share = nsc_percent(out->said.n > 0 ? n[0] : captures ? 0 : holes, n[0] + n[1]);
    (void)snprintf(out->seen, sizeof out->seen, "%.1f %% of launch calls have no work", share);
    if (share < NSC_LIMIT_LOST)
        return out->said.n > 0 && find_stop(out, scope);
    if (out->said.n == 0)
        out->said = nsc_text_from("nothing, but many kernels in a row are launched and not "
                                  "recorded; those before and after them are");
    return true;
}
