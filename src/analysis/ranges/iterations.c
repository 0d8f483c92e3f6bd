/*
 * Finds the NVTX name that marks the iterations: a tally of the outer lanes, then a closer look at
 * the few names that cover enough.
 */
#include "analysis/ranges/iterations.h"

#include "nsyscope/cover.h"

#include "core/sort.h"
#include "core/strpool.h"
#include "core/text.h"
#include "core/vec.h"
#include "index/fold.h"

#include <stdlib.h>

struct tally { /* of a pattern in a lane */
    uint32_t n;
    nsc_time total;
};

struct candidate {
    uint32_t lane, n;
    nsc_str pattern;
    nsc_time total;
    bool hinted; /* named like an iteration */
};

struct search {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    struct nsc_strpool patterns;   /* names with NSC_COUNTER_BYTE for each number */
    nsc_str *pattern;              /* by name; NSC_NONE: not looked up yet */
    NSC_VEC(struct tally) tallies; /* by pattern; all zero between lanes */
    struct nsc_text wanted; /* text in the name; empty: any name that recurs at a steady beat */
    uint32_t depths;        /* lanes of a track that are searched */
    nsc_time least;         /* ns that a name must cover */
    struct candidate best, other;
};

/* ---- names and their patterns ---- */

static nsc_str pattern_make(struct search *search, nsc_name name)
{
    struct nsc_text text =
        nsc_trace_string(search->trace, nsc_trace_names(search->trace)->full[name]);
    struct nsc_fold fold;

    if (nsc_fold_text(&fold, text)) {
        text.bytes = fold.text;
        text.n = fold.n;
    }
    return nsc_strpool_add(&search->patterns, text.bytes, text.n);
}

static nsc_str pattern_of(struct search *search, nsc_event row)
{
    nsc_name name = search->events->name[row];

    if (search->pattern[name] == NSC_NONE) {
        search->pattern[name] = pattern_make(search, name);
        while (search->tallies.n < search->patterns.n)
            *NSC_VEC_ADD(&search->tallies) = (struct tally){0, 0};
    }
    return search->pattern[name];
}

static void search_init(struct search *search, const struct nsc_trace *trace, uint32_t depths)
{
    uint32_t n = nsc_trace_names(trace)->n;

    *search = (struct search){.trace = trace, .events = nsc_trace_events(trace), .depths = depths};
    nsc_strpool_init(&search->patterns);
    search->pattern = nsc_xmalloc(((size_t)n + 1) * sizeof *search->pattern);
    for (uint32_t i = 0; i < n; i++)
        search->pattern[i] = NSC_NONE;
}

static void search_fini(struct search *search)
{
    NSC_VEC_FINI(&search->tallies);
    nsc_strpool_fini(&search->patterns);
    free(search->pattern);
}

/* ---- one name of one lane ---- */

static nsc_event *events_of(struct search *search, const struct candidate *candidate)
{
    const struct nsc_lane *lane = &nsc_trace_lanes(search->trace, NULL)[candidate->lane];
    nsc_event *out = nsc_xcalloc((size_t)candidate->n + 1, sizeof *out);
    uint32_t n = 0;

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++)
        if (pattern_of(search, row) == candidate->pattern && n < candidate->n)
            out[n++] = row;
    return out;
}

/* Whether starts have a steady beat: three quarters of the distances are half to twice the
 * median. */
static bool is_steady(struct search *search, const struct candidate *candidate)
{
    nsc_event *rows = events_of(search, candidate);
    uint32_t n = candidate->n - 1;
    nsc_time *gaps = nsc_xcalloc((size_t)n + 1, sizeof *gaps);
    uint32_t usual = 0;
    nsc_time median = 0;

    for (uint32_t i = 0; i < n; i++)
        gaps[i] = nsc_window_length((struct nsc_window){search->events->start[rows[i]],
                                                        search->events->start[rows[i + 1]]});
    qsort(gaps, n, sizeof *gaps, nsc_time_compare);
    median = gaps[(n - 1) / 2];
    for (uint32_t i = 0; i < n; i++)
        usual += gaps[i] >= median / 2 && gaps[i] / 2 <= median;
    free(gaps);
    free(rows);
    return usual >= n - n / 4;
}

static bool has_hint(const struct search *search, nsc_str pattern)
{
    static const char *const hints[] = {"iter", "step"};
    struct nsc_text text = nsc_strpool_text(&search->patterns, pattern);

    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (nsc_text_contains_folded(text, nsc_text_from(hints[i])))
            return true;
    return false;
}

/* Equal candidates keep their order: outer before inner, earlier tracks before later ones. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (b->n == 0)
        return true;
    if (a->hinted != b->hinted)
        return a->hinted;
    return a->total > b->total;
}

/* A difference of one, at the ends, is the same beat. */
static bool disagree(const struct candidate *a, const struct candidate *b)
{
    uint32_t difference = a->n > b->n ? a->n - b->n : b->n - a->n;

    return a->n && b->n && a->pattern != b->pattern && difference > 1;
}

static void candidate_add(struct search *search, const struct candidate *candidate)
{
    struct candidate rest = *candidate;

    if (is_better(candidate, &search->best)) {
        rest = search->best;
        search->best = *candidate;
        if (!disagree(&search->other, &search->best))
            search->other = (struct candidate){0};
    }
    if (disagree(&rest, &search->best) && is_better(&rest, &search->other))
        search->other = rest;
}

/* ---- all of them ---- */

static bool is_wanted(struct search *search, const struct candidate *candidate)
{
    if (search->wanted.n)
        return nsc_text_contains_folded(nsc_strpool_text(&search->patterns, candidate->pattern),
                                        search->wanted);
    return candidate->n >= NSC_ITERATIONS_LEAST && candidate->total >= search->least &&
           is_steady(search, candidate);
}

static void pattern_judge(struct search *search, uint32_t lane, nsc_str pattern)
{
    struct tally *tally = &search->tallies.at[pattern];
    struct candidate candidate = {lane, tally->n, pattern, tally->total, false};

    *tally = (struct tally){0, 0};
    if (!is_wanted(search, &candidate))
        return;
    candidate.hinted = has_hint(search, pattern);
    candidate_add(search, &candidate);
}

static void lane_judge(struct search *search, uint32_t lane)
{
    const struct nsc_lane *at = &nsc_trace_lanes(search->trace, NULL)[lane];

    for (nsc_event row = at->first; row < at->first + at->n; row++) {
        nsc_str pattern = pattern_of(search, row); /* may move the tallies */
        struct tally *tally = &search->tallies.at[pattern];
        nsc_time more = nsc_event_duration(search->events, row);

        tally->n++;
        tally->total = more > INT64_MAX - tally->total ? INT64_MAX : tally->total + more;
    }
    for (nsc_event row = at->first; row < at->first + at->n; row++)
        if (search->tallies.at[search->pattern[search->events->name[row]]].n)
            pattern_judge(search, lane, search->pattern[search->events->name[row]]);
}

/* From the first to the last op of all devices; the whole trace without any op. */
static nsc_time work_span(const struct nsc_trace *trace)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    struct nsc_window w = {INT64_MAX, INT64_MIN};

    for (uint32_t i = nsc_trace_next_group(trace, 0); i < n;
         i = nsc_trace_next_group(trace, tracks[i].skip)) {
        const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, i);
        uint32_t last = covers && covers->busy ? nsc_cover_count(covers->busy) : 0;
        nsc_time t0 = last ? nsc_cover_at(covers->busy, 0).t0 : INT64_MAX;
        nsc_time t1 = last ? nsc_cover_at(covers->busy, last - 1).t1 : INT64_MIN;

        w.t0 = t0 < w.t0 ? t0 : w.t0;
        w.t1 = t1 > w.t1 ? t1 : w.t1;
    }
    return nsc_window_length(w.t0 < w.t1 ? w : nsc_trace_extent(trace));
}

static void lanes_judge(struct search *search)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(search->trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        if (tracks[i].kind != NSC_TRACK_NVTX && tracks[i].kind != NSC_TRACK_SPANS)
            continue;
        for (uint32_t k = 0; k < tracks[i].n_lanes && k < search->depths; k++)
            lane_judge(search, tracks[i].first_lane + k);
    }
}

static void durations_measure(struct nsc_iterations *out, const struct nsc_events *events)
{
    nsc_time *times = nsc_xcalloc((size_t)out->n + 1, sizeof *times);

    for (uint32_t i = 0; i < out->n; i++)
        times[i] = nsc_event_duration(events, out->event[i]);
    qsort(times, out->n, sizeof *times, nsc_time_compare);
    out->shortest = times[0];
    out->median = times[(out->n - 1) / 2];
    out->longest = times[out->n - 1];
    free(times);
}

static void label_write(char out[NSC_ITERATIONS_LABEL], const struct search *search,
                        nsc_str pattern)
{
    struct nsc_text text = nsc_strpool_text(&search->patterns, pattern);
    uint32_t n = 0;

    for (; n < text.n && n + 1 < NSC_ITERATIONS_LABEL; n++)
        out[n] = text.bytes[n] == NSC_COUNTER_BYTE ? '#' : text.bytes[n];
    out[n] = '\0';
}

static bool best_take(struct nsc_iterations *out, struct search *search)
{
    *out = (struct nsc_iterations){.lane = NSC_NONE};
    if (!search->best.n)
        return false;
    out->n = search->best.n;
    out->lane = search->best.lane;
    out->event = events_of(search, &search->best);
    label_write(out->label, search, search->best.pattern);
    out->other_n = search->other.n;
    if (out->other_n)
        label_write(out->other, search, search->other.pattern);
    durations_measure(out, search->events);
    return true;
}

bool nsc_iterations_find(struct nsc_iterations *out, const struct nsc_trace *trace)
{
    struct search search;
    nsc_time span = work_span(trace);
    bool found = false;

    search_init(&search, trace, NSC_ITERATIONS_DEPTHS);
    search.least = span - span / 2;
    lanes_judge(&search);
    found = best_take(out, &search);
    search_fini(&search);
    return found;
}

bool nsc_iterations_named(struct nsc_iterations *out, const struct nsc_trace *trace,
                          struct nsc_text text)
{
    struct search search;
    char wanted[NSC_NAME_BYTES];
    bool found = false;

    *out = (struct nsc_iterations){.lane = NSC_NONE};
    if (!text.n || text.n > sizeof wanted)
        return false;
    search_init(&search, trace, UINT32_MAX);
    for (uint32_t i = 0; i < text.n; i++)
        wanted[i] = text.bytes[i] == '#' ? NSC_COUNTER_BYTE : text.bytes[i];
    search.wanted = (struct nsc_text){wanted, text.n};
    lanes_judge(&search);
    search.other = (struct candidate){0};
    found = best_take(out, &search);
    search_fini(&search);
    return found;
}

void nsc_iterations_fini(struct nsc_iterations *iterations)
{
    free(iterations->event);
    *iterations = (struct nsc_iterations){.lane = NSC_NONE};
}

uint32_t nsc_iterations_at(const struct nsc_iterations *iterations, const struct nsc_trace *trace,
                           nsc_time t)
{
    const nsc_time *start = nsc_trace_events(trace)->start;
    uint32_t low = 0;
    uint32_t high = iterations->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (start[iterations->event[middle]] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : NSC_NONE;
}

struct nsc_window nsc_iterations_window(const struct nsc_iterations *iterations,
                                        const struct nsc_trace *trace, uint32_t i)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event event = iterations->event[i];

    return (struct nsc_window){events->start[event], nsc_event_touch_end(events, event)};
}
