/* Finds iterations by the outermost NVTX ranges that recur on a thread and launch the GPU work: of one
 * name, or of several in turn. */
#include "analysis/ranges/iteration_marks.h"
#include "analysis/ranges/iteration_period.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/lane_merge.h"

#include <stdlib.h>

/* ---- the sequence ---- */

/* Whether a kernel is launched in [t0, t1); skips the positions before t0. */
static bool launches_kernel(const struct nsc_mark_list *ranges, struct nsc_positions *left,
                            nsc_time t0, nsc_time t1)
{
    const struct nsc_launches *launches = ranges->search->launches;
    uint32_t end;

    left->first = nsc_launches_find_ahead(launches, *left, t0);
    end = nsc_launches_find_ahead(launches, *left, t1);
    for (uint32_t at = left->first; at < end; at++) {
        uint8_t kind = ranges->search->events->kind[nsc_launches_op(launches, at)];

        if (kind == NSC_KIND_KERNEL || kind == NSC_KIND_GRAPH)
            return true;
    }
    return false;
}

struct tokens {
    NSC_VEC(uint32_t) symbols;
    NSC_VEC(uint32_t) marks; /* mark of each token; NSC_NONE: work between ranges */
    NSC_VEC(uint8_t) traits;
    struct nsc_strpool texts; /* texts of parts, which differ in their numbers */
    uint32_t *by_pattern; /* the symbol of each pattern; NSC_NONE: not looked up, or of a part */
};

static void add_token(struct tokens *tokens, uint32_t symbol, uint32_t mark, uint8_t traits)
{
    while (tokens->traits.n <= symbol)
        *NSC_VEC_ADD(&tokens->traits) = 0;
    tokens->traits.at[symbol] = traits;
    *NSC_VEC_ADD(&tokens->symbols) = symbol;
    *NSC_VEC_ADD(&tokens->marks) = mark;
}

/* Whether the name is like a pass of a server over its requests; image decoding is not. */
static bool is_served(struct nsc_text name)
{
    static const char *const passes[] = {"prefill", "decode", "extend", NULL};
    static const char *const others[] = {"decoder", "jpeg",  "jpg",   "png",   "image",
                                         "video",   "audio", "frame", "batch", NULL};

    return nsc_text_contains_any(name, passes) && !nsc_text_contains_any(name, others);
}

/* Symbols are patterns, then texts of parts: "layer 0" differs from "layer 1", but "step 0" equals
 * "step 1". Prefill and decode are iterations of two kinds. */
static uint32_t symbol_of(struct nsc_mark_list *ranges, struct tokens *tokens,
                          const struct nsc_mark *mark)
{
    static const char served[] = "prefill or decode";
    struct nsc_text name = nsc_strpool_text(&ranges->search->patterns, mark->pattern);
    uint32_t *symbol = &tokens->by_pattern[mark->pattern];
    char scratch[NSC_NAME_BYTES];

    if (*symbol != NSC_NONE)
        return *symbol;
    if (is_served(name)) {
        *symbol = nsc_strpool_add(&tokens->texts, served, sizeof served - 1);
    } else if (ranges->search->traits.at[mark->pattern] & NSC_TRAIT_PART) {
        name = nsc_trace_event_text(ranges->search->trace, mark->row, false, scratch);
        return nsc_strpool_add(&tokens->texts, name.bytes, name.n);
    } else {
        *symbol = nsc_strpool_add(&tokens->texts, name.bytes, name.n);
    }
    return *symbol;
}

static void make_tokens(struct nsc_mark_list *ranges, struct tokens *tokens)
{
    static const char between[] = "\x01 between ranges";
    const struct nsc_events *events = ranges->search->events;
    nsc_time end = INT64_MIN; /* only grows */
    struct nsc_positions left = nsc_launches_of_track(ranges->search->launches, ranges->group);

    tokens->by_pattern = nsc_xmalloc(((size_t)ranges->n_patterns + 1) * sizeof(uint32_t));
    for (uint32_t p = 0; p < ranges->n_patterns; p++)
        tokens->by_pattern[p] = NSC_NONE;
    for (size_t i = 0; i < ranges->marks.n; i++) {
        const struct nsc_mark *mark = &ranges->marks.at[i];

        if (!ranges->search->by_time && end != INT64_MIN &&
            launches_kernel(ranges, &left, end, events->start[mark->row]))
            add_token(tokens, nsc_strpool_add(&tokens->texts, between, sizeof between - 1),
                      NSC_NONE, NSC_TRAIT_BORDER);
        if (mark->works)
            add_token(tokens, symbol_of(ranges, tokens, mark), (uint32_t)i,
                      ranges->search->traits.at[mark->pattern]);
        end = nsc_later(end, nsc_event_touch_end(events, mark->row));
    }
    while (tokens->traits.n < tokens->texts.n)
        *NSC_VEC_ADD(&tokens->traits) = 0;
}

static void free_tokens(struct tokens *tokens)
{
    NSC_VEC_FINI(&tokens->symbols);
    NSC_VEC_FINI(&tokens->marks);
    NSC_VEC_FINI(&tokens->traits);
    nsc_strpool_fini(&tokens->texts);
    free(tokens->by_pattern);
}

/* ---- from starts to iterations ---- */

struct starts { /* iterations, as indices in marks */
    uint32_t *at;
    uint32_t n;
    double steady;
    nsc_str single; /* the only pattern; NSC_NONE: several */
};

/* The pattern that launches nearly all work of the iterations, once in most of them; NSC_NONE. */
static nsc_str find_single(const struct nsc_mark_list *ranges, const struct starts *starts)
{
    nsc_time all = 0;
    nsc_str best = 0;

    for (uint32_t p = 0; p < ranges->n_patterns; p++) {
        if (!ranges->tallies[p].usual)
            continue;
        all = nsc_sum(all, ranges->tallies[p].weight);
        if (ranges->tallies[p].weight > ranges->tallies[best].weight ||
            !ranges->tallies[best].usual)
            best = p;
    }
    if (ranges->tallies[best].n > starts->n ||
        ranges->tallies[best].n < NSC_SHARE(NEARLY_ALL) * starts->n ||
        ranges->tallies[best].n < NSC_LIMIT_ITERATIONS ||
        (double)ranges->tallies[best].weight < NSC_SHARE(NEARLY_ALL) * (double)all)
        return NSC_NONE;
    return best;
}

static void restart_at(struct starts *starts, const struct nsc_mark_list *ranges, nsc_str pattern)
{
    starts->n = 0;
    starts->single = pattern;
    starts->at =
        nsc_xrealloc(starts->at, (size_t)ranges->tallies[pattern].n + 1, sizeof *starts->at);
    for (size_t i = 0; i < ranges->marks.n; i++)
        if (ranges->marks.at[i].pattern == pattern)
            starts->at[starts->n++] = (uint32_t)i;
}

/* Whether consecutive iterations name the same parts (layers). Otherwise the parts recur, not the
 * iteration. */
static bool has_same_parts(const struct tokens *tokens, const struct nsc_period *period)
{
    uint32_t i = period->n / 2;
    uint32_t end = i + 2 < period->n ? period->start[i + 2] : (uint32_t)tokens->symbols.n;
    bool any = false;

    for (uint32_t a = period->start[i]; a < period->start[i + 1]; a++) {
        if (!(tokens->traits.at[tokens->symbols.at[a]] & NSC_TRAIT_PART))
            continue;
        any = true;
        for (uint32_t b = period->start[i + 1]; b < end; b++)
            if (tokens->symbols.at[a] == tokens->symbols.at[b])
                return true;
    }
    return !any;
}

/* Starts an iteration at the first range of each period, and counts the ranges inside. */
static void take_periods(struct starts *starts, struct nsc_mark_list *ranges,
                         const struct tokens *tokens, const struct nsc_period *period)
{
    *starts = (struct starts){period->start, 0, period->steady, NSC_NONE};
    for (uint32_t i = 0; i < period->n; i++) {
        uint32_t at = period->start[i];

        for (uint32_t k = at; k < at + period->length && k < tokens->symbols.n; k++)
            if (tokens->marks.at[k] != NSC_NONE && i > 0 && i + 1 < period->n)
                ranges->tallies[ranges->marks.at[tokens->marks.at[k]].pattern].in++;
        while (at < tokens->marks.n && tokens->marks.at[at] == NSC_NONE)
            at++; /* work before the first range of an iteration cannot be shown as a range */
        if (at < tokens->marks.n)
            starts->at[starts->n++] = tokens->marks.at[at];
    }
}

/* Uses the period of the sequence of ranges. */
static bool start_by_period(struct starts *starts, struct nsc_mark_list *ranges)
{
    struct tokens tokens = {0};
    struct nsc_sequence sequence;
    struct nsc_period period;
    bool found;

    nsc_strpool_init(&tokens.texts);
    make_tokens(ranges, &tokens);
    sequence = (struct nsc_sequence){.symbol = tokens.symbols.at,
                                     .n = (uint32_t)tokens.symbols.n,
                                     .n_symbols = tokens.texts.n,
                                     .traits = tokens.traits.at};
    found = tokens.symbols.n >= NSC_LIMIT_ITERATIONS && nsc_period_find(&period, &sequence);
    if (found && !has_same_parts(&tokens, &period)) {
        ranges->search->n_parts = period.n;
        free(period.start);
        found = false;
    }
    if (found) {
        take_periods(starts, ranges, &tokens, &period);
        for (uint32_t p = 0; p < ranges->n_patterns; p++)
            ranges->tallies[p].usual = 2 * ranges->tallies[p].in >= period.n - 1 ||
                                       (is_served(nsc_strpool_text(&ranges->search->patterns, p)) &&
                                        ranges->tallies[p].n > 0);
        starts->single = find_single(ranges, starts);
        if (starts->single != NSC_NONE && ranges->tallies[starts->single].n < starts->n)
            starts->steady = 1;
        if (starts->single != NSC_NONE)
            restart_at(starts, ranges, starts->single);
    }
    free_tokens(&tokens);
    return found;
}

/* Collects the ranges of an iteration, and those with other names after its last one. */
static void fill_iteration(struct nsc_found *found, struct nsc_mark_list *ranges,
                           const struct starts *starts, uint32_t i, size_t end)
{
    const struct nsc_events *events = ranges->search->events;
    struct nsc_iteration *to = &found->at[i];
    size_t first = starts->at[i];
    size_t last = first;

    for (size_t k = first; k < end; k++)
        if (ranges->tallies[ranges->marks.at[k].pattern].usual)
            last = k;
    for (size_t k = first; k < end; k++) {
        struct nsc_mark_tally *of = &ranges->tallies[ranges->marks.at[k].pattern];

        if (starts->single == NSC_NONE ? of->usual : ranges->marks.at[k].pattern == starts->single)
            to->in_ranges =
                nsc_sum(to->in_ranges, nsc_event_duration(events, ranges->marks.at[k].row));
        if (of->last != i + 1)
            of->in++;
        of->last = i + 1;
    }
    if (i + 1 == found->n)
        to->host.t1 = nsc_event_touch_end(events, ranges->marks.at[last].row);
}

/* Adds the ranges after an iteration's last one that most iterations do not have. If one name marks the
 * iterations, all other ranges lie between them: the next batch may be fetched after an evaluation. */
static void add_interludes(struct nsc_found *found, const struct nsc_mark_list *ranges, uint32_t i,
                           const struct starts *starts)
{
    const struct nsc_events *events = ranges->search->events;
    struct nsc_interlude *open = NULL;
    size_t end = starts->at[i + 1];
    size_t last = starts->at[i];

    for (size_t k = last; k < end && starts->single == NSC_NONE; k++)
        if (ranges->tallies[ranges->marks.at[k].pattern].usual)
            last = k;
    for (size_t k = last + 1; k < end; k++) {
        const struct nsc_mark *mark = &ranges->marks.at[k];
        nsc_time t1 = nsc_earlier(nsc_event_touch_end(events, mark->row), found->at[i].host.t1);

        if (2 * ranges->tallies[mark->pattern].in >= found->n)
            continue;
        if (open && nsc_search_pattern(ranges->search, open->event) == mark->pattern) {
            open->n++;
            open->window.t1 = nsc_later(open->window.t1, t1);
            continue;
        }
        open = NSC_VEC_ADD(&found->interludes);
        *open = (struct nsc_interlude){
            .window = {events->start[mark->row], t1}, .event = mark->row, .n = 1, .after = i};
    }
}

/* Merges starts at the same instant. */
static void drop_equal_starts(struct starts *starts, const struct nsc_mark_list *ranges)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < starts->n; i++)
        if (n == 0 ||
            ranges->marks.at[starts->at[n - 1]].start < ranges->marks.at[starts->at[i]].start)
            starts->at[n++] = starts->at[i];
    starts->n = n;
}

static void fill_found(struct nsc_found *found, struct nsc_mark_list *ranges,
                       const struct starts *starts)
{
    const struct nsc_events *events = ranges->search->events;
    struct nsc_gpu_figures *asides = nsc_xcalloc((size_t)starts->n + 1, sizeof *asides);
    uint32_t n_asides = 0;

    found->n = starts->n;
    found->process = ranges->process;
    found->at = nsc_xcalloc((size_t)starts->n + 1, sizeof *found->at);
    for (uint32_t p = 0; p < ranges->n_patterns; p++)
        ranges->tallies[p].in = ranges->tallies[p].last = 0;
    for (uint32_t i = 0; i < starts->n; i++) {
        size_t end = i + 1 < starts->n ? starts->at[i + 1] : ranges->marks.n;
        nsc_event row = ranges->marks.at[starts->at[i]].row;

        found->at[i].event = row;
        found->at[i].host.t0 = events->start[row];
        if (i > 0)
            found->at[i - 1].host.t1 = events->start[row];
        fill_iteration(found, ranges, starts, i, end);
    }
    for (uint32_t i = 0; i + 1 < starts->n; i++) {
        asides[i] = nsc_marks_unmarked(ranges, starts->at[i], starts->at[i + 1]);
        n_asides += asides[i].ops > 0;
    }
    for (uint32_t i = 0; i + 1 < starts->n; i++) {
        add_interludes(found, ranges, i, starts);
        if (2 * n_asides < starts->n && asides[i].ops > 0)
            nsc_found_add_aside(found, events, i, asides[i].work, asides[i].first);
    }
    free(asides);
}

static void describe(struct nsc_found *found, const struct nsc_mark_list *ranges,
                     const struct starts *starts)
{
    uint8_t traits = 0;

    found->by = starts->single == NSC_NONE ? NSC_ITERATIONS_BY_GROUP : NSC_ITERATIONS_BY_RANGE;
    found->track = ranges->track;
    found->pattern = starts->single;
    found->steady = starts->steady;
    for (size_t k = starts->at[0]; k < ranges->marks.n; k++) {
        nsc_str pattern = ranges->marks.at[k].pattern;

        if (!ranges->tallies[pattern].usual || ranges->tallies[pattern].last == NSC_NONE ||
            (starts->single != NSC_NONE && pattern != starts->single))
            continue;
        nsc_search_label(found->label, ranges->search, pattern);
        traits |= ranges->search->traits.at[pattern];
        ranges->tallies[pattern].last = NSC_NONE; /* count each pattern once */
    }
    found->hinted = (traits & NSC_TRAIT_STEP) != 0;
}

static nsc_time weight_inside(const struct nsc_mark_list *ranges, const struct starts *starts)
{
    nsc_time inside = 0;

    for (size_t k = starts->at[0]; k < ranges->marks.n; k++)
        if (ranges->tallies[ranges->marks.at[k].pattern].usual)
            inside = nsc_sum(inside, ranges->marks.at[k].weight);
    return inside;
}

static double coverage_of(const struct nsc_mark_list *ranges, const struct starts *starts)
{
    nsc_time inside = weight_inside(ranges, starts);

    return ranges->whole > 0 ? (double)inside / (double)ranges->whole : 0;
}

static nsc_time kernel_time(const struct nsc_mark_list *ranges, nsc_time t0, nsc_time t1)
{
    return nsc_search_compute_time(ranges->search, ranges->process, (struct nsc_window){t0, t1});
}

/* The same for the work of the loop, without evaluations and checkpoints in it. Before and after
 * it, copies and communication (they load and distribute the model) and ranges that occur once or
 * twice (a final evaluation) do not count, if the loop takes a good part of all. */
static double coverage_of_loop(const struct nsc_mark_list *ranges, const struct starts *starts)
{
    const struct nsc_events *events = ranges->search->events;
    const struct nsc_mark *last = &ranges->marks.at[starts->at[starts->n - 1]];
    nsc_time inside = weight_inside(ranges, starts);
    nsc_time t0 = ranges->marks.at[starts->at[0]].start;
    nsc_time t1 = nsc_event_touch_end(events, last->row);
    nsc_time whole;
    nsc_time aside;

    if (ranges->search->by_time)
        return coverage_of(ranges, starts);
    for (size_t k = starts->at[starts->n - 1]; k < ranges->marks.n; k++)
        if (ranges->tallies[ranges->marks.at[k].pattern].usual)
            t1 = nsc_later(t1, nsc_event_touch_end(events, ranges->marks.at[k].row));
    whole = nsc_sum(kernel_time(ranges, INT64_MIN, t0), kernel_time(ranges, t1, INT64_MAX));
    for (size_t k = 0; k < ranges->marks.n; k++) {
        const struct nsc_mark *mark = &ranges->marks.at[k];
        nsc_time end = nsc_event_touch_end(events, mark->row);

        if ((end <= t0 || mark->start >= t1) &&
            ranges->tallies[mark->pattern].n < NSC_LIMIT_ITERATIONS)
            whole = nsc_later(0, whole - kernel_time(ranges, mark->start, end));
    }
    whole = nsc_sum(
        whole, nsc_search_work(ranges->search, ranges->process, (struct nsc_window){t0, t1}).work);
    aside = nsc_marks_aside(ranges, t0, t1);
    whole = nsc_later(0, whole - aside);
    if (whole <= 0 || (double)inside < NSC_SHARE(FIFTH) * (double)(ranges->whole - aside))
        return 0;
    return (double)nsc_earlier(inside, whole) / (double)whole;
}

/* Whether a covers more than b. Nearly equal coverage is a tie; then the name decides, then the
 * order. */
static bool is_better(const struct nsc_found *a, const struct nsc_found *b)
{
    if (b->n == 0 || a->coverage > b->coverage + 0.05)
        return true;
    if (a->coverage < b->coverage - 0.05)
        return false;
    return a->hinted && !b->hinted;
}

static void keep_better(struct nsc_found *best, struct nsc_found *found)
{
    struct nsc_found worse = *found;

    if (is_better(found, best)) {
        worse = *best;
        *best = *found;
    }
    nsc_found_fini(&worse);
}

static void search_track(struct nsc_mark_list *ranges, struct nsc_found *best,
                         uint32_t *n_recurring)
{
    struct nsc_found found = {0};
    struct starts starts = {0};

    nsc_marks_gather(ranges);
    if (ranges->marks.n >= NSC_LIMIT_ITERATIONS && start_by_period(&starts, ranges)) {
        double coverage = coverage_of_loop(ranges, &starts);

        *n_recurring += starts.n >= NSC_LIMIT_ITERATIONS;
        drop_equal_starts(&starts, ranges);
        if (starts.n >= NSC_LIMIT_ITERATIONS && coverage >= NSC_SHARE(MOST) &&
            !nsc_marks_overlap(ranges, starts.single)) {
            found.loop_coverage = coverage;
            found.coverage = coverage_of(ranges, &starts);
            found.coverage = found.coverage < 1 ? found.coverage : 1;
            fill_found(&found, ranges, &starts);
            describe(&found, ranges, &starts);
            keep_better(best, &found);
        }
    }
    free(starts.at);
}

/* Whether no other track can be better: it launches nearly all work and is named like a step. */
static bool is_best(const struct nsc_found *found)
{
    return found->n > 0 && found->hinted && found->coverage >= 0.95;
}

void nsc_search_ranges(struct nsc_iteration_search *search,
                       const struct nsc_search_process *process, struct nsc_found *best,
                       uint32_t *n_recurring)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(search->trace, &n);
    struct nsc_mark_list ranges = {.search = search, .process = process};

    for (int pass = 0; pass < 2 && !is_best(best); pass++) /* the main thread first */
        for (uint32_t t = process->first;
             t < n && tracks[t].process == process->process && !is_best(best); t++) {
            if (!(NSC_RANGE_TRACKS & NSC_TRACK_BIT(tracks[t].kind)) ||
                (tracks[t].tid == tracks[t].pid) != (pass == 0) ||
                nsc_search_is_never(search->trace, t))
                continue;
            ranges.track = t;
            ranges.group = nsc_trace_group_of(search->trace, t);
            ranges.takes_all = !search->by_time && nsc_search_drives(search, process, ranges.group);
            search_track(&ranges, best, n_recurring);
        }
    nsc_marks_fini(&ranges);
}

/* ---- ranges that the user names ---- */

static nsc_time time_of(const struct nsc_mark_list *ranges, nsc_str pattern)
{
    nsc_time time = 0;

    for (size_t i = 0; i < ranges->marks.n; i++)
        if (ranges->marks.at[i].pattern == pattern)
            time =
                nsc_sum(time, nsc_event_duration(ranges->search->events, ranges->marks.at[i].row));
    return time;
}

struct named {
    nsc_str pattern; /* NSC_NONE: none so far */
    uint32_t lane;
    nsc_time time;
};

/* The name with this part in the lane where it covers the most time. */
static void try_lane(struct named *best, struct nsc_mark_list *ranges, uint32_t lane,
                     struct nsc_text part)
{
    nsc_marks_of_lane(ranges, lane);
    for (nsc_str p = 0; p < ranges->n_patterns; p++) {
        nsc_time time = 0;

        if (ranges->tallies[p].n == 0 ||
            !nsc_text_contains_folded(nsc_strpool_text(&ranges->search->patterns, p), part))
            continue;
        time = time_of(ranges, p);
        if (best->pattern == NSC_NONE || time > best->time)
            *best = (struct named){p, lane, time};
    }
}

void nsc_search_named(struct nsc_iteration_search *search, const struct nsc_search_process *process,
                      struct nsc_text part, struct nsc_found *best)
{
    uint32_t n = 0, end = process->first;
    const struct nsc_track *tracks = nsc_trace_tracks(search->trace, &n);
    struct named named = {.pattern = NSC_NONE};
    struct nsc_mark_list ranges = {.search = search, .process = process, .whole = process->work};

    while (end < n && tracks[end].process == process->process)
        end++;
    for (struct nsc_lane_walk at =
             nsc_track_lanes(search->trace, process->first, end, NSC_RANGE_TRACKS);
         nsc_lane_walk_next(&at);)
        try_lane(&named, &ranges, at.lane, part);
    if (named.pattern != NSC_NONE) {
        struct starts starts = {.steady = 1};
        struct nsc_found found = {0};

        nsc_marks_of_lane(&ranges, named.lane);
        ranges.tallies[named.pattern].usual = true;
        restart_at(&starts, &ranges, named.pattern);
        drop_equal_starts(&starts, &ranges);
        found.coverage = found.loop_coverage = coverage_of(&ranges, &starts);
        fill_found(&found, &ranges, &starts);
        describe(&found, &ranges, &starts);
        keep_better(best, &found);
        free(starts.at);
    }
    nsc_marks_fini(&ranges);
}
