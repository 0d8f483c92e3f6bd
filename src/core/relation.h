/*
 * The result of a query: rows whose column types are known only at the end, as a sheet.
 *
 * begin names the columns; add_* adds values row by row; end chooses the type of each column:
 * integers, numbers, or text for mixed values. Integers stay exact. The owner calls free. Small
 * allocations do not fail (core/die.h).
 */
#ifndef NSC_CORE_RELATION_H
#define NSC_CORE_RELATION_H

#include "core/sheet.h"

struct nsc_relation {
    struct nsc_sheet sheet;           /* complete after end */
    struct nsc_sheet_column *columns; /* the sheet's, keys owned */
    NSC_VEC(uint8_t) types;           /* of the cells added so far */
    uint64_t ns;                      /* duration of the query */
    bool is_cut;                      /* a limit stopped the query: there may be more rows */
};

/* names: raw bytes, copied, made safe; the second "dur" is "dur_2". n > 0. */
struct nsc_relation *nsc_relation_begin(const char *const names[], uint32_t n);
void nsc_relation_add_null(struct nsc_relation *relation);
void nsc_relation_add_int(struct nsc_relation *relation, int64_t value);
void nsc_relation_add_number(struct nsc_relation *relation, double value);
void nsc_relation_add_text(struct nsc_relation *relation, struct nsc_text value);
void nsc_relation_end(struct nsc_relation *relation);
/* Gives a sheet without rows, which was added with the relation's columns, columns of its own. */
void nsc_relation_copy_columns(struct nsc_sheet *to, const struct nsc_relation *relation);
/* Bytes of its values. */
size_t nsc_relation_bytes(const struct nsc_relation *relation);
void nsc_relation_free(struct nsc_relation *relation); /* NULL is fine */

/* The column with that name in any case; NSC_NONE: none. */
uint32_t nsc_relation_find(const struct nsc_relation *relation, const char *name);
/*
 * The time of a row in ns, from columns start or timestamp, and end: [start, end) if both are
 * integers; [start, start + 1) if only the start is. False if the row has no time, or ends before
 * it starts.
 */
bool nsc_relation_time(const struct nsc_relation *relation, uint32_t row, struct nsc_window *out);

#endif
