/* The info pane: one line per table with rows kept, rows skipped and the reasons. */
#include "nsyscope/open.h"

#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/alignment.h"
#include "view/pane/panes.h"
#include "view/scene/axis.h"

enum { COUNT_COLS = 12, NARROW_COLS = 100 };

/* Columns in which the parts of a line begin. */
struct columns {
    int rows, events, note;
};

static struct columns columns_of(const struct nsc_page *page)
{
    return page->rect.cols < NARROW_COLS ? (struct columns){33, 44, 58}
                                         : (struct columns){38, 52, 66};
}

static const char *status_text(enum nsc_table_state status)
{
    switch (status) {
    case NSC_TABLE_ABSENT:
        return "absent";
    case NSC_TABLE_LOADED:
        break;
    case NSC_TABLE_IGNORED:
        return "ignored";
    case NSC_TABLE_EXCLUDED:
        return "left out";
    }
    return "loaded";
}

static void count_put(struct nsc_page *page, int col, uint64_t n)
{
    char text[NSC_UNITS_BYTES];

    nsc_units_count(text, n);
    nsc_page_tab(page, col + COUNT_COLS - (int)nsc_text_width(nsc_text_from(text), page->ascii));
    nsc_page_puts(page, NSC_ROLE_TEXT, text);
}

static const char *const skip_texts[NSC_N_SKIPS] = {
    [NSC_SKIP_TYPE] = "not a number",
    [NSC_SKIP_OVERFLOW] = "beyond 64 bits",
    [NSC_SKIP_NEGATIVE] = "end before start",
    [NSC_SKIP_DUPLICATE] = "second record",
    [NSC_SKIP_KIND] = "no event",
};

/* "names missing: 12  "; nothing for none. */
static void doubts_put(struct nsc_page *page, enum nsc_role role, uint64_t rows, const char *what)
{
    char n[NSC_UNITS_BYTES];

    if (rows)
        nsc_page_printf(page, role, "%s: %s  ", what, nsc_units_count(n, rows));
}

static void table_put(struct nsc_page *page, const struct nsc_table_status *table)
{
    struct columns at = columns_of(page);

    nsc_page_puts(page, NSC_ROLE_LABEL, table->name);
    nsc_page_tab(page, at.rows);
    count_put(page, at.rows, table->rows);
    count_put(page, at.events, table->events);
    nsc_page_tab(page, at.note);
    if (table->status != NSC_TABLE_LOADED) {
        nsc_page_puts(page, NSC_ROLE_WARNING, status_text(table->status));
        nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    }
    for (int i = 0; i < NSC_N_SKIPS; i++)
        doubts_put(page, nsc_skip_is_damage((enum nsc_skip)i) ? NSC_ROLE_WARNING : NSC_ROLE_DIM,
                   table->skipped[i], skip_texts[i]);
    doubts_put(page, NSC_ROLE_WARNING, table->missing_names, "names missing");
    doubts_put(page, NSC_ROLE_WARNING, table->odd, "not of the columns");
    nsc_page_wrap(page, NSC_ROLE_DIM, table->note[0] ? table->note : table->feature, at.note);
}

/* A missing table, and what cannot be shown without it. */
static void absent_put(struct nsc_page *page, const struct nsc_table_status *table)
{
    nsc_page_puts(page, NSC_ROLE_DIM, table->name);
    nsc_page_tab(page, columns_of(page).rows);
    nsc_page_puts(page, NSC_ROLE_TEXT, "no ");
    nsc_page_puts(page, NSC_ROLE_TEXT, table->feature);
    if (table->note[0]) {
        nsc_page_puts(page, NSC_ROLE_DIM, ": ");
        nsc_page_puts(page, NSC_ROLE_DIM, table->note);
    }
    nsc_page_end(page);
}

/* One of several exports: its offset, host and number of events. */
static void export_put(const struct nsc_scene *scene, struct nsc_page *page,
                       const struct nsc_trace_info *sources)
{
    char text[NSC_UNITS_BYTES + 1] = "+";

    nsc_page_text(page, NSC_ROLE_LABEL, nsc_trace_string(scene->trace, sources->label));
    nsc_page_tab(page, columns_of(page).rows);
    nsc_units_duration(text + (sources->offset > 0), sources->offset, scene->ascii);
    nsc_page_pair(page, "offset", text);
    nsc_page_pair(page, "events", nsc_units_count(text, sources->n_events));
    if (sources->host) {
        nsc_page_puts(page, NSC_ROLE_DIM, "host ");
        nsc_page_text(page, NSC_ROLE_TEXT, nsc_trace_string(scene->trace, sources->host));
    }
    nsc_page_end(page);
}

static void exports_put(const struct nsc_scene *scene, struct nsc_page *page)
{
    struct nsc_buf text = NSC_BUF_INIT(4096);
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(scene->trace, &n);

    nsc_alignment_put(&text, scene->trace, scene->ascii);
    nsc_page_puts(page, NSC_ROLE_DIM, "aligned by ");
    nsc_page_text(page, NSC_ROLE_TEXT, nsc_text_of_buf(&text));
    nsc_page_end(page);
    nsc_buf_fini(&text);
    for (uint32_t i = 0; i < n; i++)
        export_put(scene, page, &exports[i]);
}

static uint64_t file_bytes(const struct nsc_scene *scene)
{
    uint64_t sum = 0;
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(scene->trace, &n);

    for (uint32_t i = 0; i < n; i++)
        sum += exports[i].file_bytes;
    return sum;
}

static void file_put(const struct nsc_scene *scene, const struct nsc_sources *sources,
                     struct nsc_page *page)
{
    const struct nsc_trace_info *info = nsc_trace_info(scene->trace);
    char text[NSC_UNITS_BYTES];

    if (sources->n_files > 1) {
        exports_put(scene, page);
    } else {
        nsc_page_puts(page, NSC_ROLE_DIM, "file ");
        nsc_page_line(page, NSC_ROLE_TEXT, sources->file);
    }
    if (info->file_bytes) {
        nsc_page_pair(page, "size", nsc_units_bytes(text, file_bytes(scene)));
        nsc_page_pair(page, "in memory", nsc_units_bytes(text, nsc_trace_bytes(scene->trace)));
    }
    nsc_page_pair(
        page, "span",
        nsc_units_duration(text, nsc_window_length(scene->viewport.extent), scene->ascii));
    nsc_page_puts(page, NSC_ROLE_DIM, "version ");
    nsc_page_text(page, NSC_ROLE_TEXT,
                  info->version ? nsc_trace_string(scene->trace, info->version)
                                : nsc_text_from("unknown"));
    nsc_page_skip(page);
}

static void iterations_put(const struct nsc_scene *scene, const struct nsc_explore *explore,
                           struct nsc_page *page)
{
    char text[2 * NSC_AXIS_BYTES];

    nsc_iterations_text(scene, explore, text);
    if (!text[0])
        return;
    nsc_page_puts(page, NSC_ROLE_DIM, "iterations ");
    nsc_page_text(page, NSC_ROLE_TEXT, nsc_text_from(explore->iterations.label));
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    nsc_page_text(page, NSC_ROLE_TEXT, nsc_text_from(text));
    nsc_page_skip(page);
}

int nsc_pane_info_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                       struct nsc_rect rect)
{
    const struct nsc_sources *sources = view->pane;
    const struct nsc_scene *scene = view->scene;
    struct nsc_page page = nsc_page(grid, rect, view->top, scene->ascii);

    file_put(scene, sources, &page);
    iterations_put(scene, view->explore, &page);
    nsc_page_puts(&page, NSC_ROLE_DIM, "table");
    nsc_page_tab(&page, columns_of(&page).rows + COUNT_COLS - 4);
    nsc_page_puts(&page, NSC_ROLE_DIM, "rows");
    nsc_page_tab(&page, columns_of(&page).events + COUNT_COLS - 6);
    nsc_page_line(&page, NSC_ROLE_DIM, "events");
    for (uint32_t i = 0; i < sources->n_tables; i++)
        if (sources->tables[i].status != NSC_TABLE_ABSENT)
            table_put(&page, &sources->tables[i]);
    nsc_page_skip(&page);
    for (uint32_t i = 0; i < sources->n_tables; i++)
        if (sources->tables[i].status == NSC_TABLE_ABSENT)
            absent_put(&page, &sources->tables[i]);
    return page.line;
}
