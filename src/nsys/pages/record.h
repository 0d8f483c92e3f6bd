/*
 * Decodes rows from a leaf page of a table b-tree into the columns of a batch.
 *
 * NSC_RECORD_SLACK bytes after the page must be readable, because values and varints are loaded
 * wide and checked afterwards. Texts in the batch point into the page's buffer; texts on overflow
 * pages point into the decoder's own.
 */
#ifndef NSC_NSYS_RECORD_H
#define NSC_NSYS_RECORD_H

#include "nsys/pages/btree.h"
#include "nsys/pages/scan.h"

#define NSC_RECORD_SLACK  64
#define NSC_RECORD_FIELDS 2000 /* SQLite's default limit of columns */

/* From one column to the next: a power of two plus a cache line, so that columns do not share a
 * cache set. */
#define NSC_RECORD_STRIDE (NSC_SCAN_ROWS + 8)

#define NSC_LAYOUT_WORDS 4 /* words of eight types, for fields up to the last wanted one */
#define NSC_LAYOUTS      256
#define NSC_TAILS        64

/* What the declaration of a column forbids its field to be. SQLite keeps such values out, so one of
 * them means that the row is damaged, or of another table. */
enum {
    NSC_FORBID_NULL = 1,
    NSC_FORBID_NUMBER = 2,
    NSC_FORBID_BYTES = 4,  /* texts and blobs */
    NSC_FORBID_ABSENT = 8, /* a row without the field, as older than its column */
    NSC_ODD_BYTES = 16     /* a column of integers: texts and blobs are odd */
};

/* The wanted columns; the same for all workers. */
struct nsc_record_plan {
    uint32_t n_fields;                 /* the table's columns */
    uint8_t forbid[NSC_RECORD_FIELDS]; /* by field; set by nsc_columns_forbid */
    uint32_t n_wanted;                 /* fields up to and including the last wanted one */
    uint32_t n_columns;                /* wanted columns, in the caller's order */
    uint32_t ordinal[NSC_SCAN_COLUMNS];
    uint32_t n_texts, n_rowids;
    uint8_t text[NSC_SCAN_COLUMNS];  /* columns with wanted text */
    uint8_t rowid[NSC_SCAN_COLUMNS]; /* columns that are the row id */
    /* Set by nsc_record_plan_types. */
    uint32_t
        short_header; /* longest header, one byte per field, for the fast way; over 255: none */
    uint32_t n_words; /* words of eight serial types, up to the last wanted field */
    uint64_t wanted[NSC_LAYOUT_WORDS]; /* the bits of these fields' types */
    uint32_t n_tail;                   /* words of the types after them */
    uint64_t tail[NSC_LAYOUT_WORDS];
};

/* How to decode a value of a serial type from the eight bytes at its place, big end first. */
enum { NSC_ODD_REAL = 1, NSC_ODD_RESERVED = 2 };
struct nsc_record_rule {
    uint64_t mask;
    uint8_t shift, one, type, odd, size;
};
extern const struct nsc_record_rule nsc_record_rules[128];

/* The fields after the last wanted one of a record with given types. */
struct nsc_record_tail {
    uint64_t types[NSC_LAYOUT_WORDS];
    uint32_t bytes;
};

/* How to load the wanted values of a record with given serial types up to the last wanted field. A
 * table has few kinds of records, so layouts are kept. */
struct nsc_record_layout {
    uint64_t types[NSC_LAYOUT_WORDS];
    uint32_t end; /* end of the last wanted field */
    bool odd;
    struct nsc_layout_column {
        uint64_t mask;
        uint32_t at,
            shift; /* where to load eight bytes as a big-endian number, and how far to shift it */
    } column[NSC_SCAN_COLUMNS];
    uint8_t type[NSC_SCAN_COLUMNS]; /* enum nsc_cell_type */
    uint8_t text[NSC_SCAN_COLUMNS]; /* bytes of the text */
    uint16_t text_at[NSC_SCAN_COLUMNS];
};

/* The columns of the batch being filled, in one allocation. */
struct nsc_row_batch {
    uint32_t n;
    int64_t *rowid;
    uint8_t (*type)[NSC_SCAN_COLUMNS];
    int64_t *value[NSC_SCAN_COLUMNS];
    struct nsc_cell_text *text[NSC_SCAN_COLUMNS]; /* NULL if the text is not wanted */
    void *block;
};

/* The state of one worker. */
struct nsc_page_decoder {
    const struct nsc_record_plan *plan;
    const struct nsc_btree *tree;
    struct nsc_row_batch rows;
    int64_t last; /* last row id since nsc_page_decoder_begin, or the last before a leaf */
    bool has_last;
    uint32_t filled; /* bytes of the leaf's cells seen so far */
    uint64_t n_odd;  /* rows that nsc_leaf_walk met without the last wanted fields, or with texts or
                    * blobs for integers */
    const char *why; /* set if a page cannot be decoded */
    char *side;      /* reassembled records, kept until the rows are cleared */
    size_t side_n;
    uint8_t *overflow;                   /* one page */
    struct nsc_record_layout *layouts;   /* by the hash of types */
    struct nsc_record_tail *tails;       /* likewise */
    uint32_t at[NSC_RECORD_FIELDS + 1];  /* offsets of the current record's fields */
    uint8_t kind[NSC_RECORD_FIELDS + 1]; /* its serial types; 12 and more: 12 (blob) or 13 (text) */
};

/* A leaf page whose header has been checked. */
struct nsc_leaf {
    const uint8_t *page;
    const uint8_t *cells; /* cell pointers */
    uint32_t n;
    uint32_t floor;  /* no cell begins before this */
    uint32_t usable; /* bytes of the page in use */
    uint32_t filled; /* bytes that its cells take, according to its header */
};

/* Whether a field of a serial type is forbidden. */
static inline bool nsc_record_is_forbidden(uint8_t forbid, uint64_t serial)
{
    if (serial == 0)
        return forbid & NSC_FORBID_NULL;
    if (serial < 10)
        return forbid & NSC_FORBID_NUMBER;
    return serial < 12 || (forbid & NSC_FORBID_BYTES);
}

/* Completes a plan that has its fields and columns. */
void nsc_record_plan_types(struct nsc_record_plan *plan);
/* Builds a layout. Each type up to the last wanted field takes one byte. */
void nsc_record_layout_build(struct nsc_record_layout *out, const struct nsc_record_plan *plan,
                             const uint8_t *types);
struct nsc_page_decoder *nsc_page_decoder_new(const struct nsc_record_plan *plan,
                                              const struct nsc_btree *tree);
void nsc_page_decoder_free(struct nsc_page_decoder *reader);
/* Forgets the row ids seen. */
void nsc_page_decoder_begin(struct nsc_page_decoder *reader);
/* Empties the rows and frees their texts. */
void nsc_page_decoder_clear(struct nsc_page_decoder *reader);

/* Checks the header. NULL, or the reason why the page is not a sound leaf. */
const char *nsc_leaf_open(struct nsc_leaf *out, const struct nsc_btree *tree, const uint8_t *page,
                          uint32_t number, bool is_root);
/* As nsc_leaf_decode, but stores no values: walks all cells of the leaf. Sets reader->why. */
void nsc_leaf_walk(struct nsc_page_decoder *reader, const struct nsc_leaf *leaf);
/* After the last cell of a leaf: NULL, or why the page is damaged. Cells, free blocks and lost
 * bytes must fill the page; otherwise it has lost a row, which nothing else shows. */
const char *nsc_leaf_close(struct nsc_page_decoder *reader, const struct nsc_leaf *leaf);
/* Adds rows from a cell on; returns the next cell. A result less than leaf->n means: hand over and
 * clear the rows first, or, if reader->why is set, give up. */
uint32_t nsc_leaf_decode(struct nsc_page_decoder *reader, const struct nsc_leaf *leaf,
                         uint32_t cell);

#endif
