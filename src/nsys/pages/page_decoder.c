/* Allocates the columns of a page decoder, builds its layouts, and checks the header of a page. */
#include "core/die.h"
#include "nsys/pages/record.h"

#include <stdlib.h>
#include <string.h>

#define LEAF 0x0d

/* Columns: mask, shift, one, type, odd, size. */
#define BLOB_TEXT(n)                   \
    {0, 0, 0, NSC_CELL_BLOB, 0, (n)},  \
    {                                  \
        0, 0, 0, NSC_CELL_TEXT, 0, (n) \
    }
#define BLOBS_TEXTS(n)                                                                            \
    BLOB_TEXT(n), BLOB_TEXT((n) + 1), BLOB_TEXT((n) + 2), BLOB_TEXT((n) + 3), BLOB_TEXT((n) + 4), \
        BLOB_TEXT((n) + 5), BLOB_TEXT((n) + 6), BLOB_TEXT((n) + 7)
const struct nsc_record_rule nsc_record_rules[128] = {
    {0, 0, 0, NSC_CELL_NULL, 0, 0},
    {UINT64_MAX, 56, 0, NSC_CELL_INT, 0, 1},
    {UINT64_MAX, 48, 0, NSC_CELL_INT, 0, 2},
    {UINT64_MAX, 40, 0, NSC_CELL_INT, 0, 3},
    {UINT64_MAX, 32, 0, NSC_CELL_INT, 0, 4},
    {UINT64_MAX, 16, 0, NSC_CELL_INT, 0, 6},
    {UINT64_MAX, 0, 0, NSC_CELL_INT, 0, 8},
    {UINT64_MAX, 0, 0, NSC_CELL_REAL, NSC_ODD_REAL, 8},
    {0, 0, 0, NSC_CELL_INT, 0, 0},
    {0, 0, 1, NSC_CELL_INT, 0, 0},
    {0, 0, 0, NSC_CELL_NULL, NSC_ODD_RESERVED, 0},
    {0, 0, 0, NSC_CELL_NULL, NSC_ODD_RESERVED, 0},
    BLOBS_TEXTS(0),
    BLOBS_TEXTS(8),
    BLOBS_TEXTS(16),
    BLOBS_TEXTS(24),
    BLOBS_TEXTS(32),
    BLOBS_TEXTS(40),
    BLOBS_TEXTS(48),
    BLOB_TEXT(56),
    BLOB_TEXT(57),
};

static void init_rows(struct nsc_row_batch *rows, const struct nsc_record_plan *plan)
{
    size_t n = plan->n_columns;
    size_t bytes = NSC_RECORD_STRIDE * (sizeof(int64_t) * (n + 1) + sizeof *rows->type +
                                        sizeof(struct nsc_cell_text) * plan->n_texts);
    uint8_t *at = nsc_xcalloc(1, bytes);

    rows->block = at;
    rows->rowid = (int64_t *)(void *)at;
    at += NSC_RECORD_STRIDE * sizeof(int64_t);
    for (size_t c = 0; c < n; c++, at += NSC_RECORD_STRIDE * sizeof(int64_t))
        rows->value[c] = (int64_t *)(void *)at;
    for (size_t i = 0; i < plan->n_texts;
         i++, at += NSC_RECORD_STRIDE * sizeof(struct nsc_cell_text))
        rows->text[plan->text[i]] = (struct nsc_cell_text *)(void *)at;
    rows->type = (uint8_t(*)[NSC_SCAN_COLUMNS])at;
}

/* Masks the first n types in a word of serial types. */
static uint64_t first_types(uint32_t n)
{
    uint8_t bytes[8] = {0};
    uint64_t word = 0;

    memset(bytes, 0xff, n < 8 ? n : 8);
    memcpy(&word, bytes, sizeof word);
    return word;
}

void nsc_record_plan_types(struct nsc_record_plan *plan)
{
    uint32_t n_tail = plan->n_fields - plan->n_wanted;

    plan->short_header = UINT32_MAX;
    if (plan->n_columns == 0 || plan->n_wanted > 8 * NSC_LAYOUT_WORDS ||
        n_tail > 8 * NSC_LAYOUT_WORDS)
        return;
    plan->short_header = plan->n_fields + 1;
    plan->n_words = (plan->n_wanted + 7) / 8;
    for (uint32_t i = 0; i < plan->n_words; i++)
        plan->wanted[i] = first_types(plan->n_wanted - 8 * i);
    plan->n_tail = (n_tail + 7) / 8;
    for (uint32_t i = 0; i < plan->n_tail; i++)
        plan->tail[i] = first_types(n_tail - 8 * i);
}

/* Builds the rules of a layout. Values without bytes (NULL, 0 and 1) come from the masked bits of
 * the serial type: 1 for type 9, 0 for all others. */
void nsc_record_layout_build(struct nsc_record_layout *out, const struct nsc_record_plan *plan,
                             const uint8_t *types)
{
    uint32_t at[8 * NSC_LAYOUT_WORDS + 1];

    at[0] = plan->n_fields + 1;
    for (uint32_t i = 0; i < plan->n_wanted; i++)
        at[i + 1] = at[i] + nsc_record_rules[types[i]].size;
    out->end = at[plan->n_wanted];
    out->odd = false;
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        uint32_t field = plan->ordinal[c];
        const struct nsc_record_rule *rule = &nsc_record_rules[types[field]];

        out->type[c] = rule->type;
        out->text[c] = rule->type == NSC_CELL_TEXT ? rule->size : 0;
        out->text_at[c] = (uint16_t)at[field];
        out->column[c] = (struct nsc_layout_column){rule->one, 1 + field, 56};
        if (rule->mask)
            out->column[c] = (struct nsc_layout_column){rule->mask, at[field], rule->shift};
        out->odd |= rule->odd != 0;
    }
    for (uint32_t i = 0; i < plan->n_wanted; i++)
        out->odd |= nsc_record_is_forbidden(plan->forbid[i], types[i]);
}

static void init_layouts(struct nsc_page_decoder *reader)
{
    reader->layouts = nsc_xcalloc(NSC_LAYOUTS, sizeof *reader->layouts);
    for (uint32_t i = 0; i < NSC_LAYOUTS; i++) { /* an impossible record that never matches */
        reader->layouts[i].types[0] = UINT64_MAX;
        reader->layouts[i].end = UINT32_MAX;
    }
    reader->tails = nsc_xcalloc(NSC_TAILS, sizeof *reader->tails);
    for (uint32_t i = 0; i < NSC_TAILS; i++) {
        reader->tails[i].types[0] = UINT64_MAX;
        reader->tails[i].bytes = UINT32_MAX;
    }
    if (reader->plan->n_tail == 0)
        reader->tails[0].bytes = 0;
}

struct nsc_page_decoder *nsc_page_decoder_new(const struct nsc_record_plan *plan,
                                              const struct nsc_btree *tree)
{
    struct nsc_page_decoder *reader = nsc_xcalloc(1, sizeof *reader);

    reader->plan = plan;
    reader->tree = tree;
    if (plan->n_columns > 0)
        init_layouts(reader);
    init_rows(&reader->rows, plan);
    return reader;
}

void nsc_page_decoder_free(struct nsc_page_decoder *reader)
{
    if (!reader)
        return;
    free(reader->rows.block);
    free(reader->side);
    free(reader->overflow);
    free(reader->layouts);
    free(reader->tails);
    free(reader);
}

void nsc_page_decoder_begin(struct nsc_page_decoder *reader)
{
    reader->has_last = false;
    reader->last = INT64_MIN;
}

void nsc_page_decoder_clear(struct nsc_page_decoder *reader)
{
    reader->rows.n = 0;
    reader->side_n = 0;
}

const char *nsc_leaf_close(struct nsc_page_decoder *reader, const struct nsc_leaf *leaf)
{
    return reader->filled == leaf->filled ? NULL : NSC_DAMAGED "a page that its rows do not fill";
}

const char *nsc_leaf_open(struct nsc_leaf *out, const struct nsc_btree *tree, const uint8_t *page,
                          uint32_t number, bool is_root)
{
    uint32_t header = nsc_btree_header(number);

    if (page[header] != LEAF)
        return "not a leaf page of a table";
    out->page = page;
    out->cells = page + header + 8;
    out->n = nsc_be16(page + header + 3);
    out->usable = tree->usable_size;
    out->floor = header + 8 + 2 * out->n;
    out->filled = nsc_btree_filled(page, number, tree->usable_size);
    if ((out->n == 0 && !is_root) || out->n * 6 + 8 > tree->page_size ||
        out->floor > tree->usable_size)
        return "a leaf page with a wrong number of cells";
    return NULL;
}
