/* The answers in a page: sheets, findings, bookmarks, iterations, and the terminal's keys. */
#include "analysis/ranges/iterations.h"
#include "share/dump_data.h"
#include "share/viewer_pack.h"
#include "view/kit/action.h"

#include <string.h>

enum {
    MOST_ITERATIONS = 10000,
    MOST_ROWS = 10000,        /* most rows of a table */
    MOST_ROWS_OF_WHOLE = 1000 /* most rows if the page has only columns */
};

void nsc_viewer_window(struct nsc_viewer_pack *pack, const char *key, struct nsc_window w)
{
    nsc_json_open(&pack->json, key, '[');
    nsc_dump_int(&pack->json, NULL, (int64_t)nsc_viewer_offset(pack, w.t0));
    nsc_dump_int(&pack->json, NULL, (int64_t)nsc_viewer_offset(pack, w.t1));
    nsc_json_close(&pack->json, ']');
}

/* ---- sheets ---- */

static void column_put(struct nsc_json *json, const struct nsc_sheet_column *column)
{
    static const char *const kinds[] = {
        [NSC_SHEET_TEXT] = "text",       [NSC_SHEET_COUNT] = "count",
        [NSC_SHEET_ID] = "id",           [NSC_SHEET_NS] = "ns",
        [NSC_SHEET_INSTANT] = "instant", [NSC_SHEET_BYTES] = "bytes",
        [NSC_SHEET_PERCENT] = "percent", [NSC_SHEET_NUMBER] = "number",
        [NSC_SHEET_YES] = "yes",
    };

    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "key", column->key);
    nsc_json_puts(json, "title", column->title);
    nsc_json_puts(json, "kind", kinds[column->kind]);
    if (column->of)
        nsc_json_puts(json, "of", column->of);
    if (column->decimals)
        nsc_json_uint(json, "decimals", column->decimals);
    nsc_json_close(json, '}');
}

/*
 * The column of a sheet in place `at` on the page. A terminal shows a long name last, where it is
 * cut; a page is scrolled, so the only name of a row comes first.
 */
static uint32_t column_at(const struct nsc_sheet *sheet, uint32_t at)
{
    uint32_t last = sheet->n_columns - 1;
    const char *key = sheet->columns[last].key;
    bool is_name = strcmp(key, "kernel") == 0 || strcmp(key, "range") == 0;

    for (uint32_t c = 0; c < last; c++)
        is_name = is_name && sheet->columns[c].kind != NSC_SHEET_TEXT;
    if (!is_name)
        return at;
    return at ? at - 1 : last;
}

static void cell_put(struct nsc_json *json, const struct nsc_sheet *sheet, uint32_t row,
                     uint32_t column)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, column);
    uint8_t kind = sheet->columns[column].kind;

    if (!cell->is_set)
        nsc_json_null(json, NULL);
    else if (kind == NSC_SHEET_TEXT)
        nsc_json_text(json, NULL, nsc_sheet_text(sheet, cell));
    else if (kind == NSC_SHEET_PERCENT || kind == NSC_SHEET_NUMBER)
        nsc_json_number(json, NULL, cell->number,
                        kind == NSC_SHEET_PERCENT ? 1 : sheet->columns[column].decimals);
    else
        nsc_dump_int(json, NULL, cell->integer);
}

static void sheet_put(struct nsc_viewer_pack *pack, const struct nsc_sheet *sheet)
{
    struct nsc_json *json = &pack->json;
    uint32_t most = pack->has_events ? MOST_ROWS : MOST_ROWS_OF_WHOLE;
    uint32_t all = nsc_sheet_rows(sheet);
    uint32_t n = all < most ? all : most;

    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "key", sheet->key);
    nsc_json_puts(json, "title", sheet->title);
    if (sheet->has_window)
        nsc_viewer_window(pack, "window", sheet->window);
    nsc_json_open(json, "columns", '[');
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        column_put(json, &sheet->columns[column_at(sheet, c)]);
    nsc_json_close(json, ']');
    nsc_json_open(json, "rows", '[');
    for (uint32_t r = 0; r < n; r++) {
        nsc_json_open(json, NULL, '[');
        for (uint32_t c = 0; c < sheet->n_columns; c++)
            cell_put(json, sheet, r, column_at(sheet, c));
        nsc_json_close(json, ']');
    }
    nsc_json_close(json, ']');
    nsc_json_uint(json, "left", (uint64_t)sheet->n_left_out + (all - n));
    nsc_json_list(json, "notes", sheet->notes.at, sheet->notes.n);
    nsc_json_close(json, '}');
}

static void panes_put(struct nsc_viewer_pack *pack)
{
    struct nsc_json *json = &pack->json;

    nsc_json_open(json, "panes", '[');
    for (uint32_t i = 0; i < pack->viewer->n_panes; i++) {
        const struct nsc_viewer_pane *pane = &pack->viewer->panes[i];

        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "key", pane->key);
        nsc_json_puts(json, "title", pane->title);
        nsc_json_open(json, "sheets", '[');
        for (size_t k = 0; k < pane->sheets.list.n; k++)
            sheet_put(pack, &pane->sheets.list.at[k]);
        nsc_json_close(json, ']');
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

/* ---- findings, bookmarks ---- */

/* Puts a text with its meaning, unless it is empty or NULL. */
static void text_put(struct nsc_json *json, const char *what, const char *text)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    if (!text || !*text)
        return;
    nsc_buf_puts(&out, what);
    nsc_buf_puts(&out, text);
    nsc_json_text(json, NULL, nsc_text_of_buf(&out));
    nsc_buf_fini(&out);
}

static void finding_put(struct nsc_viewer_pack *pack, const struct nsc_finding *finding)
{
    struct nsc_json *json = &pack->json;

    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "key", finding->key);
    nsc_json_puts(json, "title", finding->title);
    nsc_json_puts(json, "severity", nsc_severity_word(finding->severity));
    nsc_dump_int(json, "ns", finding->ns);
    if (finding->has_window)
        nsc_viewer_window(pack, "window", finding->window);
    if (finding->event != NSC_NONE && pack->places && pack->places[finding->event])
        nsc_json_uint(json, "event", pack->places[finding->event] - 1u);
    if (finding->track != NSC_NONE)
        nsc_json_uint(json, "track", finding->track);
    nsc_json_open(json, "texts", '[');
    for (size_t i = 0; i < finding->evidence.n; i++)
        nsc_json_puts(json, NULL, finding->evidence.at[i]);
    text_put(json, "next: ", finding->next);
    nsc_json_close(json, ']');
    nsc_json_close(json, '}');
}

/* A bookmark has the same members as a finding. */
static void bookmark_put(struct nsc_viewer_pack *pack, const struct nsc_bookmark *bookmark)
{
    struct nsc_json *json = &pack->json;
    uint32_t track =
        bookmark->has_track ? nsc_track_id_find(pack->trace, &bookmark->track) : NSC_NONE;
    const char *name = nsc_bookmark_text(bookmark, NSC_BOOKMARK_NAME);
    struct nsc_window window = bookmark->has_zoom ? bookmark->zoom
                               : bookmark->has_range
                                   ? bookmark->range
                                   : (struct nsc_window){bookmark->time, bookmark->time};

    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "title", *name ? name : "bookmark");
    nsc_dump_int(json, "time", (int64_t)nsc_viewer_offset(pack, bookmark->time));
    nsc_viewer_window(pack, "window", window);
    if (bookmark->has_range)
        nsc_dump_int(json, "ns", nsc_window_length(bookmark->range));
    if (track != NSC_NONE)
        nsc_json_uint(json, "track", track);
    nsc_json_open(json, "texts", '[');
    text_put(json, "tags: ", nsc_bookmark_text(bookmark, NSC_BOOKMARK_TAGS));
    text_put(json, "", nsc_bookmark_text(bookmark, NSC_BOOKMARK_NOTE));
    text_put(json, "in: ", nsc_bookmark_text(bookmark, NSC_BOOKMARK_PATH));
    text_put(json, "filter: ", nsc_bookmark_text(bookmark, NSC_BOOKMARK_FILTER));
    nsc_json_close(json, ']');
    nsc_json_close(json, '}');
}

static void lists_put(struct nsc_viewer_pack *pack)
{
    const struct nsc_findings *findings = pack->viewer->findings;
    const struct nsc_bookmarks *bookmarks = pack->viewer->bookmarks;
    size_t n = bookmarks ? nsc_bookmarks_live(bookmarks) : 0;

    nsc_json_open(&pack->json, "findings", '[');
    for (size_t i = 0; findings && i < findings->list.n; i++)
        finding_put(pack, &findings->list.at[i]);
    nsc_json_close(&pack->json, ']');
    nsc_json_open(&pack->json, "bookmarks", '[');
    for (size_t i = 0; i < n; i++)
        bookmark_put(pack, &bookmarks->at[i]);
    nsc_json_close(&pack->json, ']');
}

/* ---- iterations, files, keys ---- */

/* The page opens where the screen does: at the first steady iteration of its window. */
static nsc_time start_of(const struct nsc_viewer_pack *pack,
                         const struct nsc_iterations *iterations)
{
    struct nsc_window w = pack->viewer->window;

    for (uint32_t i = 0; iterations && i < iterations->n; i++) {
        nsc_time t = nsc_iterations_window(iterations, i).t0;

        if (!iterations->at[i].warm_up && !iterations->at[i].slow && t >= w.t0 && t < w.t1)
            return t;
    }
    return w.t0 > pack->extent.t0 ? w.t0 : pack->extent.t0;
}

static void iterations_put(struct nsc_viewer_pack *pack)
{
    struct nsc_iterations iterations;
    bool found = nsc_iterations_find(&iterations, pack->trace);

    nsc_json_open(&pack->json, "iterations", '[');
    for (uint32_t i = 0; found && i < iterations.n && i < MOST_ITERATIONS; i++)
        nsc_viewer_window(pack, NULL, nsc_iterations_window(&iterations, i));
    nsc_json_close(&pack->json, ']');
    nsc_dump_int(&pack->json, "start",
                 (int64_t)nsc_viewer_offset(pack, start_of(pack, found ? &iterations : NULL)));
    if (found)
        nsc_iterations_fini(&iterations);
}

static void files_put(struct nsc_viewer_pack *pack)
{
    struct nsc_json *json = &pack->json;
    uint32_t n = 0;
    const struct nsc_trace_info *files = nsc_trace_captures(pack->trace, &n);

    nsc_json_open(json, "files", '[');
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text path = nsc_trace_string(pack->trace, files[i].path);

        for (uint32_t k = path.n; k-- > 0;) /* do not disclose the folder */
            if (path.bytes[k] == '/') {
                path = (struct nsc_text){path.bytes + k + 1, path.n - k - 1};
                break;
            }
        nsc_json_open(json, NULL, '{');
        nsc_json_text(json, "name", path);
        nsc_json_text(json, "label", nsc_trace_string(pack->trace, files[i].label));
        nsc_json_text(json, "host", nsc_trace_string(pack->trace, files[i].host));
        nsc_json_uint(json, "events", files[i].n_events);
        nsc_dump_int(json, "offset", files[i].offset);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

/* Uses the terminal's own keys and help, so that the page has the same. */
static void keys_put(struct nsc_viewer_pack *pack)
{
    nsc_json_open(&pack->json, "keys", '[');
    for (int i = 1; i < NSC_N_ACTIONS; i++) {
        enum nsc_action action = (enum nsc_action)i;

        if (nsc_actions[action].scope != NSC_KEY_SCOPE_TIMELINE &&
            nsc_actions[action].scope != NSC_KEY_SCOPE_GLOBAL)
            continue;
        nsc_json_open(&pack->json, NULL, '[');
        nsc_json_puts(&pack->json, NULL, nsc_actions[action].name);
        nsc_json_puts(&pack->json, NULL, nsc_actions[action].keys);
        nsc_json_puts(&pack->json, NULL, nsc_actions[action].help);
        nsc_json_close(&pack->json, ']');
    }
    nsc_json_close(&pack->json, ']');
}

void nsc_viewer_answers(struct nsc_viewer_pack *pack)
{
    files_put(pack);
    panes_put(pack);
    lists_put(pack);
    iterations_put(pack);
    keys_put(pack);
}
