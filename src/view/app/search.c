/*
 * The search: hits are events with a matching name, among those kept by the filter. Steps from hit
 * to hit in time, over all rows.
 */
#include "analysis/select/filter.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/words.h"
#include "view/scene/compare.h"
#include "view/scene/move.h"

#include <stdlib.h>
#include <string.h>

bool nsc_app_is_searching(const struct nsc_app *app)
{
    return app->search.pick.summary != NULL;
}

bool nsc_app_search_is_waiting(const struct nsc_app *app)
{
    return nsc_app_pick_is_waiting(app, NSC_BUILDS_HITS);
}

void nsc_app_search_fini(struct nsc_app *app)
{
    nsc_app_pick_drop(app, NSC_BUILDS_HITS);
    nsc_pick_clear(&app->search.pick);
    free(app->search.ticks);
}

/* Finds the columns of the overview with a hit. */
void nsc_app_search_ticks(struct nsc_app *app)
{
    uint32_t cols = (uint32_t)app->scene->layout.overview.cols;
    uint32_t n = 0;

    free(app->search.ticks);
    app->search.ticks = NULL;
    if (!nsc_app_is_searching(app) || !cols)
        return;
    app->search.ticks = nsc_xcalloc(cols, sizeof *app->search.ticks);
    (void)nsc_trace_lanes(app->scene->trace, &n);
    for (uint32_t lane = 0; lane < n; lane++) {
        struct nsc_window w = app->scene->viewport.extent;
        uint32_t track = nsc_trace_lanes(app->scene->trace, NULL)[lane].track;
        nsc_time shift = nsc_compare_shift(app->scene, track);

        w.t0 += shift;
        w.t1 += shift;
        nsc_lane_bins(app->scene->trace, app->search.pick.summary, lane, w, cols, app->scene->bins);
        for (uint32_t c = 0; c < cols; c++)
            app->search.ticks[c] |= app->scene->bins[c].events > 0;
    }
}

/* ---- going from hit to hit ---- */

/* Events ordered by start, then row. */
struct moment {
    nsc_time t;
    nsc_event row; /* NSC_NONE: after all rows that start at t */
};

static bool is_before(struct moment a, struct moment b)
{
    return a.t != b.t ? a.t < b.t : a.row < b.row;
}

/* The first row of the lane at or after a moment; first + n if there is none. */
static nsc_event lane_from(const struct nsc_events *events, const struct nsc_lane *lane,
                           struct moment at)
{
    nsc_event low = lane->first;
    nsc_event high = lane->first + lane->n;

    NSC_BISECT(low, high, middle, is_before((struct moment){events->start[middle], middle}, at));
    return low;
}

/* The nearest hit of a lane after or before a moment, exclusive. */
static nsc_event lane_hit(const struct nsc_app *app, uint32_t lane, struct moment at, bool forward)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    const struct nsc_lane *of = &nsc_trace_lanes(app->scene->trace, NULL)[lane];
    nsc_event row = lane_from(events, of, at);
    nsc_event end = of->first + of->n;

    if (!forward)
        return nsc_lane_prev(app->scene->trace, app->search.pick.summary, lane, row);
    if (row < end && row == at.row && ++row == end)
        return NSC_NONE;
    if (row == end || nsc_summary_has(app->search.pick.summary, row))
        return row == end ? NSC_NONE : row;
    return nsc_lane_next(app->scene->trace, app->search.pick.summary, lane, row);
}

static nsc_event find_hit(const struct nsc_app *app, struct moment at, bool forward)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    struct moment best = {0, NSC_NONE};
    uint32_t n = 0;

    (void)nsc_trace_lanes(app->scene->trace, &n);
    for (uint32_t lane = 0; lane < n; lane++) {
        nsc_event row = lane_hit(app, lane, at, forward);
        struct moment hit;

        if (row == NSC_NONE)
            continue;
        hit = (struct moment){events->start[row], row};
        if (best.row == NSC_NONE || is_before(hit, best) == forward)
            best = hit;
    }
    return best.row;
}

/* Hits of a lane in its rows before row. */
static uint32_t lane_count(const struct nsc_app *app, uint32_t lane, struct moment at)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    const struct nsc_lane *of = &nsc_trace_lanes(app->scene->trace, NULL)[lane];
    const struct nsc_summary *hits = app->search.pick.summary;
    struct nsc_window w = {nsc_trace_extent(app->scene->trace).t0, at.t};
    nsc_event row = lane_from(events, of, (struct moment){at.t, 0});
    uint32_t count = w.t1 > w.t0 ? nsc_lane_measure(app->scene->trace, hits, lane, w).events : 0;

    for (; row < of->first + of->n && events->start[row] == at.t && row < at.row; row++)
        count += nsc_summary_has(hits, row);
    return count;
}

static void hit_say(struct nsc_app *app, nsc_event hit)
{
    struct moment at = {nsc_trace_events(app->scene->trace)->start[hit], hit};
    char place[NSC_UNITS_BYTES], count[NSC_UNITS_BYTES];
    uint64_t before = 0;
    uint32_t n = 0;

    (void)nsc_trace_lanes(app->scene->trace, &n);
    for (uint32_t lane = 0; lane < n; lane++)
        before += lane_count(app, lane, at);
    nsc_app_sayf(app, "hit %s of %s: %.120s", nsc_units_count(place, before + 1),
                 nsc_units_count(count, nsc_summary_count(app->search.pick.summary)),
                 app->search.text);
}

/* The start of the next step: the selected event, or the cursor. */
static struct moment moment_of(const struct nsc_app *app)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);

    if (app->scene->selected != NSC_NONE)
        return (struct moment){events->start[app->scene->selected], app->scene->selected};
    return (struct moment){app->scene->cursor, NSC_NONE};
}

static bool hit_go(struct nsc_app *app, nsc_event hit, bool forward)
{
    if (hit == NSC_NONE)
        return nsc_app_refuse(app, nsc_summary_count(app->search.pick.summary) == 0
                                       ? "Nothing is found."
                                   : forward ? "No later hit."
                                             : "No earlier hit.");
    app->walk.list = NSC_WALK_HITS;
    nsc_scene_jump(app->edit, hit);
    hit_say(app, hit);
    return true;
}

bool nsc_app_hit_step(struct nsc_app *app, bool forward)
{
    if (nsc_app_search_is_waiting(app))
        return nsc_app_refuse(app, "The events are still being looked through.  Esc gives up.");
    if (nsc_app_is_searching(app))
        return hit_go(app, find_hit(app, moment_of(app), forward), forward);
    return nsc_app_refuse(app, "There is no search to go on with.");
}

/* Goes to the first hit from here on. The selected event counts. */
static void go_first(struct nsc_app *app)
{
    struct moment at = moment_of(app);
    nsc_event hit = NSC_NONE;

    if (!nsc_app_is_searching(app))
        return;
    if (at.row != NSC_NONE && nsc_summary_has(app->search.pick.summary, at.row))
        hit = at.row;
    if (hit == NSC_NONE)
        hit = find_hit(app, at, true);
    if (hit == NSC_NONE)
        hit = find_hit(app, (struct moment){INT64_MIN, 0}, true);
    (void)hit_go(app, hit, true);
}

/* ---- looking ---- */

/* The name as a filter: "~..." is a regular expression, else a part of a name. */
static void expression_put(struct nsc_text text, struct nsc_buf *out)
{
    bool regex = text.n > 0 && text.bytes[0] == '~';
    struct nsc_text value = {text.bytes + regex, text.n - regex};

    nsc_buf_puts(out, regex ? "name~" : "name:");
    nsc_filter_quote(out, value);
}

static void search_drop(struct nsc_app *app)
{
    nsc_app_pick_drop(app, NSC_BUILDS_HITS);
    nsc_pick_clear(&app->search.pick);
    app->search.text[0] = '\0';
    app->search.is_accepted = false;
    nsc_app_search_ticks(app);
}

static void picked(struct nsc_app *app, const struct nsc_pick *pick)
{
    struct nsc_app_search *search = &app->search;

    if (!pick) {
        search_drop(app);
        return;
    }
    nsc_pick_clear(&search->pick);
    search->pick = *pick;
    nsc_app_search_ticks(app);
    if (search->is_accepted)
        go_first(app);
    search->is_accepted = false;
}

static enum nsc_status search_show(struct nsc_app *app, struct nsc_text text,
                                   struct nsc_error *error)
{
    struct nsc_buf line = NSC_BUF_INIT(4 * NSC_PROMPT_BYTES);
    struct nsc_filter *filter = NULL;
    enum nsc_status status = NSC_OK;

    if (text.n == 0) {
        search_drop(app);
        return NSC_OK;
    }
    expression_put(text, &line);
    status = nsc_filter_parse(&filter, nsc_text_of_buf(&line), error);
    nsc_buf_fini(&line);
    if (status != NSC_OK)
        return status;
    nsc_text_keep(app->search.text, text);
    app->search.is_accepted = false;
    nsc_app_pick(app, NSC_BUILDS_HITS, filter, picked); /* among the visible events */
    return NSC_OK;
}

void nsc_app_search_again(struct nsc_app *app)
{
    struct nsc_error error = {0};
    bool is_accepted = app->search.is_accepted;

    if (!app->search.text[0])
        return;
    if (search_show(app, nsc_text_from(app->search.text), &error) != NSC_OK)
        nsc_app_say(app, error.text);
    app->search.is_accepted = is_accepted && nsc_app_search_is_waiting(app);
}

bool nsc_app_search_cancel(struct nsc_app *app)
{
    if (!nsc_app_search_is_waiting(app))
        return false;
    search_drop(app);
    nsc_app_say(app, "Given up: nothing is looked for.");
    return true;
}

bool nsc_app_search_end(struct nsc_app *app)
{
    if (!nsc_app_is_searching(app))
        return false;
    return search_show(app, nsc_text_from(""), NULL) == NSC_OK;
}

/* ---- the prompt ---- */

static void find_changed(struct nsc_app *app)
{
    struct nsc_error error = {0};

    if (search_show(app, nsc_app_prompt_text(app), &error) != NSC_OK) {
        const char *colon = strstr(error.text, ": ");

        nsc_app_prompt_wrong(app, 0, colon ? colon + 2 : error.text);
    }
}

static bool find_accept(struct nsc_app *app)
{
    app->search.for_flame = nsc_app_scope_behind(app) == NSC_KEY_SCOPE_FLAME &&
                            nsc_flame_is_code(app->flame.made_by) && app->search.text[0];
    if (app->search.for_flame) /* functions are not events */
        return true;
    if (nsc_app_search_is_waiting(app))
        app->search.is_accepted = true;
    else
        go_first(app);
    return true;
}

enum nsc_status nsc_app_find(struct nsc_app *app, struct nsc_text text, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    if (text.n >= NSC_PROMPT_BYTES)
        return nsc_fail(error, NSC_EINVAL, "find: longer than %d bytes", NSC_PROMPT_BYTES - 1);
    status = search_show(app, text, error);
    if (status != NSC_OK)
        return status;
    nsc_prompt_add_history(&app->prompt.lines[NSC_PROMPT_FIND], text);
    (void)find_accept(app);
    return NSC_OK;
}

static void find_cancel(struct nsc_app *app)
{
    if (strcmp(app->search.before, app->search.text) != 0)
        (void)search_show(app, nsc_text_from(app->search.before), NULL);
}

const struct nsc_prompt_kind nsc_prompt_find = {"find:",     "find",      find_changed,
                                                find_accept, find_cancel, NULL};

bool nsc_app_find_open(struct nsc_app *app)
{
    memcpy(app->search.before, app->search.text, sizeof app->search.before);
    nsc_app_prompt_open(app, NSC_PROMPT_FIND, nsc_text_from(""));
    return true;
}
