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

/* The track of the cursor's root. */
static uint32_t cursor_track(const struct nsc_app *app)
{
    const struct nsc_tree_walk *walk = &app->tree->walk;

    return nsc_instance_is_none(walk->cursor) ? NSC_NONE : walk->all.roots[walk->cursor.root].track;
}

/* The innermost range of the thread at t, else the outermost that follows; NSC_NONE. */
static nsc_event range_at(const struct nsc_app *app, nsc_time t)
{
    uint32_t track = cursor_track(app);
    const struct nsc_track *at = NULL;
    const struct nsc_lane *lane = NULL;
    nsc_event path[PATH_MOST];
    nsc_event event = NSC_NONE;
    uint32_t n = 0;

    if (track == NSC_NONE)
        return NSC_NONE;
    at = nsc_trace_track(app->scene->trace, track);
    n = nsc_nvtx_path(app->scene->trace, at->process, at->tid, t, path, PATH_MOST);
    if (n)
        return path[(n < PATH_MOST ? n : PATH_MOST) - 1];
    if (at->kind != NSC_TRACK_NVTX || !at->n_lanes)
        return NSC_NONE;
    lane = &nsc_trace_lanes(app->scene->trace, NULL)[at->first_lane];
    event = nsc_lane_find(app->scene->trace, at->first_lane, t);
    return event < lane->first + lane->n ? event : NSC_NONE;
}

static bool goto_accept(struct nsc_app *app)
{
    struct nsc_text text = nsc_app_prompt_text(app);
    nsc_time t = 0;
    nsc_event event = NSC_NONE;

    if (!text.n || nsc_units_parse_time(&t, text.bytes, NSC_UNITS_S, NULL) != NSC_OK) {
        nsc_app_prompt_wrong(app, 0, "a time like 155.3 or 20ms is wanted; without a unit it is s");
        return false;
    }
    if (app->tree && !nsc_app_tree_is_built(app))
        event = range_at(app, t);
    if (event == NSC_NONE || !nsc_tree_reveal(app->tree, event))
        nsc_app_say(app, "No range of this thread is there or follows.");
    return true;
}

const struct nsc_prompt_kind nsc_prompt_tree_goto = {"go to the range at:", "go", NULL,
                                                     goto_accept,           NULL, NULL};

/* ---- a part of the trace: a term of the filter ---- */

/* Turns "155.3s 155.4s" into "155.3s..155.4s"; false if these are not two ascending times. */
static bool trim_term(struct nsc_buf *out, struct nsc_text text)
{
    char from[NSC_PROMPT_BYTES], to[NSC_PROMPT_BYTES];
    char more[2];
    nsc_time t0 = 0, t1 = 0;

    if (sscanf(text.bytes, "%1023s %1023s %1s", from, to, more) != 2 ||
        nsc_units_parse_time(&t0, from, NSC_UNITS_S, NULL) != NSC_OK ||
        nsc_units_parse_time(&t1, to, NSC_UNITS_S, NULL) != NSC_OK || t0 >= t1)
        return false;
    nsc_buf_printf(out, "time:%" PRId64 "ns..%" PRId64 "ns", t0, t1);
    return true;
}

static bool trim_accept(struct nsc_app *app)
{
    struct nsc_text text = nsc_app_prompt_text(app);
    struct nsc_buf line = NSC_BUF_INIT(2 * NSC_PROMPT_BYTES);
    bool is_time = true;

    nsc_filter_strip(&line, nsc_text_from(app->filter.text), "time:");
    if (text.n) {
        nsc_buf_puts(&line, line.n ? " " : "");
        is_time = trim_term(&line, text);
    }
    if (is_time)
        (void)nsc_app_filter_set(app, nsc_text_of_buf(&line));
    else
        nsc_app_prompt_wrong(app, 0, "two times are wanted: 155.3 155.4; nothing for all of it");
    nsc_buf_fini(&line);
    return is_time;
}

const struct nsc_prompt_kind nsc_prompt_tree_trim = {
    "look at, from and to:", "look", NULL, trim_accept, NULL, NULL};

bool nsc_app_tree_trim(struct nsc_app *app)
{
    struct nsc_window span;
    char text[2 * NSC_UNITS_BYTES] = "";

    if (nsc_tree_span(app->tree, &span))
        (void)snprintf(text, sizeof text, "%" PRId64 "ns %" PRId64 "ns", span.t0, span.t1);
    nsc_app_prompt_offer(app, NSC_PROMPT_TREE_TRIM, nsc_text_from(text), 0);
    return true;
}

bool nsc_app_tree_goto(struct nsc_app *app)
{
    nsc_app_prompt_open(app, NSC_PROMPT_TREE_GOTO, nsc_text_from(""));
    return true;
}

bool nsc_app_tree_reload(struct nsc_app *app)
{
    nsc_tree_free(app->tree);
    app->tree = NULL;
    return nsc_app_tree_open(app);
}
