/* Answers questions of the screen about a loaded trace, on the caller's thread. */
#include "analysis/base/shared.h"
#include "analysis/finding/finding.h"
#include "analysis/job/diff.h"
#include "analysis/job/rank_sheets.h"
#include "analysis/skill/skill.h"
#include "cli/field_reader.h"
#include "cli/session/host.h"
#include "core/die.h"
#include "nsys/explore/explore.h"
#include "query/query.h"
#include "view/pane/answers.h"

#include <stdio.h>
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
        nsc_findings_lack_columns(
            out, "several exports are open: nsyscope analyze FILE asks each alone");
    nsc_field_reader_fini(&fields);
    return is_whole;
}

/* Sets the parameters from the words after the first; splits line into words. */
static enum nsc_status set_words(struct nsc_question *question, const struct nsc_skill *skill,
                                 char *line, struct nsc_error *error)
{
    char *rest = line;
    enum nsc_status status = NSC_OK;

    (void)strtok_r(NULL, " ", &rest); /* the name */
    for (char *word; status == NSC_OK && (word = strtok_r(NULL, " ", &rest));)
        status = nsc_question_set(question, skill, word, error);
    return status;
}

/* Replaces the advice: the screen has no options, but a range selects another time. */
static void say_range(struct nsc_steady *steady)
{
    char *option = strstr(steady->words, " --whole");

    if (option)
        (void)snprintf(option, sizeof steady->words - (size_t)(option - steady->words),
                       " With a range, questions are of its time.");
}

enum nsc_status nsc_answer_of_trace(struct nsc_sheets *out, const struct nsc_trace *trace,
                                    struct nsc_capture *capture,
                                    const struct nsc_answer_request *request,
                                    struct nsc_progress *progress, struct nsc_error *error)
{
    struct nsc_scope scope = nsc_scope_all(trace);
    size_t n = strcspn(request->line, " ");
    char *name;
    char *line;
    const struct nsc_skill *skill;
    struct nsc_field_reader fields;
    struct nsc_question question;
    struct nsc_steady steady = {0};
    struct nsc_error own = {0};
    enum nsc_status status = NSC_OK;

    if (strcmp(request->line, NSC_DIFF_QUESTION) == 0)
        return nsc_diff_of_trace(out, trace, DIFF_ROWS, error);
    name = nsc_xcopy(request->line, n);
    line = nsc_xcopy(request->line, strlen(request->line));
    skill = nsc_skill_find_in(request->skills, request->n_skills, name);
    nsc_field_reader_init(&fields, capture, trace);
    if (request->has_window) {
        scope.window = request->window;
        scope.has_window = true;
    }
    if (strcmp(name, NSC_RANKS_QUESTION) == 0)
        nsc_ranks_of_trace(out, &scope, capture ? &fields.sets : NULL);
    else if (!skill)
        status = nsc_fail(error, NSC_EINVAL, "%.64s: no such question", name);
    if (status == NSC_OK && skill) {
        nsc_steady_open(&steady, &scope);
        say_range(&steady);
        question = nsc_question_of(skill, &scope, capture ? &fields.sets : NULL);
        question.indent = true;
        question.capture = capture;
        question.progress = progress;
        question.error = &own;
        status = set_words(&question, skill, line, error);
    }
    if (status == NSC_OK && skill)
        nsc_skill_run(out, skill, &question);
    if (own.status != NSC_OK)
        status = nsc_fail(error, own.status, "%s", own.text);
    nsc_steady_close(&steady, &scope);
    if (status == NSC_OK && fields.error.status != NSC_OK && fields.error.status != NSC_EDAMAGED)
        status = nsc_fail(error, fields.error.status, "%s", fields.error.text);
    if (status != NSC_OK)
        nsc_sheets_fini(out);
    nsc_field_reader_fini(&fields);
    free(name);
    free(line);
    return status;
}

/* ---- queries ---- */

/* The scope of a request. Free *summary, on which it stands, afterwards. */
static enum nsc_status open_scope(struct nsc_scope *scope, struct nsc_summary **summary,
                                  const struct nsc_trace *trace,
                                  const struct nsc_query_request *request, struct nsc_error *error)
{
    *scope = nsc_scope_all(trace);
    *summary = request->mask ? nsc_summary_build(trace, request->mask) : NULL;
    if (request->mask && !*summary)
        return nsc_fail(error, NSC_ENOMEM, "no memory for the filter");
    if (*summary)
        scope->summary = *summary;
    scope->mask = request->mask;
    scope->has_window = request->has_window;
    if (request->has_window)
        scope->window = request->window;
    return NSC_OK;
}

static void note_scope(struct nsc_sheet *sheet, const struct nsc_query_request *request)
{
    if (request->mask || request->has_window)
        nsc_sheet_note(sheet, "of the %s%s%s", request->mask ? "filter" : "",
                       request->mask && request->has_window ? " and the " : "",
                       request->has_window ? "range" : "");
}

static enum nsc_status ask_trace(struct nsc_screen_query *query, struct nsc_trace_query *of,
                                 const struct nsc_task_source *from, struct nsc_error *error)
{
    struct nsc_scope scope;
    struct nsc_summary *summary;
    uint32_t n = nsc_job_count(from->job);
    struct nsc_field_readers readers;
    struct nsc_trace_query_ground ground = {.scope = &scope, .progress = query->ask.progress};
    enum nsc_status status = open_scope(&scope, &summary, from->trace, &query->request, error);

    nsc_field_readers_init(&readers, n, from->trace);
    for (uint32_t i = 0; i < n && status == NSC_OK; i++)
        status = nsc_capture_open(&readers.at[i].capture, from->paths[i], from->open, error);
    ground.fields = readers.sets;
    if (status == NSC_OK) {
        nsc_trace_query_show(of, &ground);
        status = nsc_trace_query_run(&query->relation, of, query->ask.sql, query->ask.limits,
                                     &query->column, error);
    }
    status = nsc_job_check(from->job, status, error);
    for (uint32_t i = 0; i < n; i++) {
        if (status == NSC_OK && readers.at[i].error.status != NSC_OK)
            nsc_sheet_note(&query->relation->sheet, "%s", readers.at[i].error.text);
        nsc_capture_close(readers.at[i].capture);
    }
    if (status == NSC_OK)
        note_scope(&query->relation->sheet, &query->request);
    nsc_trace_query_close(of); /* borrows the scope and the readers */
    nsc_field_readers_fini(&readers);
    nsc_summary_free(summary);
    return status;
}

enum nsc_status nsc_query_of_trace(struct nsc_screen_query *query,
                                   const struct nsc_task_source *from, struct nsc_error *error)
{
    struct nsc_trace_query *of = NULL;
    struct nsc_error refused = {0};
    enum nsc_status status = nsc_trace_query_open(&of, error);

    if (status != NSC_OK)
        return status;
    query->of_trace = nsc_trace_query_check(of, query->ask.sql, &query->column, &refused) == NSC_OK;
    if (query->of_trace)
        return ask_trace(query, of, from, error);
    nsc_trace_query_close(of);
    return nsc_trace_query_run_raw(&query->relation, &query->ask, &refused, &query->column, error);
}

enum nsc_status nsc_schema_of_path(struct nsc_sheets *out, const char *path,
                                   const struct nsc_open_options *open,
                                   struct nsc_progress *progress, struct nsc_error *error)
{
    struct nsc_explore_ask ask = {path, open, true, progress};
    struct nsc_explored explored = {0};
    enum nsc_status status = nsc_explore_export(&explored, &ask, error);

    *out = explored.sheets; /* without results it is otherwise empty */
    return status;
}
