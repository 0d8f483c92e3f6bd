/*
 * Writes the hotspot report as one HTML page: no script, nothing loaded from elsewhere.
 */
#include "core/text.h"
#include "share/hotspots_write.h"
#include "share/markup.h"
#include "share/sheet_write.h"

#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark}"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}"
    "h2{margin:2em 0 .4em;border-bottom:1px solid #8884}h3{margin:1.4em 0 .3em}"
    "p{margin:.3em 0;opacity:.75}h1,h2,h3,p,li{overflow-wrap:anywhere}"
    ".w{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:.6em 0}"
    "th,td{padding:.2em .7em;border-bottom:1px solid #8883;text-align:left;vertical-align:top}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "td:not(.n){max-width:40em;overflow-wrap:anywhere}"
    ".high{color:#c22}.medium{color:#b70}.low,.info{opacity:.8}";

static void add_tag(struct nsc_buf *out, const char *tag, const char *text)
{
    nsc_buf_printf(out, "<%s>", tag);
    nsc_markup_text(out, nsc_text_from(text));
    nsc_buf_printf(out, "</%s>\n", tag);
}

/* A paragraph with a label; backquotes surround code. */
static void add_prose(struct nsc_buf *out, const char *label, const char *text)
{
    bool is_code = false;

    nsc_buf_printf(out, "<p>%s: ", label);
    while (*text) {
        size_t n = strcspn(text, "`");

        nsc_markup_text(out, (struct nsc_text){text, (uint32_t)n});
        text += n + (text[n] == '`');
        if (text[-1] == '`') {
            nsc_buf_puts(out, is_code ? "</code>" : "<code>");
            is_code = !is_code;
        }
    }
    nsc_buf_puts(out, is_code ? "</code></p>\n" : "</p>\n");
}

static void add_head(struct nsc_buf *out, const struct nsc_hotspots *report,
                     const struct nsc_hotspots_about *about)
{
    nsc_markup_page(out, "Nsight Systems hotspot report", style);
    nsc_markup_element(out, "</style></head><body>\n<h1>Nsight Systems hotspot report</h1>\n<p>",
                       about->trace, "");
    nsc_buf_printf(out, " &middot; %s &middot; nsyscope %s &middot; %lld to %lld ns",
                   about->generated_at, about->version, (long long)report->query->scope.window.t0,
                   (long long)report->query->scope.window.t1);
    if (about->filter)
        nsc_markup_element(out, " &middot; ", nsc_text_from(about->filter), "");
    nsc_buf_puts(out, "</p>\n");
}

static void add_findings(struct nsc_buf *out, const struct nsc_hotspots *report)
{
    if (report->warnings.n)
        add_tag(out, "h2", "Warnings");
    for (size_t i = 0; i < report->warnings.n; i++)
        add_tag(out, "p", report->warnings.at[i]);
    add_tag(out, "h2", "What to do next");
    if (report->findings.list.n == 0)
        add_tag(out, "p", "(nothing stands out)");
    for (size_t i = 0; i < report->findings.list.n; i++) {
        const struct nsc_finding *finding = &report->findings.list.at[i];
        const char *word = nsc_severity_word(finding->severity);

        nsc_buf_printf(out, "<h3 class=\"%s\">%s: ", word, word);
        nsc_markup_element(out, "", nsc_text_from(finding->title), "</h3>\n<ul>\n");
        for (size_t k = 0; k < finding->evidence.n; k++)
            add_tag(out, "li", finding->evidence.at[k]);
        nsc_buf_puts(out, "</ul>\n");
        if (finding->next)
            add_tag(out, "p", finding->next);
    }
}

/* Markdown's headings become the first column here. */
static void add_table(struct nsc_buf *out, const struct nsc_hotspots_part *part,
                      const struct nsc_sheet *sheet)
{
    struct nsc_markup_column columns[2 * NSC_HOTSPOTS_COLUMNS];
    uint32_t first = part->by ? nsc_hotspots_columns(columns, part->by, sheet) : 0;
    uint32_t n_columns = first + nsc_hotspots_columns(columns + first, part->columns, sheet);
    uint32_t n = nsc_sheet_rows(sheet);
    uint32_t most = part->by || part->limit > n ? n : part->limit;

    nsc_markup_sheet(
        out, sheet,
        &(struct nsc_markup_table){.columns = columns, .n_columns = n_columns, .n_rows = most});
    if (most < n || sheet->n_left_out)
        nsc_buf_printf(out, "<p>%u of %llu rows.</p>\n", most,
                       (unsigned long long)sheet->n_left_out + n);
}

static void add_part(struct nsc_buf *out, const struct nsc_hotspots *report,
                     const struct nsc_hotspots_part *part)
{
    const struct nsc_sheet *sheet = nsc_sheets_find(&report->sheets, part->sheet);
    const char *text = part->heading + strspn(part->heading, "# ");

    if (!sheet || (nsc_sheet_rows(sheet) == 0 && !part->none))
        return;
    add_tag(out, part->heading[2] == '#' ? "h3" : "h2", text);
    if (part->derived)
        add_prose(out, "Derived from", part->derived);
    if (part->limits)
        add_prose(out, "Limitations", part->limits);
    for (size_t i = 0; i < sheet->notes.n; i++)
        add_tag(out, "p", sheet->notes.at[i]);
    if (nsc_sheet_rows(sheet) == 0)
        add_tag(out, "p", part->none);
    else
        add_table(out, part, sheet);
}

static void add_counters(struct nsc_buf *out, const struct nsc_sheets *counters)
{
    const struct nsc_sheet_style plain = {.format = NSC_SHEET_AS_TABLE};

    if (counters)
        add_tag(out, "h2", "Counters of Nsight Compute");
    for (size_t i = 0; counters && i < counters->list.n; i++) {
        struct nsc_buf table = NSC_BUF_INIT(SIZE_MAX);

        nsc_sheet_write(&table, &counters->list.at[i], &plain);
        nsc_buf_puts(out, "<div class=\"w\"><pre>");
        nsc_markup_add(out, table.bytes, table.n);
        nsc_buf_puts(out, "</pre></div>\n");
        nsc_buf_fini(&table);
    }
}

void nsc_hotspots_write_html(struct nsc_buf *out, const struct nsc_hotspots *report,
                             const struct nsc_hotspots_about *about)
{
    const struct nsc_hotspots_part *part;

    add_head(out, report, about);
    add_findings(out, report);
    for (uint32_t i = 0; (part = nsc_hotspots_part(i)) != NULL; i++)
        add_part(out, report, part);
    add_counters(out, about->counters);
    nsc_buf_puts(out, "</body></html>\n");
}
