/* Chooses what is folded at first: groups, and streams and threads with little work. */
#include "core/bits.h"
#include "core/die.h"
#include "core/sum.h"
#include "view/model/rows.h"

#include <stdlib.h>

enum {
    REST_BUSIEST = 5, /* streams or threads that always have a row of their own */
    REST_ALONE = 15,  /* threads of an export without a GPU, which leave the screen to them */
    REST_PARTS = 100  /* less than such a part of the work goes to the rest */
};

/* ---- groups ---- */

static bool group_is_telling(const struct nsc_track *tracks, uint32_t group)
{
    if (tracks[group].kind == NSC_TRACK_DEVICE)
        return true;
    for (uint32_t i = group + 1; i < nsc_group_end(tracks, group); i++)
        if (tracks[i].kind == NSC_TRACK_NVTX || tracks[i].kind == NSC_TRACK_API ||
            tracks[i].kind == NSC_TRACK_SPANS)
            return true;
    return false;
}

/* The first group of an export if none of its groups is telling; else NSC_NONE. */
static uint32_t first_to_open(const struct nsc_track *tracks, uint32_t from, uint32_t to)
{
    uint32_t first = NSC_NONE;

    for (uint32_t i = from; i < to; i++) {
        if (!nsc_track_is_group(tracks[i].kind))
            continue;
        if (group_is_telling(tracks, i))
            return NSC_NONE;
        first = first == NSC_NONE ? i : first;
    }
    return first;
}

void nsc_rows_fold_default(uint64_t *folds, const struct nsc_trace *trace)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint32_t first = first_to_open(tracks, 0, n);
    uint32_t open = 0, n_captures = 0, most = 0;

    (void)nsc_trace_captures(trace, &n_captures);
    most = (NSC_ROWS_MAX_GROUPS + n_captures - 1) / n_captures;
    for (uint32_t i = 0; i < n; i++) {
        bool is_open = true;

        if (tracks[i].kind == NSC_TRACK_CAPTURE) { /* each export gets an equal share */
            open = 0;
            first = first_to_open(tracks, i + 1, tracks[i].skip);
        }
        if (!nsc_track_is_group(tracks[i].kind))
            continue;
        /* Opens the first group if no group is worth opening; otherwise the screen would be
         * empty. */
        is_open = (i == first || group_is_telling(tracks, i)) && open < most;
        open += is_open;
        nsc_bits_put(folds, i, !is_open);
    }
}

/* ---- the rest ---- */

struct candidate {
    uint32_t track;
    nsc_time work;
};

/* The busiest first. */
NSC_COMPARE(candidates_compare, struct candidate, NSC_MOST(work) || NSC_LEAST(track))

nsc_time nsc_rows_work(const struct nsc_trace *trace, const struct nsc_summary *summary,
                       uint32_t track, struct nsc_window w)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    bool is_stream = tracks[track].kind == NSC_TRACK_STREAM;
    nsc_time work = 0;

    for (struct nsc_lane_walk at = nsc_track_lanes(trace, track, tracks[track].skip, UINT32_MAX);
         nsc_lane_walk_next(&at);) {
        struct nsc_bin bin = nsc_lane_measure(trace, summary, at.lane, w);

        work = nsc_sum(work, is_stream ? bin.busy : bin.events);
    }
    return work;
}

/* The tracks of a kind in [from, to), of which the busiest stay. */
struct folding {
    uint32_t from, to;
    enum nsc_track_kind kind;
    uint32_t busiest;
};

/* Folds those with little work, beyond the busiest, and all without any; never one alone. Of threads
 * only the folded ones count. */
static void rest_fold(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                      const uint64_t *folds, struct nsc_window w, struct folding of)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    struct candidate *at = nsc_xmalloc(((size_t)of.to - of.from + 1) * sizeof *at);
    nsc_time all = 0;
    uint32_t n = 0, kept = 0;

    for (uint32_t t = of.from; t < of.to; t++)
        if (tracks[t].kind == of.kind && (of.kind == NSC_TRACK_STREAM || nsc_bits_get(folds, t))) {
            at[n] = (struct candidate){t, nsc_rows_work(trace, nsc_trace_summary(trace), t, w)};
            all = nsc_sum(all, at[n++].work);
        }
    qsort(at, n, sizeof *at, candidates_compare);
    while (kept < n && at[kept].work > (kept < of.busiest ? 0 : all / REST_PARTS))
        kept++;
    for (uint32_t i = kept; kept + 1 < n && i < n; i++)
        nsc_bits_set(arrangement->rest, at[i].track);
    free(at);
}

/* Whether it is a row of events, of an open thread, that is silent in the window. */
static bool is_silent(const struct nsc_trace *trace, const uint64_t *folds, uint32_t track,
                      struct nsc_window w)
{
    const struct nsc_track *of = nsc_trace_track(trace, track);

    return !nsc_track_is_header(of->kind) && of->kind != NSC_TRACK_STREAM &&
           of->counter == NSC_NONE && !nsc_bits_get(folds, of->group) &&
           !nsc_rows_work(trace, nsc_trace_summary(trace), track, w);
}

void nsc_rows_rest_default(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                           const uint64_t *folds, struct nsc_window w)
{
    uint32_t n = 0;
    const struct nsc_trace_info *captures = nsc_trace_captures(trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    for (uint32_t c = 0; c < n; c++) {
        uint32_t from = captures[c].first_track;
        uint32_t end = from + captures[c].n_tracks;
        uint32_t busiest = REST_ALONE;

        for (uint32_t t = from; t < end; t++) {
            if (is_silent(trace, folds, t, w))
                nsc_bits_set(arrangement->rest, t);
            if (tracks[t].kind == NSC_TRACK_DEVICE) {
                busiest = REST_BUSIEST;
                rest_fold(arrangement, trace, folds, w,
                          (struct folding){t + 1, tracks[t].skip, NSC_TRACK_STREAM, busiest});
            }
        }
        rest_fold(arrangement, trace, folds, w,
                  (struct folding){from, end, NSC_TRACK_THREAD, busiest});
    }
}
