/*
 * Draws lines of the timeline: headers of groups, overlap of compute and communication, counters.
 */
#include "view/pane/lines.h"

#include "analysis/base/activity.h"
#include "core/bisect.h"
#include "core/bits.h"
#include "core/sum.h"
#include "core/units.h"
#include "view/model/bars.h"
#include "view/model/counter_text.h"
#include "view/scene/compare.h"
#include "view/scene/look.h"

#include <stdio.h>
#include <string.h>

enum {
    SHARE_COLS = 11, /* " 100.0 %" and a gap */
    COUNTER_PROBES = 16,
    COUNTER_EIGHTHS = 7 /* less than 8: leaves a gap between counters */,
    MAX_SHADE = 255,
    PER_MILLE = 1000,
    LEAST_DIFFERENCE = 10, /* per mille: less is not drawn */
    THREAD_TRACKS = 32
};

/* ---- groups ---- */

struct nsc_text nsc_lines_without_maker(struct nsc_text text, char out[NSC_LINES_LABEL])
{
    static const char *const makers[] = {" NVIDIA ", " GeForce ", " Tesla ", " Quadro "};

    (void)snprintf(out, NSC_LINES_LABEL, "%.*s", (int)text.n, text.bytes);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        char *at = strstr(out, makers[i]);
        size_t n = strlen(makers[i]) - 1; /* one of its blanks stays */

        if (at)
            memmove(at, at + n, strlen(at + n) + 1);
    }
    return nsc_text_from(out);
}

void nsc_lines_parts_put(struct nsc_page *page, const struct nsc_lines_part parts[], int n,
                         nsc_time whole)
{
    char text[NSC_UNITS_BYTES];
    int width = 0, first = 0;

    for (int i = 0; i < n; i++) {
        width += parts[i].ns < 0 ? 0 : (int)strlen(parts[i].name) + SHARE_COLS;
        first = parts[i].ns > parts[first].ns ? i : first;
    }
    first = page->col + width <= page->rect.cols ? 0 : first;
    for (int i = -1; i < n; i++) {
        int k = i < 0 ? first : i;

        if (parts[k].ns < 0 || i == first)
            continue;
        nsc_page_pair(page, parts[k].name, nsc_units_percent(text, parts[k].ns, whole));
    }
}

/* Draws shares of the visible window, and says so first, because other answers use other
 * windows. */
static void device_figures_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                                struct nsc_rect rect, uint32_t track)
{
    const struct nsc_device_covers *whole = nsc_trace_device_covers(scene->trace, track);
    struct nsc_activity activity =
        nsc_device_activity(whole, nsc_viewport_window(&scene->viewport));
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    struct nsc_lines_part parts[] = {{"compute", activity.compute},
                                     {"exposed comm", activity.exposed},
                                     {"copy only", activity.copy_only}};
    char text[NSC_UNITS_BYTES];

    if (!whole || !whole->busy) {
        nsc_page_puts(&page, NSC_ROLE_DIM,
                      scene->early ? "the rest is still being read"
                                   : "no GPU work: record with  nsys profile -t cuda");
        return;
    }
    if (!whole->work[NSC_OP_COMM])
        parts[1].ns = -1;
    if (!whole->work[NSC_OP_HTOD] && !whole->work[NSC_OP_DTOH] && !whole->work[NSC_OP_PEER])
        parts[2].ns = -1;
    nsc_page_puts(&page, NSC_ROLE_DIM,
                  nsc_scene_is_filtered(scene)
                      ? "in view, unfiltered: "
                      : "in view: "); /* idle and exposed time ignore the filter */
    nsc_units_percent(text, activity.busy, activity.window);
    nsc_page_pair(&page, "busy", text);
    nsc_units_percent(text, activity.idle, activity.window);
    nsc_page_pair(&page, "idle", text);
    nsc_lines_parts_put(&page, parts, 3, activity.window);
    nsc_page_pair(&page, "of", nsc_units_duration(text, activity.window, scene->ascii));
}

/* Draws the activity of a folded group's hidden rows, from the scratch. */
static void activity_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                          struct nsc_rect rect)
{
    nsc_bars_times_draw(grid, rect, nsc_viewport_window(&scene->viewport), scene->times,
                        NSC_ROLE_OVERVIEW, 0);
}

static void device_activity_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                                 struct nsc_rect rect, uint32_t track)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(scene->trace, track);

    if (!covers || !covers->busy)
        return;
    nsc_cover_bins(covers->busy, nsc_viewport_window(&scene->viewport), (uint32_t)rect.cols,
                   scene->times);
    activity_draw(scene, grid, rect);
}

/* Draws the busiest of a thread's tracks, by their first lanes. */
static void thread_activity_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                                 struct nsc_rect rect, uint32_t group)
{
    uint32_t end = nsc_group_end(nsc_trace_tracks(scene->trace, NULL), group);
    uint32_t most = group + 1 + THREAD_TRACKS;
    struct nsc_part part = {group + 1, end < most ? end : most,
                            nsc_viewport_window(&scene->viewport)};

    memset(scene->times, 0, (size_t)rect.cols * sizeof *scene->times);
    nsc_part_lanes(scene, &part, (uint32_t)rect.cols);
    activity_draw(scene, grid, rect);
}

void nsc_lines_rest_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                         const struct nsc_line *line)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    struct nsc_window w = nsc_viewport_window(&scene->viewport);

    memset(scene->times, 0, (size_t)rect.cols * sizeof *scene->times);
    for (uint32_t t = 0; t < scene->arrangement.n; t++) {
        struct nsc_part part = {t, tracks[t].skip, w};

        if (nsc_rows_rest_has(&scene->lines, scene->trace, line, t))
            nsc_part_lanes(scene, &part, (uint32_t)rect.cols);
    }
    activity_draw(scene, grid, rect);
}

nsc_time nsc_lines_rest_busy(const struct nsc_scene *scene, const struct nsc_line *line)
{
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    nsc_time busy = 0;

    for (uint32_t t = 0; t < scene->arrangement.n; t++)
        if (nsc_rows_rest_has(&scene->lines, scene->trace, line, t))
            busy = nsc_sum(busy, nsc_rows_work(scene->trace, scene->summary, t, w));
    return busy;
}

/* Draws figures of one of several exports, at the right edge because its name may be long. */
static void export_figures_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                                struct nsc_rect rect, uint32_t capture_no)
{
    const struct nsc_trace_info *info = &nsc_trace_captures(scene->trace, NULL)[capture_no];
    char offset[NSC_UNITS_BYTES + 1] = "+";
    char events[NSC_UNITS_BYTES];
    int width = 0;

    nsc_units_duration(offset + (info->offset > 0), info->offset, scene->ascii);
    nsc_units_count(events, info->n_events);
    width = (int)(nsc_text_width(nsc_text_from(offset), scene->ascii) + strlen("offset events ") +
                  strlen(events)) +
            3;
    if (width > rect.cols)
        return;
    rect.col += rect.cols - width;
    rect.cols = width;
    rect.col = nsc_grid_puts(grid, rect.row, rect.col, width, NSC_ROLE_DIM, "offset ");
    rect.col = nsc_grid_puts(grid, rect.row, rect.col, width, NSC_ROLE_SHARE, offset) + 2;
    rect.col = nsc_grid_puts(grid, rect.row, rect.col, width, NSC_ROLE_DIM, "events ");
    nsc_grid_puts(grid, rect.row, rect.col, width, NSC_ROLE_SHARE, events);
}

/* How much of each column the recording above and this one spend differently, in eighths from 1 % on,
 * and of all columns together at the right. */
static void difference_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                            struct nsc_rect rect)
{
    char text[NSC_UNITS_BYTES];
    uint32_t gpus[2];
    nsc_time sum = 0;

    if (!nsc_compare_gpus(scene, gpus)) {
        nsc_grid_puts(grid, rect.row, rect.col, rect.cols, NSC_ROLE_DIM,
                      "no GPU in both to compare");
        return;
    }
    nsc_compare_bins(scene, (uint32_t)rect.cols);
    for (int c = 0; c < rect.cols; c++) {
        sum += scene->times[c];
        if (scene->times[c] >= LEAST_DIFFERENCE)
            nsc_grid_put(grid, rect.row, rect.col + c, NSC_ROLE_WARNING, 0,
                         nsc_bars_lower[nsc_bars_eighths(scene->times[c], PER_MILLE)]);
    }
    nsc_units_percent(text, sum, (nsc_time)PER_MILLE * rect.cols);
    nsc_grid_puts_right(grid, rect.row, scene->layout.labels.col, scene->layout.labels.cols - 1,
                        NSC_ROLE_SHARE, text);
}

static void export_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                        uint32_t track)
{
    const struct nsc_track *at = nsc_trace_track(scene->trace, track);
    struct nsc_part part = {track, at->skip, nsc_viewport_window(&scene->viewport)};

    if (scene->compare.on && at->capture_no == 1) {
        difference_draw(scene, grid, rect);
        return;
    }
    if (!nsc_bits_get(scene->folds, track)) {
        export_figures_draw(scene, grid, rect, at->capture_no);
        return;
    }
    nsc_part_bins(scene, &part, (uint32_t)rect.cols);
    activity_draw(scene, grid, rect);
}

void nsc_lines_group_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                          struct nsc_rect rect, uint32_t track)
{
    uint8_t kind = nsc_trace_track(scene->trace, track)->kind;
    bool device = kind == NSC_TRACK_DEVICE;
    bool folded = nsc_bits_get(scene->folds, track);

    if (kind == NSC_TRACK_CAPTURE)
        export_draw(scene, grid, rect, track);
    else if (device && !folded)
        device_figures_draw(scene, grid, rect, track);
    else if (device)
        device_activity_draw(scene, grid, rect, track);
    else if (folded)
        thread_activity_draw(scene, grid, rect, track);
}

/* ---- overlap ---- */

enum overlap { COMPUTE, BOTH, EXPOSED, COPY, N_OVERLAPS };

static void overlap_cell_draw(struct nsc_grid *grid, int row, int col,
                              const nsc_time part[N_OVERLAPS], nsc_time whole)
{
    static const uint8_t roles[N_OVERLAPS] = {NSC_ROLE_OVERLAP_COMPUTE, NSC_ROLE_OVERLAP_BOTH,
                                              NSC_ROLE_OVERLAP_EXPOSED, NSC_ROLE_OVERLAP_COPY};
    static const char *const glyphs[N_OVERLAPS] = {"█", "▓", "▒", "░"};
    enum { SHADES = 3 };
    int most = COMPUTE;
    bool full = false;
    uint8_t shade = 0;

    for (int i = COMPUTE; i < N_OVERLAPS; i++)
        if (part[i] > part[most])
            most = i;
    if (part[most] <= 0 || whole <= 0)
        return;
    full = part[COMPUTE] + part[BOTH] + part[EXPOSED] + part[COPY] >= whole;
    shade = (uint8_t)((long double)part[most] * SHADES / (long double)whole);
    shade = shade < SHADES ? shade : SHADES - 1;
    if (most == COMPUTE) /* the height shows the amount */
        shade = SHADES - 1;
    nsc_grid_put(grid, row, col, (enum nsc_role)roles[most],
                 (uint8_t)(shade * MAX_SHADE / (SHADES - 1)),
                 most == COMPUTE && !full ? nsc_bars_lower[nsc_bars_eighths(part[most], whole)]
                                          : glyphs[most]);
}

nsc_time *nsc_lines_cover(const struct nsc_scene *scene, const struct nsc_cover *cover,
                          uint32_t row, uint32_t cols)
{
    nsc_time *out = scene->times + (size_t)row * scene->scratch_cols;

    if (cover)
        nsc_cover_bins(cover, nsc_viewport_window(&scene->viewport), cols, out);
    else
        memset(out, 0, cols * sizeof *out);
    return out;
}

void nsc_lines_overlap_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                            struct nsc_rect rect, uint32_t track)
{
    static const struct nsc_device_covers none = {0};
    const struct nsc_device_covers *made = nsc_trace_device_covers(scene->trace, track);
    const struct nsc_device_covers *covers = made ? made : &none;
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    uint32_t cols = (uint32_t)rect.cols;
    const nsc_time *busy = nsc_lines_cover(scene, covers->busy, 0, cols);
    const nsc_time *compute = nsc_lines_cover(scene, covers->work[NSC_OP_COMPUTE], 1, cols);
    const nsc_time *comm = nsc_lines_cover(scene, covers->work[NSC_OP_COMM], 2, cols);
    const nsc_time *both = nsc_lines_cover(scene, covers->overlap, 3, cols);
    const nsc_time *hidden = nsc_lines_cover(scene, covers->hidden, 4, cols);

    for (uint32_t c = 0; c < cols; c++) {
        nsc_time part[N_OVERLAPS] = {
            [COMPUTE] = compute[c] - both[c],
            [BOTH] = hidden[c],
            [EXPOSED] = comm[c] - hidden[c],
            [COPY] = busy[c] - (compute[c] + comm[c] - both[c]),
        };

        overlap_cell_draw(grid, rect.row, rect.col + (int)c, part, nsc_window_column(w, c, cols));
    }
}

/* ---- counters ---- */

/* The number of samples before t, at least low. */
static uint32_t samples_before(const struct nsc_counter *counter, uint32_t low, nsc_time t)
{
    uint32_t high = counter->n;

    NSC_BISECT(low, high, middle, counter->time[middle] < t);
    return low;
}

static const char *unit_of(const struct nsc_scene *scene, const struct nsc_counter *counter)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);

    return nsc_counter_unit(nsc_trace_string(scene->trace, tracks[counter->track].label), NULL);
}

void nsc_lines_counter_text(const struct nsc_scene *scene, uint32_t index, int64_t value,
                            char out[NSC_UNITS_BYTES])
{
    const struct nsc_counter *counter = &nsc_trace_counters(scene->trace, NULL)[index];

    if (counter->is_bytes && value >= 0)
        nsc_units_bytes(out, (uint64_t)value);
    else
        nsc_counter_text(out, value, unit_of(scene, counter));
}

void nsc_lines_counter_value(const struct nsc_scene *scene, uint32_t index,
                             char out[NSC_UNITS_BYTES])
{
    const struct nsc_counter *counter = &nsc_trace_counters(scene->trace, NULL)[index];
    uint32_t n = 0;

    out[0] = '\0';
    n = scene->cursor < INT64_MAX ? samples_before(counter, 0, scene->cursor + 1) : counter->n;
    if (n)
        nsc_lines_counter_text(scene, index, counter->value[n - 1], out);
}

/* The maximum of the value at the column's start and of samples [from, to); reads at most
 * COUNTER_PROBES of them. */
static int64_t column_value(const struct nsc_counter *counter, uint32_t from, uint32_t to)
{
    uint32_t step = (to - from) / COUNTER_PROBES + 1;
    int64_t value = counter->value[from ? from - 1 : 0];

    for (uint32_t i = from; i < to; i += step)
        value = counter->value[i] > value ? counter->value[i] : value;
    return value;
}

void nsc_lines_counter_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                            struct nsc_rect rect, uint32_t track)
{
    uint32_t index = nsc_trace_track(scene->trace, track)->counter;
    const struct nsc_counter *counter = &nsc_trace_counters(scene->trace, NULL)[index];
    int64_t low = counter->min < 0 ? counter->min : 0;
    bool is_share = counter->max < 100 && strcmp(unit_of(scene, counter), "%") == 0;
    int64_t high = is_share ? 100 : counter->max;
    long double range = (long double)high - (long double)low;
    uint32_t cols = (uint32_t)rect.cols;
    uint32_t from = samples_before(counter, 0, nsc_viewport_time(&scene->viewport, 0));

    for (uint32_t c = 0; c < cols; c++) {
        uint32_t to = samples_before(counter, from, nsc_viewport_time(&scene->viewport, c + 1));
        long double value = 0;
        uint32_t eighths = 1;

        if (to) {
            value = (long double)column_value(counter, from, to) - (long double)low;
            eighths = range > 0 ? (uint32_t)(value * COUNTER_EIGHTHS / range + 0.5L) : 1;
            nsc_grid_put(grid, rect.row, rect.col + (int)c, NSC_ROLE_COUNTER, 0,
                         nsc_bars_lower[eighths < 1   ? 1
                                        : eighths > 8 ? 8
                                                      : eighths]);
        }
        from = to;
    }
}
