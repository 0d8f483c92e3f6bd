/*
 * The details of a row without an event under the cursor: its name, its figures, and a key to
 * press.
 */
#include "core/units.h"
#include "view/kit/keymap.h"
#include "view/kit/page.h"
#include "view/pane/lines.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"
#include "view/scene/subject.h"

#include <stdio.h>

enum { PART_BYTES = 64 };

/* ---- which row it is ---- */

/* Counts the events of a lane that the filter keeps. */
static uint64_t events_of(const struct nsc_scene *scene, uint32_t lane)
{
    struct nsc_window all = {INT64_MIN, INT64_MAX};

    return nsc_lane_measure(scene->trace, scene->summary, lane, all).events;
}

/* Counts those in the lanes of tracks [from, to). */
static uint64_t events_in(const struct nsc_scene *scene, uint32_t from, uint32_t to)
{
    struct nsc_lane_walk at = nsc_track_lanes(scene->trace, from, to, UINT32_MAX);
    uint64_t n = 0;

    while (nsc_lane_walk_next(&at))
        n += events_of(scene, at.lane);
    return n;
}

static void count_put(struct nsc_page *page, const char *name, uint64_t count)
{
    char text[NSC_UNITS_BYTES];

    nsc_page_pair(page, name, nsc_units_count(text, count));
}

static void group_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    uint64_t rows = 0;

    for (uint32_t t = track + 1; t < tracks[track].skip; t++)
        rows += !nsc_track_is_header(tracks[t].kind);
    count_put(page, "rows", rows);
    count_put(page, "events", events_in(scene, track, tracks[track].skip));
}

static void lane_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t lane)
{
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    char text[NSC_UNITS_BYTES];
    char busy[2 * NSC_UNITS_BYTES];

    count_put(page, "events", events_of(scene, lane));
    nsc_units_percent(text, nsc_lane_measure(scene->trace, scene->summary, lane, w).busy,
                      nsc_window_length(w));
    (void)snprintf(busy, sizeof busy, "%s of the window", text);
    nsc_page_pair(page, "busy", busy);
}

static void counter_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t index)
{
    const struct nsc_counter *counter = &nsc_trace_counters(scene->trace, NULL)[index];
    char text[NSC_UNITS_BYTES];

    nsc_lines_counter_value(scene, index, text);
    nsc_page_pair(page, "at the cursor", text[0] ? text : "no sample yet");
    nsc_lines_counter_text(scene, index, counter->min, text);
    nsc_page_pair(page, "least", text);
    nsc_lines_counter_text(scene, index, counter->max, text);
    nsc_page_pair(page, "most", text);
    count_put(page, "samples", counter->n);
}

static void row_put(const struct nsc_scene *scene, struct nsc_page *page,
                    const struct nsc_line *line)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);

    if (line->kind >= NSC_LINE_REST)
        return;
    nsc_place_put(scene, page, line->track);
    nsc_page_puts(page, NSC_ROLE_DIM, "   ");
    if (line->kind == NSC_LINE_GROUP)
        group_put(scene, page, line->track);
    else if (line->kind == NSC_LINE_LANE)
        lane_put(scene, page, line->lane);
    else if (line->kind == NSC_LINE_COUNTER)
        counter_put(scene, page, tracks[line->track].counter);
    nsc_page_end(page);
}

/* ---- what surrounds the cursor ---- */

/* "before  gemm  ended 1.2 ms before the cursor". */
static void neighbour_put(const struct nsc_scene *scene, struct nsc_page *page, nsc_event event,
                          bool is_before)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    nsc_time far = is_before ? scene->cursor - nsc_event_end(events, event)
                             : events->start[event] - scene->cursor;

    nsc_page_puts(page, NSC_ROLE_DIM, is_before ? "before  " : "after   ");
    nsc_event_put(scene, page, NSC_ROLE_TEXT, event);
    nsc_page_puts(page, NSC_ROLE_DIM, is_before ? "  ended " : "  starts ");
    nsc_page_duration(page, NSC_ROLE_TEXT, far);
    nsc_page_line(page, NSC_ROLE_DIM, is_before ? " before the cursor" : " after the cursor");
}

/* The part with the most time after last, in that order; last NSC_N_GAP_PARTS: the first one.
 * Returns NSC_N_GAP_PARTS at the end. */
static int next_part(const struct nsc_gap *gap, int last)
{
    int next = NSC_N_GAP_PARTS;

    for (int i = 0; i < NSC_N_GAP_PARTS; i++) {
        bool follows = last == NSC_N_GAP_PARTS || gap->part[i] < gap->part[last] ||
                       (gap->part[i] == gap->part[last] && i > last);

        if (gap->part[i] && follows && (next == NSC_N_GAP_PARTS || gap->part[i] > gap->part[next]))
            next = i;
    }
    return next;
}

/* "the whole GPU is idle for 1.2 ms   CPU late: file I/O 1.1 ms ...", the greatest part first. */
static void idle_put(const struct nsc_scene *scene, struct nsc_page *page,
                     const struct nsc_gap *idle)
{
    char text[NSC_UNITS_BYTES];
    char part[PART_BYTES];

    nsc_page_puts(page, NSC_ROLE_TEXT, "the whole GPU is idle for ");
    nsc_page_duration(page, NSC_ROLE_WARNING, idle->end - idle->start);
    nsc_page_puts(page, NSC_ROLE_TEXT, "   ");
    for (int i = next_part(idle, NSC_N_GAP_PARTS); i < NSC_N_GAP_PARTS; i = next_part(idle, i)) {
        nsc_units_duration(text, idle->part[i], scene->ascii);
        (void)snprintf(part, sizeof part, "%s: %s", nsc_gap_side_word((enum nsc_gap_part)i),
                       nsc_gap_part_word((enum nsc_gap_part)i));
        nsc_page_pair(page, part, text);
    }
    nsc_page_end(page);
    if (idle->call == NSC_NONE)
        return;
    nsc_page_puts(page, NSC_ROLE_DIM, "it ended with a launch by ");
    nsc_event_put(scene, page, NSC_ROLE_TEXT, idle->call);
    if (idle->range != NSC_NONE) {
        nsc_page_puts(page, NSC_ROLE_DIM, " in ");
        nsc_event_put(scene, page, NSC_ROLE_TEXT, idle->range);
    }
    nsc_page_end(page);
}

static void gap_put(const struct nsc_scene *scene, struct nsc_page *page,
                    const struct nsc_gap_facts *gap)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);

    if (gap->before != NSC_NONE && gap->after != NSC_NONE) {
        nsc_page_puts(page, NSC_ROLE_TEXT, "a gap of ");
        nsc_page_duration(page, NSC_ROLE_WARNING,
                          events->start[gap->after] - nsc_event_end(events, gap->before));
        nsc_page_line(page, NSC_ROLE_TEXT,
                      nsc_scene_is_filtered(scene) ? " on this row, of what the filter keeps"
                                                   : " on this row");
    }
    if (gap->before != NSC_NONE)
        neighbour_put(scene, page, gap->before, true);
    if (gap->after != NSC_NONE)
        neighbour_put(scene, page, gap->after, false);
}

/* ---- what else there is to press ---- */

struct advice {
    const char *says;
    enum nsc_action action;
    const char *does;
};

static struct advice advice_of(const struct nsc_scene *scene)
{
    static const struct advice of_kind[] = {
        [NSC_LINE_GROUP] = {"A group of rows.  ", NSC_ACTION_FOLD, ": fold or unfold it."},
        [NSC_LINE_OVERLAP] = {"Compute and communication of the device.  ", NSC_ACTION_OVERLAP,
                              ": exact shares."},
        [NSC_LINE_IDLE] = {"Idle time of the device, coloured by cause.  ", NSC_ACTION_GAPS,
                           ": the longest gap."},
        [NSC_LINE_PROJECTED] = {"The span of the work of each range.  ", NSC_ACTION_PROJECT,
                                ": all rows, none, a few."},
        [NSC_LINE_REST] = {"Rows with less than 1 % of the work each.  ", NSC_ACTION_FOLD,
                           ": show them."},
        [NSC_LINE_COUNTER] = {"A counter.  ", NSC_ACTION_PIN, ": keep it on top, or no longer."},
    };
    static const struct advice of_events = {"No event under the cursor.  ", NSC_ACTION_NEXT_EVENT,
                                            ": the next one of the row."};
    static const struct advice filtered = {"The filter leaves no event of the row.  ",
                                           NSC_ACTION_FILTER_CLEAR, ": clear it."};
    static const struct advice hidden = {"All rows are hidden.  ", NSC_ACTION_COMMAND,
                                         "rows shows them again."};
    static const struct advice between = {
        "How much of each column B spends otherwise than A above it: computing, in exposed "
        "communication, copying or idle.  ",
        NSC_ACTION_ANSWERS, ": what the change consists of."};
    static const struct advice nothing = {"No event is shown.  ", NSC_ACTION_INFO,
                                          ": what the export has and lacks."};
    uint8_t kind = NSC_LINE_LANE;

    if (!scene->lines.n)
        return scene->lines.n_hidden ? hidden : nothing;
    if (nsc_compare_is_between(scene, scene->line))
        return between;
    kind = scene->lines.at[scene->line].kind;
    if (kind == NSC_LINE_LANE && nsc_scene_is_filtered(scene) &&
        !events_of(scene, scene->lines.at[scene->line].lane))
        return filtered;
    return kind < sizeof of_kind / sizeof *of_kind && of_kind[kind].says ? of_kind[kind]
                                                                         : of_events;
}

void nsc_pane_row_put(const struct nsc_scene *scene, const struct nsc_gap_facts *gap,
                      const struct nsc_keymap *keymap, struct nsc_page *page)
{
    struct advice advice = advice_of(scene);
    const struct nsc_line *line = nsc_scene_cursor_line(scene);
    char key[32];

    if (gap->is_known && gap->is_idle) /* first: a small pane shows the cause */
        idle_put(scene, page, &gap->idle);
    if (line)
        row_put(scene, page, line);
    if (gap->is_known)
        gap_put(scene, page, gap);
    nsc_page_puts(page, NSC_ROLE_DIM, advice.says);
    nsc_page_puts(page, NSC_ROLE_KEY, nsc_keymap_key(key, keymap, advice.action));
    nsc_page_line(page, NSC_ROLE_DIM, advice.does);
}
