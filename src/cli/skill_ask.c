/* Asks skills about a loaded export. */
#include "analysis/base/shared.h"
#include "analysis/finding/loss.h"
#include "cli/skill_list.h"
#include "cli/sql_ask.h"

#include <string.h>

bool nsc_skill_is_of_all(const struct nsc_skill *skill)
{
    const struct nsc_answer *answer = skill->answer;
    struct nsc_error ignored = {0};

    return answer && !answer->is_program && !answer->is_raw &&
           nsc_sql_is_of_trace(answer->sheets.at[0].sql, &ignored);
}

void nsc_question_limit_rows(struct nsc_question *question, const struct nsc_options *options)
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
        nsc_loaded_scope_note(loaded,
                              "The profiler lost events: %.1f %% of the launch calls have no work. "
                              "GPU work is at least what is shown, and idle time at most.",
                              loss.share);
    return is_lost;
}

enum nsc_status nsc_skills_ask(struct nsc_sheets *out, struct nsc_loaded_scope *loaded,
                               const struct nsc_skill *const skills[],
                               const struct nsc_question questions[], unsigned n,
                               struct nsc_error *error)
{
    struct nsc_error own = {0};

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
        nsc_question_limit_rows(&question, loaded->options);
        nsc_skill_run(out, skills[i], &question);
    }
    nsc_shared_close(&loaded->scope);
    loaded->steady.scope.shared = loaded->scope.shared;
    return own.status == NSC_OK ? NSC_OK : nsc_fail(error, own.status, "%s", own.text);
}

enum nsc_status nsc_skill_ask_all(struct nsc_sheets *out, struct nsc_loaded_scope *loaded,
                                  const struct nsc_skill *skill, const struct nsc_question *of,
                                  struct nsc_error *error)
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
    nsc_skill_run(out, skill, &question);
    status = own.status == NSC_OK ? nsc_sql_readers_check(&readers, &out->list.at[0], error)
                                  : nsc_fail(error, own.status, "%s", own.text);
    nsc_field_readers_fini(&readers);
    return status;
}
