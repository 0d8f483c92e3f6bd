/*
 * Applies a filter: turns its terms into tables by name, kind and track, then looks up all rows in
 * parallel.
 */
#include "nsyscope/summary.h"

#include "analysis/select/filter_data.h"
#include "core/bits.h"
#include "core/chars.h"
#include "core/die.h"
#include "core/progress.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
#define TASK_WORDS 2u /* words of the mask per task: no two tasks write one word */
#define TASK_NAMES 3u
#else
#define TASK_WORDS 1024u
#define TASK_NAMES 512u
#endif

struct applying {
    const struct nsc_filter *filter;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    bool kinds[256];
    bool *tracks;
    uint8_t *verdicts; /* result of all name terms, a byte a name; NULL without such terms */
    nsc_time shortest, longest; /* range of all duration terms, inclusive */
    struct nsc_window window;   /* no event outside passes the time terms */
    bool by_kind;
    bool by_row; /* has time or nvtx terms, which are tested row by row */
    struct nsc_filter_ranges *ranges[NSC_FILTER_TERMS];
    uint64_t *mask;
    struct nsc_progress *progress; /* NULL: nobody asks, and nobody cancels */
};

/* ---- tables ---- */

static bool is_name_term(const struct nsc_filter_term *term)
{
    return term->field == NSC_FILTER_NAME || term->field == NSC_FILTER_EXACT ||
           term->field == NSC_FILTER_REGEX;
}

static bool kind_matches(const struct nsc_filter_term *term, int kind)
{
    const char *word = nsc_kind_word((enum nsc_kind)kind);

    for (uint32_t k = 0; k < term->n; k++)
        if (nsc_text_is(term->values[k].text, word))
            return true;
    return false;
}

static struct nsc_text strip(struct nsc_text label, const char *prefix, const char *suffix)
{
    uint32_t before = (uint32_t)strlen(prefix);
    uint32_t after = (uint32_t)strlen(suffix);

    if (nsc_text_begins(label, prefix)) {
        label.bytes += before;
        label.n -= before;
    }
    if (label.n >= after && memcmp(label.bytes + label.n - after, suffix, after) == 0)
        label.n -= after;
    return label;
}

struct nsc_text nsc_domain_name(const struct nsc_trace *trace, const struct nsc_track *track)
{
    struct nsc_text label = nsc_trace_string(trace, track->label);

    if (track->kind != NSC_TRACK_NVTX && track->kind != NSC_TRACK_SPANS &&
        track->kind != NSC_TRACK_MARKS)
        return (struct nsc_text){NULL, 0};
    label = strip(label, "NVTX",
                  track->kind == NSC_TRACK_NVTX    ? ""
                  : track->kind == NSC_TRACK_SPANS ? " spans"
                                                   : " marks");
    return track->domain == 0 ? nsc_text_from("default") : strip(label, " ", "");
}

static bool has_number(const struct nsc_filter_term *term, int64_t number)
{
    for (uint32_t k = 0; k < term->n; k++)
        if (term->values[k].number == number)
            return true;
    return false;
}

/* Whether the value names the export: by its number, from 0, or by a part of its label. */
static bool is_rank(struct nsc_text value, const struct nsc_trace *trace, uint32_t capture_no)
{
    const struct nsc_trace_info *info = &nsc_trace_captures(trace, NULL)[capture_no];
    uint64_t number = 0;
    uint32_t i = 0;

    for (; i < value.n && nsc_is_digit(value.bytes[i]); i++)
        number = number <= capture_no ? number * 10 + (uint64_t)(value.bytes[i] - '0') : number;
    if (value.n && i == value.n)
        return number == capture_no;
    return nsc_text_contains_folded(nsc_trace_string(trace, info->label), value);
}

static bool rank_matches(const struct nsc_filter_term *term, const struct nsc_trace *trace,
                         uint32_t capture_no)
{
    for (uint32_t k = 0; k < term->n; k++)
        if (is_rank(term->values[k].text, trace, capture_no))
            return true;
    return false;
}

static bool track_matches(const struct nsc_filter_term *term, const struct nsc_trace *trace,
                          const struct nsc_track *track)
{
    switch (term->field) {
    case NSC_FILTER_RANK:
        return rank_matches(term, trace, track->capture_no);
    case NSC_FILTER_GPU:
        return track->device >= 0 && has_number(term, track->gpu);
    case NSC_FILTER_STREAM:
        return track->kind == NSC_TRACK_STREAM && has_number(term, track->stream);
    case NSC_FILTER_PID:
        return track->pid > 0 && has_number(term, track->pid);
    case NSC_FILTER_TID:
        return track->tid > 0 && has_number(term, track->tid);
    case NSC_FILTER_DOMAIN:
        return nsc_domain_name(trace, track).bytes &&
               nsc_filter_match_text(term, nsc_domain_name(trace, track));
    default:
        return !term->negated; /* no term about tracks: every track passes */
    }
}

/* Narrows the range of durations. A bound beyond the range of time leaves none. */
static void narrow_durations(struct applying *work, const struct nsc_filter_term *term)
{
    nsc_time limit = term->values[0].number;
    bool is_least = (term->field == NSC_FILTER_LONGER) != term->negated;
    nsc_time least = limit;

    if (is_least) { /* dur>X, or !dur<X */
        if (!term->negated && __builtin_add_overflow(limit, 1, &least))
            work->longest = -1;
        work->shortest = least > work->shortest ? least : work->shortest;
    } else {
        if (!term->negated && __builtin_sub_overflow(limit, 1, &least))
            work->longest = -1;
        work->longest = least < work->longest ? least : work->longest;
    }
}

/* Narrows the window to the first and last window of a time term. */
static void narrow_window(struct applying *work, const struct nsc_filter_term *term)
{
    struct nsc_window all = {INT64_MAX, INT64_MIN};

    for (uint32_t k = 0; k < term->n; k++) {
        struct nsc_window one = term->values[k].window;

        all.t0 = nsc_earlier(all.t0, one.t0);
        all.t1 = nsc_later(all.t1, one.t1);
    }
    work->window = nsc_window_meet(work->window, all);
}

static void plan_term(struct applying *work, uint32_t i)
{
    const struct nsc_filter_term *term = &work->filter->terms[i];
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(work->trace, &n_tracks);

    for (uint32_t t = 0; t < n_tracks; t++)
        work->tracks[t] =
            work->tracks[t] && track_matches(term, work->trace, &tracks[t]) != term->negated;
    for (int kind = 0; term->field == NSC_FILTER_KIND && kind < NSC_N_KINDS; kind++)
        work->kinds[kind] = work->kinds[kind] && kind_matches(term, kind) != term->negated;
    work->by_kind = work->by_kind || term->field == NSC_FILTER_KIND;
    if (term->field == NSC_FILTER_LONGER || term->field == NSC_FILTER_SHORTER)
        narrow_durations(work, term);
    if (term->field == NSC_FILTER_TIME && !term->negated)
        narrow_window(work, term);
    if (nsc_filter_has_ranges(term))
        work->ranges[i] = nsc_filter_ranges_new(term, work->trace);
    work->by_row = work->by_row || work->ranges[i] || term->field == NSC_FILTER_TIME;
}

static uint8_t join_verdicts(const struct applying *work, nsc_name name)
{
    uint8_t all = NSC_FILTER_YES;

    for (uint32_t i = 0; i < work->filter->n; i++) {
        const struct nsc_filter_term *term = &work->filter->terms[i];
        enum nsc_filter_verdict verdict = NSC_FILTER_YES;

        if (!is_name_term(term))
            continue;
        verdict = nsc_filter_match_name(term, work->trace, name);
        if (verdict == NSC_FILTER_ASK)
            all = NSC_FILTER_ASK;
        else if ((verdict == NSC_FILTER_YES) == term->negated)
            return NSC_FILTER_NO;
    }
    return all;
}

static void judge_names(void *context, unsigned worker, uint32_t task)
{
    struct applying *work = context;
    uint32_t n = nsc_trace_names(work->trace)->n;
    uint32_t end = n - task * TASK_NAMES > TASK_NAMES ? (task + 1) * TASK_NAMES : n;

    (void)worker;
    for (nsc_name name = task * TASK_NAMES;
         name < end && !nsc_progress_is_cancelled(work->progress); name++) {
        if (work->verdicts)
            work->verdicts[name] = join_verdicts(work, name);
        for (uint32_t k = 0; k < work->filter->n; k++)
            if (work->ranges[k])
                nsc_filter_ranges_match(work->ranges[k], name);
    }
}

/* ---- rows ---- */

static bool text_matches(const struct applying *work, nsc_event row)
{
    for (uint32_t i = 0; i < work->filter->n; i++) {
        const struct nsc_filter_term *term = &work->filter->terms[i];

        if (is_name_term(term) && nsc_filter_match_event(term, work->trace, row) == term->negated)
            return false;
    }
    return true;
}

static bool touches_window(const struct applying *work, const struct nsc_filter_term *term,
                           nsc_event row)
{
    nsc_time start = work->events->start[row];
    nsc_time end = nsc_event_touch_end(work->events, row);

    for (uint32_t k = 0; k < term->n; k++)
        if (start < term->values[k].window.t1 && end > term->values[k].window.t0)
            return true;
    return false;
}

static bool row_terms_match(const struct applying *work, uint32_t track, nsc_event row,
                            struct nsc_filter_hint *hint)
{
    for (uint32_t i = 0; i < work->filter->n; i++) {
        const struct nsc_filter_term *term = &work->filter->terms[i];

        if (term->field == NSC_FILTER_TIME && touches_window(work, term, row) == term->negated)
            return false;
        if (nsc_filter_has_ranges(term) &&
            nsc_filter_ranges_hold(work->ranges[i], work->trace, track, row, hint) == term->negated)
            return false;
    }
    return true;
}

/* Bits [from, to) of a word. */
static uint64_t bits_between(uint32_t from, uint32_t to)
{
    return (to < 64 ? ((uint64_t)1 << to) - 1 : UINT64_MAX) & (UINT64_MAX << from);
}

/* The rows base + k, k in [from, to), whose name may pass; *ask: the rows whose own text must be
 * read. */
static uint64_t match_names(const struct applying *work, nsc_event base, uint32_t from, uint32_t to,
                            uint64_t *ask)
{
    const nsc_name *names = work->events->name + base;
    uint64_t word = 0;

    *ask = 0;
    if (!work->verdicts)
        return bits_between(from, to);
    for (uint32_t k = from; k < to; k++) {
        uint8_t verdict = work->verdicts[names[k]];

        word |= (uint64_t)(verdict != NSC_FILTER_NO) << k;
        *ask |= (uint64_t)(verdict == NSC_FILTER_ASK) << k;
    }
    return word;
}

static uint64_t match_kinds(const struct applying *work, nsc_event base, uint32_t from, uint32_t to)
{
    const uint8_t *kinds = work->events->kind + base;
    uint64_t word = 0;

    for (uint32_t k = from; k < to; k++)
        word |= (uint64_t)work->kinds[kinds[k]] << k;
    return word;
}

static uint64_t match_durations(const struct applying *work, nsc_event base, uint32_t from,
                                uint32_t to)
{
    uint64_t word = 0;

    for (uint32_t k = from; k < to; k++) {
        nsc_time duration = nsc_event_duration(work->events, base + k);

        word |= (uint64_t)(duration >= work->shortest && duration <= work->longest) << k;
    }
    return word;
}

/* The rows base + k, k in [from, to), that pass, as a word. The cheap tests come first, for all
 * rows. */
static uint64_t match_rows(const struct applying *work, uint32_t track, nsc_event base,
                           uint32_t from, uint32_t to, struct nsc_filter_hint *hint)
{
    uint64_t ask = 0;
    uint64_t word = match_names(work, base, from, to, &ask);
    uint64_t each = 0;

    if (word && work->by_kind)
        word &= match_kinds(work, base, from, to);
    if (word && (work->shortest > 0 || work->longest < INT64_MAX))
        word &= match_durations(work, base, from, to);
    for (each = work->by_row ? word : word & ask; each; each &= each - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(each);

        if ((work->by_row && !row_terms_match(work, track, base + k, hint)) ||
            (ask >> k & 1 && !text_matches(work, base + k)))
            word &= ~((uint64_t)1 << k);
    }
    return word;
}

/* Skips rows of the lane that end before the window or start after it. */
static void narrow_rows(const struct applying *work, uint32_t lane, nsc_event *row, nsc_event *stop)
{
    nsc_event from = 0;
    nsc_event to = 0;

    if (work->window.t0 == INT64_MIN && work->window.t1 == INT64_MAX)
        return;
    from = nsc_lane_find(work->trace, lane, work->window.t0);
    to = nsc_lane_find(work->trace, lane, work->window.t1); /* may start before the end */
    *row = from > *row ? from : *row;
    *stop = to < *stop ? to + 1 : *stop;
}

static void filter_rows(void *context, unsigned worker, uint32_t task)
{
    struct applying *work = context;
    nsc_event row = task * TASK_WORDS * 64;
    uint32_t left = work->events->n - row;
    nsc_event end = left > TASK_WORDS * 64 ? row + TASK_WORDS * 64 : work->events->n;
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(work->trace, &n_lanes);
    struct nsc_filter_hint hint = {0};

    (void)worker;
    if (nsc_progress_is_cancelled(work->progress))
        return;
    nsc_progress_add(work->progress, end - row, 0);
    for (uint32_t lane = nsc_trace_lane_of(work->trace, row); row < end; lane++) {
        nsc_event next = lanes[lane].first + lanes[lane].n;
        nsc_event stop = next < end ? next : end;

        narrow_rows(work, lane, &row, &stop);
        while (work->tracks[lanes[lane].track] && row < stop) {
            nsc_event base = row & ~63u;
            uint32_t to = stop - base < 64 ? stop - base : 64;

            work->mask[row >> 6] |=
                match_rows(work, lanes[lane].track, base, row - base, to, &hint);
            row = base + to;
        }
        row = next;
    }
}

/* ---- the whole ---- */

static uint32_t divide_up(size_t n, uint32_t by)
{
    return (uint32_t)((n + by - 1) / by);
}

/* Returns whether a term needs the names judged. */
static bool make_plan(struct applying *work)
{
    uint32_t n_tracks = 0;
    bool names = false;
    bool ranges = false;

    (void)nsc_trace_tracks(work->trace, &n_tracks);
    work->tracks = nsc_xmalloc((size_t)n_tracks + 1);
    memset(work->tracks, true, n_tracks);
    memset(work->kinds, true, sizeof work->kinds);
    for (uint32_t i = 0; i < work->filter->n; i++) {
        plan_term(work, i);
        names = names || is_name_term(&work->filter->terms[i]);
        ranges = ranges || work->ranges[i];
    }
    if (names)
        work->verdicts = nsc_xmalloc((size_t)nsc_trace_names(work->trace)->n + 1);
    return names || ranges;
}

static void apply(struct applying *work, struct nsc_pool *pool)
{
    nsc_progress_set_rows(work->progress, work->events->n);
    if (make_plan(work))
        nsc_pool_run(pool, divide_up(nsc_trace_names(work->trace)->n, TASK_NAMES), judge_names,
                     work);
    for (uint32_t i = 0; i < work->filter->n; i++)
        if (work->ranges[i])
            nsc_filter_ranges_find(work->ranges[i], work->progress);
    nsc_pool_run(pool, divide_up(nsc_bits_words(work->events->n), TASK_WORDS), filter_rows, work);
    for (uint32_t i = 0; i < work->filter->n; i++)
        nsc_filter_ranges_free(work->ranges[i]);
    free(work->verdicts);
    free(work->tracks);
}

uint64_t *nsc_filter_apply(const struct nsc_filter *filter, const struct nsc_trace *trace,
                           struct nsc_pool *pool, struct nsc_progress *progress)
{
    struct applying work = {.filter = filter,
                            .trace = trace,
                            .events = nsc_trace_events(trace),
                            .longest = INT64_MAX,
                            .window = {INT64_MIN, INT64_MAX},
                            .progress = progress};
    struct nsc_pool *own = NULL;

    work.mask = calloc(nsc_bits_words(work.events->n) + 1, sizeof *work.mask); /* never 0 bytes */
    if (!work.mask)
        return NULL;
    own = pool ? NULL : nsc_pool_new(0);
    apply(&work, pool ? pool : own);
    nsc_pool_free(own);
    return work.mask;
}
