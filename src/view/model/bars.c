/*
 * From the bins of a lane to the cells of a line.
 *
 * Adjacent columns that lie wholly inside one event form a run, drawn as a bar with its name. A
 * column in which a long event begins or ends shows that edge. Any other column shows its busy
 * part; if several events share it, in the one colour of their kind.
 */
#include "view/model/bars.h"

#include "analysis/names/kernel_family.h"
#include "core/units.h"
#include "view/kit/theme.h"
#include "view/model/viewport.h"

#include <string.h>

enum {
    RUN_MIN_LABEL = 3,
    RUN_MIN_CUT = 8,
    RUN_PADDED = 6,
    TAIL_LEAST = 3, /* two letters and "…" before a number */
    LONG_COLUMNS = 2,
    HASHED_BYTES = 64,
    COUNTER_DIGITS = 4
};

/* Steps on the colour wheel. Neighbours in NVTX's gradient are 96 steps apart. */
enum { SECTOR = 256, TURN = 6 * SECTOR, HALF_STEP = 48, MIN_SPREAD = 24 };

const char *const nsc_bars_lower[9] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

struct column {
    nsc_time t0, t1;
    nsc_time busy;
    nsc_event longest;   /* NSC_NONE: no event touches */
    bool alone;          /* only one event touches */
    bool enters, leaves; /* see struct nsc_bin */
};

struct line {
    const struct nsc_bars *bars;
    const struct nsc_events *events;
    struct nsc_grid *grid;
    struct nsc_rect rect;
    uint32_t lane;
};

enum nsc_role nsc_bars_role(const struct nsc_trace *trace, nsc_event event)
{
    static const uint8_t roles[NSC_N_KINDS] = {
        [NSC_KIND_UNKNOWN] = NSC_ROLE_MARK,          [NSC_KIND_KERNEL] = NSC_ROLE_KERNEL,
        [NSC_KIND_GRAPH] = NSC_ROLE_GRAPH,           [NSC_KIND_COPY_HTOD] = NSC_ROLE_COPY_HTOD,
        [NSC_KIND_COPY_DTOH] = NSC_ROLE_COPY_DTOH,   [NSC_KIND_COPY_DTOD] = NSC_ROLE_COPY_DTOD,
        [NSC_KIND_COPY_PTOP] = NSC_ROLE_COPY_DTOD,   [NSC_KIND_COPY_OTHER] = NSC_ROLE_COPY_DTOD,
        [NSC_KIND_MEMSET] = NSC_ROLE_MEMSET,         [NSC_KIND_API_RUNTIME] = NSC_ROLE_API,
        [NSC_KIND_API_DRIVER] = NSC_ROLE_API,        [NSC_KIND_SYNC] = NSC_ROLE_SYNC,
        [NSC_KIND_GRAPH_EVENT] = NSC_ROLE_GRAPH,     [NSC_KIND_GRAPH_NODE_EVENT] = NSC_ROLE_GRAPH,
        [NSC_KIND_NVTX_RANGE] = NSC_ROLE_NVTX,       [NSC_KIND_NVTX_SPAN] = NSC_ROLE_NVTX,
        [NSC_KIND_NVTX_MARK] = NSC_ROLE_MARK,        [NSC_KIND_OSRT] = NSC_ROLE_OS,
        [NSC_KIND_SCHED] = NSC_ROLE_SCHED,           [NSC_KIND_SAMPLE] = NSC_ROLE_MARK,
        [NSC_KIND_UM_CPU_FAULT] = NSC_ROLE_OVERHEAD, [NSC_KIND_UM_GPU_FAULT] = NSC_ROLE_OVERHEAD,
        [NSC_KIND_OVERHEAD] = NSC_ROLE_OVERHEAD,     [NSC_KIND_CUPTI_OVERHEAD] = NSC_ROLE_OVERHEAD,
    };
    const struct nsc_events *events = nsc_trace_events(trace);
    uint8_t kind = events->kind[event];
    enum nsc_role role = (enum nsc_role)roles[kind];

    if (kind == NSC_KIND_KERNEL &&
        nsc_trace_names(trace)->flags[events->name[event]] & NSC_NAME_COMM)
        return NSC_ROLE_COMM;
    return role == NSC_ROLE_TEXT ? NSC_ROLE_LIBRARY : role;
}

/* The number of digits from text[at] on. */
static uint32_t digits_at(struct nsc_text text, uint32_t at)
{
    uint32_t n = 0;

    while (at + n < text.n && text.bytes[at + n] >= '0' && text.bytes[at + n] <= '9')
        n++;
    return n;
}

/*
 * FNV-1a of the name's first bytes, folded to a hue: the same in every run, without a table. Skips
 * long numbers, which count calls ("op_id = 314290"); short ones distinguish things ("layer 3").
 */
static uint32_t name_hash(struct nsc_text text)
{
    uint32_t hash = 2166136261u, i = 0;

    text.n = text.n < HASHED_BYTES ? text.n : HASHED_BYTES;
    while (i < text.n) {
        uint32_t digits = digits_at(text, i);

        if (digits >= COUNTER_DIGITS)
            i += digits;
        else
            for (uint32_t end = i + (digits ? digits : 1); i < end; i++)
                hash = (hash ^ (uint8_t)text.bytes[i]) * 16777619u;
    }
    return hash ^ hash >> 15;
}

/* Hues [first, first + n) of the gradient of kernels. */
struct hues {
    uint8_t first, n;
};

/* The hues of a family of kernels: neighbours in the gradient, to look alike. */
static const struct hues family_hues[NSC_N_KERNEL_FAMILIES] = {
    [NSC_FAMILY_ELEMENTWISE] = {0, 2}, [NSC_FAMILY_COPY] = {0, 2},
    [NSC_FAMILY_MEMORY] = {0, 2},      [NSC_FAMILY_EMBEDDING] = {0, 2},
    [NSC_FAMILY_NORM] = {2, 3},        [NSC_FAMILY_REDUCTION] = {5, 3},
    [NSC_FAMILY_SAMPLING] = {5, 3},    [NSC_FAMILY_MATRIX] = {8, 3},
    [NSC_FAMILY_MOE] = {8, 3},         [NSC_FAMILY_OTHER] = {11, 2},
    [NSC_FAMILY_COLLECTIVE] = {11, 2}, [NSC_FAMILY_ATTENTION] = {13, 3}};

/* A kernel has a hue of its family, anything else one of all hues. */
uint8_t nsc_bars_shade(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    nsc_name name = nsc_trace_events(trace)->name[event];
    struct nsc_text text = nsc_trace_string(trace, names->brief[name]);
    struct hues hues = {0, NSC_THEME_HUES};

    if (nsc_trace_events(trace)->kind[event] == NSC_KIND_KERNEL &&
        !(names->flags[name] & NSC_NAME_COMM))
        hues = family_hues[nsc_kernel_family_of(text)];
    return (uint8_t)((hues.first + name_hash(text) % hues.n) * (256 / NSC_THEME_HUES));
}

/* Hue in 1536ths of a turn from red: one of six sectors, and the offset in it. */
bool nsc_bars_export_shade(uint8_t *out, uint32_t argb)
{
    int r = (int)(argb >> 16 & 255);
    int g = (int)(argb >> 8 & 255);
    int b = (int)(argb & 255);
    int most = r > g ? (r > b ? r : b) : (g > b ? g : b);
    int least = r < g ? (r < b ? r : b) : (g < b ? g : b);
    int spread = most - least;
    int hue = 0;

    if (spread < MIN_SPREAD)
        return false;
    if (most == r)
        hue = (g - b) * SECTOR / spread;
    else if (most == g)
        hue = 2 * SECTOR + (b - r) * SECTOR / spread;
    else
        hue = 4 * SECTOR + (r - g) * SECTOR / spread;
    hue = (hue + TURN + HALF_STEP) % TURN;
    *out = (uint8_t)(hue * NSC_THEME_HUES / TURN * (256 / NSC_THEME_HUES));
    return true;
}

uint32_t nsc_bars_eighths(nsc_time part, nsc_time whole)
{
    return nsc_bin_level(part, whole, 8);
}

void nsc_bars_times_draw(struct nsc_grid *grid, struct nsc_rect rect, struct nsc_window w,
                         const nsc_time times[], enum nsc_role role, uint8_t shade)
{
    uint32_t cols = (uint32_t)rect.cols;

    for (uint32_t c = 0; c < cols; c++)
        if (times[c] > 0)
            nsc_grid_put(grid, rect.row, rect.col + (int)c, role, shade,
                         nsc_bars_lower[nsc_bars_eighths(times[c], nsc_window_column(w, c, cols))]);
}

static nsc_time clipped(const struct line *line, nsc_event event, nsc_time t0, nsc_time t1)
{
    nsc_time start = line->events->start[event];
    nsc_time end = nsc_event_end(line->events, event);

    start = start > t0 ? start : t0;
    end = end < t1 ? end : t1;
    return end > start ? end - start : 0;
}

/* t0: end of the previous column. */
static struct column column_at(const struct line *line, uint32_t i, nsc_time t0)
{
    const struct nsc_bin *bin = &line->bars->bins[i];
    uint32_t cols = (uint32_t)line->rect.cols;
    struct column column = {
        .t0 = t0,
        .t1 = nsc_window_cut(line->bars->window, i + 1, cols),
        .busy = bin->busy,
        .longest = bin->events ? bin->longest : NSC_NONE,
        .alone = bin->events == 1,
        .enters = bin->enters,
        .leaves = bin->leaves,
    };

    return column;
}

static bool column_is_full(const struct column *column)
{
    return column->longest != NSC_NONE && column->busy >= column->t1 - column->t0 &&
           column->t1 > column->t0;
}

static uint8_t shade_of(const struct nsc_bars *bars, nsc_event event)
{
    const struct nsc_names *names = nsc_trace_names(bars->trace);
    const struct nsc_events *events = nsc_trace_events(bars->trace);
    uint8_t shade = 0;

    if (bars->export_colors && nsc_kind_is_nvtx(events->kind[event]) &&
        names->flags[events->name[event]] & NSC_NAME_COLORED &&
        nsc_bars_export_shade(&shade, names->argb[events->name[event]]))
        return shade;
    return nsc_bars_shade(bars->trace, event);
}

static struct nsc_bars_look look_of(const struct line *line, nsc_event event)
{
    const struct nsc_bars *bars = line->bars;
    nsc_name name = line->events->name[event];
    uint8_t kind = line->events->kind[event];
    struct nsc_bars_known *known = bars->looks->known;

    known += name % (sizeof bars->looks->known / sizeof *known);
    if (!name || known->name != name || known->kind != kind || known->trace != bars->trace)
        *known = (struct nsc_bars_known){
            bars->trace, name, kind, {nsc_bars_role(bars->trace, event), shade_of(bars, event)}};
    return known->look;
}

static void cell_put(struct line *line, uint32_t i, nsc_event event, const char *glyph)
{
    struct nsc_bars_look look = look_of(line, event);

    for (int row = 0; row < line->rect.rows; row++)
        nsc_grid_put(line->grid, line->rect.row + row, line->rect.col + (int)i, look.role,
                     look.shade, glyph);
}

/* ---- columns that several events share ---- */

enum { LOOKED_AT = 16, COMMON_SHADE = 0x80 };

/* Sums by role what the longest event and those beside it, at most LOOKED_AT before and after it, fill
 * of the column. */
static void roles_sum(const struct line *line, const struct column *column,
                      nsc_time busy[NSC_N_ROLES])
{
    const struct nsc_lane *lane = &nsc_trace_lanes(line->bars->trace, NULL)[line->lane];

    for (int step = -1; step <= 1; step += 2)
        for (uint32_t i = step > 0; i <= LOOKED_AT; i++) {
            nsc_event event = step < 0 ? column->longest - i : column->longest + i;
            nsc_time part = 0;

            if (event - lane->first >= lane->n)
                break;
            part = clipped(line, event, column->t0, column->t1);
            if (!part)
                break;
            if (nsc_summary_has(line->bars->summary, event))
                busy[look_of(line, event).role] += part; /* at most the time of the column */
        }
}

/* Fills a column from below by so many eighths of a row, whole cells above the first `from`. */
static void cell_fill(struct line *line, uint32_t i, struct nsc_bars_look look, uint32_t from,
                      uint32_t eighths)
{
    for (uint32_t at = from; at < eighths; at += 8)
        nsc_grid_put(line->grid, line->rect.row + line->rect.rows - 1 - (int)(at / 8),
                     line->rect.col + (int)i, look.role, look.shade,
                     nsc_bars_lower[eighths - at < 8 ? eighths - at : 8]);
}

/* Several events share the column: where its busy part is higher than a cell, its two largest kinds
 * lie one on the other. */
static void shared_draw(struct line *line, uint32_t i, const struct column *column,
                        uint32_t eighths)
{
    nsc_time busy[NSC_N_ROLES] = {0};
    uint32_t first = look_of(line, column->longest).role, second = 0;
    uint32_t below = eighths;

    if (eighths > 8)
        roles_sum(line, column, busy);
    for (uint32_t role = 0; role < NSC_N_ROLES; role++)
        first = busy[role] > busy[first] ? role : first;
    for (uint32_t role = 0; role < NSC_N_ROLES; role++)
        second = role != first && busy[role] > busy[second] ? role : second;
    if (busy[second])
        below = 8 * nsc_bin_level(busy[first], busy[first] + busy[second], (eighths + 7) / 8);
    cell_fill(line, i, (struct nsc_bars_look){(enum nsc_role)first, COMMON_SHADE}, 0, below);
    cell_fill(line, i, (struct nsc_bars_look){(enum nsc_role)second, COMMON_SHADE}, below, eighths);
}

/*
 * Whether the column shows an edge of its longest event: an event alone in it that continues in a
 * neighbour column, or a long one that fills at least half of it. *is_end: its end, not its start.
 */
static bool column_has_edge(const struct line *line, const struct column *column, bool *is_end)
{
    nsc_time length = column->t1 - column->t0;

    *is_end = column->enters;
    if (column->enters == column->leaves)
        return false;
    /* Edges of short events among others are noise; a long event also has an adjacent column of its
     * own. */
    return column->alone ||
           (nsc_event_duration(line->events, column->longest) / LONG_COLUMNS >= length &&
            clipped(line, column->longest, column->t0, column->t1) >= length - length / 2);
}

static void edge_draw(struct line *line, uint32_t i, const struct column *column, bool is_end)
{
    nsc_time whole = column->t1 - column->t0;
    nsc_time part = clipped(line, column->longest, column->t0, column->t1);
    uint32_t eighths = nsc_bars_eighths(part, whole);

    eighths = eighths < 1 ? 1 : eighths > 7 ? 7 : eighths;
    cell_put(line, i, column->longest,
             is_end        ? nsc_left_eighths[eighths]
             : eighths > 2 ? "▐"
                           : "▕");
}

/* Draws a column outside of runs. */
static void column_draw(struct line *line, uint32_t i, const struct column *column)
{
    bool is_end = false;
    uint32_t eighths = 0;

    if (column->longest == NSC_NONE)
        return;
    if (column->busy == 0) {
        cell_put(line, i, column->longest, column->alone ? "│" : "┃");
        return;
    }
    if (column_has_edge(line, column, &is_end)) {
        edge_draw(line, i, column, is_end);
        return;
    }
    eighths = column_is_full(column) ? 8 * (uint32_t)line->rect.rows
                                     : nsc_bin_level(column->busy, column->t1 - column->t0,
                                                     8 * (uint32_t)line->rect.rows);
    if (column->alone)
        cell_fill(line, i, look_of(line, column->longest), 0, eighths);
    else
        shared_draw(line, i, column, eighths);
}

/* The bytes of a total at the end, " of 72": it is the same in all. */
static uint32_t total_at(struct nsc_text text)
{
    uint32_t n = text.n;

    while (n && text.bytes[n - 1] >= '0' && text.bytes[n - 1] <= '9')
        n--;
    return n < text.n && n > 4 && memcmp(text.bytes + n - 4, " of ", 4) == 0 ? text.n - n + 4 : 0;
}

/*
 * Draws a text from the second cell of the bar on. keeps: of one that is too long, the number at its
 * end stays: "it…12".
 */
/* NOLINTNEXTLINE(readability-function-size): six parameters of different kinds */
static void run_label(const struct line *line, int row, uint32_t from, uint32_t to,
                      struct nsc_text text, bool keeps)
{
    bool padded = to - from >= RUN_PADDED;
    int col = line->rect.col + (int)from;
    int end = line->rect.col + (int)to - padded;
    int room = end - col - padded;
    struct nsc_text tail;
    bool fits;

    if (keeps && (int)nsc_text_width(text, line->grid->ascii) > room)
        text.n -= total_at(text);
    fits = (int)nsc_text_width(text, line->grid->ascii) <= room;
    tail = (struct nsc_text){text.bytes + text.n, 0};
    while (keeps && !fits && tail.n < text.n &&
           digits_at((struct nsc_text){tail.bytes - 1, 1}, 0)) {
        tail.bytes--;
        tail.n++;
    }
    if (room - (int)tail.n < TAIL_LEAST)
        tail.n = 0;
    /* A few letters of a name are useless. */
    if (to - from < RUN_MIN_LABEL || (to - from < RUN_MIN_CUT && !fits && !tail.n))
        return;
    if (padded)
        col = nsc_grid_label(line->grid, row, col, 1, nsc_text_from(" "));
    col = nsc_grid_label(line->grid, row, col, end - col - (int)tail.n, text);
    col = nsc_grid_label(line->grid, row, col, end - col, tail);
    if (padded)
        nsc_grid_label(line->grid, row, col, 1, nsc_text_from(" "));
}

struct nsc_text nsc_bars_text(struct nsc_text text)
{
    static const char *const tails[] = {", op_id = ", ", seq = "};

    for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
        uint32_t n = (uint32_t)strlen(tails[k]);

        for (uint32_t i = 1; i + n <= text.n; i++)
            if (memcmp(text.bytes + i, tails[k], n) == 0)
                text.n = i;
    }
    return text;
}

/* Draws the name, and in taller rows the duration below it. */
static void run_labels(const struct line *line, uint32_t from, uint32_t to, nsc_event event)
{
    char scratch[NSC_NAME_BYTES];
    char text[NSC_UNITS_BYTES];

    run_label(line, line->rect.row, from, to,
              nsc_bars_text(
                  nsc_trace_event_text(line->bars->trace, event, !line->bars->demangled, scratch)),
              nsc_kind_is_nvtx(line->events->kind[event]));
    if (line->rect.rows < 2)
        return;
    nsc_units_duration(text, nsc_event_duration(line->events, event), line->grid->ascii);
    if (strlen(text) <= to - from) /* part of a number would mislead */
        run_label(line, line->rect.row + 1, from, to, nsc_text_from(text), false);
}

/* Draws columns [from, to) inside event; more: another event is busy from the start of the next
 * column. */
static void run_draw(struct line *line, uint32_t from, uint32_t to, nsc_event event, bool more)
{
    struct nsc_bars_look look = look_of(line, event);

    for (int row = 0; row < line->rect.rows; row++)
        for (uint32_t i = from; i < to; i++)
            nsc_grid_put(line->grid, line->rect.row + row, line->rect.col + (int)i, look.role,
                         look.shade, more && i + 1 == to && to - from > 1 ? "▉" : "█");
    run_labels(line, from, more && to - from > 1 ? to - 1 : to, event);
}

static void row_select(const struct line *line, int row, int from, int to)
{
    for (int i = from < 0 ? 0 : from; i <= to && i < line->rect.cols; i++) {
        int col = line->rect.col + i;
        struct nsc_cell *cell = NULL;

        if (row >= (int)line->grid->rows || col >= (int)line->grid->cols)
            return;
        cell = nsc_grid_at(line->grid, (uint32_t)row, (uint32_t)col);
        cell->role = (uint8_t)(NSC_ROLE_SELECTION | (cell->role & NSC_CELL_ON_BAR));
        cell->shade = 0;
    }
}

static void cells_select(const struct line *line, int from, int to)
{
    for (int row = 0; row < line->rect.rows; row++)
        row_select(line, line->rect.row + row, from, to);
}

/* Marks each column that the selected event touches, whatever else is in it. */
static void selection_draw(const struct line *line, uint32_t lane)
{
    const struct nsc_lane *at = &nsc_trace_lanes(line->bars->trace, NULL)[lane];
    nsc_event event = line->bars->selected;
    struct nsc_window w = line->bars->window;
    uint32_t cols = (uint32_t)line->rect.cols;
    nsc_time end = 0;

    if (event < at->first || event - at->first >= at->n)
        return;
    end = nsc_event_touch_end(line->events, event);
    if (end > w.t0 && line->events->start[event] < w.t1)
        cells_select(line, nsc_window_col(w, cols, line->events->start[event]),
                     nsc_window_col(w, cols, end - 1));
}

static bool column_in_run(const struct column *column)
{
    return column->alone && column_is_full(column);
}

void nsc_bars_draw(const struct nsc_bars *bars, struct nsc_grid *grid, struct nsc_rect rect,
                   uint32_t lane)
{
    struct line line = {.bars = bars,
                        .events = nsc_trace_events(bars->trace),
                        .grid = grid,
                        .rect = rect,
                        .lane = lane};
    uint32_t cols = (uint32_t)rect.cols;
    uint32_t i = 0;
    struct column column = {0};

    nsc_lane_bins(bars->trace, bars->summary, lane, bars->window, cols, bars->bins);
    if (cols)
        column = column_at(&line, 0, bars->window.t0);
    while (i < cols) {
        uint32_t from = i;
        nsc_event event = column.longest;
        bool in_run = column_in_run(&column);

        if (!in_run)
            column_draw(&line, i, &column);
        do {
            column =
                ++i < cols ? column_at(&line, i, column.t1) : (struct column){.longest = NSC_NONE};
        } while (in_run && i < cols && column_in_run(&column) && column.longest == event);
        if (in_run)
            run_draw(&line, from, i, event,
                     i < cols && column_in_run(&column) && column.longest != event);
    }
    selection_draw(&line, lane);
}

void nsc_bars_draw_logical(const struct nsc_bars *bars, struct nsc_grid *grid, struct nsc_rect rect,
                           uint32_t lane, nsc_event first)
{
    struct line line = {
        .bars = bars, .events = nsc_trace_events(bars->trace), .grid = grid, .rect = rect};
    uint32_t cols = (uint32_t)rect.cols;
    const struct nsc_lane *all = nsc_trace_lanes(bars->trace, NULL);
    nsc_event event = first;

    for (uint32_t i = 0; i < cols; i += NSC_BARS_SLOT) {
        uint32_t to = i + NSC_BARS_SLOT - 1 < cols ? i + NSC_BARS_SLOT - 1 : cols;

        if (event == NSC_NONE || event >= all[lane].first + all[lane].n)
            return;
        run_draw(&line, i, to, event, false);
        if (event == bars->selected)
            cells_select(&line, (int)i, (int)to - 1);
        event = nsc_lane_next(bars->trace, bars->summary, lane, event);
    }
}
