/* nsyscope search: finds kernels and NVTX ranges by their name and by a range around them. */
#include "analysis/skill/skill.h"
#include "cli/commands.h"
#include "cli/skill_list.h"
#include "open/report.h"

#include <unistd.h>

static void set_text(struct nsc_question *question, enum nsc_param param, const char *text)
{
    question->params[param] = (struct nsc_param_value){.is_set = text && text[0], .text = text};
}

/* The text to search for: --query, else the last operand after an export; NULL: any name. */
static const char *text_of(const struct nsc_options *options)
{
    if (options->set[NSC_OPTION_QUERY])
        return options->arg[NSC_OPTION_QUERY][0];
    return options->n_operands > 1 ? options->operands[options->n_operands - 1] : NULL;
}

/* The operands: exports, then the text, unless an option gives it; with --parent and one export the
 * text is optional. */
static struct nsc_files files_of(const struct nsc_options *options)
{
    struct nsc_files files = nsc_options_files(options);

    files.n -= files.n > 1 && !options->set[NSC_OPTION_QUERY];
    return files;
}

/* With several exports, a missing text would make the last file the text, so check it. */
static enum nsc_status check_text(const struct nsc_options *options, const char *text,
                                  struct nsc_error *error)
{
    if (options->set[NSC_OPTION_QUERY] || !text || !text[nsc_report_stem(text)] ||
        access(text, F_OK) != 0)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL,
                    "%.90s is a file: put what the name holds behind it, '' for any name", text);
}

static enum nsc_status set_params(struct nsc_question *question, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    const char *text = text_of(options);
    enum nsc_status status = check_text(options, text, error);

    set_text(question, NSC_PARAM_NAME, text);
    set_text(question, NSC_PARAM_PARENT, options->arg[NSC_OPTION_PARENT][0]);
    set_text(question, NSC_PARAM_TYPE, options->arg[NSC_OPTION_TYPE][0]);
    if (status == NSC_OK && !question->params[NSC_PARAM_NAME].is_set &&
        !question->params[NSC_PARAM_PARENT].is_set)
        status = nsc_fail(error, NSC_EINVAL, "give FILE and what the name holds, or --parent");
    return status;
}

enum nsc_status nsc_cmd_search(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_asked asked = {.kind = "nsyscope.search"};

    nsc_asked_add(&asked, nsc_skill_find("search"));
    return set_params(&asked.questions[0], options, error) == NSC_OK
               ? nsc_asked_walk(&asked, options, files_of(options), error)
               : error->status;
}
