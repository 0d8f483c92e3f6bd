/* Answers questions of the screen about a loaded trace, on the caller's thread. */
#include "analysis/base/shared.h"
#include "analysis/finding/finding.h"
#include "analysis/job/diff.h"
#include "analysis/skill/skill.h"
#include "cli/field_reader.h"
#include "cli/session/host.h"
#include "cli/skill_list.h"
#include "cli/sql_ask.h"
#include "core/die.h"
#include "fleet/late_sheets.h"
#include "nsys/explore/explore.h"
#include "view/pane/panes.h"

#include <stdlib.h>
#include <string.h>

enum { DIFF_ROWS = 40 }; /* most rows of each table of a comparison */

void nsc_findings_lack_columns(struct nsc_findings *out, const char *reason)
{
    (void)nsc_findings_add_unassessed(out, "columns", "Columns that only the export has", "%s",
                                      reason);
}

bool nsc_findings_of_trace(struct nsc_findings *out, const struct nsc_trace *trace,
                           const struct nsc_iterations *known, struct nsc_capture *capture,
                           struct nsc_progress *progress)
{
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_field_reader fields;
    uint32_t n_captures;
    bool is_whole;

    (void)nsc_trace_captures(trace, &n_captures);
    nsc_field_reader_init(&fields, capture, trace);
    nsc_shared_open(&scope);
    if (known)
        nsc_iterations_lend(known, &scope);
    is_whole = nsc_findings_run(out, &scope, capture ? &fields.sets : NULL, progress);
    nsc_shared_close(&scope);
    if (fields.error.status != NSC_OK)
        nsc_findings_lack_columns(out, fields.error.text);
    else if (n_captures > 1)
        nsc_findings_lack_columns(out, "several exports are open; they are of one opened alone");
    nsc_field_reader_fini(&fields);
    return is_whole;
}

struct request {
    const struct nsc_answer_request *of;
    const struct nsc_skill *skill; /* NULL: about late ranks */
    const struct nsc_task_source *from;
    struct nsc_progress *progress;
};

/* The options of the command line that asks the same, but for the window. envelope: of none. */
static struct nsc_options options_of(const struct nsc_task_source *from,
                                     const struct nsc_query_request *request,
                                     struct nsc_envelope *envelope)
{
    struct nsc_options options = {
        .open = *from->loading.open, .format = NSC_SHEET_AS_TABLE, .envelope = envelope};

    options.set[NSC_OPTION_FILTER] = request->filter[0];
    options.arg[NSC_OPTION_FILTER][0] = request->filter;
    return options;
}

static void set_window(struct nsc_scope *scope, const struct nsc_query_request *request)
{
    if (request->has_window)
        scope->window = request->window;
    scope->has_window |= request->has_window;
}

/* Sets the parameters from the words after the first; splits line into words. */
static enum nsc_status set_words(struct nsc_question *question, char *line, struct nsc_error *error)
{
    char *rest = line;
    enum nsc_status status = NSC_OK;

    (void)strtok_r(NULL, " ", &rest); /* the name */
    for (char *word; status == NSC_OK && (word = strtok_r(NULL, " ", &rest));)
        status = nsc_question_set(question, word, error);
    return status;
}

static enum nsc_status ask_skill(struct nsc_sheets *out, struct nsc_loaded_scope *loaded,
                                 const struct request *request, struct nsc_error *error)
{
    struct nsc_question question = nsc_question_of(request->skill, NULL, NULL);
    char *line = nsc_xcopy(request->of->line, strlen(request->of->line));
    enum nsc_status status = set_words(&question, line, error);

    loaded->scope.stop = request->progress;
    nsc_loaded_scope_steady(loaded);
    if (status == NSC_OK)
        status = nsc_skills_ask(out, loaded, &question, 1, error);
    free(line);
    return status;
}

static enum nsc_status fill(void *context, struct nsc_loaded_scope *loaded, struct nsc_sheets *out,
                            struct nsc_error *error)
{
    const struct request *request = context;
    bool is_alone = nsc_job_count(loaded->job) == 1;

    set_window(&loaded->scope, &request->of->of);
    if (request->skill)
        return ask_skill(out, loaded, request, error);
    nsc_ranks_of_trace(out, &loaded->scope, is_alone ? &loaded->fields.sets : NULL);
    return NSC_OK;
}

static enum nsc_status ask_loaded(struct nsc_sheets *out, struct nsc_job *job,
                                  const struct nsc_options *options, struct request *request,
                                  struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    enum nsc_status status = nsc_loaded_scope_open_from(
        &loaded, &(struct nsc_scope_source){.trace = request->from->trace, .job = job}, options,
        error);

    if (status != NSC_OK)
        return status;
    status = fill(request, &loaded, out, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_complete(&loaded, out, error);
    nsc_loaded_scope_close(&loaded);
    return status;
}

/* The tables and columns of an export, without results of its queries, and those of the trace. */
static enum nsc_status show_schema(struct nsc_sheets *out, const struct nsc_task_source *from,
                                   const struct request *request, struct nsc_error *error)
{
    struct nsc_explore_ask asked = {from->paths[request->of->capture_no], from->loading.open, true,
                                    request->progress};
    struct nsc_explored explored = {0};
    enum nsc_status status = nsc_explore_export(&explored, &asked, error);
    size_t n = explored.sheets.list.n;

    nsc_trace_query_sheets(&explored.sheets);
    explored.sheets.list.at[n].key = "trace_tables"; /* "tables" are the export's */
    explored.sheets.list.at[n].title = "Tables of the trace";
    *out = explored.sheets; /* without results it is otherwise empty */
    return status;
}

enum nsc_status nsc_answer_of_source(struct nsc_sheets *out, const struct nsc_task_source *from,
                                     const struct nsc_answer_request *of,
                                     struct nsc_progress *progress, struct nsc_error *error)
{
    char *name = nsc_xcopy(of->line, strcspn(of->line, " "));
    struct request request = {of, nsc_skill_find_in(of->skills, of->n_skills, name), from,
                              progress};
    bool is_ranks = strcmp(name, NSC_RANKS_QUESTION) == 0;
    struct nsc_envelope none = {0};
    const struct nsc_options options = options_of(from, &of->of, &none);
    struct nsc_job *job;
    enum nsc_status status;

    free(name);
    if (strcmp(of->line, NSC_DIFF_QUESTION) == 0)
        return nsc_diff_of_trace(out, from->trace, DIFF_ROWS, error);
    if (strcmp(of->line, NSC_SCHEMA_QUESTION) == 0)
        return show_schema(out, from, &request, error);
    if (!request.skill && !is_ranks)
        return nsc_fail(error, NSC_EINVAL, "%.64s: no such question", of->line);
    job = nsc_task_source_open(from, error);
    if (!job)
        return error->status;
    if (nsc_job_count(job) > 1 && request.skill && !nsc_skill_is_of_all(request.skill))
        status = nsc_answers_join(out, job, &options,
                                  &(struct nsc_ask){fill, &request, NULL, false}, error);
    else
        status = ask_loaded(out, job, &options, &request, error);
    if (status == NSC_OK && nsc_progress_is_cancelled(progress))
        status = nsc_fail(error, NSC_ECANCELLED, "cancelled"); /* the figures are wrong */
    if (status != NSC_OK)
        nsc_sheets_fini(out);
    nsc_job_close(job);
    return status;
}

/* ---- queries ---- */

static enum nsc_status ask_trace(struct nsc_screen_query *query, const struct nsc_task_source *from,
                                 struct nsc_error *error)
{
    struct nsc_envelope none = {0};
    const struct nsc_options options = options_of(from, &query->request, &none);
    struct nsc_loaded_scope loaded = {0};
    struct nsc_job *job = nsc_task_source_open(from, error);
    const struct nsc_scope_source source = {.trace = from->trace, .job = job};
    const struct nsc_sql_ask ask = {&loaded, query->ask.sql, query->ask.limits};
    enum nsc_status status =
        job ? nsc_loaded_scope_open_from(&loaded, &source, &options, error) : error->status;

    if (status == NSC_OK) {
        loaded.scope.stop = query->ask.progress;
        set_window(&loaded.scope, &query->request);
        if (query->request.has_window)
            nsc_loaded_scope_note(&loaded, "of the range");
        status = nsc_sql_ask_scope(&query->relation, &ask, &query->column, error);
    }
    nsc_loaded_scope_close(&loaded);
    nsc_job_close(job);
    return status;
}

enum nsc_status nsc_query_of_trace(struct nsc_screen_query *query,
                                   const struct nsc_task_source *from, struct nsc_error *error)
{
    struct nsc_error refused = {0};

    query->of_trace = nsc_sql_is_of_trace(query->ask.sql, &query->column, &refused);
    return query->of_trace ? ask_trace(query, from, error)
                           : nsc_trace_query_run_raw(&query->relation, &query->ask, &refused,
                                                     &query->column, error);
}
