/*
 * The order of the timeline's lines, and what folding hides.
 */
#include "view/rows.h"

#include "nsyscope/cover.h"

#include "core/bits.h"
#include "core/vec.h"

enum { PROJECTED_LANES = 3 /* of one depth: projections may overlap */ };

static void line_add(struct nsc_rows *rows, uint8_t kind, uint32_t track, uint32_t lane)
{
    struct nsc_line line = {track, lane, 0, 0, kind};

    *NSC_VEC_ADD(rows) = line;
}

static void lanes_add(struct nsc_rows *rows, const struct nsc_track *tracks, uint32_t track)
{
    uint32_t n = tracks[track].n_lanes;
    uint32_t shown = n < NSC_ROWS_MAX_LANES ? n : NSC_ROWS_MAX_LANES;

    if (tracks[track].kind == NSC_TRACK_NVTX && rows->nvtx_cut && shown >= rows->nvtx_cut)
        shown = rows->nvtx_cut - 1;
    for (uint32_t i = 0; i < shown; i++) {
        line_add(rows, NSC_LINE_LANE, track, tracks[track].first_lane + i);
        rows->at[rows->n - 1].index = i;
    }
    if (shown)
        rows->at[rows->n - 1].more = n - shown;
}

/* The first lanes of each depth. */
static void projections_add(struct nsc_rows *rows, uint32_t device)
{
    const struct nsc_projection *projection = rows->projection;

    for (uint32_t i = 0; projection && i < projection->n; i++) {
        const struct nsc_projection_line *line = &projection->lines[i];
        uint32_t shown = line->n_lanes < PROJECTED_LANES ? line->n_lanes : PROJECTED_LANES;

        if (line->device != device)
            continue;
        for (uint32_t k = 0; k < shown; k++) {
            line_add(rows, NSC_LINE_PROJECTED, device, NSC_NONE);
            rows->at[rows->n - 1].index = line->first_lane + k;
        }
        rows->at[rows->n - 1].more = line->n_lanes - shown;
    }
}

static void group_add(struct nsc_rows *rows, const struct nsc_trace *trace,
                      const struct nsc_track *tracks, uint32_t track, bool folded)
{
    const struct nsc_device_covers *covers = NULL;

    line_add(rows, NSC_LINE_GROUP, track, NSC_NONE);
    if (folded || tracks[track].kind != NSC_TRACK_DEVICE)
        return;
    covers = nsc_trace_device_covers(trace, track);
    if (covers && covers->work[NSC_WORK_COMM])
        line_add(rows, NSC_LINE_OVERLAP, track, NSC_NONE);
    projections_add(rows, track);
}

void nsc_rows_build(struct nsc_rows *rows, const struct nsc_trace *trace, const uint64_t *folds)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint32_t track = 0;

    NSC_VEC_CLEAR(rows);
    while (track < n) {
        bool folded = nsc_bits_get(folds, track);

        if (nsc_track_is_group(tracks[track].kind))
            group_add(rows, trace, tracks, track, folded);
        else if (tracks[track].counter != NSC_NONE)
            line_add(rows, NSC_LINE_COUNTER, track, NSC_NONE);
        else
            lanes_add(rows, tracks, track);
        track = folded ? tracks[track].skip : track + 1;
    }
}

void nsc_rows_fini(struct nsc_rows *rows)
{
    NSC_VEC_FINI(rows);
}

static bool group_is_telling(const struct nsc_track *tracks, uint32_t group)
{
    if (tracks[group].kind == NSC_TRACK_DEVICE)
        return true;
    for (uint32_t i = group + 1; i < tracks[group].skip; i++)
        if (tracks[i].kind == NSC_TRACK_NVTX || tracks[i].kind == NSC_TRACK_API ||
            tracks[i].kind == NSC_TRACK_SPANS)
            return true;
    return false;
}

void nsc_rows_fold_default(uint64_t *folds, const struct nsc_trace *trace)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint32_t groups = 0;
    uint32_t open = 0;

    for (uint32_t i = 0; i < n; i++)
        groups += nsc_track_is_group(tracks[i].kind);
    for (uint32_t i = 0; i < n; i++) {
        bool is_open = true;

        if (!nsc_track_is_group(tracks[i].kind))
            continue;
        /* A lone group, or none worth opening: folding it would leave an empty screen. */
        is_open = (groups == 1 || group_is_telling(tracks, i)) && open < NSC_ROWS_MAX_GROUPS;
        open += is_open;
        if (is_open)
            nsc_bits_unset(folds, i);
        else
            nsc_bits_set(folds, i);
    }
}

/* The first line whose track is not before track; n when none. */
static size_t line_from(const struct nsc_rows *rows, uint32_t track)
{
    size_t low = 0;
    size_t high = rows->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rows->at[middle].track < track)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t nsc_rows_find_track(const struct nsc_rows *rows, const struct nsc_trace *trace,
                           uint32_t track)
{
    size_t line = line_from(rows, track);

    if (line == rows->n || rows->at[line].track != track)
        line = line_from(rows, nsc_trace_group_of(trace, track));
    return line < rows->n ? line : 0;
}

size_t nsc_rows_find(const struct nsc_rows *rows, const struct nsc_trace *trace, uint32_t lane)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &(uint32_t){0});
    uint32_t track = lanes[lane].track;
    size_t line = nsc_rows_find_track(rows, trace, track);

    while (line + 1 < rows->n && rows->at[line + 1].track == track && rows->at[line].lane != lane)
        line++;
    return line;
}
