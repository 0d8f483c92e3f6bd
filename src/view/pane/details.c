/* Draws the selected event: name, times, launch, ranges around it, and its row of the export. */
#include "analysis/base/correlate.h"
#include "core/units.h"
#include "view/kit/keymap.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

enum {
    PAIR_STOP = 6,
    BIN_COLS = 34, /* columns of the text below the histogram */
    TREE_ROWS = 8, /* a pane with fewer shows the path in a line */
    TREE_MOST = 4, /* ranges of a path that are shown: the outermost and the last three */
};

/* Its name and its kind. */
static void name_put(const struct nsc_scene *scene, struct nsc_page *page, nsc_event event)
{
    uint8_t kind = nsc_trace_events(scene->trace)->kind[event];

    nsc_event_put(scene, page, NSC_ROLE_GROUP, event);
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    nsc_page_line(page, NSC_ROLE_DIM, nsc_kind_label((enum nsc_kind)kind));
}

/* The span of the work of a range, on a line of projected ranges. */
static void projected_put(const struct nsc_scene *scene, struct nsc_page *page)
{
    struct nsc_window w = nsc_scene_selected_window(scene);
    char text[NSC_UNITS_BYTES];

    if (nsc_scene_projected_here(scene) == NSC_NONE)
        return;
    nsc_page_pair(page, "its GPU work from", nsc_units_instant(text, w.t0));
    nsc_page_pair(page, "spans", nsc_units_duration(text, nsc_window_length(w), scene->ascii));
    nsc_page_end(page);
}

static void times_put(const struct nsc_scene *scene, struct nsc_page *page, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    char text[NSC_UNITS_BYTES];

    nsc_page_pair(page, "start", nsc_units_instant(text, events->start[event]));
    nsc_page_pair(page, "dur",
                  nsc_units_duration(text, nsc_event_duration(events, event), scene->ascii));
    nsc_place_put(scene, page, nsc_event_track(scene->trace, event));
    nsc_page_end(page);
}

/* ---- why it ran when it did ---- */

/* The launching call, and the time in the queue. */
static void launch_put(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                       struct nsc_page *page)
{
    const struct nsc_facts *facts = &details->facts;
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    char text[NSC_UNITS_BYTES];

    if (!nsc_kind_is_gpu(events->kind[facts->event]))
        return;
    if (facts->launch == NSC_NONE) {
        nsc_page_line(page, NSC_ROLE_DIM,
                      scene->early ? "its launch is still being read"
                                   : "launch unknown: no API call with its correlation id");
        return;
    }
    nsc_page_puts(page, NSC_ROLE_DIM, "launched ");
    nsc_page_puts(page, NSC_ROLE_TEXT, nsc_units_instant(text, events->start[facts->launch]));
    nsc_page_puts(page, NSC_ROLE_DIM, " by ");
    nsc_event_put(scene, page, NSC_ROLE_TEXT, facts->launch);
    nsc_page_puts(page, NSC_ROLE_DIM, "   ");
    if (facts->has_queue)
        nsc_page_pair(page, "queued", nsc_units_duration(text, facts->queue, scene->ascii));
    nsc_page_end(page);
}

/* "W: starts 12 us after gemm on S7 compute" */
static void waited_put(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                       const struct nsc_keymap *keymap, struct nsc_page *page)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    nsc_event waited = nsc_pane_details_waited(scene, details);
    nsc_time before = 0;
    char key[32];

    if (waited == NSC_NONE)
        return;
    before = events->start[scene->selected] - nsc_event_end(events, waited);
    nsc_page_puts(page, NSC_ROLE_KEY, nsc_keymap_key(key, keymap, NSC_ACTION_WAITED));
    nsc_page_puts(page, NSC_ROLE_DIM, ": starts ");
    nsc_page_duration(page, NSC_ROLE_TEXT, before < 0 ? -before : before);
    nsc_page_puts(page, NSC_ROLE_DIM, before < 0 ? " before the end of " : " after ");
    nsc_event_put(scene, page, NSC_ROLE_TEXT, waited);
    nsc_page_puts(page, NSC_ROLE_DIM, " on ");
    nsc_page_text(page, NSC_ROLE_TEXT,
                  nsc_trace_string(
                      scene->trace,
                      nsc_trace_track(scene->trace, nsc_event_track(scene->trace, waited))->label));
    nsc_page_end(page);
}

/* A branch of the tree: the ranges between the outermost and the last ones are only counted. */
static void branch_put(const struct nsc_facts *facts, struct nsc_page *page, uint32_t i)
{
    uint32_t left_out = facts->n_path > TREE_MOST ? facts->n_path - TREE_MOST : 0;
    uint32_t depth = i > left_out ? i - left_out : i;

    nsc_page_end(page);
    for (uint32_t k = 0; k < depth; k++)
        nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    nsc_page_puts(page, NSC_ROLE_DIM, "└ ");
    if (left_out && i == left_out + 1)
        nsc_page_printf(page, NSC_ROLE_DIM, "%u more › ", left_out);
}

/* The thread and the ranges around it: a tree, or in a low pane a line, the innermost first. */
static void path_put(const struct nsc_scene *scene, const struct nsc_facts *facts,
                     struct nsc_page *page)
{
    nsc_event call = facts->launch != NSC_NONE ? facts->launch : facts->event;
    uint32_t group = nsc_trace_group_of(scene->trace, nsc_event_track(scene->trace, call));
    struct nsc_text thread =
        nsc_trace_string(scene->trace, nsc_trace_track(scene->trace, group)->label);
    bool is_tree = page->rect.rows >= TREE_ROWS;
    char scratch[NSC_NAME_BYTES];

    if (!facts->n_path && facts->launch == NSC_NONE)
        return;
    if (is_tree)
        nsc_label_put(page, NSC_ROLE_DIM, thread);
    for (uint32_t i = 0; i < facts->n_path; i++) {
        nsc_event range = facts->path[is_tree ? i : facts->n_path - 1 - i];

        if (is_tree && i && i + TREE_MOST <= facts->n_path)
            continue;
        if (is_tree)
            branch_put(facts, page, i);
        else
            nsc_page_puts(page, NSC_ROLE_DIM, i ? " ‹ " : "in ");
        nsc_page_text(
            page, NSC_ROLE_TEXT,
            nsc_bars_text(nsc_trace_event_text(scene->trace, range, !scene->demangled, scratch)));
    }
    if (!is_tree) {
        nsc_page_puts(page, NSC_ROLE_DIM, facts->n_path ? " ‹ " : "on ");
        nsc_label_put(page, NSC_ROLE_DIM, thread);
    }
    nsc_page_end(page);
}

/* The thread that captured an op of a CUDA graph, and the ranges around that, the innermost first; without
 * a range, which recording has some. */
static void captured_put(const struct nsc_scene *scene, nsc_event event, struct nsc_page *page)
{
    const struct nsc_trace *captured = nsc_trace_captured(scene->trace);
    nsc_event made = captured ? nsc_event_launch(captured, event) : NSC_NONE;
    nsc_event path[NSC_SCENE_PATH];
    uint32_t n, thread;

    if (made == NSC_NONE)
        return;
    thread = nsc_event_group(captured, made);
    n = nsc_event_path(captured, event, path, NSC_SCENE_PATH);
    n = n < NSC_SCENE_PATH ? n : NSC_SCENE_PATH;
    for (uint32_t i = n; i-- > 0;) {
        nsc_page_puts(page, NSC_ROLE_DIM, i + 1 < n ? " ‹ " : "captured in ");
        nsc_event_put(scene, page, NSC_ROLE_TEXT, path[i]);
    }
    nsc_page_end(page);
    nsc_page_puts(page, NSC_ROLE_DIM, "captured on ");
    nsc_label_put(page, NSC_ROLE_DIM,
                  nsc_trace_string(captured, nsc_trace_track(captured, thread)->label));
    nsc_page_end(page);
    if (n == 0)
        nsc_page_wrap(page, NSC_ROLE_DIM,
                      "under no NVTX range: annotate, record with  nsys profile -t cuda,nvtx", 0);
}

/* ---- how long events like it take ---- */

/* "rank 12 of 248 by this name, p91". */
static void rank_put(const struct nsc_pane_details *details, struct nsc_page *page)
{
    const struct nsc_standing *rank = &details->facts.rank;
    char place[NSC_UNITS_BYTES], count[NSC_UNITS_BYTES], tied[NSC_UNITS_BYTES];
    char text[5 * NSC_UNITS_BYTES];
    uint32_t equal = rank->count - rank->shorter - rank->longer;

    if (!details->facts.has_rank)
        nsc_page_pair(page, "rank", "counting");
    if (!details->facts.has_rank || rank->count < 2) {
        nsc_page_end(page);
        return;
    }
    nsc_units_count(place, (uint64_t)rank->longer + 1);
    nsc_units_count(count, rank->count);
    nsc_units_count(tied, equal ? equal - 1 : 0);
    if (equal > 1)
        (void)snprintf(text, sizeof text, "%s of %s by this name, tied with %s, p%u", place, count,
                       tied, nsc_standing_permille(rank) / 10);
    else
        (void)snprintf(text, sizeof text, "%s of %s by this name, p%u", place, count,
                       nsc_standing_permille(rank) / 10);
    nsc_page_pair(page, "rank", text);
    nsc_page_end(page);
}

bool nsc_pane_details_can_choose(const struct nsc_pane_details *details)
{
    return details->facts.event != NSC_NONE && details->facts.has_rank &&
           details->facts.histogram.n > 1;
}

uint32_t nsc_pane_details_own_bin(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details)
{
    return nsc_histogram_bin(
        &details->facts.histogram,
        nsc_event_duration(nsc_trace_events(scene->trace), details->facts.event));
}

uint32_t nsc_pane_details_chosen_bin(const struct nsc_pane_details *details)
{
    return details->bin_of == details->facts.event ? details->bin : NSC_NONE;
}

/* Draws the histogram. A bin with events is never drawn empty. */
static void bars_put(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                     struct nsc_page *page)
{
    const struct nsc_histogram *histogram = &details->facts.histogram;
    uint32_t most = 0;

    for (uint32_t i = 0; i < histogram->n; i++)
        most = histogram->count[i] > most ? histogram->count[i] : most;
    for (uint32_t i = 0; i < histogram->n; i++) {
        uint32_t eighths = (uint32_t)((uint64_t)histogram->count[i] * 8 / most);
        enum nsc_role role = i == nsc_pane_details_chosen_bin(details)       ? NSC_ROLE_MATCH
                             : i == nsc_pane_details_own_bin(scene, details) ? NSC_ROLE_SELECTION
                                                                             : NSC_ROLE_SHARE;

        eighths = histogram->count[i] && !eighths ? 1 : eighths;
        nsc_page_puts(page, role, nsc_bars_lower[eighths]);
    }
}

/* Describes the chosen bin; if none is chosen, the durations of the marks. */
static void bin_put(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                    struct nsc_page *page)
{
    uint32_t bin = nsc_pane_details_chosen_bin(details);
    char from[NSC_UNITS_BYTES], to[NSC_UNITS_BYTES], count[NSC_UNITS_BYTES];

    if (bin == NSC_NONE) {
        nsc_page_printf(page, NSC_ROLE_DIM, "  p50 %s  p95 %s",
                        nsc_units_duration(from, details->facts.rank.median, scene->ascii),
                        nsc_units_duration(to, details->facts.rank.p95, scene->ascii));
        return;
    }
    nsc_units_duration(from, nsc_histogram_at(&details->facts.histogram, bin).t0, scene->ascii);
    nsc_units_duration(to, nsc_histogram_at(&details->facts.histogram, bin).t1, scene->ascii);
    nsc_units_count(count, details->facts.histogram.count[bin]);
    nsc_page_printf(page, NSC_ROLE_MATCH, "  %s to %s: %s  Enter lists them", from, to, count);
}

static void spread_put(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                       struct nsc_page *page)
{
    const struct nsc_histogram *histogram = &details->facts.histogram;
    uint32_t p50 = 0, p95 = 0;

    if (!nsc_pane_details_can_choose(details))
        return;
    p50 = nsc_histogram_bin(histogram, details->facts.rank.median);
    p95 = nsc_histogram_bin(histogram, details->facts.rank.p95);
    nsc_page_puts(page, NSC_ROLE_DIM, "spread ");
    bars_put(scene, details, page);
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    nsc_page_duration(page, NSC_ROLE_TEXT, details->facts.rank.min);
    nsc_page_puts(page, NSC_ROLE_DIM, " to ");
    nsc_page_duration(page, NSC_ROLE_TEXT, details->facts.rank.max);
    nsc_page_end(page);
    nsc_page_puts(page, NSC_ROLE_DIM, "       ");
    for (uint32_t i = 0; i < histogram->n; i++)
        nsc_page_puts(page, NSC_ROLE_DIM, i == p50 || i == p95 ? "^" : " ");
    if (page->col + BIN_COLS > page->rect.cols)
        nsc_page_end(page);
    bin_put(scene, details, page);
    nsc_page_end(page);
}

bool nsc_pane_details_can_show(const struct nsc_pane_details *details)
{
    return nsc_pane_details_can_choose(details) && nsc_pane_details_chosen_bin(details) != NSC_NONE;
}

/* ---- its row ---- */

/* The most useful fields come first, by name; "" as title: only the value. */
static const struct first_field {
    const char *field, *title;
} first_fields[] = {
    {"collective", "collective"},
    {"message", "message"},
    {"bus bandwidth", "bus bandwidth"},
    {"grid", "grid"},
    {"block", "block"},
    {"registersPerThread", "registers"},
    {"staticSharedMemory", "static shared"},
    {"dynamicSharedMemory", "dynamic shared"},
    {"bytes", "bytes"},
    {"throughput", "throughput"},
    {"copyKind", "kind"},
    {"returnValue", "returned"},
    {"occupancy", "occupancy"},
};

/* Whether the pane already shows the field above; "#0" is a frame of the call stack. */
static bool is_told(const char *name)
{
    static const char *const told[] = {"start", "duration", "end",    "gridX", "gridY",
                                       "gridZ", "blockX",   "blockY", "blockZ"};

    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        if (strcmp(name, told[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof first_fields / sizeof *first_fields; i++)
        if (strcmp(name, first_fields[i].field) == 0)
            return true;
    return name[0] == '#';
}

static bool has_row(const struct nsc_pane_details *details)
{
    return details->row_of == details->facts.event;
}

static void first_put(const struct nsc_pane_details *details, struct nsc_page *page)
{
    for (size_t f = 0; has_row(details) && f < sizeof first_fields / sizeof *first_fields; f++)
        for (uint32_t i = 0; i < details->row.n; i++)
            if (strcmp(details->row.at[i].name, first_fields[f].field) == 0)
                nsc_page_pair(page, first_fields[f].title, details->row.at[i].value);
    nsc_page_end(page);
}

static void stack_put(const struct nsc_pane_details *details, struct nsc_page *page)
{
    bool any = false;

    for (uint32_t i = 0; has_row(details) && i < details->row.n; i++) {
        if (details->row.at[i].name[0] != '#')
            continue;
        if (!any)
            nsc_page_printf(page, NSC_ROLE_DIM, "call stack%s, innermost first",
                            details->row.at[i].name[1] == 'c' ? " of the capture" : "");
        any = true;
        nsc_page_end(page);
        nsc_page_puts(page, NSC_ROLE_DIM, "  ");
        nsc_page_puts(page, NSC_ROLE_TEXT, details->row.at[i].value);
    }
    nsc_page_end(page);
}

static void row_put(const struct nsc_pane_details *details, struct nsc_page *page)
{
    for (uint32_t i = 0; has_row(details) && i < details->row.n; i++)
        if (details->row.at[i].value[0] && !is_told(details->row.at[i].name))
            nsc_page_pair(page, details->row.at[i].name, details->row.at[i].value);
    nsc_page_end(page);
}

/* ---- the held event ---- */

/* "the one at the cursor takes 1.2 ms more (125.0 % of the held one), starts 3 ms later". */
static void compare_put(const struct nsc_scene *scene, struct nsc_page *page, nsc_event held,
                        nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    nsc_time was = nsc_event_duration(events, held);
    nsc_time is = nsc_event_duration(events, event);
    nsc_time later = events->start[event] - events->start[held];
    char text[NSC_UNITS_BYTES];

    nsc_page_printf(page, NSC_ROLE_TEXT, "the one at the cursor takes %s %s",
                    nsc_units_duration(text, is > was ? is - was : was - is, scene->ascii),
                    is < was ? "less" : "more");
    if (was > 0)
        nsc_page_printf(page, NSC_ROLE_DIM, " (%s of the held one)",
                        nsc_units_percent(text, is, was));
    nsc_page_printf(page, NSC_ROLE_TEXT, ", starts %s %s",
                    nsc_units_duration(text, later < 0 ? -later : later, scene->ascii),
                    later < 0 ? "earlier" : "later");
    nsc_page_end(page);
}

static void held_put(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                     struct nsc_page *page)
{
    if (details->held == NSC_NONE || details->held == details->facts.event)
        return;
    nsc_page_puts(page, NSC_ROLE_KEY, details->facts.event == NSC_NONE ? "held " : "held: ");
    if (details->facts.event != NSC_NONE) { /* first: a small pane shows it */
        compare_put(scene, page, details->held, details->facts.event);
        nsc_page_puts(page, NSC_ROLE_DIM, "      ");
    }
    nsc_event_put(scene, page, NSC_ROLE_GROUP, details->held);
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    times_put(scene, page, details->held);
}

int nsc_pane_details_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                          struct nsc_rect rect)
{
    const struct nsc_pane_details *details = view->pane;
    const struct nsc_scene *scene = view->scene;
    struct nsc_page page = nsc_page(grid, rect, view->top, scene->ascii);

    page.stop = PAIR_STOP;
    if (details->facts.event == NSC_NONE) {
        nsc_pane_row_put(scene, &details->facts.gap, view->keymap, &page);
        held_put(scene, details, &page);
        return page.line;
    }
    name_put(scene, &page, details->facts.event);
    times_put(scene, &page, details->facts.event);
    projected_put(scene, &page);
    held_put(scene, details, &page);
    launch_put(scene, details, &page);
    path_put(scene, &details->facts, &page);
    captured_put(scene, details->facts.event, &page);
    waited_put(scene, details, view->keymap, &page);
    first_put(details, &page);
    rank_put(details, &page);
    spread_put(scene, details, &page);
    stack_put(details, &page);
    row_put(details, &page);
    return page.line;
}
