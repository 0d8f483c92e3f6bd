/* Asks skills about a loaded export. */
#include "analysis/base/loss.h"
#include "analysis/base/shared.h"
#include "cli/skill_list.h"
#include "cli/sql_ask.h"

#include <string.h>

bool nsc_skill_is_of_all(const struct nsc_skill *skill)
{
    const struct nsc_answer *answer = skill->answer;
    struct nsc_error ignored = {0};

    return answer && !answer->is_program && !answer->is_raw &&
           nsc_sql_is_of_trace(answer->sheets.at[0].sql, &(int){-1}, &ignored);
}

/* --limit and --sort are the skill's own limit too, unless -p limit= gives one. */
static void limit_rows(struct nsc_question *question, const struct nsc_options *options)
{
    struct nsc_param_value *limit = &question->params[NSC_PARAM_LIMIT];
    bool is_given = !options->set[NSC_OPTION_LIMIT] && !options->set[NSC_OPTION_SORT];

    for (uint32_t i = 0; i < options->n_params; i++)
        is_given |= strncmp(options->params[i], "limit=", 6) == 0;
    if (limit->is_set && !is_given)
        limit->integer = nsc_rows_wanted(options);
}

bool nsc_loss_note(struct nsc_loaded_scope *loaded)
{
    struct nsc_loss loss;
    bool is_lost = nsc_loss_find(&loss, &loaded->scope, &loaded->fields.sets);

    if (is_lost)
        nsc_loaded_scope_note(
            loaded,
            "The profiler lost events: %s. GPU work is at least what is shown, and idle time at "
            "most.",
            loss.seen);
    return is_lost;
}

/* Asks a user's query of the trace of all exports. */
static enum nsc_status ask_all(struct nsc_sheets *out, struct nsc_loaded_scope *loaded,
                               const struct nsc_question *of, struct nsc_error *error)
{
    struct nsc_field_readers readers;
    const struct nsc_loaded_ranks ranks = nsc_loaded_ranks(loaded);
    struct nsc_question question = *of;
    struct nsc_error own = {0};
    enum nsc_status status;

    nsc_field_readers_init(&readers, loaded->trace, loaded->job, 0);
    question.scope = &loaded->scope;
    question.each = readers.sets;
    question.ranks = &ranks.base;
    question.error = &own;
    nsc_skill_run(out, &question);
    status = own.status == NSC_OK ? nsc_sql_readers_check(&readers, &out->list.at[0], error)
                                  : nsc_fail(error, own.status, "%s", own.text);
    nsc_field_readers_fini(&readers);
    return nsc_job_check(loaded->job, status, error);
}

enum nsc_status nsc_skills_ask(struct nsc_sheets *out, struct nsc_loaded_scope *loaded,
                               const struct nsc_question questions[], unsigned n,
                               struct nsc_error *error)
{
    struct nsc_error own = {0};

    if (nsc_job_count(loaded->job) > 1 && nsc_skill_is_of_all(questions[0].skill)) {
        nsc_loaded_scope_steady(loaded);
        return ask_all(out, loaded, &questions[0], error);
    }
    nsc_shared_open(&loaded->scope); /* the steady state and skills need the iterations */
    nsc_loaded_scope_steady(loaded);
    (void)nsc_loss_note(loaded);
    for (unsigned i = 0; i < n; i++) {
        struct nsc_question question = questions[i];

        question.scope = &loaded->scope;
        question.fields = &loaded->fields.sets;
        question.capture = loaded->capture;
        question.error = &own;
        question.indent = nsc_output_is_for_people(loaded->options);
        limit_rows(&question, loaded->options);
        nsc_skill_run(out, &question);
    }
    nsc_shared_close(&loaded->scope);
    loaded->steady.scope.shared = loaded->scope.shared;
    return own.status == NSC_OK ? NSC_OK : nsc_fail(error, own.status, "%s", own.text);
}

/* ---- of the exports of a command ---- */

void nsc_asked_add(struct nsc_asked *asked, const struct nsc_skill *skill)
{
    asked->questions[asked->n++] = nsc_question_of(skill, NULL, NULL);
}

/* Each parameter is for the skills that have it; fails if none does. */
static enum nsc_status set_params(struct nsc_asked *asked, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    for (uint32_t i = 0; i < options->n_params; i++) {
        bool taken = false;

        for (unsigned k = 0; k < asked->n; k++) {
            struct nsc_error ignored = {0};

            taken |= nsc_question_set(&asked->questions[k], options->params[i], &ignored) == NSC_OK;
        }
        if (!taken)
            return nsc_question_set(&asked->questions[0], options->params[i], error);
    }
    return NSC_OK;
}

/* Notes whether there is an answer, or an event that it could come from. */
static void note_found(struct nsc_asked *asked, const struct nsc_loaded_scope *loaded,
                       const struct nsc_sheets *sheets)
{
    asked->is_found |= !asked->events || nsc_sheets_rows(sheets) > 0 ||
                       nsc_scope_has_kinds(&loaded->scope, asked->first, asked->last);
}

static enum nsc_status fill(void *context, struct nsc_loaded_scope *loaded,
                            struct nsc_sheets *sheets, struct nsc_error *error)
{
    struct nsc_asked *asked = context;
    enum nsc_status status = nsc_skills_ask(sheets, loaded, asked->questions, asked->n, error);

    note_found(asked, loaded, sheets);
    return status;
}

enum nsc_status nsc_asked_walk(struct nsc_asked *asked, const struct nsc_options *options,
                               struct nsc_files files, struct nsc_error *error)
{
    bool is_of_all = files.n > 1 && nsc_skill_is_of_all(asked->questions[0].skill);
    const struct nsc_ask ask = {fill, asked, asked->kind, is_of_all};
    enum nsc_status status = set_params(asked, options, error);

    if (status == NSC_OK)
        status = nsc_loaded_scope_walk(options, files, &ask, error);
    return status != NSC_OK || asked->is_found
               ? status
               : nsc_loaded_scope_nothing(options, asked->events, asked->first, asked->last, error);
}
