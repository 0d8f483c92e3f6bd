/*
 * The StringIds of an export: text by id. Ids may be sparse, negative or repeated (the first row
 * counts).
 *
 * Texts over NSC_NAME_BYTES are cut, with a note. Immutable once read; borrowed texts live as long.
 */
#ifndef NSC_NSYS_STRINGS_H
#define NSC_NSYS_STRINGS_H

#include "nsys/tables/schema.h"

struct nsc_strings {
    uint32_t n;
    int64_t *id;      /* ascending */
    uint64_t *offset; /* n + 1: text i is bytes[offset[i], offset[i + 1]) */
    char *bytes;
    uint32_t *dense; /* id - id[0] -> index + 1; 0: none; NULL if ids are too sparse */
    uint64_t n_dense;
    uint64_t mistyped, repeated; /* skipped rows: id or text of another type; an id that was there
                                  * before */
};

/* Reads the table; strings is empty if the export lacks it. */
NSC_NODISCARD enum nsc_status nsc_strings_read(struct nsc_strings *strings,
                                               struct nsc_source *source,
                                               const struct nsc_schema *schema,
                                               struct nsc_pool *pool, bool no_pages,
                                               struct nsc_error *error);
void nsc_strings_fini(struct nsc_strings *strings);
bool nsc_strings_find(const struct nsc_strings *strings, int64_t id, struct nsc_text *out);
/* Bytes of the table in memory. */
uint64_t nsc_strings_bytes(const struct nsc_strings *strings);

#endif
