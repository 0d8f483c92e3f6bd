/*
 * Matches the collectives of ranks and measures who waited for whom.
 */
#include "analysis/job/rank_collectives.h"

#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

/* Kernels of one short name on one rank, by start. */
struct series {
    nsc_str name;
    uint32_t rank;
    uint32_t group; /* index of a series: the same for all of a group */
    const nsc_event *events;
    uint32_t n;
};

struct entry {
    nsc_str name;
    uint32_t rank;
    nsc_time start;
    nsc_event event;
};

/* A difference of ends, for the clock of an export. */
struct end_error {
    uint32_t capture_no;
    nsc_time ns;
};

struct matching {
    struct nsc_rank_collectives *out;
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    NSC_VEC(struct entry) entries;
    nsc_event *order; /* the events of entries, sorted */
    NSC_VEC(struct series) series;
    NSC_VEC(struct end_error) errors;
    nsc_time *offset; /* for each export, ns: how far its clock is ahead */
};

/* ---- ranks ---- */

static int compare_ranks(const void *a, const void *b)
{
    const struct nsc_job_rank *x = a;
    const struct nsc_job_rank *y = b;

    if (x->capture_no != y->capture_no)
        return x->capture_no < y->capture_no ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->track < y->track ? -1 : x->track > y->track;
}

static bool is_comm(const struct matching *matching, nsc_event row)
{
    const struct nsc_names *names = nsc_trace_names(matching->scope->trace);

    return matching->events->kind[row] == NSC_KIND_KERNEL &&
           names->flags[matching->events->name[row]] & NSC_NAME_COMM &&
           nsc_scope_has(matching->scope, row);
}

/* A stream's process and device; many streams are one rank. */
static void find_ranks(struct matching *matching)
{
    const struct nsc_trace *trace = matching->scope->trace;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    size_t kept = 0;

    for (uint32_t i = 0; i < n; i++)
        if (tracks[i].kind == NSC_TRACK_STREAM)
            *NSC_VEC_ADD(&matching->out->ranks) =
                (struct nsc_job_rank){.process = tracks[i].process,
                                      .track = nsc_trace_group_of(trace, i),
                                      .capture_no = tracks[i].capture_no};
    if (matching->out->ranks.n == 0)
        return;
    qsort(matching->out->ranks.at, matching->out->ranks.n, sizeof *matching->out->ranks.at,
          compare_ranks);
    for (size_t i = 1; i < matching->out->ranks.n; i++)
        if (compare_ranks(&matching->out->ranks.at[kept], &matching->out->ranks.at[i]) != 0)
            matching->out->ranks.at[++kept] = matching->out->ranks.at[i];
    matching->out->ranks.n = kept + 1;
}

static uint32_t rank_of(const struct matching *matching, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(matching->scope->trace, NULL);
    struct nsc_job_rank key = {.process = tracks[track].process,
                               .track = nsc_trace_group_of(matching->scope->trace, track),
                               .capture_no = tracks[track].capture_no};
    const struct nsc_job_rank *found =
        bsearch(&key, matching->out->ranks.at, matching->out->ranks.n, sizeof key, compare_ranks);

    return (uint32_t)(found - matching->out->ranks.at);
}

/* ---- series ---- */

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static void gather(struct matching *matching)
{
    const struct nsc_trace *trace = matching->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_names *names = nsc_trace_names(trace);
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n_lanes);

    for (uint32_t lane = 0; lane < n_lanes; lane++) {
        nsc_event row = 0;
        nsc_event end = 0;
        uint32_t rank = 0;

        if (tracks[lanes[lane].track].kind != NSC_TRACK_STREAM)
            continue;
        rank = rank_of(matching, lanes[lane].track);
        for (nsc_scope_rows(matching->scope, lane, &row, &end); row < end; row++)
            if (is_comm(matching, row))
                *NSC_VEC_ADD(&matching->entries) =
                    (struct entry){names->brief[matching->events->name[row]], rank,
                                   matching->events->start[row], row};
    }
    if (matching->entries.n)
        qsort(matching->entries.at, matching->entries.n, sizeof *matching->entries.at,
              compare_entries);
}

static void split_series(struct matching *matching)
{
    size_t n = matching->entries.n;

    matching->order = nsc_xcalloc(n ? n : 1, sizeof *matching->order);
    for (size_t i = 0; i < n; i++) {
        const struct entry *entry = &matching->entries.at[i];
        uint32_t number = (uint32_t)matching->series.n;

        matching->order[i] = entry->event;
        if (i == 0 || entry->name != entry[-1].name || entry->rank != entry[-1].rank)
            *NSC_VEC_ADD(&matching->series) = (struct series){.name = entry->name,
                                                              .rank = entry->rank,
                                                              .group = number,
                                                              .events = &matching->order[i]};
        matching->series.at[matching->series.n - 1].n++;
    }
    NSC_VEC_FINI(&matching->entries);
}

/* ---- groups ---- */

static bool overlap(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    return events->start[a] < nsc_event_touch_end(events, b) &&
           events->start[b] < nsc_event_touch_end(events, a);
}

static bool belong_together(const struct matching *matching, const struct series *a,
                            const struct series *b)
{
    uint32_t together = 0;

    if (a->n != b->n || a->rank == b->rank)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        together += overlap(matching->events, a->events[i], b->events[i]);
    return (uint64_t)together * 5 >= (uint64_t)a->n * 4;
}

/* Each series joins the first group of its name that it matches. */
static void group_series(struct matching *matching)
{
    for (size_t i = 1; i < matching->series.n; i++) {
        struct series *series = &matching->series.at[i];

        for (size_t k = i; k-- > 0 && matching->series.at[k].name == series->name;) {
            const struct series *other = &matching->series.at[k];

            if (other->group == (uint32_t)k && belong_together(matching, other, series))
                series->group = (uint32_t)k;
        }
    }
}

/* ---- clocks ---- */

static int compare_errors(const void *a, const void *b)
{
    const struct end_error *x = a;
    const struct end_error *y = b;

    if (x->capture_no != y->capture_no)
        return x->capture_no < y->capture_no ? -1 : 1;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

/* The series of one group, and how often each came last. */
struct members {
    NSC_VEC(const struct series *) list;
    uint32_t *lasts; /* room for every series there is */
};

static void find_members(struct members *out, const struct matching *matching, uint32_t group)
{
    NSC_VEC_CLEAR(&out->list);
    for (size_t i = group;
         i < matching->series.n && matching->series.at[i].name == matching->series.at[group].name;
         i++)
        if (matching->series.at[i].group == group) {
            out->lasts[out->list.n] = 0;
            *NSC_VEC_ADD(&out->list) = &matching->series.at[i];
        }
}

static uint32_t capture_of(const struct matching *matching, const struct series *series)
{
    return matching->out->ranks.at[series->rank].capture_no;
}

/* The distance of each end from the middle between the first and last end of its instance. */
static void gather_errors(struct matching *matching, const struct members *members)
{
    for (uint32_t i = 0; members->list.n > 1 && i < members->list.at[0]->n; i++) {
        nsc_time first = INT64_MAX;
        nsc_time last = INT64_MIN;
        nsc_time middle = 0;

        for (size_t m = 0; m < members->list.n; m++) {
            nsc_time end = nsc_event_end(matching->events, members->list.at[m]->events[i]);

            first = end < first ? end : first;
            last = end > last ? end : last;
        }
        middle = (first & last) + ((first ^ last) >> 1); /* their mean, rounded down, of any two */
        for (size_t m = 0; m < members->list.n; m++)
            *NSC_VEC_ADD(&matching->errors) = (struct end_error){
                capture_of(matching, members->list.at[m]),
                nsc_difference(nsc_event_end(matching->events, members->list.at[m]->events[i]),
                               middle)};
    }
}

/* The percentile of sorted values, by nearest rank. */
static nsc_time rank_at(const struct end_error errors[], size_t n, unsigned percent)
{
    size_t at = (n * percent + 99) / 100;

    return errors[at ? at - 1 : 0].ns;
}

static void set_clocks(struct matching *matching)
{
    const struct end_error *errors = matching->errors.at;
    size_t n = matching->errors.n;
    uint32_t n_captures = 0;

    (void)nsc_trace_captures(matching->scope->trace, &n_captures);
    matching->out->n_clocks = n_captures;
    matching->out->clocks = nsc_xcalloc(n_captures, sizeof *matching->out->clocks);
    matching->offset = nsc_xcalloc(n_captures, sizeof *matching->offset);
    if (n)
        qsort(matching->errors.at, n, sizeof *matching->errors.at, compare_errors);
    for (size_t from = 0, end = 0; from < n; from = end) {
        struct nsc_clock *clock = &matching->out->clocks[errors[from].capture_no];
        nsc_time middle = 0;

        while (end < n && errors[end].capture_no == errors[from].capture_no)
            end++;
        middle = n_captures > 1 ? rank_at(errors + from, end - from, 50) : 0;
        clock->ends = (uint32_t)(end - from);
        clock->correction = middle;
        clock->p05 = nsc_difference(rank_at(errors + from, end - from, 5), middle);
        clock->p95 = nsc_difference(rank_at(errors + from, end - from, 95), middle);
        matching->offset[errors[from].capture_no] = middle;
    }
    NSC_VEC_FINI(&matching->errors);
}

/* ---- figures ---- */

static nsc_time start_of(const struct matching *matching, const struct series *series, uint32_t i)
{
    return nsc_difference(matching->events->start[series->events[i]],
                          matching->offset[capture_of(matching, series)]);
}

static void measure_wait(struct matching *matching, struct nsc_rank_collective *collective,
                         const struct series *series, uint32_t i, nsc_time transfer)
{
    struct nsc_job_rank *rank = &matching->out->ranks.at[series->rank];
    nsc_time wait = nsc_event_duration(matching->events, series->events[i]) - transfer;

    rank->matched++;
    rank->waited = nsc_sum(rank->waited, wait);
    rank->transfer = nsc_sum(rank->transfer, transfer);
    collective->waited = nsc_sum(collective->waited, wait);
    if (collective->worst == NSC_NONE || wait > collective->worst_wait) {
        collective->worst_wait = wait;
        collective->worst = series->events[i];
    }
}

/* The member that starts last, and by how much; none when the last starts are equal. */
static uint32_t find_last(const struct matching *matching, const struct members *members,
                          uint32_t i, nsc_time *by)
{
    nsc_time latest = INT64_MIN;
    nsc_time second = INT64_MIN;
    uint32_t last = 0;

    for (uint32_t m = 0; m < members->list.n; m++) {
        nsc_time start = start_of(matching, members->list.at[m], i);

        if (start > latest) {
            second = latest;
            latest = start;
            last = m;
        } else if (start > second) {
            second = start;
        }
    }
    *by = nsc_difference(latest, second);
    return last;
}

static void measure_instance(struct matching *matching, struct nsc_rank_collective *collective,
                             struct members *members, uint32_t i)
{
    nsc_time transfer = INT64_MAX;
    nsc_time by = 0;
    uint32_t last = find_last(matching, members, i, &by);

    for (size_t m = 0; m < members->list.n; m++) {
        nsc_time duration = nsc_event_duration(matching->events, members->list.at[m]->events[i]);

        transfer = duration < transfer ? duration : transfer;
    }
    collective->instances++;
    collective->transfer = nsc_sum(collective->transfer, transfer);
    for (size_t m = 0; m < members->list.n; m++)
        measure_wait(matching, collective, members->list.at[m], i, transfer);
    if (by > 0) {
        struct nsc_job_rank *rank = &matching->out->ranks.at[members->list.at[last]->rank];

        rank->last++;
        rank->kept = nsc_sum(rank->kept, by);
        members->lasts[last]++;
    }
}

static void measure_group(struct matching *matching, struct members *members)
{
    struct nsc_rank_collective collective = {
        .name = members->list.at[0]->name, .n_ranks = (uint32_t)members->list.n, .worst = NSC_NONE};
    uint32_t usual = 0;

    for (uint32_t i = 0; i < members->list.at[0]->n; i++)
        measure_instance(matching, &collective, members, i);
    for (uint32_t m = 1; m < members->list.n; m++)
        usual = members->lasts[m] > members->lasts[usual] ? m : usual;
    collective.usually_last = members->list.at[usual]->rank;
    collective.last = members->lasts[usual];
    *NSC_VEC_ADD(&matching->out->list) = collective;
}

static int compare_collectives(const void *a, const void *b)
{
    const struct nsc_rank_collective *x = a;
    const struct nsc_rank_collective *y = b;

    if (x->waited != y->waited)
        return x->waited > y->waited ? -1 : 1;
    return x->worst < y->worst ? -1 : x->worst > y->worst;
}

/* Measures every group twice: first to set the clocks, then with corrected clocks. */
static void measure(struct matching *matching)
{
    struct members members = {.lasts = nsc_xcalloc(matching->series.n + 1, sizeof(uint32_t))};

    for (size_t i = 0; i < matching->series.n; i++)
        if (matching->series.at[i].group == (uint32_t)i) {
            find_members(&members, matching, (uint32_t)i);
            gather_errors(matching, &members);
        }
    set_clocks(matching);
    for (size_t i = 0; i < matching->series.n; i++) {
        if (matching->series.at[i].group != (uint32_t)i)
            continue;
        find_members(&members, matching, (uint32_t)i);
        if (members.list.n > 1)
            measure_group(matching, &members);
        else
            *NSC_VEC_ADD(&matching->out->unmatched) = (struct nsc_unmatched){
                members.list.at[0]->name, members.list.at[0]->rank, members.list.at[0]->n};
    }
    if (matching->out->list.n)
        qsort(matching->out->list.at, matching->out->list.n, sizeof *matching->out->list.at,
              compare_collectives);
    NSC_VEC_FINI(&members.list);
    free(members.lasts);
}

void nsc_rank_collectives_build(struct nsc_rank_collectives *out, const struct nsc_scope *scope)
{
    struct matching matching = {
        .out = out, .scope = scope, .events = nsc_trace_events(scope->trace)};

    memset(out, 0, sizeof *out);
    out->trace = scope->trace;
    find_ranks(&matching);
    gather(&matching);
    split_series(&matching);
    group_series(&matching);
    measure(&matching);
    free(matching.order);
    free(matching.offset);
    NSC_VEC_FINI(&matching.series);
}

void nsc_rank_collectives_fini(struct nsc_rank_collectives *collectives)
{
    NSC_VEC_FINI(&collectives->ranks);
    NSC_VEC_FINI(&collectives->list);
    NSC_VEC_FINI(&collectives->unmatched);
    free(collectives->clocks);
    memset(collectives, 0, sizeof *collectives);
}
