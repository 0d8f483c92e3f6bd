/*
 * Joins sheets of several exports.
 */
#include "core/die.h"
#include "core/sheet.h"

#include <string.h>

const struct nsc_sheet_column nsc_rank_column =
    NSC_COL_UNBOUND("rank", "Rank", NULL, NSC_SHEET_TEXT, 0);

/* Whether a part has these columns. Kinds are compared only if it has rows, because a query's
 * column has no kind without values. */
static bool fits(const struct nsc_sheet_column columns[], uint32_t n, const struct nsc_sheet *part)
{
    if (n != part->n_columns)
        return false;
    for (uint32_t c = 0; c < n; c++)
        if (strcmp(columns[c].key, part->columns[c].key) != 0 ||
            (columns[c].kind != part->columns[c].kind && nsc_sheet_rows(part) > 0))
            return false;
    return true;
}

static struct nsc_sheet *find(struct nsc_sheets *sheets, const struct nsc_sheet *like)
{
    for (size_t i = 0; i < sheets->list.n; i++) {
        struct nsc_sheet *sheet = &sheets->list.at[i];

        if (strcmp(sheet->key, like->key) == 0 &&
            fits(sheet->columns + 1, sheet->n_columns - 1, like))
            return sheet;
    }
    return NULL;
}

/* The columns for a sheet without rows: those of the first matching sheet with rows, else its
 * own. */
static const struct nsc_sheet *find_model(const struct nsc_sheets parts[], uint32_t n,
                                          const struct nsc_sheet *like)
{
    for (uint32_t p = 0; p < n && nsc_sheet_rows(like) == 0; p++)
        for (size_t i = 0; i < parts[p].list.n; i++) {
            const struct nsc_sheet *sheet = &parts[p].list.at[i];

            if (nsc_sheet_rows(sheet) > 0 && strcmp(sheet->key, like->key) == 0 &&
                fits(sheet->columns, sheet->n_columns, like))
                return sheet;
        }
    return like;
}

static struct nsc_sheet *add(struct nsc_sheets *out, const struct nsc_sheet *like)
{
    uint32_t n = like->n_columns + 1;
    struct nsc_sheet_column *columns = nsc_xmalloc(n * sizeof *columns);
    struct nsc_sheet *sheet = NULL;

    columns[0] = nsc_rank_column;
    memcpy(columns + 1, like->columns, like->n_columns * sizeof *columns);
    sheet = nsc_sheets_add(out, like->key, like->title, NULL, n);
    sheet->columns = sheet->own_columns = nsc_sheet_columns_copy(columns, n);
    free(columns);
    return sheet;
}

static void add_rows(struct nsc_sheet *out, const struct nsc_sheet *from, struct nsc_text label)
{
    for (size_t i = 0; i < from->cells.n; i++) {
        struct nsc_sheet_cell cell = from->cells.at[i];

        if (i % from->n_columns == 0)
            nsc_sheet_add_text(out, label);
        if (cell.is_set && from->columns[i % from->n_columns].kind == NSC_SHEET_TEXT)
            nsc_sheet_add_text(out, nsc_sheet_text(from, &cell));
        else
            *NSC_VEC_ADD(&out->cells) = cell;
    }
}

static void add_window(struct nsc_sheet *out, const struct nsc_sheet *from)
{
    if (!from->has_window)
        return;
    if (!out->has_window)
        out->window = from->window;
    out->has_window = true;
    out->window.t0 = from->window.t0 < out->window.t0 ? from->window.t0 : out->window.t0;
    out->window.t1 = from->window.t1 > out->window.t1 ? from->window.t1 : out->window.t1;
}

static bool has_note(const struct nsc_sheet *sheet, const char *note)
{
    for (size_t i = 0; i < sheet->notes.n; i++)
        if (strcmp(sheet->notes.at[i], note) == 0)
            return true;
    return false;
}

/* Whether every part that has such a sheet has this note. */
static bool all_note(const struct nsc_sheets parts[], uint32_t n, const struct nsc_sheet *like,
                     const char *note)
{
    for (uint32_t p = 0; p < n; p++)
        for (size_t i = 0; i < parts[p].list.n; i++)
            if (strcmp(parts[p].list.at[i].key, like->key) == 0 &&
                !has_note(&parts[p].list.at[i], note))
                return false;
    return true;
}

void nsc_sheets_join(struct nsc_sheets *out, const struct nsc_sheets parts[],
                     const struct nsc_text labels[], uint32_t n)
{
    for (uint32_t p = 0; p < n; p++)
        for (size_t i = 0; i < parts[p].list.n; i++) {
            const struct nsc_sheet *from = &parts[p].list.at[i];
            struct nsc_sheet *sheet = find(out, from);

            if (!sheet)
                sheet = add(out, find_model(parts, n, from));
            add_rows(sheet, from, labels[p]);
            add_window(sheet, from);
            sheet->n_left_out += from->n_left_out;
            for (size_t k = 0; k < from->notes.n; k++) {
                const char *note = from->notes.at[k];

                if (!all_note(parts, n, from, note))
                    nsc_sheet_note(sheet, "%.*s: %s", (int)labels[p].n, labels[p].bytes, note);
                else if (!has_note(sheet, note))
                    nsc_sheet_note(sheet, "%s", note);
            }
        }
}
