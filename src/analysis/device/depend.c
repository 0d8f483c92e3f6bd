/* Matches stream waits with event records, and finds the ops they depend on. */
#include "analysis/device/depend.h"

#include "analysis/base/shared.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"
#include "index/names.h"

#include <stdlib.h>

struct call { /* of cudaEventRecord or cudaStreamWaitEvent */
    uint64_t process;
    int64_t correlation;
    nsc_time start;
    bool is_wait;
};

struct record {
    uint64_t process;
    int64_t id; /* eventSyncId, or eventId in the second list */
    nsc_time time;
    uint32_t track;
};

struct matching {
    struct nsc_depends *out;
    NSC_VEC(struct call) calls;
    NSC_VEC(struct record) by_sync;  /* by process and eventSyncId */
    NSC_VEC(struct record) by_event; /* by process, eventId and time */
    NSC_VEC(struct nsc_depend_wait) waits;
};

/* ---- calls ---- */

enum { UNSEEN, NEITHER, RECORD, WAIT };

static uint8_t judge_name(const struct nsc_trace *trace, nsc_event call)
{
    struct nsc_text text = nsc_event_name(trace, call);

    return nsc_text_contains_folded(text, nsc_text_from("EventRecord"))       ? RECORD
           : nsc_text_contains_folded(text, nsc_text_from("StreamWaitEvent")) ? WAIT
                                                                              : NEITHER;
}

/* Judges the names of all API calls. False if none is a stream wait: then no other kind matters. The
 * caller frees the kinds, which are by name. */
static bool judge_names(uint8_t **out, const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_scope all = nsc_scope_all(trace);
    uint8_t *kinds = nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, 1);
    bool any = false;

    *out = kinds;
    for (struct nsc_scope_cursor at = nsc_scope_open(&all, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_scope_next(&at);) {
        uint8_t *kind = &kinds[events->name[at.row]];

        if (*kind == UNSEEN) {
            *kind = judge_name(trace, at.row);
            any |= *kind == WAIT;
        }
    }
    return any;
}

NSC_COMPARE(compare_calls, struct call, NSC_LEAST(process) || NSC_LEAST(correlation))

static void gather_calls(struct matching *of, const uint8_t kinds[],
                         const struct nsc_fields *fields)
{
    const struct nsc_trace *trace = of->out->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_scope all = nsc_scope_all(trace);

    for (struct nsc_scope_cursor at = nsc_scope_open(&all, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_scope_next(&at);) {
        uint8_t kind = kinds[events->name[at.row]];
        struct call call = {nsc_trace_track(trace, at.track)->process, 0, events->start[at.row],
                            kind == WAIT};

        if (kind != NEITHER &&
            nsc_fields_int(&call.correlation, fields, 0, nsc_fields_find(fields, at.row)))
            *NSC_VEC_ADD(&of->calls) = call;
    }
    NSC_VEC_SORT(&of->calls, compare_calls);
}

static const struct call *find_call(const struct matching *of, uint64_t process,
                                    int64_t correlation)
{
    struct call key = {process, correlation, 0, false};

    return of->calls.n > 0 ? bsearch(&key, of->calls.at, of->calls.n, sizeof key, compare_calls)
                           : NULL;
}

/* ---- records ---- */

static uint32_t find_track(const struct nsc_trace *trace, uint64_t process, int64_t context,
                           int64_t stream)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_STREAM && tracks[t].stream == stream &&
            tracks[t].context == context && tracks[t].process == process)
            return t;
    return NSC_NONE;
}

NSC_COMPARE(compare_records, struct record, NSC_LEAST(process) || NSC_LEAST(id) || NSC_LEAST(time))

static void gather_records(struct matching *of, const struct nsc_fields *fields)
{
    for (uint32_t i = 0; fields && i < fields->n; i++) {
        int64_t correlation, context, stream, id, process;
        const struct call *call;
        struct record record;

        if (!nsc_fields_int(&correlation, fields, NSC_EVENT_CORRELATION, i) ||
            !nsc_fields_int(&process, fields, NSC_EVENT_PROCESS, i) ||
            !nsc_fields_int(&context, fields, NSC_EVENT_CONTEXT, i) ||
            !nsc_fields_int(&stream, fields, NSC_EVENT_STREAM, i))
            continue;
        call = find_call(of, (uint64_t)process >> 24, correlation);
        if (!call || call->is_wait)
            continue;
        record = (struct record){call->process, 0, call->start,
                                 find_track(of->out->trace, call->process, context, stream)};
        if (nsc_fields_int(&id, fields, NSC_EVENT_SYNC_ID, i) && id > 0) {
            record.id = id;
            *NSC_VEC_ADD(&of->by_sync) = record;
        }
        if (nsc_fields_int(&id, fields, NSC_EVENT_ID, i)) {
            record.id = id;
            *NSC_VEC_ADD(&of->by_event) = record;
        }
    }
    NSC_VEC_SORT(&of->by_sync, compare_records);
    NSC_VEC_SORT(&of->by_event, compare_records);
}

/* The last record of a process and id at or before the key; NULL: none. */
static const struct record *find_record(const struct record *at, size_t n, struct record key)
{
    size_t low = 0;

    NSC_BISECT(low, n, middle, compare_records(&at[middle], &key) <= 0);
    if (low == 0 || at[low - 1].process != key.process || at[low - 1].id != key.id)
        return NULL;
    return &at[low - 1];
}

/* ---- waits ---- */

static void add_wait(struct matching *of, nsc_event sync, uint64_t process,
                     const struct nsc_fields *fields)
{
    uint32_t row = nsc_fields_find(fields, sync);
    int64_t correlation, context, stream, id;
    const struct call *call;
    const struct record *record = NULL;
    struct nsc_depend_wait wait;

    if (!nsc_fields_int(&correlation, fields, NSC_SYNC_CORRELATION, row))
        return;
    call = find_call(of, process, correlation);
    if (!call || !call->is_wait || !nsc_fields_int(&stream, fields, NSC_SYNC_STREAM, row) ||
        !nsc_fields_int(&context, fields, NSC_SYNC_CONTEXT, row))
        return;
    if (nsc_fields_int(&id, fields, NSC_SYNC_SYNC_ID, row) && id > 0)
        record = find_record(of->by_sync.at, of->by_sync.n,
                             (struct record){process, id, call->start, 0});
    else if (nsc_fields_int(&id, fields, NSC_SYNC_EVENT, row))
        record = find_record(of->by_event.at, of->by_event.n,
                             (struct record){process, id, call->start, 0});
    wait =
        (struct nsc_depend_wait){find_track(of->out->trace, process, context, stream), call->start,
                                 record ? record->track : NSC_NONE, record ? record->time : 0};
    if (!record)
        of->out->n_unresolved++;
    if (wait.track != NSC_NONE && wait.on != NSC_NONE && wait.track != wait.on)
        *NSC_VEC_ADD(&of->waits) = wait;
}

static void gather_waits(struct matching *of, const struct nsc_fields *fields)
{
    const struct nsc_scope all = nsc_scope_all(of->out->trace);

    for (struct nsc_scope_cursor at = nsc_scope_open(&all, NSC_TRACK_BIT(NSC_TRACK_SYNC));
         nsc_scope_next(&at);)
        add_wait(of, at.row, nsc_trace_track(all.trace, at.track)->process, fields);
}

NSC_COMPARE(compare_waits, struct nsc_depend_wait, NSC_LEAST(track) || NSC_LEAST(time))

static void order_streams(struct nsc_depends *out, const struct nsc_fields *fields)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(out->trace, &n);

    out->order = nsc_xcalloc((size_t)n + 1, 1);
    for (uint32_t i = 0; fields && i < fields->n; i++) {
        int64_t stream, context, process, flag;

        if (!nsc_fields_int(&stream, fields, NSC_STREAM_ID, i) ||
            !nsc_fields_int(&context, fields, NSC_STREAM_CONTEXT, i) ||
            !nsc_fields_int(&process, fields, NSC_STREAM_PROCESS, i) ||
            !nsc_fields_int(&flag, fields, NSC_STREAM_FLAG, i))
            continue;
        for (uint32_t t = 0; t < n; t++)
            if (tracks[t].kind == NSC_TRACK_STREAM && tracks[t].stream == stream &&
                tracks[t].context == context && tracks[t].pid == (uint32_t)process)
                out->order[t] = flag == 3   ? NSC_STREAM_LEGACY
                                : flag == 1 ? NSC_STREAM_BLOCKING
                                            : NSC_STREAM_FREE;
    }
    out->ordered = nsc_xcalloc((size_t)n + 1, sizeof *out->ordered);
    for (uint32_t t = 0; t < n; t++)
        if (out->order[t] != NSC_STREAM_FREE)
            out->ordered[out->n_ordered++] = t;
}

/* Matches the stream waits with records. Reads no sets if there are none. */
static void match_waits(struct nsc_depends *out, const struct nsc_field_sets *fields)
{
    struct matching of = {.out = out};
    const struct nsc_fields *records = NULL;
    uint8_t *kinds;

    if (judge_names(&kinds, out->trace))
        records = nsc_field_set(fields, NSC_FIELDS_EVENTS);
    if (records && records->n > 0) {
        gather_calls(&of, kinds, nsc_field_set(fields, NSC_FIELDS_CALLS));
        gather_records(&of, records);
        gather_waits(&of, nsc_field_set(fields, NSC_FIELDS_SYNCS));
        NSC_VEC_SORT(&of.waits, compare_waits);
        out->waits = of.waits.at;
        out->n = (uint32_t)of.waits.n;
    }
    NSC_VEC_FINI(&of.calls);
    NSC_VEC_FINI(&of.by_sync);
    NSC_VEC_FINI(&of.by_event);
    free(kinds);
}

void nsc_depends_build(struct nsc_depends *out, const struct nsc_trace *trace,
                       const struct nsc_field_sets *fields)
{
    *out = (struct nsc_depends){.trace = trace};
    order_streams(out, nsc_field_set(fields, NSC_FIELDS_STREAMS));
    if (nsc_trace_has_tracks(trace, NSC_TRACK_SYNC, NSC_TRACK_SYNC))
        match_waits(out, fields);
}

void nsc_depends_fini(struct nsc_depends *depends)
{
    free(depends->waits);
    free(depends->order);
    free(depends->ordered);
    *depends = (struct nsc_depends){0};
}

static void free_kept(void *value)
{
    struct nsc_depends **kept = value;

    nsc_depends_fini(*kept);
    free(*kept);
}

struct nsc_depends *nsc_depends_ask(const struct nsc_scope *scope,
                                    const struct nsc_field_sets *fields)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_depends *), NULL, free_kept};
    bool keeps = nsc_shared_keeps(scope, NSC_NONE);
    struct nsc_depends *depends = NULL;
    bool result = true;

    if (keeps && nsc_shared_find(&depends, &result, &kind, fields, scope, NSC_NONE))
        return depends;
    depends = nsc_xmalloc(sizeof *depends);
    nsc_depends_build(depends, scope->trace, fields);
    depends->is_kept = keeps;
    if (keeps)
        nsc_shared_keep(&depends, result, &kind, fields, scope, NSC_NONE);
    return depends;
}

void nsc_depends_free(struct nsc_depends *depends)
{
    if (depends && !depends->is_kept)
        free_kept(&depends);
}

/* ---- questions ---- */

/* When the op was launched. */
static nsc_time launch_time(const struct nsc_depends *depends, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(depends->trace);
    nsc_event call = events->link[op];

    return call == NSC_NONE ? events->start[op]
                            : nsc_earlier(events->start[call], events->start[op]);
}

/* The last op of a track before `before` that was launched by t and starts before op. */
static nsc_event find_op(const struct nsc_depends *depends, uint32_t track, nsc_time t,
                         nsc_event before)
{
    const struct nsc_events *events = nsc_trace_events(depends->trace);
    const struct nsc_track *at = nsc_trace_track(depends->trace, track);
    const struct nsc_lane *lanes = nsc_trace_lanes(depends->trace, NULL);
    nsc_event found = NSC_NONE;

    for (uint32_t k = 0; k < at->n_lanes; k++) {
        const struct nsc_lane *lane = &lanes[at->first_lane + k];
        nsc_event low = lane->first;
        nsc_event high = lane->first + lane->n;

        if (t == INT64_MAX && before >= low && before < high)
            low = high = before; /* rows ascend */
        NSC_BISECT(low, high, middle,
                   launch_time(depends, middle) <= t &&
                       (events->start[middle] < events->start[before] ||
                        (events->start[middle] == events->start[before] && middle < before)));
        if (low > lane->first &&
            (found == NSC_NONE || events->start[low - 1] >= events->start[found]))
            found = low - 1;
    }
    return found;
}

static uint32_t first_wait(const struct nsc_depends *depends, uint32_t track, nsc_time after)
{
    uint32_t low = 0;
    uint32_t high = depends->n;

    NSC_BISECT(low, high, middle,
               depends->waits[middle].track < track ||
                   (depends->waits[middle].track == track && depends->waits[middle].time <= after));
    return low;
}

static void add_op(nsc_event out[NSC_DEPENDS_MOST], uint32_t *n, nsc_event op)
{
    for (uint32_t i = 0; i < *n; i++)
        if (out[i] == op)
            return;
    if (op != NSC_NONE && *n < NSC_DEPENDS_MOST)
        out[(*n)++] = op;
}

/* Adds the dependencies of the legacy default stream. */
static void add_legacy(const struct nsc_depends *depends, nsc_event op, uint32_t track,
                       nsc_event out[NSC_DEPENDS_MOST], uint32_t *n)
{
    const struct nsc_track *tracks = nsc_trace_tracks(depends->trace, NULL);
    nsc_time launched = launch_time(depends, op);
    uint8_t other =
        depends->order[track] == NSC_STREAM_LEGACY ? NSC_STREAM_BLOCKING : NSC_STREAM_LEGACY;

    if (depends->order[track] == NSC_STREAM_FREE)
        return;
    for (uint32_t i = 0; i < depends->n_ordered && *n < NSC_DEPENDS_MOST; i++) {
        uint32_t t = depends->ordered[i];

        if (depends->order[t] == other && tracks[t].context == tracks[track].context &&
            tracks[t].process == tracks[track].process)
            add_op(out, n, find_op(depends, t, launched, op));
    }
}

/* Writes all ops that an op waits for directly. Returns their number. */
static uint32_t find_awaited(const struct nsc_depends *depends, nsc_event op, uint32_t near,
                             nsc_event out[NSC_DEPENDS_MOST])
{
    const struct nsc_lane *lanes = nsc_trace_lanes(depends->trace, NULL);
    uint32_t track = lanes[nsc_trace_lane_near(depends->trace, op, near)].track;
    nsc_time launched = launch_time(depends, op);
    nsc_event before = find_op(depends, track, INT64_MAX, op);
    uint32_t n = 0;
    nsc_time after = before == NSC_NONE ? INT64_MIN : launch_time(depends, before);

    add_op(out, &n, before);
    for (uint32_t i = first_wait(depends, track, after);
         i < depends->n && depends->waits[i].track == track && depends->waits[i].time <= launched;
         i++)
        add_op(out, &n, find_op(depends, depends->waits[i].on, depends->waits[i].record, op));
    add_legacy(depends, op, track, out, &n);
    return n;
}

nsc_event nsc_depends_last(const struct nsc_depends *depends, nsc_event op, uint32_t near)
{
    const struct nsc_events *events = nsc_trace_events(depends->trace);
    nsc_event all[NSC_DEPENDS_MOST];
    uint32_t n = find_awaited(depends, op, near, all);
    nsc_event last = NSC_NONE;

    for (uint32_t i = 0; i < n; i++)
        if (last == NSC_NONE || nsc_event_end(events, all[i]) > nsc_event_end(events, last))
            last = all[i];
    return last;
}

nsc_time nsc_depends_issued(const struct nsc_depends *depends, nsc_event op, nsc_event last)
{
    const struct nsc_events *events = nsc_trace_events(depends->trace);
    nsc_event call = events->link[op];
    nsc_time start = events->start[op];

    if (call == NSC_NONE)
        return INT64_MIN;
    if (nsc_event_end(events, call) <= start)
        return nsc_event_end(events, call);
    if (last != NSC_NONE && nsc_event_end(events, last) <= start &&
        start - nsc_event_end(events, last) <= NSC_ISSUE_NEXT_NS)
        return nsc_earlier(events->start[call], nsc_event_end(events, last) - 1);
    return start;
}
