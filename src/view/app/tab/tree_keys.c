/*
 * Actions of the tree that involve other parts: a bookmark of the selection, going to a time,
 * trimming.
 */
#include "analysis/select/filter.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/model/tree.h"
#include "view/scene/move.h"

#include <inttypes.h>
#include <stdio.h>

enum { PATH_MOST = 512 };

/* ---- the selection ---- */

/* "5.2 ms from 155.370 s to 155.375 s: S saves it as a bookmark" */
void nsc_app_tree_say_span(struct nsc_app *app)
{
    struct nsc_window span;
    char length[NSC_UNITS_BYTES], text[NSC_UNITS_SPAN_BYTES];

    if (nsc_tree_span(app->tree, &span))
        nsc_app_sayf(app, "Selected %s, from %s: S saves it as a bookmark.",
                     nsc_units_duration(length, nsc_window_length(span), app->scene->ascii),
                     nsc_units_span(text, span));
}

bool nsc_app_tree_bookmark(struct nsc_app *app)
{
    nsc_event event = nsc_tree_event(app->tree);
    struct nsc_window span;

    if (event == NSC_NONE || !nsc_tree_span(app->tree, &span))
        return nsc_app_refuse(app, "This line is no event of the timeline.");
    nsc_scene_show_event(app->edit, event);
    return nsc_app_bookmark_span(app, span);
}

/* ---- a time ---- */

/* The innermost range of the cursor's thread at t, else the outermost that follows; NSC_NONE. */
static nsc_event range_at(const struct nsc_app *app, nsc_time t)
{
    const struct nsc_tree_walk *walk = &app->tree->walk;
    const struct nsc_track *at = NULL;
    const struct nsc_lane *lane = NULL;
    nsc_event path[PATH_MOST];
    nsc_event event = NSC_NONE;
    uint32_t n = 0;

    if (nsc_instance_is_none(walk->cursor))
        return NSC_NONE;
    at = nsc_trace_track(app->scene->trace, walk->all.roots[walk->cursor.root].track);
    n = nsc_nvtx_path(app->scene->trace, at->process, at->tid, t, path, PATH_MOST);
    if (n)
        return path[(n < PATH_MOST ? n : PATH_MOST) - 1];
    if (at->kind != NSC_TRACK_NVTX || !at->n_lanes)
        return NSC_NONE;
    lane = &nsc_trace_lanes(app->scene->trace, NULL)[at->first_lane];
    event = nsc_lane_find(app->scene->trace, at->first_lane, t);
    return event < lane->first + lane->n ? event : NSC_NONE;
}

bool nsc_app_tree_go(struct nsc_app *app, nsc_time t)
{
    nsc_event event = nsc_app_tree_is_built(app) ? NSC_NONE : range_at(app, t);

    return event != NSC_NONE && nsc_tree_reveal(app->tree, event);
}

bool nsc_app_tree_goto(struct nsc_app *app)
{
    nsc_app_prompt_open(app, NSC_PROMPT_COMMAND, nsc_text_from("goto "));
    return true;
}

bool nsc_app_tree_trim(struct nsc_app *app)
{
    struct nsc_window span;
    char text[2 * NSC_UNITS_BYTES] = "";

    if (nsc_tree_span(app->tree, &span))
        (void)snprintf(text, sizeof text, "%" PRId64 "ns..%" PRId64 "ns", span.t0, span.t1);
    return nsc_app_filter_term(app, "time:", nsc_text_from(text));
}

bool nsc_app_tree_reload(struct nsc_app *app)
{
    nsc_tree_free(app->tree);
    app->tree = NULL;
    return nsc_app_tree_open(app);
}
