/*
 * Rows out of one leaf page of a table b-tree: cells, record headers, values, into columns of a
 * batch.
 *
 * The page must lie in a buffer with NSC_RECORD_SLACK readable bytes behind it: values and varints
 * are loaded wide and checked after. Texts in the batch point into that buffer, or into the
 * reader's own for those that continue on overflow pages.
 */
#ifndef NSC_NSYS_RECORD_H
#define NSC_NSYS_RECORD_H

#include "nsys/btree.h"
#include "nsys/scan.h"

#define NSC_RECORD_SLACK  64
#define NSC_RECORD_FIELDS 2000 /* SQLite's own limit of columns as distributed */

/* From a column to the next: a cache line more than a power of two, or all would fall into one
 * set. */
#define NSC_RECORD_STRIDE (NSC_SCAN_ROWS + 8)

#define NSC_LAYOUT_WORDS 4 /* of eight types: fields up to the last wanted one */
#define NSC_LAYOUTS      256

/* What is wanted of every record; the same for all workers. */
struct nsc_record_plan {
    uint32_t n_fields;  /* the table's columns */
    uint32_t n_wanted;  /* fields up to the last wanted one */
    uint32_t n_columns; /* wanted ones, in the caller's order */
    uint32_t ordinal[NSC_SCAN_COLUMNS];
    uint32_t n_texts, n_rowids;
    uint8_t text[NSC_SCAN_COLUMNS];  /* columns whose text is wanted */
    uint8_t rowid[NSC_SCAN_COLUMNS]; /* columns that are the row id */
    /* From here on: nsc_record_plan_types. */
    uint32_t short_header; /* bytes of a header, one a field, that may be read by layout; past 255:
                              none may */
    uint32_t n_words;      /* of eight such serial types: of fields up to the last wanted one */
    uint64_t wanted[NSC_LAYOUT_WORDS]; /* which bits of them are types of these fields */
};

/*
 * Where the wanted values of a record lie and how they are loaded, given the serial types of its
 * fields up to the last wanted one. Few kinds of records make up a table, so these are kept.
 */
struct nsc_record_layout {
    uint64_t types[NSC_LAYOUT_WORDS];
    uint32_t end; /* of the last wanted field */
    bool odd;
    struct nsc_layout_column {
        uint64_t mask;
        uint32_t at, shift; /* of the eight bytes from there, as a number with the big end first */
    } column[NSC_SCAN_COLUMNS];
    uint8_t type[NSC_SCAN_COLUMNS]; /* of cell */
    uint8_t text[NSC_SCAN_COLUMNS]; /* bytes of text */
    uint16_t text_at[NSC_SCAN_COLUMNS];
};

/* The columns of a batch being filled: all in one block. */
struct nsc_row_batch {
    uint32_t n;
    int64_t *rowid;
    uint8_t (*type)[NSC_SCAN_COLUMNS];
    int64_t *value[NSC_SCAN_COLUMNS];
    struct nsc_cell_text *text[NSC_SCAN_COLUMNS]; /* NULL where not wanted */
    void *block;
};

/* One worker's state. */
struct nsc_page_decoder {
    const struct nsc_record_plan *plan;
    const struct nsc_btree *tree;
    struct nsc_row_batch rows;
    int64_t last; /* row id since nsc_page_decoder_start, or the last before a leaf */
    bool has_last;
    const char *why; /* set when a page cannot be read */
    char *side;      /* records put together from overflow pages, until the rows are cleared */
    size_t side_n;
    uint8_t *overflow;                  /* one page */
    struct nsc_record_layout *layouts;  /* by hash of types */
    uint32_t at[NSC_RECORD_FIELDS + 1]; /* of the record at hand: where its fields begin */
    uint8_t
        kind[NSC_RECORD_FIELDS + 1]; /* serial types, 12 and up folded to 12 (blob), 13 (text) */
};

/* A leaf page whose header has been checked. */
struct nsc_leaf {
    const uint8_t *page;
    const uint8_t *cells; /* cell pointers */
    uint32_t n;
    uint32_t floor;  /* no cell lies before this */
    uint32_t usable; /* bytes of the page */
};

/* Completes a plan whose fields and columns are known. */
void nsc_record_plan_types(struct nsc_record_plan *plan);
struct nsc_page_decoder *nsc_page_decoder_new(const struct nsc_record_plan *plan,
                                              const struct nsc_btree *tree);
void nsc_page_decoder_free(struct nsc_page_decoder *reader);
/* Forgets the row ids seen. */
void nsc_page_decoder_start(struct nsc_page_decoder *reader);
/* Empties the rows and what their texts point to. */
void nsc_page_decoder_clear(struct nsc_page_decoder *reader);

/* NULL, or the reason why the page is no sound leaf. */
const char *nsc_leaf_open(struct nsc_leaf *out, const struct nsc_btree *tree, const uint8_t *page,
                          uint32_t number, bool is_root);
/*
 * Adds rows from the cell on; returns the cell to go on with. Less than leaf->n means: hand on the
 * rows and clear them first, or, when reader->why is set, give up.
 */
uint32_t nsc_leaf_decode(struct nsc_page_decoder *reader, const struct nsc_leaf *leaf,
                         uint32_t cell);

#endif
