/* Finds the ranks of a PithTrain run and the window of each: its middle chunk. */
#include "analysis/pith/pith.h"
#include "analysis/ranges/process_ranges.h"
#include "core/bisect.h"
#include "core/sort.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_nvtx_track(const struct nsc_track *track)
{
    return track->kind >= NSC_TRACK_NVTX && track->kind <= NSC_TRACK_MARKS;
}

/* Orders by start, then row of the file. */
static bool is_earlier(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    return events->start[a] != events->start[b] ? events->start[a] < events->start[b]
                                                : events->source[a] < events->source[b];
}

/* ---- ranks ---- */

static struct nsc_pith_rank *rank_of(struct nsc_pith *pith, const struct nsc_track *track)
{
    struct nsc_pith_rank *rank;

    for (size_t i = 0; i < pith->ranks.n; i++)
        if (pith->ranks.at[i].process == track->process)
            return &pith->ranks.at[i];
    rank = NSC_VEC_ADD(&pith->ranks);
    *rank = (struct nsc_pith_rank){.process = track->process,
                                   .pid = track->pid,
                                   .rank = track->pid,
                                   .first = NSC_NONE,
                                   .chunk = NSC_NONE};
    return rank;
}

/* The first row of a lane at its export's time 0 or later; NSC_NONE if there is none. */
static nsc_event first_of(const struct nsc_trace *trace, const struct nsc_lane *lane)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time zero = nsc_process_zero(trace, lane->track);
    nsc_event lo = lane->first, hi = lane->first + lane->n;

    NSC_BISECT(lo, hi, mid, events->start[mid] < zero);
    return lo < lane->first + lane->n ? lo : NSC_NONE;
}

NSC_COMPARE(compare_ranks, struct nsc_pith_rank, NSC_LEAST(pid) || NSC_LEAST(process))

/* Finds first ranges per lane: rows of a lane start at different times, except instants at
 * INT64_MAX. */
static void find_firsts(struct nsc_pith *pith)
{
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(pith->trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(pith->trace, NULL);
    const struct nsc_events *events = nsc_trace_events(pith->trace);

    for (uint32_t l = 0; l < n_lanes; l++) {
        const struct nsc_track *track = &tracks[lanes[l].track];
        nsc_event first = is_nvtx_track(track) ? first_of(pith->trace, &lanes[l]) : NSC_NONE;
        struct nsc_pith_rank *rank = NULL;

        if (first == NSC_NONE && track->kind != NSC_TRACK_STREAM)
            continue;
        rank = rank_of(pith, track);
        if (first != NSC_NONE &&
            (rank->first == NSC_NONE || is_earlier(events, first, rank->first)))
            rank->first = first;
    }
    NSC_VEC_SORT(&pith->ranks, compare_ranks);
}

/* Adds all ranges that start with the first one of the process, because any of them may be the
 * label. */
static void add_ties(struct nsc_pith *pith, struct nsc_pith_rank *rank)
{
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(pith->trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(pith->trace, NULL);
    const struct nsc_events *events = nsc_trace_events(pith->trace);
    size_t from = pith->setup.n;

    for (uint32_t l = 0; l < n_lanes; l++) {
        const struct nsc_track *track = &tracks[lanes[l].track];
        nsc_event first = is_nvtx_track(track) && track->process == rank->process
                              ? first_of(pith->trace, &lanes[l])
                              : NSC_NONE;
        size_t at = pith->setup.n;

        if (first == NSC_NONE || events->start[first] != events->start[rank->first])
            continue;
        (void)NSC_VEC_ADD(&pith->setup);
        for (; at > from && events->source[pith->setup.at[at - 1]] > events->source[first]; at--)
            pith->setup.at[at] = pith->setup.at[at - 1];
        pith->setup.at[at] = first;
    }
}

static void read_label(struct nsc_pith *pith, struct nsc_pith_rank *rank)
{
    char scratch[NSC_NAME_BYTES];
    size_t from = pith->setup.n;

    if (rank->first == NSC_NONE)
        return;
    add_ties(pith, rank);
    for (size_t i = from; i < pith->setup.n && !rank->has_label; i++) {
        struct nsc_text text = nsc_trace_event_text(pith->trace, pith->setup.at[i], false, scratch);

        rank->has_label = nsc_pith_label_parse(&rank->label, text);
        if (rank->has_label) {
            rank->first = pith->setup.at[i];
            rank->rank = rank->label.rank;
        }
    }
    if (!rank->has_label) /* the scripts would end here */
        pith->setup.n = from;
}

void nsc_pith_find_ranks(struct nsc_pith *pith, const struct nsc_pith_query *query)
{
    bool any = false, named = false;

    find_firsts(pith);
    for (size_t i = 0; i < pith->ranks.n; i++) {
        read_label(pith, &pith->ranks.at[i]);
        any = any || pith->ranks.at[i].has_label;
        named = named || (pith->ranks.at[i].has_label && pith->ranks.at[i].rank == query->rank);
    }
    for (size_t i = 0; i < pith->ranks.n; i++) {
        struct nsc_pith_rank *rank = &pith->ranks.at[i];
        bool counts = rank->has_label || !any;

        if (query->has_rank) /* query->rank is a pid if no label gives ranks */
            counts = rank->rank == query->rank && (rank->has_label || !named);
        rank->state = counts ? NSC_PITH_READY : NSC_PITH_LEFT_OUT;
    }
}

/* ---- windows ---- */

/* LIKE 'forward chunk%backward chunk%': ASCII letters in any case. The words hold no digits, so a
 * name decides for all its events. */
static bool is_chunk(struct nsc_text text)
{
    static const char before[] = "forward chunk", behind[] = "backward chunk";
    size_t n = strlen(before), m = strlen(behind);

    if (text.n < n + m || strncasecmp(text.bytes, before, n) != 0)
        return false;
    for (size_t at = n; at + m <= text.n; at++)
        if (strncasecmp(text.bytes + at, behind, m) == 0)
            return true;
    return false;
}

static uint8_t *judge_names(const struct nsc_trace *trace)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    uint8_t *verdicts = nsc_xcalloc((size_t)names->n + 1, 1);

    for (nsc_name i = 1; i < names->n; i++)
        verdicts[i] = is_chunk(nsc_trace_string(trace, names->full[i]));
    return verdicts;
}

struct chunks { /* a vector */
    nsc_event *at;
    size_t n, capacity;
};

static int compare_chunks(const void *events, uint32_t a, uint32_t b)
{
    return is_earlier(events, a, b) ? -1 : is_earlier(events, b, a);
}

static void find_chunks(struct chunks *out, const struct nsc_trace *trace, const uint8_t *verdicts,
                        uint64_t process)
{
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_events *events = nsc_trace_events(trace);

    for (uint32_t l = 0; l < n_lanes; l++) {
        const struct nsc_track *track = &tracks[lanes[l].track];
        nsc_time zero = nsc_process_zero(trace, lanes[l].track);

        if (!is_nvtx_track(track) || track->process != process)
            continue;
        for (nsc_event i = lanes[l].first; i < lanes[l].first + lanes[l].n; i++)
            if (verdicts[events->name[i]] && events->start[i] >= zero)
                *NSC_VEC_ADD(out) = i;
    }
    nsc_sort_by(out->at, (uint32_t)out->n, compare_chunks, events);
}

/* The middle chunk; of two, the later one, as in the scripts. */
static void choose_chunk(struct nsc_pith_rank *rank, const struct nsc_pith_query *query,
                         const struct chunks *chunks)
{
    const struct nsc_events *events = nsc_trace_events(query->trace);
    size_t middle = chunks->n / 2;

    rank->n_chunks = (uint32_t)chunks->n;
    if (chunks->n == 0) {
        rank->state = NSC_PITH_NO_CHUNK;
        return;
    }
    rank->chunk = chunks->at[middle];
    rank->start = events->start[rank->chunk];
    rank->end = nsc_event_end(events, rank->chunk);
    rank->is_open = nsc_nvtx_is_open(query->nvtx, rank->chunk);
    if (rank->is_open && middle + 1 < chunks->n)
        rank->end = events->start[chunks->at[middle + 1]];
}

void nsc_pith_find_windows(struct nsc_pith *pith, const struct nsc_pith_query *query)
{
    uint8_t *verdicts = judge_names(pith->trace);

    for (size_t i = 0; i < pith->ranks.n; i++) {
        struct nsc_pith_rank *rank = &pith->ranks.at[i];
        struct chunks chunks = {0};

        if (rank->state != NSC_PITH_READY)
            continue;
        if (query->has_window) {
            rank->start = query->start;
            rank->end = query->end;
            continue;
        }
        find_chunks(&chunks, pith->trace, verdicts, rank->process);
        choose_chunk(rank, query, &chunks);
        NSC_VEC_FINI(&chunks);
    }
    free(verdicts);
}
