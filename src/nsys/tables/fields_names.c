/* Returns the naming rows of NVTX_EVENTS, which the load has gathered, as fields. */
#include "nsys/tables/fields_data.h"

#include <string.h>

/* False if there is no such column. */
static bool name_value(int64_t *out, const struct nsc_nvtx_name *name, const char *column)
{
    if (strcmp(column, "type") == 0)
        *out = name->type;
    else if (strcmp(column, "process") == 0)
        *out = (int64_t)name->process;
    else if (strcmp(column, "pid") == 0)
        *out = (int64_t)(name->process & 0xffffff);
    else if (strcmp(column, "tid") == 0)
        *out = name->tid;
    else if (strcmp(column, "domain") == 0)
        *out = name->domain;
    else if (strcmp(column, "category") == 0)
        *out = name->category;
    else
        return false;
    return true;
}

static void fill_column(struct nsc_fields *fields, uint32_t c, const struct nsc_nvtx_names *names)
{
    struct nsc_field *column = &fields->columns[c];
    int64_t *value = (int64_t *)(uintptr_t)column->value;

    for (uint32_t row = 0; row < fields->n; row++) {
        const struct nsc_nvtx_name *name = &names->names.at[row];

        if (column->type == NSC_FIELD_TEXT)
            value[row] = nsc_strpool_add(&fields->texts, name->text, name->n);
        else if (!name_value(&value[row], name, column->name))
            continue;
        nsc_bits_set((uint64_t *)(uintptr_t)column->set, row);
    }
    column->is_there = true;
}

enum nsc_status nsc_fields_read_names(struct nsc_fields **out, struct nsc_capture *capture,
                                      const struct nsc_fields_query *query, struct nsc_error *error)
{
    struct nsc_fetch fetch = {.capture = capture};
    enum nsc_status status = NSC_OK;

    *out = nsc_fetch_init(&fetch, query, NULL);
    (*out)->n = (uint32_t)capture->nvtx_names.names.n;
    for (; fetch.n < query->n_asks; fetch.n++)
        fetch.column[fetch.n] = fetch.n;
    if (!nsc_fetch_columns(&fetch, (*out)->n))
        status = nsc_fail(error, NSC_ENOMEM, "not enough memory for NVTX names");
    for (uint32_t c = 0; c < query->n_asks && status == NSC_OK; c++)
        fill_column(*out, c, &capture->nvtx_names);
    nsc_fetch_end(&fetch);
    nsc_fetch_fini(&fetch);
    if (status != NSC_OK) {
        nsc_fields_free(*out);
        *out = NULL;
    }
    return status;
}
