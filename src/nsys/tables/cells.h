/* Reads one row of a table as exported, and formats its cells. */
#ifndef NSC_NSYS_CELLS_H
#define NSC_NSYS_CELLS_H

#include "core/buf.h"
#include "nsys/tables/capture_data.h"

#define NSC_CELL_TEXT_LIMIT 65536 /* bytes of a text that are kept */

struct nsc_row_cell {
    char *name;
    uint8_t type; /* enum nsc_cell_type */
    int64_t value;
    double real;
    char *text;
    uint32_t n;
    uint64_t full_n; /* bytes of the text or blob in the file */
};

struct nsc_cells {
    enum nsc_table_id table;
    NSC_VEC(struct nsc_row_cell) at;
};

/*
 * Reads all columns of the row, including those that no reader uses. NSC_ENODATA if there is no
 * such row.
 */
NSC_NODISCARD enum nsc_status nsc_cells_read(struct nsc_cells *cells, struct nsc_capture *capture,
                                             enum nsc_table_id id, int64_t rowid,
                                             struct nsc_error *error);
void nsc_cells_fini(struct nsc_cells *cells);
/* The integer in the column of that name; false if there is none. */
bool nsc_cells_int(const struct nsc_cells *cells, const char *name, int64_t *out);
/* Appends the cell formatted for people: units, labels, texts of ids. Safe to show. */
void nsc_cell_format(struct nsc_buf *out, struct nsc_capture *capture,
                     const struct nsc_cells *cells, const struct nsc_row_cell *cell);

#endif
