/*
 * nsyscope search: kernels and NVTX ranges by what their name holds, and by a range around them.
 */
#include "analysis/skill.h"
#include "cli/commands.h"
#include "cli/scope_options.h"

#include <string.h>

static enum nsc_status check_type(const struct nsc_options *options, struct nsc_error *error)
{
    static const char *const types[] = {"kernel", "nvtx", "api", "gpu"};
    const char *given = options->arg[NSC_OPTION_TYPE][0];

    for (size_t i = 0; given && i < sizeof types / sizeof *types; i++)
        if (strcmp(given, types[i]) == 0)
            return NSC_OK;
    return given ? nsc_fail(error, NSC_EINVAL, "--type %.60s: give %s", given,
                            nsc_option_rows[NSC_OPTION_TYPE].arguments)
                 : NSC_OK;
}

static void set_text(struct nsc_question *question, enum nsc_param param, const char *text)
{
    question->params[param] = (struct nsc_param_value){.is_set = text && text[0], .text = text};
}

static enum nsc_status set_params(struct nsc_question *question, const struct nsc_skill *skill,
                                  const struct nsc_options *options, struct nsc_error *error)
{
    enum nsc_status status = check_type(options, error);

    set_text(question, NSC_PARAM_NAME, options->operands[1]);
    set_text(question, NSC_PARAM_PARENT, options->arg[NSC_OPTION_PARENT][0]);
    set_text(question, NSC_PARAM_TYPE, options->arg[NSC_OPTION_TYPE][0]);
    if (status == NSC_OK && !question->params[NSC_PARAM_NAME].is_set &&
        !question->params[NSC_PARAM_PARENT].is_set)
        status = nsc_fail(error, NSC_EINVAL, "give FILE and what the name holds, or --parent");
    for (uint32_t i = 0; i < options->n_params && status == NSC_OK; i++)
        status = nsc_question_set(question, skill, options->params[i], error);
    return status;
}

int nsc_cmd_search(const struct nsc_options *options)
{
    const struct nsc_skill *skill = nsc_skill_find("search");
    struct nsc_question question = nsc_question_of(skill, NULL, NULL);
    struct nsc_sheets sheets = {0};
    struct nsc_error error = {0};
    struct nsc_asked asked;
    int result;

    if (set_params(&question, skill, options, &error) != NSC_OK ||
        nsc_asked_open_file(&asked, options->file, options, &error) != NSC_OK)
        return nsc_report(&error);
    question.scope = &asked.scope;
    skill->run(&sheets, &question);
    result = nsc_asked_print(&asked, &sheets, "nsyscope.search");
    nsc_sheets_fini(&sheets);
    nsc_asked_close(&asked);
    return result;
}
