/*
 * Reads comma-separated text row by row: RFC 4180 with LF or CRLF, doubled quotes, newlines in
 * quotes. Rows may have different lengths.
 *
 * The text is borrowed; a row's fields are valid until the next row. An unclosed quote extends to
 * the end of the text; bytes after a closing quote are kept. Hostile input gives odd rows, but
 * never more bytes than it has.
 */
#ifndef NSC_CORE_CSV_READ_H
#define NSC_CORE_CSV_READ_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/vec.h"

struct nsc_csv {
    const char *at, *end;
    uint64_t line;        /* of the current row, from 1 */
    uint64_t lines;       /* lines begun so far */
    struct nsc_buf bytes; /* the fields, one after the other */
    NSC_VEC(size_t) ends; /* end of each field in bytes */
};

/* Skips a byte order mark. */
void nsc_csv_init(struct nsc_csv *csv, const char *bytes, size_t n);
void nsc_csv_fini(struct nsc_csv *csv);
/* The next row, with at least one field; an empty line has one empty field. False at the end. */
bool nsc_csv_next(struct nsc_csv *csv);
/* Number of fields of the current row. */
uint32_t nsc_csv_fields(const struct nsc_csv *csv);
/* Field i; "" after the last. */
struct nsc_text nsc_csv_field(const struct nsc_csv *csv, uint32_t i);

#endif
