/* Reads a trace: its columns, lanes, tracks, names and texts. */
#include "nsyscope/trace.h"

#include "core/bisect.h"
#include "index/fold.h"
#include "index/kind_work.h"
#include "index/trace_data.h"

#include <string.h>

const struct nsc_events *nsc_trace_events(const struct nsc_trace *trace)
{
    return &trace->events;
}

nsc_time nsc_event_long_duration(const struct nsc_events *events, nsc_event event)
{
    uint32_t low = 0;
    uint32_t high = events->n_long;

    NSC_BISECT(low, high, middle, events->long_event[middle] < event);
    return events->long_duration[low];
}

const struct nsc_lane *nsc_trace_lanes(const struct nsc_trace *trace, uint32_t *n)
{
    if (n)
        *n = trace->n_lanes;
    return trace->lanes;
}

uint32_t nsc_trace_lane_of(const struct nsc_trace *trace, nsc_event event)
{
    uint32_t low = 0;

    for (uint32_t n = trace->n_lanes; n > 1; n -= n / 2) /* without a branch to guess */
        low += trace->lanes[low + n / 2].first <= event ? n / 2 : 0;
    return low;
}

const struct nsc_track *nsc_trace_tracks(const struct nsc_trace *trace, uint32_t *n)
{
    if (n)
        *n = trace->n_tracks;
    return trace->tracks;
}

const struct nsc_track *nsc_trace_track(const struct nsc_trace *trace, uint32_t track)
{
    return &trace->tracks[track];
}

uint32_t nsc_trace_group_of(const struct nsc_trace *trace, uint32_t track)
{
    return trace->tracks[track].group;
}

uint32_t nsc_trace_next_group(const struct nsc_trace *trace, uint32_t track)
{
    while (track < trace->n_tracks && !nsc_track_is_group(trace->tracks[track].kind))
        track++;
    return track;
}

const struct nsc_counter *nsc_trace_counters(const struct nsc_trace *trace, uint32_t *n)
{
    if (n)
        *n = trace->n_counters;
    return trace->counters;
}

struct nsc_window nsc_trace_extent(const struct nsc_trace *trace)
{
    return trace->extent;
}

const struct nsc_trace_info *nsc_trace_info(const struct nsc_trace *trace)
{
    return &trace->captures[0];
}

const struct nsc_trace_info *nsc_trace_captures(const struct nsc_trace *trace, uint32_t *n)
{
    if (n)
        *n = trace->n_captures;
    return trace->captures;
}

uint32_t nsc_trace_capture_of(const struct nsc_trace *trace, nsc_event event)
{
    uint32_t low = 1;
    uint32_t high = trace->n_captures;

    NSC_BISECT(low, high, middle, trace->captures[middle].first_event <= event);
    return low - 1;
}

const struct nsc_alignment *nsc_trace_alignment(const struct nsc_trace *trace)
{
    return &trace->alignment;
}

/* ---- names ---- */

const struct nsc_names *nsc_trace_names(const struct nsc_trace *trace)
{
    return &trace->names;
}

struct nsc_text nsc_trace_string(const struct nsc_trace *trace, nsc_str id)
{
    return nsc_strpool_text(&trace->strings, id);
}

/* The packed counters of an event's text, behind a length byte. */
static const uint8_t *find_packed(const struct nsc_trace *trace, nsc_event event)
{
    return nsc_packed_at(trace->packed.slabs, trace->events.link[event]);
}

/* Whether the event's text is its name with counters of its own. */
static bool has_counters(const struct nsc_trace *trace, nsc_event event)
{
    uint8_t kind = trace->events.kind[event];

    if (nsc_kind_is_gpu(kind) || nsc_kind_is_api(kind) || kind == NSC_KIND_SYNC)
        return false; /* their links are rows */
    return trace->names.counters[trace->events.name[event]] &&
           trace->events.link[event] != NSC_NONE;
}

const uint8_t *nsc_fold_of_event(const struct nsc_trace *trace, nsc_event event)
{
    return has_counters(trace, event) ? find_packed(trace, event) : NULL;
}

uint32_t nsc_fold_links(const struct nsc_trace *trace)
{
    return trace->packed.n_slabs << NSC_LINK_BITS;
}

struct nsc_text nsc_trace_event_text(const struct nsc_trace *trace, nsc_event event, bool brief,
                                     char scratch[NSC_NAME_BYTES])
{
    nsc_name name = trace->events.name[event];
    nsc_str id = brief ? trace->names.brief[name] : trace->names.full[name];
    struct nsc_text text = nsc_strpool_text(&trace->strings, id);

    if (!has_counters(trace, event))
        return text;
    text.n = nsc_fold_expand(scratch, text, find_packed(trace, event) + 1);
    text.bytes = scratch;
    return text;
}

bool nsc_trace_same_text(const struct nsc_trace *trace, nsc_event a, nsc_event b)
{
    nsc_str full_a = trace->names.full[trace->events.name[a]];
    nsc_str full_b = trace->names.full[trace->events.name[b]];
    bool counters_a = has_counters(trace, a);
    bool counters_b = has_counters(trace, b);
    const uint8_t *packed_a = NULL;
    const uint8_t *packed_b = NULL;

    if (counters_a != counters_b) { /* the same text occurs in two families, folded in only one of
                                     * them */
        char scratch[2][NSC_NAME_BYTES];
        struct nsc_text x = nsc_trace_event_text(trace, a, false, scratch[0]);
        struct nsc_text y = nsc_trace_event_text(trace, b, false, scratch[1]);

        return x.n == y.n && !memcmp(x.bytes, y.bytes, x.n);
    }
    if (full_a != full_b || !counters_a)
        return full_a == full_b;
    packed_a = find_packed(trace, a);
    packed_b = find_packed(trace, b);
    return !memcmp(packed_a, packed_b, packed_a[0] + 1u);
}

bool nsc_trace_work_of(const struct nsc_trace *trace, nsc_event event, enum nsc_op_class *out)
{
    return nsc_op_class_of_row(&trace->events, &trace->names, event, out);
}

bool nsc_align_parse(enum nsc_align *out, const char **range, const char *text)
{
    static const char nvtx[] = "nvtx:";

    *range = NULL;
    if (strcmp(text, "utc") == 0)
        *out = NSC_ALIGN_UTC;
    else if (strcmp(text, "start") == 0)
        *out = NSC_ALIGN_START;
    else if (strncmp(text, nvtx, strlen(nvtx)) == 0 && text[strlen(nvtx)])
        *out = NSC_ALIGN_NVTX;
    else
        return false;
    if (*out == NSC_ALIGN_NVTX)
        *range = text + strlen(nvtx);
    return true;
}
