/*
 * The innermost range of a process at many times: one sweep over the ranges by start, with a heap
 * of those that may still be open, the shortest on top.
 */
#include "analysis/ranges/process_ranges.h"

#include "analysis/names/pith_label.h"
#include "analysis/ranges/nvtx_open.h"
#include "core/sort.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

enum verdict { NO, YES, ASK };

#define SHORT_RUN 16

/* What a name says of its events; a label's digits may be counters, so its events are asked. */
static uint8_t *judge_names(const struct nsc_trace *trace)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    uint8_t *verdicts = nsc_xcalloc((size_t)names->n + 1, 1);

    for (nsc_name i = 1; i < names->n; i++) {
        struct nsc_text text = nsc_trace_string(trace, names->full[i]);

        verdicts[i] = nsc_text_begins(text, "rank=")                 ? ASK
                      : text.n == 0 || nsc_text_begins(text, "nccl") ? NO
                                                                     : YES;
    }
    return verdicts;
}

static bool is_candidate(const struct nsc_trace *trace, const uint8_t *verdicts, nsc_event event,
                         nsc_time zero)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint8_t verdict = verdicts[events->name[event]];
    char scratch[NSC_NAME_BYTES];

    if (events->start[event] < zero)
        return false;
    return verdict == ASK
               ? !nsc_pith_label_is_strict(nsc_trace_event_text(trace, event, false, scratch))
               : verdict == YES;
}

static void add_lane(struct nsc_process_ranges *out, const struct nsc_trace *trace,
                     const struct nsc_fields *nvtx, const uint8_t *verdicts,
                     const struct nsc_lane *lane)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time zero = nsc_process_zero(trace, lane->track);

    for (nsc_event i = lane->first; i < lane->first + lane->n; i++)
        if (is_candidate(trace, verdicts, i, zero))
            *NSC_VEC_ADD(&out->all) = (struct nsc_process_range){
                events->start[i],
                nsc_nvtx_is_open(nvtx, i) ? events->start[i] : nsc_event_end(events, i), i};
}

/* Ranges of one start in the order of their rows in the export. */
static void sort_run(struct nsc_sort_pair pairs[], struct nsc_sort_pair *scratch, size_t n)
{
    if (n > SHORT_RUN) {
        nsc_sort_pairs(pairs, scratch, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        struct nsc_sort_pair pair = pairs[i];
        size_t at = i;

        for (; at > 0 && pairs[at - 1].key > pair.key; at--)
            pairs[at] = pairs[at - 1];
        pairs[at] = pair;
    }
}

static void sort_ranges(struct nsc_process_ranges *ranges, const uint32_t *source)
{
    size_t n = ranges->all.n;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);
    struct nsc_process_range *sorted = nsc_xmalloc((n + 1) * sizeof *sorted);

    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct nsc_sort_pair){nsc_sort_key(ranges->all.at[i].start), i};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t first = 0, end = 0; first < n; first = end) {
        uint64_t start = pairs[first].key;

        for (end = first; end < n && pairs[end].key == start; end++)
            pairs[end].key = source[ranges->all.at[pairs[end].value].event];
        sort_run(pairs + first, pairs + n, end - first);
    }
    for (size_t i = 0; i < n; i++)
        sorted[i] = ranges->all.at[pairs[i].value];
    NSC_VEC_FINI(&ranges->all);
    ranges->all.at = sorted;
    ranges->all.n = n;
    ranges->all.capacity = n + 1;
    free(pairs);
}

void nsc_process_ranges_build(struct nsc_process_ranges *out, const struct nsc_trace *trace,
                              const struct nsc_fields *nvtx, uint64_t process)
{
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint8_t *verdicts = judge_names(trace);

    memset(out, 0, sizeof *out);
    for (uint32_t l = 0; l < n_lanes; l++) {
        const struct nsc_track *track = &tracks[lanes[l].track];

        if (track->process == process && track->kind >= NSC_TRACK_NVTX &&
            track->kind <= NSC_TRACK_MARKS)
            add_lane(out, trace, nvtx, verdicts, &lanes[l]);
    }
    free(verdicts);
    sort_ranges(out, nsc_trace_events(trace)->source);
}

void nsc_process_ranges_fini(struct nsc_process_ranges *ranges)
{
    NSC_VEC_FINI(&ranges->all);
}

/* ---- the sweep ---- */

struct heap {
    const struct nsc_process_range *ranges;
    uint32_t *at; /* the shortest on top, of equals the last */
    uint32_t n;
};

static bool is_before(const struct heap *heap, uint32_t a, uint32_t b)
{
    const struct nsc_process_range *x = &heap->ranges[a], *y = &heap->ranges[b];
    uint64_t dx = (uint64_t)x->end - (uint64_t)x->start;
    uint64_t dy = (uint64_t)y->end - (uint64_t)y->start;

    return dx != dy ? dx < dy : a > b;
}

static void push(struct heap *heap, uint32_t range)
{
    uint32_t i = heap->n++;

    while (i > 0 && is_before(heap, range, heap->at[(i - 1) / 2])) {
        heap->at[i] = heap->at[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->at[i] = range;
}

static void pop(struct heap *heap)
{
    uint32_t last = heap->at[--heap->n];
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child >= heap->n)
            break;
        if (child + 1 < heap->n && is_before(heap, heap->at[child + 1], heap->at[child]))
            child++;
        if (!is_before(heap, heap->at[child], last))
            break;
        heap->at[i] = heap->at[child];
        i = child;
    }
    heap->at[i] = last;
}

void nsc_process_innermost(nsc_event out[], const struct nsc_process_ranges *ranges,
                           const nsc_time at[], uint32_t n)
{
    struct nsc_sort_pair *order = nsc_xmalloc((2 * (size_t)n + 1) * sizeof *order);
    struct heap heap = {ranges->all.at, nsc_xmalloc((ranges->all.n + 1) * sizeof(uint32_t)), 0};
    uint32_t next = 0;

    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct nsc_sort_pair){nsc_sort_key(at[i]), i};
    nsc_sort_pairs(order, order + n, n);
    for (uint32_t i = 0; i < n; i++) {
        nsc_time t = at[order[i].value];

        while (next < ranges->all.n && ranges->all.at[next].start <= t)
            push(&heap, next++);
        while (heap.n && ranges->all.at[heap.at[0]].end < t) /* over for good: times ascend */
            pop(&heap);
        out[order[i].value] = heap.n ? ranges->all.at[heap.at[0]].event : NSC_NONE;
    }
    free(heap.at);
    free(order);
}

nsc_event nsc_process_innermost_capped(const struct nsc_process_ranges *ranges, nsc_time at,
                                       uint32_t cap)
{
    size_t lo = 0, hi = ranges->all.n;
    uint64_t best = UINT64_MAX;
    nsc_event found = NSC_NONE;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (ranges->all.at[mid].start <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (uint32_t i = 0; i < cap && i < lo; i++) {
        const struct nsc_process_range *range = &ranges->all.at[lo - 1 - i];
        uint64_t span = (uint64_t)range->end - (uint64_t)range->start;

        if (range->end >= at && (found == NSC_NONE || span < best)) {
            best = span;
            found = range->event;
        }
    }
    return found;
}
