/*
 * What a query gave: rows of values whose columns are known only when they come, made into a sheet.
 *
 * begin names the columns; add_* fills row by row; end decides what each column holds: whole
 * numbers, numbers, or text, to which mixed values are made. Integers stay exact. The owner calls
 * free. Small allocations die (core/die.h).
 */
#ifndef NSC_CORE_RELATION_H
#define NSC_CORE_RELATION_H

#include "core/sheet.h"

struct nsc_relation {
    struct nsc_sheet sheet;           /* complete after end */
    struct nsc_sheet_column *columns; /* the sheet's, keys owned */
    NSC_VEC(uint8_t) types;           /* of the cells, while they come */
    uint64_t ns;                      /* how long it took */
    bool is_cut;                      /* a limit ended it: there may be more rows */
};

/* names: raw bytes, copied and made safe to show. n > 0. */
struct nsc_relation *nsc_relation_begin(const char *const names[], uint32_t n);
void nsc_relation_add_null(struct nsc_relation *relation);
void nsc_relation_add_int(struct nsc_relation *relation, int64_t value);
void nsc_relation_add_number(struct nsc_relation *relation, double value);
void nsc_relation_add_text(struct nsc_relation *relation, struct nsc_text value);
void nsc_relation_end(struct nsc_relation *relation);
/* Bytes that its values take. */
size_t nsc_relation_bytes(const struct nsc_relation *relation);
void nsc_relation_free(struct nsc_relation *relation); /* NULL is fine */

/* The column of that name in any case; NSC_NONE. */
uint32_t nsc_relation_find(const struct nsc_relation *relation, const char *name);
/*
 * The time a row tells of, ns: [start, end) where it has both as whole numbers, the instant of a
 * start alone (end: start + 1). Columns: start or timestamp, end. False when it tells of none, or
 * it ends before it starts.
 */
bool nsc_relation_time(const struct nsc_relation *relation, uint32_t row, struct nsc_window *out);

/* A value as people read it, raw for texts; nothing where it is not known. */
void nsc_relation_show(struct nsc_buf *out, const struct nsc_relation *relation, uint32_t row,
                       uint32_t column);

/*
 * The rows in the order of a column: what is not known first, then by value, text by its bytes;
 * equal ones stay in the order they came in. descending: the other way round. order holds a number
 * a row.
 */
void nsc_relation_sort(const struct nsc_relation *relation, uint32_t column, bool descending,
                       uint32_t *order);

#endif
