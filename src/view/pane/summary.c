/*
 * Lists and draws the lines of the summary.
 */
#include "nsyscope/cover.h"

#include "analysis/base/activity.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/model/flame.h"
#include "view/pane/lines.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"

#include <stdio.h>

enum { LABEL_COLS = 16, BAR_COLS = 32, NARROW_BAR = 10, NARROW_COLS = 100, TEXT_BYTES = 160 };

/* ---- which lines there are ---- */

struct nsc_window nsc_pane_summary_span(const struct nsc_trace *trace, uint32_t device)
{
    const struct nsc_cover *busy = nsc_trace_device_covers(trace, device)->busy;
    uint32_t n = nsc_cover_count(busy);

    if (!n)
        return nsc_trace_extent(trace);
    return (struct nsc_window){nsc_cover_at(busy, 0).t0, nsc_cover_at(busy, n - 1).t1};
}

static void add(struct nsc_pane_summary *summary, enum nsc_summary_line line, uint32_t what)
{
    if (summary->list.n < NSC_PANE_SUMMARY_MOST)
        summary->items[summary->list.n++] = (struct nsc_summary_item){line, what};
}

static uint32_t n_groups(const struct nsc_pane_summary *summary)
{
    uint32_t n = 0;

    if (summary->made)
        (void)nsc_selection_groups(summary->made, &n);
    return n < NSC_PANE_SUMMARY_KERNELS ? n : NSC_PANE_SUMMARY_KERNELS;
}

/* A small pane lists fewer kernels, so that the findings below them are seen. */
static void fit_kernels(struct nsc_pane_summary *summary)
{
    size_t kept = 0;
    size_t kernels = n_groups(summary);
    size_t least = kernels < NSC_PANE_SUMMARY_LEAST ? kernels : NSC_PANE_SUMMARY_LEAST;
    size_t others = summary->list.n - kernels;

    if (summary->list.n <= summary->list.height)
        return;
    kernels = summary->list.height > others ? summary->list.height - others : 0;
    kernels = kernels > least ? kernels : least;
    for (size_t i = 0; i < summary->list.n; i++)
        if (summary->items[i].line != NSC_SUMMARY_KERNEL || summary->items[i].what < kernels)
            summary->items[kept++] = summary->items[i];
    summary->list.n = kept;
}

void nsc_pane_summary_list(struct nsc_pane_summary *summary, const struct nsc_scene *scene,
                           const struct nsc_explore *explore,
                           const struct nsc_pane_findings *findings)
{
    size_t assessed = findings ? nsc_findings_assessed(findings) : 0;
    uint32_t n = 0, gpus = 0;
    bool has_comm = false;

    summary->list.n = 0;
    for (size_t i = 0; i < summary->n_changes; i++)
        add(summary, NSC_SUMMARY_CHANGE, (uint32_t)i);
    (void)nsc_trace_tracks(scene->trace, &n);
    for (uint32_t i = 0; i < n && gpus < NSC_PANE_SUMMARY_GPUS; i++)
        if (nsc_track_works(scene->trace, i)) {
            add(summary, NSC_SUMMARY_GPU, i);
            has_comm |= nsc_trace_device_covers(scene->trace, i)->work[NSC_OP_COMM] != NULL;
            gpus++;
        }
    if (explore->iterations.n)
        add(summary, NSC_SUMMARY_ITERATIONS, 0);
    for (uint32_t i = 0; i < n_groups(summary); i++)
        add(summary, NSC_SUMMARY_KERNEL, i);
    for (size_t i = 0; i < assessed && i < NSC_PANE_SUMMARY_FINDINGS; i++)
        add(summary, NSC_SUMMARY_FINDING, (uint32_t)i);
    if (gpus)
        add(summary, NSC_SUMMARY_WALK, NSC_ACTION_GAPS);
    if (has_comm)
        add(summary, NSC_SUMMARY_WALK, NSC_ACTION_EXPOSED);
    if (gpus)
        add(summary, NSC_SUMMARY_WALK, NSC_ACTION_SLOW_KERNELS);
    if (explore->iterations.n)
        add(summary, NSC_SUMMARY_WALK, NSC_ACTION_SLOW_ITERATIONS);
    if (!gpus && (nsc_flame_view_has(scene->trace, NSC_FLAME_CPU) ||
                  nsc_flame_view_has(scene->trace, NSC_FLAME_SAMPLES)))
        add(summary, NSC_SUMMARY_WALK, NSC_ACTION_FLAME);
    if (!assessed)
        add(summary, NSC_SUMMARY_WALK, NSC_ACTION_FINDINGS);
    summary->lines = summary->list.n;
    fit_kernels(summary);
    nsc_list_clamp(&summary->list);
}

/* ---- what changed from A to B ---- */

static void put_cell(struct nsc_buf *line, const char *before, const struct nsc_sheet *sheet,
                     uint32_t row, const char *key, bool ascii)
{
    uint32_t column = nsc_sheet_column(sheet, nsc_text_from(key));

    nsc_buf_puts(line, before);
    if (column != NSC_NONE)
        nsc_sheet_show(line, sheet, row, column, ascii);
}

static void add_change(struct nsc_pane_summary *summary, struct nsc_buf *line)
{
    (void)snprintf(summary->changes[summary->n_changes++], NSC_PANE_SUMMARY_TEXT, "%s",
                   line->n ? line->bytes : "");
    nsc_buf_fini(line);
}

/* "regression 11.3 %: A's mean period 3.64 ms, B's mean period 4.05 ms; noise 2.0 %" */
static void add_verdict(struct nsc_pane_summary *summary, const struct nsc_sheet *verdict,
                        const struct nsc_sheet *fall, bool ascii)
{
    struct nsc_buf line = NSC_BUF_INIT(NSC_PANE_SUMMARY_TEXT);
    uint32_t n = fall ? nsc_sheet_rows(fall) : 0;

    put_cell(&line, "", verdict, 0, "verdict", ascii);
    put_cell(&line, " ", verdict, 0, "change_pct", ascii);
    if (n > 1) {
        put_cell(&line, ": ", fall, 0, "name", ascii);
        put_cell(&line, " ", fall, 0, "so_far_ns", ascii);
        put_cell(&line, ", ", fall, n - 1, "name", ascii);
        put_cell(&line, " ", fall, n - 1, "so_far_ns", ascii);
    }
    put_cell(&line, "; noise ", verdict, 0, "noise_pct", ascii);
    add_change(summary, &line);
}

void nsc_pane_summary_change(struct nsc_pane_summary *summary, const struct nsc_sheets *sheets,
                             const char *reason, bool ascii)
{
    const struct nsc_sheet *verdict = sheets ? nsc_sheets_find(sheets, "verdict") : NULL;
    const struct nsc_sheet *fall = sheets ? nsc_sheets_find(sheets, "waterfall") : NULL;
    uint32_t parts = fall && nsc_sheet_rows(fall) > 3 ? nsc_sheet_rows(fall) - 3 : 0;

    summary->n_changes = 0;
    if (verdict && nsc_sheet_rows(verdict))
        add_verdict(summary, verdict, fall, ascii);
    else if (reason)
        (void)snprintf(summary->changes[summary->n_changes++], NSC_PANE_SUMMARY_TEXT, "%s", reason);
    for (uint32_t i = 1; i <= parts && summary->n_changes < NSC_PANE_SUMMARY_CHANGES; i++) {
        struct nsc_buf line = NSC_BUF_INIT(NSC_PANE_SUMMARY_TEXT);
        const struct nsc_sheet_cell *change = nsc_sheet_find(fall, i, "change_ns");

        put_cell(&line, change && change->integer > 0 ? "+" : "", fall, i, "change_ns", ascii);
        put_cell(&line, "  ", fall, i, "class", ascii);
        put_cell(&line, "  ", fall, i, "name", ascii);
        add_change(summary, &line);
    }
}

static void change_draw(const struct nsc_pane_summary *summary, struct nsc_grid *grid,
                        struct nsc_rect line, uint32_t i)
{
    nsc_grid_puts(grid, line.row, line.col, LABEL_COLS - 1, NSC_ROLE_GROUP, i == 0 ? "A to B" : "");
    nsc_grid_text(grid, line.row, line.col + LABEL_COLS, line.cols - LABEL_COLS, NSC_ROLE_TEXT,
                  nsc_text_from(summary->changes[i]));
}

/* ---- a GPU ---- */

/* Draws parts side by side in proportion; each nonzero part gets at least one cell. */
static int stack_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_activity *all)
{
    const struct {
        enum nsc_role role;
        const char *glyph;
        nsc_time part;
    } parts[] = {{NSC_ROLE_OVERLAP_COMPUTE, "█", all->compute - all->overlap},
                 {NSC_ROLE_OVERLAP_BOTH, "▓", all->comm - all->exposed},
                 {NSC_ROLE_OVERLAP_EXPOSED, "▒", all->exposed},
                 {NSC_ROLE_OVERLAP_COPY, "░", all->copy_only},
                 {NSC_ROLE_DIM, "·", all->idle}};
    nsc_time before = 0;
    int col = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int end = 0;

        if (parts[i].part <= 0)
            continue;
        before += parts[i].part;
        end = (int)((long double)before * rect.cols / (long double)all->window + 0.5L);
        end = end > col ? end : col + 1;
        for (; col < end && col < rect.cols; col++)
            nsc_grid_put(grid, rect.row, rect.col + col, parts[i].role, 255, parts[i].glyph);
    }
    return rect.col + rect.cols;
}

static void gpu_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect line,
                     uint32_t device)
{
    struct nsc_window span = nsc_pane_summary_span(scene->trace, device);
    struct nsc_activity all =
        nsc_device_activity(nsc_trace_device_covers(scene->trace, device), span);
    int bar = line.cols >= NARROW_COLS ? BAR_COLS : NARROW_BAR;
    struct nsc_rect rest = {line.row, line.col + LABEL_COLS + bar + 1, 1,
                            line.cols - LABEL_COLS - bar - 1};
    struct nsc_page page = nsc_page(grid, rest, 0, scene->ascii);
    const struct nsc_track *track = nsc_trace_track(scene->trace, device);
    struct nsc_lines_part parts[] = {{"idle", all.idle},
                                     {"compute alone", all.compute - all.overlap},
                                     {"overlapped", all.comm - all.exposed},
                                     {"exposed", all.exposed},
                                     {"copies", all.copy_only}};
    enum { N_PARTS = sizeof parts / sizeof *parts };
    char text[NSC_UNITS_BYTES], label[NSC_LINES_LABEL];
    int col = line.col;

    nsc_compare_side_text(scene, track->capture_no, text);
    col = nsc_grid_puts(grid, line.row, col, LABEL_COLS - 1, NSC_ROLE_GROUP, text);
    nsc_grid_text(grid, line.row, col, line.col + LABEL_COLS - 1 - col, NSC_ROLE_GROUP,
                  nsc_lines_without_maker(nsc_trace_string(scene->trace, track->label), label));
    (void)stack_draw(grid, (struct nsc_rect){line.row, line.col + LABEL_COLS, 1, bar}, &all);
    nsc_lines_parts_put(&page, parts, 1, all.window); /* the rest may be dropped */
    nsc_units_duration(text, all.window, scene->ascii);
    nsc_page_pair(&page, line.cols >= NARROW_COLS ? "first to last work" : "all work", text);
    for (int i = 1; i < N_PARTS; i++)
        parts[i].ns = parts[i].ns > 0 ? parts[i].ns : -1;
    nsc_lines_parts_put(&page, parts + 1, N_PARTS - 1, all.window);
}

/* ---- the iterations ---- */

/* Draws one cell per iteration, or for the longest of several. Its height is relative to the
 * longest one, without warm-up. */
static void spark_draw(const struct nsc_iterations *all, struct nsc_grid *grid,
                       struct nsc_rect rect)
{
    uint32_t cells = all->n < (uint32_t)rect.cols ? all->n : (uint32_t)rect.cols;

    for (uint32_t c = 0; c < cells; c++) {
        uint32_t to = (uint32_t)((uint64_t)(c + 1) * all->n / cells);
        nsc_time most = 0;
        bool slow = false;
        bool warm_up = false;

        for (uint32_t i = (uint32_t)((uint64_t)c * all->n / cells); i < to; i++) {
            most = all->at[i].period > most ? all->at[i].period : most;
            slow |= all->at[i].slow;
            warm_up |= all->at[i].warm_up;
        }
        most = most < all->longest ? most : all->longest;
        nsc_grid_put(grid, rect.row, rect.col + (int)c,
                     slow      ? NSC_ROLE_WARNING
                     : warm_up ? NSC_ROLE_DIM
                               : NSC_ROLE_SHARE,
                     0, nsc_bars_lower[nsc_bars_eighths(most, all->longest)]);
    }
}

static void iterations_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                            struct nsc_grid *grid, struct nsc_rect line)
{
    const struct nsc_iterations *all = &explore->iterations;
    int bar = line.cols >= NARROW_COLS ? BAR_COLS : NARROW_BAR;
    char median[NSC_UNITS_BYTES], longest[NSC_UNITS_BYTES];
    char side[NSC_UNITS_BYTES] = "";
    char others[NSC_UNITS_BYTES];
    char text[TEXT_BYTES];

    if (scene->compare.on)
        nsc_compare_side_text(scene, scene->compare.side, side);
    (void)snprintf(text, sizeof text, "%siterations", side);
    nsc_grid_puts(grid, line.row, line.col, LABEL_COLS - 1, NSC_ROLE_GROUP, text);
    spark_draw(all, grid, (struct nsc_rect){line.row, line.col + LABEL_COLS, 1, bar});
    nsc_units_duration(median, all->median, scene->ascii);
    nsc_units_duration(longest, all->longest, scene->ascii);
    (void)snprintf(text, sizeof text, "%u iterations, %smedian %s, slowest %s, %u slow%s", all->n,
                   nsc_iterations_others(all, others), median, longest, all->n_slow,
                   all->warm_up ? "" : ", 0 warm-up");
    nsc_grid_puts(grid, line.row, line.col + LABEL_COLS + bar + 1, line.cols - LABEL_COLS - bar - 1,
                  NSC_ROLE_TEXT, text);
}

/* ---- kernels, findings, and where to look next ---- */

/* The names of groups; "" if a name is partly invented. */
static void group_names(const struct nsc_scene *scene, const struct nsc_pivot_group groups[],
                        uint32_t n, struct nsc_text out[])
{
    const struct nsc_names *names = nsc_trace_names(scene->trace);
    char scratch[NSC_NAME_BYTES];

    for (uint32_t i = 0; i < n; i++) {
        nsc_name name = groups[i].like != NSC_NONE
                            ? nsc_trace_events(scene->trace)->name[groups[i].like]
                            : NSC_NONE;

        out[i] = name == NSC_NONE || names->counters[name]
                     ? nsc_text_from("")
                     : nsc_scene_name_text(scene, name, scratch);
    }
}

static void kernel_draw(const struct nsc_scene *scene, const struct nsc_pane_summary *summary,
                        struct nsc_grid *grid, struct nsc_rect line, uint32_t i)
{
    const struct nsc_pivot_group *groups = nsc_selection_groups(summary->made, &(uint32_t){0});
    const struct nsc_pivot_group *group = &groups[i];
    nsc_time all = nsc_selection_all(summary->made)->inside;
    int bar = line.cols >= NARROW_COLS ? BAR_COLS : BAR_COLS / 4; /* names need the room */
    int col = line.col + LABEL_COLS + bar + 1;
    char share[NSC_UNITS_BYTES], time[NSC_UNITS_BYTES], count[NSC_UNITS_BYTES];
    char text[TEXT_BYTES];
    char scratch[NSC_NAME_BYTES];
    struct nsc_text names[NSC_PANE_SUMMARY_KERNELS];
    struct nsc_page page;

    nsc_units_percent(share, group->figures.inside, all);
    nsc_units_duration(time, group->figures.inside, scene->ascii);
    nsc_units_count(count, group->figures.count);
    nsc_grid_puts(grid, line.row, line.col, LABEL_COLS - 1, NSC_ROLE_DIM, i == 0 ? "GPU work" : "");
    nsc_grid_share(grid, (struct nsc_rect){line.row, line.col + LABEL_COLS, 1, bar},
                   nsc_bars_role(scene->trace, group->like),
                   nsc_bars_shade(scene->trace, group->like), group->figures.inside, all);
    (void)snprintf(text, sizeof text, "%6s  %8s  %6s x  ", share, time, count);
    col = nsc_grid_puts(grid, line.row, col, line.col + line.cols - col, NSC_ROLE_DIM, text);
    group_names(scene, groups, n_groups(summary), names);
    page = nsc_page(grid, (struct nsc_rect){line.row, col, 1, line.col + line.cols - col}, 0,
                    scene->ascii);
    nsc_name_put(&page, NSC_ROLE_TEXT,
                 nsc_trace_event_text(scene->trace, group->like, !scene->demangled, scratch),
                 nsc_name_shared(names, n_groups(summary), i, (uint32_t)page.rect.cols));
}

static void walk_draw(const struct nsc_keymap *keymap, struct nsc_grid *grid, struct nsc_rect line,
                      enum nsc_action action)
{
    char key[32];

    nsc_grid_puts(grid, line.row, line.col, LABEL_COLS - 1, NSC_ROLE_DIM, "go to");
    nsc_grid_puts(grid, line.row, line.col + LABEL_COLS, 6, NSC_ROLE_KEY,
                  nsc_keymap_key(key, keymap, action));
    nsc_grid_puts(grid, line.row, line.col + LABEL_COLS + 6, line.cols - LABEL_COLS - 6,
                  NSC_ROLE_TEXT, nsc_actions[action].help);
}

static void finding_draw(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                         struct nsc_grid *grid, struct nsc_rect line, uint32_t i)
{
    const struct nsc_finding *finding = &findings->found.list.at[i];
    int end = line.col + line.cols;
    int col = line.col + LABEL_COLS;
    char side[NSC_UNITS_BYTES];

    nsc_pane_findings_side(scene, finding, side);
    nsc_grid_puts(grid, line.row, line.col, LABEL_COLS - 1, NSC_ROLE_DIM, i == 0 ? "findings" : "");
    col = nsc_grid_puts(grid, line.row, col, end - col, NSC_ROLE_GROUP, side);
    nsc_grid_puts(grid, line.row, col, end - col, NSC_ROLE_TEXT, finding->title);
}

int nsc_pane_summary_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                          struct nsc_rect rect)
{
    const struct nsc_pane_summary *summary = view->pane;
    const struct nsc_scene *scene = view->scene;
    const struct nsc_list *list = &summary->list;

    for (size_t i = 0; i < list->height && list->top + i < list->n; i++) {
        const struct nsc_summary_item *item = &summary->items[list->top + i];
        struct nsc_rect line = {rect.row + (int)i, rect.col, 1, rect.cols};

        if (item->line == NSC_SUMMARY_CHANGE)
            change_draw(summary, grid, line, item->what);
        else if (item->line == NSC_SUMMARY_GPU)
            gpu_draw(scene, grid, line, item->what);
        else if (item->line == NSC_SUMMARY_ITERATIONS)
            iterations_draw(scene, view->explore, grid, line);
        else if (item->line == NSC_SUMMARY_KERNEL)
            kernel_draw(scene, summary, grid, line, item->what);
        else if (item->line == NSC_SUMMARY_FINDING)
            finding_draw(scene, view->findings, grid, line, item->what);
        else
            walk_draw(view->keymap, grid, line, (enum nsc_action)item->what);
        if (!view->focus || list->top + i != list->cursor)
            continue;
        nsc_grid_set_role(grid, (struct nsc_rect){line.row, line.col, 1, LABEL_COLS - 1},
                          NSC_ROLE_LABEL_CURSOR);
        grid->cursor_row = line.row;
        grid->cursor_col = line.col;
    }
    return (int)list->n;
}
