/*
 * Writes the hotspot report as Markdown.
 */
#include "core/text.h"
#include "share/hotspots_write.h"
#include "share/sheet_write.h"

#include <string.h>

static void add_line(struct nsc_buf *out, const char *before, const char *text)
{
    nsc_buf_puts(out, before);
    nsc_md_text(out, nsc_text_from(text));
    nsc_buf_putc(out, '\n');
}

static void add_head(struct nsc_buf *out, const struct nsc_hotspots *report,
                     const struct nsc_hotspots_about *about)
{
    const struct nsc_scope *scope = &report->query->scope;

    nsc_buf_puts(out, "# Nsight Systems LLM Hotspot Report\n\n");
    nsc_buf_printf(out, "- Generated at (UTC): `%s`\n- Trace: ", about->generated_at);
    nsc_md_text(out, about->trace);
    nsc_buf_printf(out, "\n- Tool: `nsyscope %s`\n", about->version);
    nsc_buf_printf(out, "- Window: `%lld` to `%lld` ns%s\n", (long long)scope->window.t0,
                   (long long)scope->window.t1, scope->has_window ? "" : " (the whole trace)");
    if (about->filter)
        add_line(out, "- Filter: ", about->filter);
    nsc_buf_putc(out, '\n');
}

static void add_warnings(struct nsc_buf *out, const struct nsc_hotspots *report)
{
    if (report->warnings.n == 0)
        return;
    nsc_buf_puts(out, "## Warnings\n\n");
    for (size_t i = 0; i < report->warnings.n; i++)
        add_line(out, "- ", report->warnings.at[i]);
    nsc_buf_putc(out, '\n');
}

static void add_findings(struct nsc_buf *out, const struct nsc_hotspots *report)
{
    nsc_buf_puts(out, "## What to do next\n\n");
    if (report->findings.list.n == 0)
        nsc_buf_puts(out, "_(nothing stands out)_\n");
    for (size_t i = 0; i < report->findings.list.n; i++) {
        const struct nsc_finding *finding = &report->findings.list.at[i];

        nsc_buf_printf(out, "- **[%s] ", nsc_severity_word(finding->severity));
        nsc_md_text(out, nsc_text_from(finding->title));
        nsc_buf_puts(out, "**\n  - **Evidence**:\n");
        for (size_t k = 0; k < finding->evidence.n; k++)
            add_line(out, "    - ", finding->evidence.at[k]);
        if (finding->next) {
            nsc_buf_puts(out, "  - **Recommendation**:\n");
            add_line(out, "    - ", finding->next);
        }
    }
    nsc_buf_putc(out, '\n');
}

/* ---- tables ---- */

static void add_heading_row(struct nsc_buf *out, const struct nsc_sheet *sheet,
                            const struct nsc_markup_column columns[], uint32_t n)
{
    nsc_buf_putc(out, '|');
    for (uint32_t c = 0; c < n; c++)
        nsc_buf_printf(out, " %.*s |", (int)columns[c].heading.n, columns[c].heading.bytes);
    nsc_buf_puts(out, "\n|");
    for (uint32_t c = 0; c < n; c++)
        nsc_buf_puts(out, sheet->columns[columns[c].column].kind == NSC_SHEET_TEXT ? " --- |"
                                                                                   : " ---: |");
    nsc_buf_putc(out, '\n');
}

static void add_row(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                    const struct nsc_markup_column columns[], uint32_t n)
{
    struct nsc_buf cell = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_putc(out, '|');
    for (uint32_t c = 0; c < n; c++) {
        nsc_buf_clear(&cell);
        nsc_hotspots_cell(&cell, sheet, row, &columns[c]);
        nsc_buf_putc(out, ' ');
        if (cell.n)
            nsc_md_text(out, nsc_text_of_buf(&cell));
        nsc_buf_puts(out, " |");
    }
    nsc_buf_putc(out, '\n');
    nsc_buf_fini(&cell);
}

/* Starts a heading at the first row of each value and counts the rows of that value. */
static void begin_group(struct nsc_buf *out, const struct nsc_hotspots_part *part,
                        const struct nsc_sheet *sheet, uint32_t row, uint32_t *of_group)
{
    struct nsc_buf now = NSC_BUF_INIT(SIZE_MAX), before = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_markup_column columns[NSC_HOTSPOTS_COLUMNS];
    uint32_t n;

    if (nsc_hotspots_columns(columns, part->by, sheet) == 1) {
        nsc_hotspots_cell(&now, sheet, row, &columns[0]);
        if (row > 0)
            nsc_hotspots_cell(&before, sheet, row - 1, &columns[0]);
    }
    if (row == 0 || strcmp(now.bytes ? now.bytes : "", before.bytes ? before.bytes : "") != 0) {
        nsc_buf_printf(out, "%s### PID `%s`\n\n", row ? "\n" : "", now.bytes ? now.bytes : "");
        n = nsc_hotspots_columns(columns, part->columns, sheet);
        add_heading_row(out, sheet, columns, n);
        *of_group = 0;
    }
    nsc_buf_fini(&now);
    nsc_buf_fini(&before);
}

static void add_table(struct nsc_buf *out, const struct nsc_hotspots_part *part,
                      const struct nsc_sheet *sheet)
{
    struct nsc_markup_column columns[NSC_HOTSPOTS_COLUMNS];
    uint32_t n_columns = nsc_hotspots_columns(columns, part->columns, sheet);
    uint32_t n = nsc_sheet_rows(sheet), shown = 0, of_group = 0;

    if (!part->by)
        add_heading_row(out, sheet, columns, n_columns);
    for (uint32_t r = 0; r < n; r++) {
        if (part->by)
            begin_group(out, part, sheet, r, &of_group);
        if (of_group++ >= part->limit)
            continue;
        add_row(out, sheet, r, columns, n_columns);
        shown++;
    }
    if (shown < n || sheet->n_left_out)
        nsc_buf_printf(out, "\n_%u of %llu rows._\n", shown,
                       (unsigned long long)sheet->n_left_out + n);
}

static void add_part(struct nsc_buf *out, const struct nsc_hotspots *report,
                     const struct nsc_hotspots_part *part)
{
    const struct nsc_sheet *sheet = nsc_sheets_find(&report->sheets, part->sheet);

    if (!sheet || (nsc_sheet_rows(sheet) == 0 && !part->none))
        return;
    nsc_buf_printf(out, "%s\n\n", part->heading);
    if (part->derived)
        nsc_buf_printf(out, "- **Derived from**: %s\n", part->derived);
    if (part->limits)
        nsc_buf_printf(out, "- **Limitations**: %s\n", part->limits);
    for (size_t i = 0; i < sheet->notes.n; i++)
        add_line(out, "- **Note**: ", sheet->notes.at[i]);
    if (part->derived || part->limits || sheet->notes.n)
        nsc_buf_putc(out, '\n');
    if (nsc_sheet_rows(sheet) == 0)
        nsc_buf_printf(out, "_%s_\n", part->none);
    else
        add_table(out, part, sheet);
    nsc_buf_putc(out, '\n');
}

/* Adds the counters of Nsight Compute. Its launches ran alone, so their times differ from the
 * recording. */
static void add_counters(struct nsc_buf *out, const struct nsc_sheets *counters)
{
    const struct nsc_sheet_style style = {.format = NSC_SHEET_AS_MD};

    if (counters)
        nsc_buf_puts(out, "# Counters of Nsight Compute\n\n");
    for (size_t i = 0; counters && i < counters->list.n; i++) {
        nsc_sheet_write(out, &counters->list.at[i], &style);
        nsc_buf_putc(out, '\n');
    }
}

void nsc_hotspots_write_md(struct nsc_buf *out, const struct nsc_hotspots *report,
                           const struct nsc_hotspots_about *about)
{
    const struct nsc_hotspots_part *part;

    add_head(out, report, about);
    add_warnings(out, report);
    add_findings(out, report);
    for (uint32_t i = 0; (part = nsc_hotspots_part(i)) != NULL; i++)
        add_part(out, report, part);
    add_counters(out, about->counters);
    nsc_buf_puts(out,
                 "## Derivation & assumptions\n\n"
                 "- **Times** are ns in the export and shown as ms (1e6) and us (1e3).\n"
                 "- **Kernel durations** are whole and summed over launches, also of kernels at "
                 "once: work, not time that passes.\n"
                 "- **Rows** that end before they start, or are of a wrong type, are left out; "
                 "`nsyscope info` counts them.\n"
                 "- **Definitions** and how they differ from other tools': "
                 "docs/analyses/report.md.\n");
}
