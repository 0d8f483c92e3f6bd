/* Cells of the schema's sheets, by the key of their column. Private to schema_*.c. */
#ifndef NSC_SHARE_SCHEMA_CELLS_H
#define NSC_SHARE_SCHEMA_CELLS_H

#include "core/sheet.h"
#include "core/text.h"

/* NULL: the sheet has no such column. */
static inline const struct nsc_sheet_cell *nsc_schema_cell_at(const struct nsc_sheet *sheet,
                                                              uint32_t row, const char *key)
{
    uint32_t column = nsc_sheet_column(sheet, nsc_text_from(key));

    return column != NSC_NONE ? nsc_sheet_at(sheet, row, column) : NULL;
}

/* Whether the cell is there, known and not 0. */
static inline bool nsc_schema_is(const struct nsc_sheet *sheet, uint32_t row, const char *key)
{
    const struct nsc_sheet_cell *cell = nsc_schema_cell_at(sheet, row, key);

    return cell && cell->is_set && cell->integer;
}

/* "" for an unknown text, or if the sheet has no such column. */
static inline struct nsc_text nsc_schema_text_at(const struct nsc_sheet *sheet, uint32_t row,
                                                 const char *key)
{
    const struct nsc_sheet_cell *cell = nsc_schema_cell_at(sheet, row, key);

    return cell ? nsc_sheet_text(sheet, cell) : (struct nsc_text){"", 0};
}

#endif
