/* Sums the gaps of a device. */
#include "analysis/device/idle.h"

#include "analysis/base/shared.h"
#include "analysis/base/tally.h"
#include "analysis/names/label.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

struct group { /* causes with equal names; one per row of the tally */
    struct nsc_idle_cause cause;
    nsc_time in_gap, longest;
    uint32_t gap;         /* number of the gap in in_gap */
    uint32_t inside;      /* row of the tally inside that was counted last */
    uint64_t inside_name; /* its name; 0: none */
};

enum { RECENT = 256 };

struct totals {
    struct nsc_idle *idle;
    struct nsc_gap_walk walk;
    struct nsc_tally tally;
    uint32_t recent[RECENT];  /* rows of the tally, each in a place that its keys tell */
    struct nsc_tally inside;  /* by group and name of the call inside */
    NSC_VEC(nsc_event) inner; /* one call per name and group */
    bool has_samples;
    struct nsc_tally samples;   /* by group and function; total: number of samples */
    NSC_VEC(nsc_event) sampled; /* one sample each */
    NSC_VEC(struct group) groups;
    NSC_VEC(uint32_t) touched; /* groups of the current gap */
};

static const nsc_time size_limits[NSC_IDLE_SIZES - 1] = {10000, 100000, 1000000};

static void keep_longest(struct nsc_idle *idle, const struct nsc_idle_gap *gap)
{
    nsc_time length = nsc_span(gap->of.start, gap->of.end);
    uint32_t at = idle->n_longest;

    while (at > 0 &&
           nsc_span(idle->longest[at - 1].of.start, idle->longest[at - 1].of.end) < length)
        at--;
    if (at == NSC_IDLE_LONGEST)
        return;
    if (idle->n_longest < NSC_IDLE_LONGEST)
        idle->n_longest++;
    memmove(&idle->longest[at + 1], &idle->longest[at],
            (idle->n_longest - 1 - at) * sizeof *idle->longest);
    idle->longest[at] = *gap;
}

/* ---- causes ---- */

static uint64_t name_of(const struct totals *totals, nsc_event row)
{
    return row == NSC_NONE ? 0
                           : (uint64_t)nsc_trace_events(totals->walk.scope->trace)->name[row] + 1;
}

static uint32_t find_row(struct totals *totals, uint64_t call, uint64_t place)
{
    uint32_t *recent = &totals->recent[(call + (call >> 32) + 7 * place) % RECENT];
    const struct nsc_tally_row *row =
        *recent < totals->tally.rows.n ? &totals->tally.rows.at[*recent] : NULL;

    if (!row || row->key[0] != call || row->key[1] != place)
        *recent = nsc_tally_group(&totals->tally, call, place);
    return *recent;
}

static struct group *find_group(struct totals *totals, const struct nsc_gap_piece *piece)
{
    uint32_t at = find_row(totals, (uint64_t)piece->part << 32 | name_of(totals, piece->call),
                           (uint64_t)(piece->thread + 1) << 32 | name_of(totals, piece->range));

    if (at == totals->groups.n)
        *NSC_VEC_ADD(&totals->groups) = (struct group){.cause = {.part = piece->part,
                                                                 .call = piece->call,
                                                                 .inside = NSC_NONE,
                                                                 .range = piece->range,
                                                                 .thread = piece->thread},
                                                       .gap = NSC_NONE};
    return &totals->groups.at[at];
}

/* Counts the CPU samples of a thread in a piece in which it works. */
static void add_samples(struct totals *totals, uint32_t group, const struct nsc_gap_piece *piece)
{
    const struct nsc_trace *trace = totals->walk.scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    bool is_work =
        piece->part == NSC_GAP_CPU || (piece->part == NSC_GAP_DRAINED && piece->inside == NSC_NONE);

    if (!is_work || piece->thread == NSC_NONE)
        return;
    for (uint32_t t = piece->thread; t < tracks[piece->thread].skip; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_SAMPLES && k < tracks[t].n_lanes; k++) {
            uint32_t number = tracks[t].first_lane + k;
            const struct nsc_lane *lane = &nsc_trace_lanes(trace, NULL)[number];
            uint32_t *near = &totals->walk.host.near[number];
            nsc_event row = nsc_lane_find_near(trace, number, piece->start, lane->first + *near);

            *near = row - lane->first;
            for (; row - lane->first < lane->n && events->start[row] < piece->end; row++)
                if (nsc_tally_add(&totals->samples, group, name_of(totals, row), 1) ==
                    totals->sampled.n)
                    *NSC_VEC_ADD(&totals->sampled) = row;
        }
}

/* Counts the call inside that of the piece; mostly it has the name of the one before. */
static void add_inside(struct totals *totals, struct group *group,
                       const struct nsc_gap_piece *piece)
{
    uint64_t name = name_of(totals, piece->inside);

    if (group->inside_name != name) {
        group->inside_name = name;
        group->inside =
            nsc_tally_group(&totals->inside, (uint64_t)(group - totals->groups.at), name);
        if (group->inside == totals->inner.n)
            *NSC_VEC_ADD(&totals->inner) = piece->inside;
    }
    nsc_tally_count(&totals->inside, group->inside, nsc_span(piece->start, piece->end));
}

static void add_piece(struct totals *totals, const struct nsc_gap_piece *piece)
{
    nsc_time length = nsc_span(piece->start, piece->end);
    struct group *group = find_group(totals, piece);

    if (group->gap != totals->idle->n_gaps) {
        *NSC_VEC_ADD(&totals->touched) = (uint32_t)(group - totals->groups.at);
        group->gap = totals->idle->n_gaps;
        group->in_gap = 0;
        group->cause.gaps++;
    }
    group->in_gap += length;
    totals->idle->part[piece->part] = nsc_sum(totals->idle->part[piece->part], length);
    group->cause.ns = nsc_sum(group->cause.ns, length);
    if (length > group->longest) {
        group->longest = length;
        group->cause.call = piece->call;
        group->cause.range = piece->range;
    }
    if (totals->has_samples)
        add_samples(totals, (uint32_t)(group - totals->groups.at), piece);
    if (piece->inside != NSC_NONE)
        add_inside(totals, group, piece);
}

static void name_inside(struct totals *totals)
{
    for (size_t i = 0; i < totals->inside.rows.n; i++) {
        const struct nsc_tally_row *row = &totals->inside.rows.at[i];
        struct nsc_idle_cause *cause = &totals->groups.at[row->key[0]].cause;

        if (row->total < cause->ns / 2 || row->total <= cause->inside_ns)
            continue;
        cause->inside = totals->inner.at[i];
        cause->inside_ns = row->total;
    }
}

/* Sets call and range of a cause from the current gap's own pieces. */
static void place_cause(const struct totals *totals, struct nsc_idle_cause *cause)
{
    nsc_time longest = 0;

    for (size_t i = 0; i < totals->walk.pieces.n; i++) {
        const struct nsc_gap_piece *piece = &totals->walk.pieces.at[i];

        if (piece->part != cause->part || piece->thread != cause->thread ||
            name_of(totals, piece->call) != name_of(totals, cause->call) ||
            name_of(totals, piece->range) != name_of(totals, cause->range) ||
            nsc_span(piece->start, piece->end) <= longest)
            continue;
        longest = nsc_span(piece->start, piece->end);
        cause->call = piece->call;
        cause->inside = piece->inside;
        cause->range = piece->range;
    }
}

/* The largest cause of the current gap. Sets the range with the most late time. */
static struct nsc_idle_cause judge_gap(struct totals *totals, struct nsc_gap *gap)
{
    const struct group *largest = NULL, *late = NULL;
    struct nsc_idle_cause cause;

    for (size_t i = 0; i < totals->touched.n; i++) {
        const struct group *group = &totals->groups.at[totals->touched.at[i]];

        if (!largest || group->in_gap > largest->in_gap)
            largest = group;
        if (group->cause.part < NSC_GAP_LATE && group->in_gap > (late ? late->in_gap : 0))
            late = group;
    }
    if (late) {
        cause = late->cause;
        place_cause(totals, &cause);
        gap->range = cause.range;
    }
    if (!largest)
        return (struct nsc_idle_cause){.part = NSC_GAP_UNKNOWN};
    cause = (struct nsc_idle_cause){.part = largest->cause.part,
                                    .call = largest->cause.call,
                                    .inside = NSC_NONE,
                                    .range = largest->cause.range,
                                    .thread = largest->cause.thread,
                                    .ns = largest->in_gap};
    place_cause(totals, &cause);
    return cause;
}

static void add_gap(struct totals *totals, struct nsc_gap *gap)
{
    struct nsc_idle *idle = totals->idle;
    nsc_time length = nsc_span(gap->start, gap->end);
    struct nsc_idle_gap told;
    uint32_t size = 0;

    while (size < NSC_IDLE_SIZES - 1 && length >= size_limits[size])
        size++;
    idle->sizes[size]++;
    idle->n_gaps++;
    idle->idle = nsc_sum(idle->idle, length);
    NSC_VEC_CLEAR(&totals->touched);
    for (size_t i = 0; i < totals->walk.pieces.n; i++)
        add_piece(totals, &totals->walk.pieces.at[i]);
    if (gap->drained != NSC_NONE)
        idle->after_drain = nsc_sum(idle->after_drain, nsc_gap_late(gap));
    if (idle->n_longest < NSC_IDLE_LONGEST ||
        length > nsc_span(idle->longest[NSC_IDLE_LONGEST - 1].of.start,
                          idle->longest[NSC_IDLE_LONGEST - 1].of.end)) {
        told.cause = judge_gap(totals, gap);
        told.of = *gap;
        keep_longest(idle, &told);
    }
}

/* ---- the end: names that differ only in numbers are one ---- */

static uint32_t fold_range(const struct totals *totals, struct nsc_strpool *pool, nsc_event range)
{
    char name[NSC_NAME_BYTES];

    if (range == NSC_NONE)
        return 0;
    return nsc_strpool_add(pool, name,
                           nsc_label_pattern(name, totals->walk.scope->trace, range, true)) +
           1;
}

static int compare_causes(const void *a, const void *b)
{
    const struct nsc_idle_cause *x = a;
    const struct nsc_idle_cause *y = b;

    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->part != y->part)
        return (int)x->part - (int)y->part;
    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    return x->call < y->call ? -1 : x->call > y->call;
}

static void merge_cause(const struct totals *totals, struct nsc_idle_cause *into,
                        const struct nsc_idle_cause *of)
{
    into->is_mixed |= name_of(totals, into->range) != name_of(totals, of->range);
    into->ns = nsc_sum(into->ns, of->ns);
    into->inside_ns = nsc_sum(into->inside_ns, of->inside_ns);
    into->inside = into->inside == NSC_NONE ? of->inside : into->inside;
    into->gaps += of->gaps;
}

/* Whether the name is a function's, not an address or a mark such as "[Max depth]". */
static bool is_function(const struct totals *totals, nsc_event sample)
{
    const struct nsc_trace *trace = totals->walk.scope->trace;
    struct nsc_text name = nsc_trace_string(
        trace, nsc_trace_names(trace)->full[nsc_trace_events(trace)->name[sample]]);

    return name.n > 0 && name.bytes[0] != '[' && !nsc_text_begins(name, "0x");
}

/* Names the function with the most samples of each cause. cause_of: by group. */
static void name_functions(struct totals *totals, const uint32_t *cause_of)
{
    struct nsc_idle *idle = totals->idle;
    struct nsc_tally folded = {0};
    NSC_VEC(nsc_event) like = {0};
    uint32_t *most = nsc_xcalloc((size_t)idle->n_causes + 1, sizeof *most);

    for (size_t i = 0; i < totals->samples.rows.n; i++) {
        const struct nsc_tally_row *row = &totals->samples.rows.at[i];
        uint32_t cause = cause_of[row->key[0]];

        idle->causes[cause].samples += (uint32_t)row->total;
        if (nsc_tally_add(&folded, cause, row->key[1], row->total) == like.n)
            *NSC_VEC_ADD(&like) = totals->sampled.at[i];
    }
    for (size_t i = 0; i < folded.rows.n; i++) {
        const struct nsc_tally_row *row = &folded.rows.at[i];
        struct nsc_idle_cause *cause = &idle->causes[row->key[0]];

        if (row->total < most[row->key[0]] || cause->samples < NSC_LIMIT_CAUSE_SAMPLES)
            continue;
        cause->in_function = row->total > most[row->key[0]] && is_function(totals, like.at[i])
                                 ? (uint32_t)row->total
                                 : 0; /* a tie */
        cause->function = like.at[i];
        most[row->key[0]] = (uint32_t)row->total;
    }
    free(most);
    NSC_VEC_FINI(&like);
    nsc_tally_fini(&folded);
}

static void fold_causes(struct totals *totals, struct nsc_strpool *pool)
{
    struct nsc_idle *idle = totals->idle;
    struct nsc_tally folded = {0};
    uint32_t *cause_of = nsc_xcalloc(totals->groups.n + 1, sizeof *cause_of);

    idle->causes = nsc_xcalloc(totals->groups.n + 1, sizeof *idle->causes);
    for (size_t i = 0; i < totals->groups.n; i++) {
        const struct nsc_idle_cause *cause = &totals->groups.at[i].cause;
        uint32_t at = nsc_tally_group(&folded, totals->tally.rows.at[i].key[0],
                                      (uint64_t)(cause->thread + 1) << 32 |
                                          fold_range(totals, pool, cause->range));

        cause_of[i] = at;
        if (at == idle->n_causes)
            idle->causes[idle->n_causes++] = *cause;
        else
            merge_cause(totals, &idle->causes[at], cause);
    }
    name_functions(totals, cause_of);
    free(cause_of);
    nsc_tally_fini(&folded);
    if (idle->n_causes > 1)
        qsort(idle->causes, idle->n_causes, sizeof *idle->causes, compare_causes);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct nsc_idle_range *x = a;
    const struct nsc_idle_range *y = b;

    if (x->late != y->late)
        return x->late > y->late ? -1 : 1;
    return x->like < y->like ? -1 : x->like > y->like;
}

static void sum_ranges(struct totals *totals, struct nsc_strpool *pool)
{
    struct nsc_idle *idle = totals->idle;
    struct nsc_tally folded = {0};

    idle->ranges = nsc_xcalloc((size_t)idle->n_causes + 1, sizeof *idle->ranges);
    for (uint32_t i = 0; i < idle->n_causes; i++) {
        const struct nsc_idle_cause *cause = &idle->causes[i];
        uint32_t at;

        if (cause->part >= NSC_GAP_LATE)
            continue;
        at = nsc_tally_group(&folded, fold_range(totals, pool, cause->range), 0);
        if (at == idle->n_ranges)
            idle->ranges[idle->n_ranges++] = (struct nsc_idle_range){.like = cause->range};
        idle->ranges[at].is_mixed |= cause->is_mixed || name_of(totals, cause->range) !=
                                                            name_of(totals, idle->ranges[at].like);
        idle->ranges[at].late = nsc_sum(idle->ranges[at].late, cause->ns);
        idle->ranges[at].gaps += cause->gaps;
    }
    nsc_tally_fini(&folded);
    if (idle->n_ranges > 1)
        qsort(idle->ranges, idle->n_ranges, sizeof *idle->ranges, compare_ranges);
}

static void end_totals(struct totals *totals)
{
    struct nsc_strpool pool;

    nsc_strpool_init(&pool);
    name_inside(totals);
    fold_causes(totals, &pool);
    sum_ranges(totals, &pool);
    nsc_strpool_fini(&pool);
    nsc_gap_walk_fini(&totals->walk);
    nsc_tally_fini(&totals->tally);
    nsc_tally_fini(&totals->inside);
    nsc_tally_fini(&totals->samples);
    NSC_VEC_FINI(&totals->sampled);
    NSC_VEC_FINI(&totals->inner);
    NSC_VEC_FINI(&totals->groups);
    NSC_VEC_FINI(&totals->touched);
}

static bool build_idle(void *answer, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_idle *idle = answer;
    struct totals totals = {.idle = idle};
    struct nsc_gap gap;
    bool result = nsc_gap_walk_init(&totals.walk, scope, device);

    *idle = (struct nsc_idle){.device = device, .window = totals.walk.ops.window};
    for (uint32_t t = 0; t < totals.walk.host.n_tracks; t++)
        totals.has_samples |= nsc_trace_track(scope->trace, t)->kind == NSC_TRACK_SAMPLES;
    while (nsc_gap_walk_next(&totals.walk, &gap))
        add_gap(&totals, &gap);
    idle->busy = nsc_window_length(idle->window) - idle->idle;
    end_totals(&totals);
    return result;
}

static void fini_idle(void *answer)
{
    struct nsc_idle *idle = answer;

    free(idle->causes);
    free(idle->ranges);
}

void nsc_idle_fini(struct nsc_idle *idle)
{
    if (!idle->is_kept)
        fini_idle(idle);
}

bool nsc_idle_build(struct nsc_idle *out, const struct nsc_scope *scope, uint32_t device)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_idle), build_idle, fini_idle};
    bool is_kept;
    bool result = nsc_shared_ask(out, &is_kept, &kind, scope, device);

    out->is_kept = is_kept;
    if (!result)
        nsc_idle_fini(out);
    return result;
}

static nsc_time sum_parts(const struct nsc_idle *idle, int from, int to)
{
    nsc_time sum = 0;

    for (int i = from; i < to; i++)
        sum = nsc_sum(sum, idle->part[i]);
    return sum;
}

nsc_time nsc_idle_late(const struct nsc_idle *idle)
{
    return sum_parts(idle, 0, NSC_GAP_LATE);
}

nsc_time nsc_idle_queued(const struct nsc_idle *idle)
{
    return sum_parts(idle, NSC_GAP_LATE, NSC_GAP_OTHER_GPU);
}

bool nsc_awaits_requests(const struct nsc_trace *trace, nsc_event call)
{
    static const char *const words[] = {"epoll", NULL};

    return call != NSC_NONE &&
           nsc_text_contains_any(
               nsc_trace_string(trace,
                                nsc_trace_names(trace)->full[nsc_trace_events(trace)->name[call]]),
               words);
}

nsc_time nsc_idle_requests(const struct nsc_idle *idle, const struct nsc_trace *trace)
{
    nsc_time sum = 0;

    for (uint32_t i = 0; i < idle->n_causes; i++)
        if (idle->causes[i].part == NSC_GAP_EVENTS &&
            nsc_awaits_requests(trace, idle->causes[i].call))
            sum = nsc_sum(sum, idle->causes[i].ns);
    return sum;
}
