/*
 * Frees fields.
 */
#include "index/fields.h"

#include "core/pages.h"

#include <stdlib.h>

void nsc_fields_free(struct nsc_fields *fields)
{
    if (!fields)
        return;
    for (uint32_t c = 0; c < fields->n_columns; c++) {
        struct nsc_field *column = &fields->columns[c];

        nsc_pages_free((void *)(uintptr_t)column->value, column->value_bytes);
        nsc_pages_free((void *)(uintptr_t)column->set, column->set_bytes);
    }
    nsc_pages_free((void *)(uintptr_t)fields->event, (size_t)fields->n * sizeof *fields->event);
    nsc_pages_free(fields->is_row, nsc_bits_words(fields->n_events) * sizeof *fields->is_row);
    nsc_pages_free(fields->before, nsc_bits_words(fields->n_events) * sizeof *fields->before);
    nsc_strpool_fini(&fields->texts);
    free(fields);
}

uint32_t nsc_fields_row(const struct nsc_fields *fields, uint32_t column, int64_t value)
{
    int64_t found;

    for (uint32_t row = 0; fields && row < fields->n; row++)
        if (nsc_fields_int(&found, fields, column, row) && found == value)
            return row;
    return NSC_NONE;
}
