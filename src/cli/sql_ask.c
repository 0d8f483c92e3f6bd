/* Runs a statement on the trace of a loaded scope. */
#include "cli/sql_ask.h"

bool nsc_sql_is_of_trace(const char *sql, int *column, struct nsc_error *error)
{
    struct nsc_trace_query *query = NULL;
    bool is_of_trace =
        nsc_trace_query_open(&query, false, error) == NSC_OK &&
        nsc_trace_query_run(NULL, query, sql, NSC_QUERY_FILE, column, error) == NSC_OK;

    nsc_trace_query_close(query);
    return is_of_trace;
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

/* ---- tables of skills, of several exports ---- */

/* One question about each export. */
struct rank_ask {
    const struct nsc_loaded_scope *all;
    const struct nsc_question *question;
    bool of_events;
};

static enum nsc_status fill(void *context, struct nsc_loaded_scope *loaded, struct nsc_sheets *out,
                            struct nsc_error *error)
{
    const struct rank_ask *of = context;
    struct nsc_question question = *of->question;

    if (of->all->scope.has_window)
        loaded->scope.window = of->all->scope.window;
    loaded->scope.has_window |= of->all->scope.has_window;
    loaded->scope.is_whole |= of->of_events;
    loaded->scope.stop = of->all->scope.stop;
    nsc_loaded_scope_steady(loaded);
    question.scope = &loaded->scope;
    question.fields = &loaded->fields.sets;
    question.error = error;
    nsc_skill_run(out, &question);
    return error->status;
}

static enum nsc_status ask_ranks(const struct nsc_rank_asker *asker, struct nsc_sheets *out,
                                 const struct nsc_question *question, bool of_events,
                                 struct nsc_error *error)
{
    const struct nsc_loaded_scope *all = ((const struct nsc_loaded_ranks *)asker)->loaded;
    struct rank_ask of = {all, question, of_events};

    return nsc_answers_join(out, all->job, all->options, &(struct nsc_ask){fill, &of, NULL, false},
                            error);
}

struct nsc_loaded_ranks nsc_loaded_ranks(const struct nsc_loaded_scope *loaded)
{
    return (struct nsc_loaded_ranks){{ask_ranks}, loaded};
}

enum nsc_status nsc_sql_ask_scope(struct nsc_relation **out, const struct nsc_sql_ask *ask,
                                  int *column, struct nsc_error *error)
{
    struct nsc_trace_query *query = NULL;
    struct nsc_field_readers readers;
    const struct nsc_loaded_ranks ranks = nsc_loaded_ranks(ask->loaded);
    struct nsc_trace_query_ground ground = {.scope = &ask->loaded->scope, .ranks = &ranks.base};
    enum nsc_status status = nsc_trace_query_open(&query, false, error);

    if (status != NSC_OK)
        return status;
    nsc_field_readers_init(&readers, ask->loaded->trace, ask->loaded->job, 0);
    ground.fields = readers.sets;
    nsc_trace_query_show(query, &ground);
    status = nsc_trace_query_run(out, query, ask->sql, ask->limits, column, error);
    if (status == NSC_OK)
        status = nsc_sql_readers_check(&readers, &(*out)->sheet, error);
    nsc_trace_query_close(query); /* borrows the scope and the readers */
    nsc_field_readers_fini(&readers);
    status = nsc_job_check(ask->loaded->job, status, error);
    for (size_t i = 0; i < ask->loaded->notes.n && status == NSC_OK; i++)
        nsc_sheet_note(&(*out)->sheet, "%s", ask->loaded->notes.at[i]);
    if (status != NSC_OK) {
        nsc_relation_free(*out);
        *out = NULL;
    }
    return status;
}
