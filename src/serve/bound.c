/* Finds how many rows of each sheet fit into a number of bytes. */
#include "serve/bound.h"

enum { NOTES_MOST = 16 }; /* of a sheet: a job of many exports has one or more for each */
static const char note[] = "Cut by max-bytes: the same question with max-bytes 0 is whole.";

struct bounding {
    const struct nsc_sheets *sheets;
    const struct nsc_sheet_style *style;
    size_t most;
    uint64_t left; /* rows that the last text leaves out */
};

/* A copy that borrows all but the list of its notes. */
static struct nsc_sheet copy_first(struct bounding *bounding, const struct nsc_sheet *sheet,
                                   uint32_t rows)
{
    struct nsc_sheet copy = *sheet;
    uint32_t n = nsc_sheet_rows(sheet);
    uint32_t cut = n > rows ? n - rows : 0;

    copy.notes.at = NULL;
    copy.notes.n = copy.notes.capacity = 0;
    for (size_t i = 0; i < sheet->notes.n && i < NOTES_MOST; i++)
        *NSC_VEC_ADD(&copy.notes) = sheet->notes.at[i];
    if (cut > 0 || copy.notes.n < sheet->notes.n)
        *NSC_VEC_ADD(&copy.notes) = (char *)(uintptr_t)note; /* borrowed, as the others */
    copy.cells.n -= (size_t)cut * sheet->n_columns;
    copy.n_left_out += cut;
    bounding->left += cut;
    return copy;
}

/* Writes at most this many rows of each sheet. False: the text is too long. */
static bool write_first(struct nsc_buf *out, struct bounding *bounding, uint32_t rows)
{
    struct nsc_sheets first = {0};

    bounding->left = 0;
    nsc_buf_clear(out);
    for (size_t i = 0; i < bounding->sheets->list.n; i++)
        *NSC_VEC_ADD(&first.list) = copy_first(bounding, &bounding->sheets->list.at[i], rows);
    nsc_sheets_write(out, &first, bounding->style);
    for (size_t i = 0; i < first.list.n; i++)
        NSC_VEC_FINI(&first.list.at[i].notes);
    NSC_VEC_FINI(&first.list);
    return out->n <= bounding->most && !out->overflow;
}

static uint32_t most_rows(const struct nsc_sheets *sheets)
{
    uint32_t most = 0;

    for (size_t i = 0; i < sheets->list.n; i++)
        if (nsc_sheet_rows(&sheets->list.at[i]) > most)
            most = nsc_sheet_rows(&sheets->list.at[i]);
    return most;
}

/* The most rows that fit; rows + 1 if not even none do. Doubles first, because a text far beyond the
 * limit costs far more than one near it. */
static uint32_t find_rows(struct nsc_buf *out, struct bounding *bounding, uint32_t rows)
{
    uint32_t fits = 0;
    uint32_t step = 1;

    if (!write_first(out, bounding, 0))
        return rows + 1;
    while (step <= rows - fits && write_first(out, bounding, fits + step)) {
        fits += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (step <= rows - fits && write_first(out, bounding, fits + step))
            fits += step;
    return fits;
}

enum nsc_status nsc_sheets_write_within(struct nsc_buf *out, uint64_t *left,
                                        const struct nsc_sheets *sheets,
                                        const struct nsc_sheet_style *style, size_t most,
                                        struct nsc_error *error)
{
    struct bounding bounding = {.sheets = sheets, .style = style, .most = most};
    uint32_t rows = most_rows(sheets);
    uint32_t fits = find_rows(out, &bounding, rows);

    if (fits > rows)
        return nsc_fail(error, NSC_EINVAL, "--max-bytes: the tables without any row have %zu bytes",
                        out->n);
    (void)write_first(out, &bounding, fits);
    *left = bounding.left;
    return NSC_OK;
}
