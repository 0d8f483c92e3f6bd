/* Writes the comparison of two recordings: the near one, and the lag of the other. */
#include "core/bits.h"
#include "view/scene/compare.h"
#include "view/scene/edit.h"

/* Times beyond this are not shifted: sums of a time, a lag and a window stay well inside 64
 * bits. */
static const nsc_time far_time = INT64_MAX / 8;

static bool is_near_zero(struct nsc_window w)
{
    return w.t0 > -far_time && w.t1 < far_time;
}

static struct nsc_window extent_of(const struct nsc_trace *trace, uint32_t side)
{
    struct nsc_window w = nsc_trace_captures(trace, NULL)[side].recorded;

    return w.t0 < w.t1 ? w : nsc_trace_extent(trace);
}

/* Both recordings, in the time of the near one. */
static struct nsc_window joint_extent(const struct nsc_compare *compare)
{
    nsc_time by = compare->side ? compare->lag : -compare->lag;
    struct nsc_window near = compare->extent[compare->side];
    struct nsc_window far = compare->extent[!compare->side];

    far.t0 += by;
    far.t1 += by;
    return (struct nsc_window){near.t0 < far.t0 ? near.t0 : far.t0,
                               near.t1 > far.t1 ? near.t1 : far.t1};
}

/* Keeps the window, clipped to the new extent. */
static void fit_extent(struct nsc_scene *scene)
{
    bool is_whole = nsc_viewport_is_whole(&scene->viewport);

    scene->viewport.extent = joint_extent(&scene->compare);
    if (is_whole)
        nsc_viewport_set(&scene->viewport, scene->viewport.extent);
    else
        nsc_viewport_restore(&scene->viewport, scene->viewport.span);
}

/* Folds all groups but the first GPU of each recording, so that both fit on the screen. */
static void fold_most(struct nsc_scene *scene)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, &n);
    bool open[2] = {false, false};

    for (uint32_t i = 0; i < n; i++) {
        uint32_t side = tracks[i].capture_no;

        if (!nsc_track_is_group(tracks[i].kind) || side > 1)
            continue;
        if (tracks[i].kind == NSC_TRACK_DEVICE && !open[side])
            nsc_bits_unset(scene->folds, i);
        else
            nsc_bits_set(scene->folds, i);
        open[side] = true;
    }
}

bool nsc_scene_compare(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;

    scene->compare =
        (struct nsc_compare){.extent = {extent_of(scene->trace, 0), extent_of(scene->trace, 1)}};
    scene->compare.on =
        is_near_zero(scene->compare.extent[0]) && is_near_zero(scene->compare.extent[1]);
    if (!scene->compare.on)
        return false;
    fold_most(scene);
    nsc_scene_rebuild(edit);
    return true;
}

void nsc_scene_set_lag(struct nsc_scene_edit *edit, nsc_time lag)
{
    struct nsc_scene *scene = &edit->scene;

    if (!scene->compare.on || lag == scene->compare.lag || lag <= -2 * far_time ||
        lag >= 2 * far_time)
        return;
    scene->compare.lag = lag;
    fit_extent(scene);
    nsc_scene_set_viewport(edit, scene->viewport);
}

void nsc_scene_near(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    nsc_time by;

    if (!scene->compare.on || scene->line >= scene->lines.n ||
        scene->lines.at[scene->line].kind == NSC_LINE_QUERY)
        return;
    by = nsc_compare_shift(scene, scene->lines.at[scene->line].track);
    scene->compare.side =
        nsc_trace_track(scene->trace, scene->lines.at[scene->line].track)->capture_no;
    nsc_viewport_move(&scene->viewport, by);
    scene->cursor += by;
    scene->range.t0 += by;
    scene->range.t1 += by;
}
