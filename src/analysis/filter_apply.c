/*
 * Applying a filter: its terms become tables by name, kind and track, then all rows are looked up
 * in parallel.
 */
#include "nsyscope/summary.h"

#include "analysis/filter_data.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
#define TASK_WORDS 2u /* words of the mask a task: no two tasks write one word */
#define TASK_NAMES 3u
#else
#define TASK_WORDS 1024u
#define TASK_NAMES 512u
#endif

struct plan {
    const struct nsc_filter *filter;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    bool kinds[256];
    bool *tracks;
    uint8_t *verdicts; /* all name terms together, a byte a name; NULL without such terms */
    nsc_time shortest, longest; /* all duration terms together, inclusive */
    struct nsc_window window;   /* nothing outside of it passes the time terms */
    bool by_kind;
    bool by_row; /* time or nvtx terms: each row must be looked at */
    struct nsc_filter_ranges *ranges[NSC_FILTER_TERMS];
    uint64_t *mask;
};

/* ---- tables
 * -------------------------------------------------------------------------------------------------------
 */

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

/* Domains are known by the labels of their tracks: "NVTX NCCL spans". */
static bool domain_matches(const struct nsc_filter_term *term, const struct nsc_trace *trace,
                           const struct nsc_track *track)
{
    struct nsc_text label = nsc_trace_string(trace, track->label);

    if (track->kind != NSC_TRACK_NVTX && track->kind != NSC_TRACK_SPANS &&
        track->kind != NSC_TRACK_MARKS)
        return false;
    label = strip(label, "NVTX",
                  track->kind == NSC_TRACK_NVTX    ? ""
                  : track->kind == NSC_TRACK_SPANS ? " spans"
                                                   : " marks");
    if (track->domain == 0)
        return nsc_filter_match_text(term, nsc_text_from("default"));
    return nsc_filter_match_text(term, strip(label, " ", ""));
}

static bool has_number(const struct nsc_filter_term *term, int64_t number)
{
    for (uint32_t k = 0; k < term->n; k++)
        if (term->values[k].number == number)
            return true;
    return false;
}

/* A number is the export's own, from 0; anything else is part of its label. */
static bool is_rank(struct nsc_text value, const struct nsc_trace *trace, uint32_t xport)
{
    const struct nsc_trace_info *info = &nsc_trace_exports(trace, &(uint32_t){0})[xport];
    uint64_t number = 0;
    uint32_t i = 0;

    for (; i < value.n && value.bytes[i] >= '0' && value.bytes[i] <= '9' && number <= xport; i++)
        number = number * 10 + (uint64_t)(value.bytes[i] - '0');
    for (; i < value.n && value.bytes[i] >= '0' && value.bytes[i] <= '9'; i++)
        ; /* too large already */
    if (value.n && i == value.n)
        return number == xport;
    return nsc_text_contains_folded(nsc_trace_string(trace, info->label), value);
}

static bool rank_matches(const struct nsc_filter_term *term, const struct nsc_trace *trace,
                         uint32_t xport)
{
    for (uint32_t k = 0; k < term->n; k++)
        if (is_rank(term->values[k].text, trace, xport))
            return true;
    return false;
}

static bool track_matches(const struct nsc_filter_term *term, const struct nsc_trace *trace,
                          const struct nsc_track *track)
{
    switch (term->field) {
    case NSC_FILTER_RANK:
        return rank_matches(term, trace, track->xport);
    case NSC_FILTER_GPU:
        return track->device >= 0 && has_number(term, track->gpu);
    case NSC_FILTER_STREAM:
        return track->kind == NSC_TRACK_STREAM && has_number(term, track->stream);
    case NSC_FILTER_PID:
        return track->pid > 0 && has_number(term, track->pid);
    case NSC_FILTER_TID:
        return track->tid > 0 && has_number(term, track->tid);
    case NSC_FILTER_DOMAIN:
        return domain_matches(term, trace, track);
    default:
        return !term->negated; /* no term about tracks: the track passes */
    }
}

/* Narrows the durations that pass; one past the ends of time narrows to nothing. */
static void narrow_durations(struct plan *plan, const struct nsc_filter_term *term)
{
    nsc_time limit = term->values[0].number;
    bool is_least = (term->field == NSC_FILTER_LONGER) != term->negated;
    nsc_time least = limit;

    if (is_least) { /* dur>X, or !dur<X */
        if (!term->negated && __builtin_add_overflow(limit, 1, &least))
            plan->longest = -1;
        plan->shortest = least > plan->shortest ? least : plan->shortest;
    } else {
        if (!term->negated && __builtin_sub_overflow(limit, 1, &least))
            plan->longest = -1;
        plan->longest = least < plan->longest ? least : plan->longest;
    }
}

/* What a time term keeps lies between the first and the last of its windows. */
static void narrow_window(struct plan *plan, const struct nsc_filter_term *term)
{
    struct nsc_window all = {INT64_MAX, INT64_MIN};

    for (uint32_t k = 0; k < term->n; k++) {
        struct nsc_window one = term->values[k].window;

        all.t0 = one.t0 < all.t0 ? one.t0 : all.t0;
        all.t1 = one.t1 > all.t1 ? one.t1 : all.t1;
    }
    plan->window.t0 = all.t0 > plan->window.t0 ? all.t0 : plan->window.t0;
    plan->window.t1 = all.t1 < plan->window.t1 ? all.t1 : plan->window.t1;
}

static void plan_term(struct plan *plan, uint32_t i)
{
    const struct nsc_filter_term *term = &plan->filter->terms[i];
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(plan->trace, &n_tracks);

    for (uint32_t t = 0; t < n_tracks; t++)
        plan->tracks[t] =
            plan->tracks[t] && track_matches(term, plan->trace, &tracks[t]) != term->negated;
    for (int kind = 0; term->field == NSC_FILTER_KIND && kind < NSC_N_KINDS; kind++)
        plan->kinds[kind] = plan->kinds[kind] && kind_matches(term, kind) != term->negated;
    plan->by_kind = plan->by_kind || term->field == NSC_FILTER_KIND;
    if (term->field == NSC_FILTER_LONGER || term->field == NSC_FILTER_SHORTER)
        narrow_durations(plan, term);
    if (term->field == NSC_FILTER_TIME && !term->negated)
        narrow_window(plan, term);
    if (term->field == NSC_FILTER_NVTX)
        plan->ranges[i] = nsc_filter_ranges_new(term, plan->trace);
    plan->by_row = plan->by_row || term->field == NSC_FILTER_NVTX || term->field == NSC_FILTER_TIME;
}

static uint8_t join_verdicts(const struct plan *plan, nsc_name name)
{
    uint8_t all = NSC_FILTER_YES;

    for (uint32_t i = 0; i < plan->filter->n; i++) {
        const struct nsc_filter_term *term = &plan->filter->terms[i];
        enum nsc_filter_verdict verdict = NSC_FILTER_YES;

        if (!is_name_term(term))
            continue;
        verdict = nsc_filter_match_name(term, plan->trace, name);
        if (verdict == NSC_FILTER_ASK)
            all = NSC_FILTER_ASK;
        else if ((verdict == NSC_FILTER_YES) == term->negated)
            return NSC_FILTER_NO;
    }
    return all;
}

static void judge_names(void *context, unsigned worker, uint32_t task)
{
    struct plan *plan = context;
    uint32_t n = nsc_trace_names(plan->trace)->n;
    uint32_t end = n - task * TASK_NAMES > TASK_NAMES ? (task + 1) * TASK_NAMES : n;

    (void)worker;
    for (nsc_name name = task * TASK_NAMES; name < end; name++)
        plan->verdicts[name] = join_verdicts(plan, name);
}

/* ---- rows
 * ---------------------------------------------------------------------------------------------------------
 */

static bool text_matches(const struct plan *plan, nsc_event row)
{
    for (uint32_t i = 0; i < plan->filter->n; i++) {
        const struct nsc_filter_term *term = &plan->filter->terms[i];

        if (is_name_term(term) && nsc_filter_match_event(term, plan->trace, row) == term->negated)
            return false;
    }
    return true;
}

static bool touches_window(const struct plan *plan, const struct nsc_filter_term *term,
                           nsc_event row)
{
    nsc_time start = plan->events->start[row];
    nsc_time end = nsc_event_touch_end(plan->events, row);

    for (uint32_t k = 0; k < term->n; k++)
        if (start < term->values[k].window.t1 && end > term->values[k].window.t0)
            return true;
    return false;
}

static bool row_terms_match(const struct plan *plan, uint32_t track, nsc_event row,
                            struct nsc_filter_hint *hint)
{
    for (uint32_t i = 0; i < plan->filter->n; i++) {
        const struct nsc_filter_term *term = &plan->filter->terms[i];

        if (term->field == NSC_FILTER_TIME && touches_window(plan, term, row) == term->negated)
            return false;
        if (term->field == NSC_FILTER_NVTX &&
            nsc_filter_ranges_hold(plan->ranges[i], plan->trace, track, row, hint) == term->negated)
            return false;
    }
    return true;
}

/* Bits from..to of a word. */
static uint64_t bits_between(uint32_t from, uint32_t to)
{
    return (to < 64 ? ((uint64_t)1 << to) - 1 : UINT64_MAX) & (UINT64_MAX << from);
}

/* The rows base + k, k in [from, to), whose name may pass; *ask: those whose own text decides. */
static uint64_t match_names(const struct plan *plan, nsc_event base, uint32_t from, uint32_t to,
                            uint64_t *ask)
{
    const nsc_name *names = plan->events->name + base;
    uint64_t word = 0;

    *ask = 0;
    if (!plan->verdicts)
        return bits_between(from, to);
    for (uint32_t k = from; k < to; k++) {
        uint8_t verdict = plan->verdicts[names[k]];

        word |= (uint64_t)(verdict != NSC_FILTER_NO) << k;
        *ask |= (uint64_t)(verdict == NSC_FILTER_ASK) << k;
    }
    return word;
}

static uint64_t match_kinds(const struct plan *plan, nsc_event base, uint32_t from, uint32_t to)
{
    const uint8_t *kinds = plan->events->kind + base;
    uint64_t word = 0;

    for (uint32_t k = from; k < to; k++)
        word |= (uint64_t)plan->kinds[kinds[k]] << k;
    return word;
}

static uint64_t match_durations(const struct plan *plan, nsc_event base, uint32_t from, uint32_t to)
{
    uint64_t word = 0;

    for (uint32_t k = from; k < to; k++) {
        nsc_time duration = nsc_event_duration(plan->events, base + k);

        word |= (uint64_t)(duration >= plan->shortest && duration <= plan->longest) << k;
    }
    return word;
}

/* The rows base + k, k in [from, to), that pass, as a word: the cheap tests first, for all. */
static uint64_t match_rows(const struct plan *plan, uint32_t track, nsc_event base, uint32_t from,
                           uint32_t to, struct nsc_filter_hint *hint)
{
    uint64_t ask = 0;
    uint64_t word = match_names(plan, base, from, to, &ask);
    uint64_t each = 0;

    if (word && plan->by_kind)
        word &= match_kinds(plan, base, from, to);
    if (word && (plan->shortest > 0 || plan->longest < INT64_MAX))
        word &= match_durations(plan, base, from, to);
    for (each = plan->by_row ? word : word & ask; each; each &= each - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(each);

        if ((plan->by_row && !row_terms_match(plan, track, base + k, hint)) ||
            (ask >> k & 1 && !text_matches(plan, base + k)))
            word &= ~((uint64_t)1 << k);
    }
    return word;
}

/* Leaves out rows of the lane that end before the window or start after it. */
static void narrow_rows(const struct plan *plan, uint32_t lane, nsc_event *row, nsc_event *stop)
{
    nsc_event from = 0;
    nsc_event to = 0;

    if (plan->window.t0 == INT64_MIN && plan->window.t1 == INT64_MAX)
        return;
    from = nsc_lane_find(plan->trace, lane, plan->window.t0);
    to = nsc_lane_find(plan->trace, lane, plan->window.t1); /* may start before the end */
    *row = from > *row ? from : *row;
    *stop = to < *stop ? to + 1 : *stop;
}

static void filter_rows(void *context, unsigned worker, uint32_t task)
{
    struct plan *plan = context;
    nsc_event row = task * TASK_WORDS * 64;
    uint32_t left = plan->events->n - row;
    nsc_event end = left > TASK_WORDS * 64 ? row + TASK_WORDS * 64 : plan->events->n;
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(plan->trace, &n_lanes);
    struct nsc_filter_hint hint = {0};

    (void)worker;
    for (uint32_t lane = nsc_trace_lane_of(plan->trace, row); row < end; lane++) {
        nsc_event next = lanes[lane].first + lanes[lane].n;
        nsc_event stop = next < end ? next : end;

        narrow_rows(plan, lane, &row, &stop);
        while (plan->tracks[lanes[lane].track] && row < stop) {
            nsc_event base = row & ~63u;
            uint32_t to = stop - base < 64 ? stop - base : 64;

            plan->mask[row >> 6] |=
                match_rows(plan, lanes[lane].track, base, row - base, to, &hint);
            row = base + to;
        }
        row = next;
    }
}

/* ---- the whole
 * ----------------------------------------------------------------------------------------------------
 */

static void make_plan(struct plan *plan, struct nsc_pool *pool)
{
    uint32_t n_tracks = 0;
    uint32_t n_names = nsc_trace_names(plan->trace)->n;
    bool names = false;

    (void)nsc_trace_tracks(plan->trace, &n_tracks);
    plan->tracks = nsc_xmalloc((size_t)n_tracks + 1);
    memset(plan->tracks, true, n_tracks);
    memset(plan->kinds, true, sizeof plan->kinds);
    for (uint32_t i = 0; i < plan->filter->n; i++) {
        plan_term(plan, i);
        names = names || is_name_term(&plan->filter->terms[i]);
    }
    if (!names)
        return;
    plan->verdicts = nsc_xmalloc((size_t)n_names + 1);
    nsc_pool_run(pool, n_names / TASK_NAMES + (n_names % TASK_NAMES != 0), judge_names, plan);
}

static void end_plan(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->filter->n; i++)
        nsc_filter_ranges_free(plan->ranges[i]);
    free(plan->verdicts);
    free(plan->tracks);
}

uint64_t *nsc_filter_apply(const struct nsc_filter *filter, const struct nsc_trace *trace,
                           struct nsc_pool *pool)
{
    struct plan plan = {.filter = filter,
                        .trace = trace,
                        .events = nsc_trace_events(trace),
                        .longest = INT64_MAX,
                        .window = {INT64_MIN, INT64_MAX}};
    size_t words = nsc_bits_words(plan.events->n);
    struct nsc_pool *own = NULL;

    plan.mask = calloc(words + 1, sizeof *plan.mask); /* never of no bytes */
    if (!plan.mask)
        return NULL;
    if (!pool)
        pool = own = nsc_pool_new(0);
    make_plan(&plan, pool);
    nsc_pool_run(pool, (uint32_t)((words + TASK_WORDS - 1) / TASK_WORDS), filter_rows, &plan);
    end_plan(&plan);
    nsc_pool_free(own);
    return plan.mask;
}
