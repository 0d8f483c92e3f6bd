/* Draws the findings as a list, with the evidence of the one at the cursor. */
#include "analysis/base/correlate.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"
#include "view/scene/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TIME, WORD, TITLE, WIDE_COLS = 98, GAP = 3, LINE_BYTES = 160, TITLE_BYTES = 1024 };

struct finding_row {
    nsc_time ns;
    const char *severity;
    struct nsc_text title;
};

static const struct nsc_sheet_column columns[NSC_PANE_FINDINGS_COLUMNS] = {
    [TIME] = NSC_COL_NS(finding_row, ns, "could_save_ns", "could save"),
    [WORD] = NSC_COL_TEXT(finding_row, severity, "severity", ""),
    [TITLE] = NSC_COL_TEXT(finding_row, title, "title", "")};

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

void nsc_pane_findings_list(const struct nsc_scene *scene, struct nsc_pane_findings *findings)
{
    struct nsc_sheet *sheet = &findings->sheet;
    struct nsc_buf text = NSC_BUF_INIT(TITLE_BYTES);
    char side[NSC_UNITS_BYTES], title[TITLE_BYTES];

    memcpy(findings->columns, columns, sizeof columns);
    findings->columns[TITLE].title = findings->head;
    nsc_sheet_fini(sheet);
    nsc_sheet_init(sheet, "findings", "", findings->columns, NSC_PANE_FINDINGS_COLUMNS);
    for (size_t i = 0; i < findings->found.list.n; i++) {
        const struct nsc_finding *finding = &findings->found.list.at[i];
        bool is_assessed = finding->severity != NSC_SEVERITY_NOT_ASSESSABLE;

        nsc_pane_findings_side(scene, finding, side);
        nsc_buf_clear(&text);
        nsc_buf_printf(&text, "%s%s%s", /* indented: the same time as above */
                       finding->leader != i ? "  " : "", side, title_of(title, finding));
        NSC_ADD_ROW(
            sheet, finding_row,
            .ns = nsc_known(finding->ns > 0 && finding->severity < NSC_SEVERITY_INFO, finding->ns),
            /* short, because people read the title */
            .severity = is_assessed ? nsc_severity_word(finding->severity) : "n/a",
            .title = nsc_text_of_buf(&text));
    }
    nsc_buf_fini(&text);
    nsc_table_renew(&findings->table, sheet, scene->ascii);
    findings->table.column = TITLE;
}

static void evidence_draw(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                          struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_finding *finding = &findings->found.list.at[nsc_table_row(&findings->table)];
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);

    nsc_advice_wrap(&page, NSC_ROLE_GROUP, finding->title, 2);
    for (size_t i = 0; i < finding->evidence.n; i++) {
        nsc_page_puts(&page, NSC_ROLE_DIM, "· ");
        nsc_page_wrap(&page, NSC_ROLE_TEXT, finding->evidence.at[i], 2);
    }
    if (finding->next) {
        nsc_page_puts(&page, NSC_ROLE_KEY, "→ ");
        nsc_advice_wrap(&page, NSC_ROLE_TEXT, finding->next, 2);
    }
}

/* Cells of the list; if they are not all, the evidence is beside it, else above it. */
static int list_cols(struct nsc_rect rect)
{
    return rect.cols >= WIDE_COLS ? (rect.cols - GAP) * 11 / 20 : rect.cols;
}

/* Shown until there is a list: progress, or how to start. */
static const char *empty_text(const struct nsc_pane_findings *findings, char line[LINE_BYTES])
{
    if (findings->made)
        return "Nothing was found.  That is no clean bill:  :info  says what the export lacks.";
    if (!findings->total)
        return "Looking for what takes time ...";
    (void)snprintf(line, LINE_BYTES,
                   "Looking for what takes time: question %" PRIu64 " of %" PRIu64 " ...",
                   findings->done + (findings->done < findings->total), findings->total);
    return line;
}

void nsc_pane_findings_fit(const struct nsc_scene *scene, struct nsc_pane_findings *findings,
                           struct nsc_rect rect)
{
    size_t n = nsc_findings_assessed(findings);
    bool is_wide = list_cols(rect) < rect.cols;
    int height = is_wide ? rect.rows - 1 : rect.rows / 2;
    char count[NSC_UNITS_BYTES];

    (void)snprintf(findings->head, sizeof findings->head, "%s finding%s of the %s%s",
                   nsc_units_count(count, n), n == 1 ? "" : "s",
                   findings->found.is_steady ? "steady state" : "whole trace",
                   nsc_scene_is_filtered(scene) ? ", whatever the filter" : "");
    if (!n)
        (void)strcpy(findings->head, "Nothing was found; what follows could not be assessed.");
    if (!is_wide && findings->found.list.n < (size_t)height)
        height = (int)findings->found.list.n;
    nsc_table_fit(&findings->table, height, list_cols(rect));
}

int nsc_pane_findings_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                           struct nsc_rect rect)
{
    const struct nsc_pane_findings *findings = view->pane;
    const struct nsc_scene *scene = view->scene;
    int height = (int)findings->table.list.height + 1;
    struct nsc_rect list = {rect.row + rect.rows - height, rect.col, height, list_cols(rect)};
    struct nsc_rect beside = {rect.row + 1, rect.col + list.cols + GAP, rect.rows - 1,
                              rect.cols - list.cols - GAP};
    struct nsc_rect above = {rect.row, rect.col, rect.rows - height, rect.cols};
    char line[LINE_BYTES];

    if (findings->found.list.n)
        nsc_table_draw(&findings->table, view->focus, grid, list);
    else
        nsc_grid_puts(grid, rect.row, rect.col, rect.cols, NSC_ROLE_DIM,
                      empty_text(findings, line));
    if (nsc_table_row(&findings->table) != NSC_NONE)
        evidence_draw(scene, findings, grid, list.cols < rect.cols ? beside : above);
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
