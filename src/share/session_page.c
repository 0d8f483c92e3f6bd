/*
 * Writes a session as HTML: an index, then a section for each bookmark.
 */
#include "share/session_page.h"

#include "core/text.h"
#include "core/units.h"
#include "share/markup.h"

#include <inttypes.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em}"
    "section{margin:2.5em 0;border-top:1px solid #8886}h2{margin:.8em 0 .2em}"
    "h1,h2{overflow-wrap:anywhere}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1em}dt{opacity:.7}"
    "dd{margin:0;overflow-wrap:anywhere}.note{white-space:pre-wrap;font-size:1.1em}"
    ".w,figure{overflow-x:auto;margin:0}svg{max-width:100%;min-width:600px;height:auto}"
    ".dim{opacity:.7;font-size:13px;margin:.3em 0}"
    "table{border-collapse:collapse;font-size:13px;margin:.6em 0}caption{text-align:left;"
    "font-weight:600}th,td{padding:.15em .7em;border-bottom:1px solid #8883;text-align:left;"
    "vertical-align:top}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "td{max-width:44em;overflow-wrap:anywhere}td:not(.n){min-width:16em}"
    "pre{overflow-x:auto;font-size:12px}"
    "li{margin-bottom:.5em;overflow-wrap:anywhere}.high b{color:#d33}.medium b{color:#b70}";

static const char data_begin[] = "<script type=\"application/json\" id=\"bookmarks\">\n";
static const char data_end[] = "</script>";

/* ---- texts ---- */

static void add(struct nsc_buf *out, const char *open, const char *text, const char *close)
{
    nsc_markup_element(out, open, nsc_text_from(text), close);
}

static void add_pair(struct nsc_buf *out, const char *name, const char *value)
{
    if (!*value)
        return;
    nsc_buf_printf(out, "<dt>%s</dt><dd>", name);
    add(out, "", value, "</dd>\n");
}

static const char *name_of(const struct nsc_bookmark *bookmark)
{
    const char *name = nsc_bookmark_text(bookmark, NSC_BOOKMARK_NAME);

    return *name ? name : "bookmark";
}

/* Adds a text of several lines: core/text would replace the line ends. */
static void add_note(struct nsc_buf *out, const char *note)
{
    if (!*note)
        return;
    nsc_buf_puts(out, "<p class=\"note\">");
    for (const char *end; *note; note = *end ? end + 1 : end) {
        end = note + strcspn(note, "\n");
        nsc_markup_text(out, (struct nsc_text){note, (uint32_t)(end - note)});
        nsc_buf_puts(out, *end ? "\n" : "");
    }
    nsc_buf_puts(out, "</p>\n");
}

/* ---- a table ---- */

static void add_table(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t n)
{
    nsc_markup_sheet(out, sheet, &(struct nsc_markup_table){.caption = sheet->title, .n_rows = n});
    nsc_buf_puts(out, "<p class=\"dim\">");
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (sheet->columns[c].of)
            nsc_buf_printf(out, "%s: of %s. ", sheet->columns[c].title, sheet->columns[c].of);
    if (sheet->n_left_out)
        nsc_buf_printf(out, "%" PRIu64 " more rows are left out.", sheet->n_left_out);
    nsc_buf_puts(out, "</p>\n");
}

static void add_sheet(struct nsc_buf *out, const struct nsc_sheet *sheet)
{
    uint32_t n = nsc_sheet_rows(sheet);

    if (n > 0)
        add_table(out, sheet, n);
    else
        add(out, "<p class=\"dim\"><b>", sheet->title, "</b> No rows.</p>\n");
    for (size_t i = 0; i < sheet->notes.n; i++)
        add(out, "<p class=\"dim\">", sheet->notes.at[i], "</p>\n");
}

/* ---- a bookmark ---- */

static bool meets(const struct nsc_finding *finding, struct nsc_window w)
{
    return finding->severity != NSC_SEVERITY_NOT_ASSESSABLE && finding->has_window &&
           finding->window.t0 < w.t1 && finding->window.t1 > w.t0;
}

static void add_findings(struct nsc_buf *out, const struct nsc_session_page *page,
                         struct nsc_window w)
{
    bool any = false;

    nsc_buf_puts(out, "<h3>Findings that touch this time</h3>\n<ul>\n");
    for (size_t i = 0; i < page->findings->list.n; i++) {
        const struct nsc_finding *finding = &page->findings->list.at[i];

        if (!meets(finding, w))
            continue;
        any = true;
        nsc_buf_printf(out, "<li class=\"%s\"><b>", nsc_severity_word(finding->severity));
        add(out, "", finding->title, "");
        nsc_buf_printf(out, "</b> (%s, in the whole recording)\n",
                       nsc_severity_word(finding->severity));
        for (size_t k = 0; k < finding->evidence.n; k++)
            add(out, "<br>", finding->evidence.at[k], "");
        if (finding->next)
            add(out, "<br>next: ", finding->next, "");
        nsc_buf_puts(out, "</li>\n");
    }
    nsc_buf_puts(out, any ? "</ul>\n" : "<li>none</li></ul>\n");
}

static void add_facts(struct nsc_buf *out, const struct nsc_session_page *page,
                      const struct nsc_session_part *part)
{
    const struct nsc_bookmark *bookmark = part->bookmark;
    uint32_t track =
        bookmark->has_track ? nsc_track_id_find(page->trace, &bookmark->track) : NSC_NONE;
    char time[NSC_UNITS_SPAN_BYTES];

    nsc_buf_puts(out, "<dl>\n");
    if (!bookmark->has_range)
        add_pair(out, "time", nsc_units_instant(time, bookmark->time));
    add_pair(out, "window", nsc_units_window(time, part->window, false));
    if (track != NSC_NONE)
        nsc_markup_element(
            out, "<dt>row</dt><dd>",
            nsc_trace_string(page->trace, nsc_trace_track(page->trace, track)->label), "</dd>\n");
    add_pair(out, "NVTX path", nsc_bookmark_text(bookmark, NSC_BOOKMARK_PATH));
    add_pair(out, "tags", nsc_bookmark_text(bookmark, NSC_BOOKMARK_TAGS));
    add_pair(out, "filter", nsc_bookmark_text(bookmark, NSC_BOOKMARK_FILTER));
    nsc_buf_puts(out, "</dl>\n");
}

/* Adds the program's own picture: clean SVG with escaped text. */
static void add_picture(struct nsc_buf *out, const struct nsc_session_part *part)
{
    if (!part->picture.n)
        return;
    nsc_buf_puts(out, "<figure role=\"img\" aria-label=\"The timeline of this time\">\n");
    nsc_buf_join(out, &part->picture);
    nsc_buf_puts(out, "</figure>\n");
}

static void add_events(struct nsc_buf *out, const struct nsc_session_page *page,
                       const struct nsc_session_part *part)
{
    if (!page->is_alone) {
        nsc_buf_printf(out, "<p>Events: <a href=\"%s.csv\">%s.csv</a>. Picture: ", part->file,
                       part->file);
        nsc_buf_printf(out, "<a href=\"%s.svg\">%s.svg</a>.</p>\n", part->file, part->file);
        return;
    }
    nsc_buf_puts(out, "<details><summary>Events as CSV</summary><pre>");
    if (part->events.n)
        nsc_markup_add(out, part->events.bytes, part->events.n);
    nsc_buf_puts(out, "</pre></details>\n");
}

static void add_part(struct nsc_buf *out, const struct nsc_session_page *page, size_t i)
{
    const struct nsc_session_part *part = &page->parts[i];

    nsc_buf_printf(out, "<section id=\"b%zu\"><h2>%zu. ", i + 1, i + 1);
    add(out, "", name_of(part->bookmark), "</h2>\n");
    add_note(out, nsc_bookmark_text(part->bookmark, NSC_BOOKMARK_NOTE));
    add_facts(out, page, part);
    add_picture(out, part);
    for (size_t k = 0; k < part->sheets.list.n; k++)
        add_sheet(out, &part->sheets.list.at[k]);
    add_findings(out, page, part->window);
    add(out, "<h3>The same on another machine</h3>\n<pre>", part->command, "");
    if (part->command_csv) {
        nsc_buf_putc(out, '\n');
        add(out, "", part->command_csv, "");
    }
    nsc_buf_puts(out, "</pre>\n");
    add_events(out, page, part);
    nsc_buf_puts(out, "</section>\n");
}

/* ---- the page ---- */

static void add_index(struct nsc_buf *out, const struct nsc_session_page *page)
{
    add(out, "<h1>Bookmarks of ", page->name, "");
    nsc_buf_printf(out, "</h1>\n<p>%zu bookmarks, in order of time. Export %s.</p>\n<ol>\n",
                   page->n, page->identity);
    for (size_t i = 0; i < page->n; i++) {
        const struct nsc_bookmark *bookmark = page->parts[i].bookmark;
        char time[NSC_UNITS_SPAN_BYTES];

        nsc_buf_printf(out, "<li><a href=\"#b%zu\">", i + 1);
        add(out, "", name_of(bookmark), "");
        nsc_buf_printf(out, "</a> &middot; %s</li>\n",
                       bookmark->has_range ? nsc_units_window(time, bookmark->range, false)
                                           : nsc_units_instant(time, bookmark->time));
    }
    nsc_buf_printf(out,
                   "</ol>\n<p>To put the bookmarks into another copy of the export: "
                   "<code>nsyscope bookmarks FILE import %s</code></p>\n",
                   page->is_alone ? "THIS-PAGE.html" : "bookmarks.json");
}

/* Adds JSON inside HTML: without "<" it cannot end the element. */
static void add_bookmarks(struct nsc_buf *out, struct nsc_text json)
{
    nsc_buf_puts(out, data_begin);
    for (uint32_t i = 0; i < json.n; i++)
        if (json.bytes[i] == '<')
            nsc_buf_puts(out, "\\u003c");
        else
            nsc_buf_putc(out, json.bytes[i]);
    nsc_buf_puts(out, data_end);
    nsc_buf_putc(out, '\n');
}

void nsc_session_page_write(struct nsc_buf *out, const struct nsc_session_page *page)
{
    nsc_markup_page(out, "Bookmarks", style);
    nsc_buf_puts(out, "</style>\n</head>\n<body>\n");
    add_index(out, page);
    for (size_t i = 0; i < page->n; i++)
        add_part(out, page, i);
    if (page->is_alone)
        add_bookmarks(out, page->bookmarks);
    nsc_buf_puts(out, "</body>\n</html>\n");
}

struct nsc_text nsc_session_page_bookmarks(struct nsc_text text)
{
    const char *at =
        nsc_text_begins(text, "<!doctype html>") ? strstr(text.bytes, data_begin) : NULL;
    const char *end = at ? strstr(at, data_end) : NULL;

    if (!end)
        return text;
    at += strlen(data_begin);
    return (struct nsc_text){at, (uint32_t)(end - at)};
}
