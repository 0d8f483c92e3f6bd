/* Draws the findings as a list, with the evidence of the one at the cursor. */
#include "analysis/base/correlate.h"
#include "core/units.h"
#include "view/kit/columns.h"
#include "view/kit/page.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"
#include "view/scene/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TIME, WORD, TITLE, N_COLUMNS };

static const struct nsc_list_column columns[N_COLUMNS] = {
    [TIME] = {.title = "could save", .width = 13, .gap = 2},
    [WORD] = {.title = "", .width = 8, .gap = 1},
    [TITLE] = {.title = "", .is_left = true}};

struct listed {
    const struct nsc_scene *scene;
    const struct nsc_findings *found;
};

enum { WIDE_COLS = 100, GAP = 3, LINE_BYTES = 160, TITLE_BYTES = 1024 };

static enum nsc_role severity_role(enum nsc_severity severity)
{
    switch (severity) {
    case NSC_SEVERITY_HIGH:
        return NSC_ROLE_ERROR;
    case NSC_SEVERITY_MEDIUM:
        return NSC_ROLE_WARNING;
    case NSC_SEVERITY_LOW:
        return NSC_ROLE_TEXT;
    default:
        return NSC_ROLE_DIM;
    }
}

/* "WHAT: REASON"; the column before says that it was not assessed. */
static const char *title_of(char out[TITLE_BYTES], const struct nsc_finding *finding)
{
    static const char mark[] = ": not assessable";
    const char *at =
        finding->severity == NSC_SEVERITY_NOT_ASSESSABLE ? strstr(finding->title, mark) : NULL;

    if (!at)
        return finding->title;
    (void)snprintf(out, TITLE_BYTES, "%.*s%s", (int)(at - finding->title), finding->title,
                   at + sizeof mark - 1);
    return out;
}

/* NSC_NONE: it is about no row. */
static uint32_t track_of(const struct nsc_scene *scene, const struct nsc_finding *finding)
{
    if (finding->event == NSC_NONE)
        return finding->track;
    return nsc_event_track(scene->trace, finding->event);
}

void nsc_pane_findings_side(const struct nsc_scene *scene, const struct nsc_finding *finding,
                            char out[NSC_UNITS_BYTES])
{
    uint32_t track = scene->compare.on ? track_of(scene, finding) : NSC_NONE;

    out[0] = '\0';
    if (track != NSC_NONE)
        nsc_compare_side_text(scene, nsc_trace_track(scene->trace, track)->capture_no, out);
}

static void finding_fill(const void *context, size_t item, struct nsc_list_cell *cell)
{
    const struct listed *listed = context;
    const struct nsc_finding *finding = &listed->found->list.at[item];
    struct nsc_page *page = &cell->page;
    char title[TITLE_BYTES];
    char side[NSC_UNITS_BYTES];

    if (cell->column == TIME && finding->ns > 0 && finding->severity < NSC_SEVERITY_INFO)
        nsc_units_duration(cell->text, finding->ns, page->ascii);
    if (cell->column == WORD)
        nsc_page_puts(page, severity_role(finding->severity),
                      finding->severity == NSC_SEVERITY_NOT_ASSESSABLE
                          ? "n/a" /* short, because people read the title */
                          : nsc_severity_word(finding->severity));
    if (cell->column != TITLE)
        return;
    if (nsc_findings_head(listed->found, item) != item)
        nsc_page_tab(page, 2); /* the same time as above */
    nsc_pane_findings_side(listed->scene, finding, side);
    nsc_page_puts(page, cell->role, side);
    nsc_page_text(page, cell->role, nsc_text_from(title_of(title, finding)));
}

static void evidence_draw(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                          struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_finding *finding = &findings->found.list.at[nsc_list_item(&findings->list)];
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);

    nsc_page_wrap(&page, NSC_ROLE_GROUP, finding->title, 2);
    for (size_t i = 0; i < finding->evidence.n; i++) {
        nsc_page_puts(&page, NSC_ROLE_DIM, "· ");
        nsc_page_wrap(&page, NSC_ROLE_TEXT, finding->evidence.at[i], 2);
    }
    if (finding->next) {
        nsc_page_puts(&page, NSC_ROLE_KEY, "→ ");
        nsc_page_wrap(&page, NSC_ROLE_TEXT, finding->next, 2);
    }
}

/* Shown until there is a list: progress, or how to start. */
static const char *empty_text(const struct nsc_pane_findings *findings, char line[LINE_BYTES])
{
    if (findings->made)
        return "Nothing was found.  That is no clean bill: nsyscope info says what the export "
               "lacks.";
    if (!findings->total)
        return "Looking for what takes time ...";
    (void)snprintf(line, LINE_BYTES,
                   "Looking for what takes time: question %" PRIu64 " of %" PRIu64 " ...",
                   findings->done + (findings->done < findings->total), findings->total);
    return line;
}

static void head_draw(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                      const struct nsc_columns *shown, struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    size_t n = nsc_findings_assessed(findings);
    char count[NSC_UNITS_BYTES];
    char line[LINE_BYTES];

    if (!findings->found.list.n) {
        nsc_page_puts(&page, NSC_ROLE_DIM, empty_text(findings, line));
        return;
    }
    if (!n) {
        nsc_page_puts(&page, NSC_ROLE_DIM,
                      "Nothing was found; what follows could not be assessed.");
        return;
    }
    nsc_columns_titles(shown, grid, rect.row);
    nsc_page_tab(&page, shown->col[TITLE] - rect.col);
    nsc_units_count(count, n);
    nsc_page_puts(&page, NSC_ROLE_TEXT, count);
    nsc_page_puts(&page, NSC_ROLE_DIM, n == 1 ? " finding" : " findings");
    nsc_page_puts(&page, NSC_ROLE_DIM,
                  findings->found.is_steady ? " of the steady state" : " of the whole trace");
    if (nsc_scene_is_filtered(scene))
        nsc_page_puts(&page, NSC_ROLE_DIM, ", whatever the filter");
}

int nsc_pane_findings_draw(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                           bool focus, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_list *list = &findings->list;
    bool wide = nsc_pane_findings_is_wide(scene);
    int height = (int)list->height;
    struct listed listed = {scene, &findings->found};
    struct nsc_columns shown;
    struct nsc_list_source source = {&shown, finding_fill, &listed, scene->ascii};
    struct nsc_rect line = {rect.row + rect.rows - height, rect.col, 1,
                            wide ? (rect.cols - GAP) * 11 / 20 : rect.cols};
    struct nsc_rect beside = {rect.row + 1, rect.col + line.cols + GAP, rect.rows - 1,
                              rect.cols - line.cols - GAP};
    struct nsc_rect above = {rect.row + 1, rect.col, rect.rows - 1 - height, rect.cols};

    if (!grid)
        return 1;
    nsc_columns_fit(&shown, columns, N_COLUMNS, 0, line);
    head_draw(scene, findings, &shown, grid, rect);
    nsc_list_draw(list, &source, true, focus, grid, line.row);
    nsc_grid_puts_right(grid, rect.row, rect.col, rect.cols, NSC_ROLE_WARNING, list->needle);
    if (list->n)
        evidence_draw(scene, findings, grid, wide ? beside : above);
    return 1;
}

size_t nsc_findings_assessed(const struct nsc_pane_findings *findings)
{
    size_t n = 0;

    for (size_t i = 0; i < findings->found.list.n; i++)
        n += findings->found.list.at[i].severity != NSC_SEVERITY_NOT_ASSESSABLE;
    return n;
}

void nsc_pane_findings_mark(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                            struct nsc_grid *grid)
{
    const struct nsc_findings *found = &findings->found;
    struct nsc_rect rect = scene->layout.overview;

    for (size_t i = 0; i < found->list.n; i++) {
        const struct nsc_finding *finding = &found->list.at[i];
        uint32_t track = track_of(scene, finding);
        int col = nsc_window_col(scene->viewport.extent, (uint32_t)rect.cols,
                                 nsc_compare_near_time(scene, track, finding->window.t0));

        if (finding->has_window && finding->severity < NSC_SEVERITY_INFO && col >= 0 &&
            col < rect.cols)
            nsc_grid_put(grid, rect.row, rect.col + col, NSC_ROLE_WARNING, 0, "▴");
    }
}

bool nsc_pane_findings_is_wide(const struct nsc_scene *scene)
{
    return scene->layout.pane.cols >= WIDE_COLS;
}
