/* Runs a statement on the trace of a loaded scope. */
#include "cli/sql_ask.h"

#include "cli/field_reader.h"
#include "query/query.h"

bool nsc_sql_is_of_trace(const char *sql, struct nsc_error *error)
{
    struct nsc_trace_query *query = NULL;
    int column = -1;
    bool is_of_trace = nsc_trace_query_open(&query, error) == NSC_OK &&
                       nsc_trace_query_check(query, sql, &column, error) == NSC_OK;

    nsc_trace_query_close(query);
    return is_of_trace;
}

void nsc_sql_readers_open(struct nsc_field_readers *readers, const struct nsc_loaded_scope *loaded)
{
    uint32_t n = 0;

    (void)nsc_trace_captures(loaded->trace, &n);
    nsc_field_readers_init(readers, n, loaded->trace);
    for (uint32_t i = 0; i < n; i++)
        readers->at[i].capture = n == 1 ? loaded->capture : nsc_job_capture(loaded->job, i);
}

enum nsc_status nsc_sql_readers_check(const struct nsc_field_readers *readers,
                                      struct nsc_sheet *sheet, struct nsc_error *error)
{
    for (uint32_t i = 0; i < readers->n; i++) {
        const struct nsc_error *own = &readers->at[i].error;

        if (own->status == NSC_EDAMAGED)
            nsc_sheet_note(sheet, "Some columns could not be read: %s", own->text);
        else if (own->status != NSC_OK)
            return nsc_fail(error, own->status, "%s", own->text);
    }
    return NSC_OK;
}

static enum nsc_status ask_scope(struct nsc_relation **out, const struct nsc_loaded_scope *loaded,
                                 const char *sql, struct nsc_error *error)
{
    struct nsc_trace_query *query = NULL;
    struct nsc_field_readers readers;
    struct nsc_trace_query_ground ground = {.scope = &loaded->scope};
    enum nsc_status status = nsc_trace_query_open(&query, error);
    int column = -1;

    *out = NULL;
    if (status != NSC_OK)
        return status;
    nsc_sql_readers_open(&readers, loaded);
    ground.fields = readers.sets;
    nsc_trace_query_show(query, &ground);
    status = nsc_trace_query_run(out, query, sql, NSC_QUERY_FILE, &column, error);
    if (status == NSC_OK)
        status = nsc_sql_readers_check(&readers, &(*out)->sheet, error);
    for (size_t i = 0; i < loaded->notes.n && status == NSC_OK; i++)
        nsc_sheet_note(&(*out)->sheet, "%s", loaded->notes.at[i]);
    nsc_trace_query_close(query);
    nsc_field_readers_fini(&readers);
    if (status != NSC_OK) {
        nsc_relation_free(*out);
        *out = NULL;
    }
    return status;
}

enum nsc_status nsc_sql_ask_files(struct nsc_relation **out, struct nsc_files files,
                                  const struct nsc_options *options, const char *sql,
                                  struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    enum nsc_status status = nsc_loaded_scope_open_files(&loaded, files, options, error);

    *out = NULL;
    if (status != NSC_OK)
        return status;
    status = ask_scope(out, &loaded, sql, error);
    status = nsc_job_check(loaded.job, status, error);
    nsc_loaded_scope_close(&loaded);
    return status;
}
