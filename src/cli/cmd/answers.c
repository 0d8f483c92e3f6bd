/*
 * nsyscope summary, overlap, nccl, iters and tree: the most wanted answers, each from a few skills.
 */
#include "analysis/skill/skill.h"
#include "cli/commands.h"
#include "cli/skill_list.h"

enum { MOST_SKILLS = 3 };

/* The skills of a subcommand, in order; -p applies to those with the parameter. */
struct answer {
    enum nsc_command command;
    const char *kind;
    enum nsc_kind about; /* a trace without events of this kind has no answer */
    const char *events;  /* the name of these events in messages */
    const char *skills[MOST_SKILLS];
};

static const struct answer answers[] = {
    {NSC_COMMAND_SUMMARY,
     "nsyscope.summary",
     NSC_KIND_KERNEL,
     "kernels",
     {"gpu_summary", "stream_concurrency"}},
    {NSC_COMMAND_OVERLAP,
     "nsyscope.overlap",
     NSC_KIND_KERNEL,
     "kernels",
     {"breakdown", "exposed", "kernel_overlap_matrix"}},
    {NSC_COMMAND_NCCL,
     "nsyscope.nccl",
     NSC_KIND_KERNEL,
     "kernels",
     {"nccl_breakdown", "nccl_bandwidth", "nccl_anomaly"}},
    {NSC_COMMAND_ITERS,
     "nsyscope.iters",
     NSC_KIND_KERNEL,
     "iterations",
     {"iteration_timing", "iteration_stats"}},
    {NSC_COMMAND_TREE, "nsyscope.tree", NSC_KIND_NVTX_RANGE, "push/pop NVTX ranges", {"nvtx_tree"}},
};
static const char *const instances[MOST_SKILLS] = {"nvtx_instances"}; /* tree --instances */

/* Fails for a parameter that none of the skills has. */
static enum nsc_status set_params(struct nsc_question questions[], const struct nsc_skill *skills[],
                                  unsigned n, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    for (uint32_t i = 0; i < options->n_params; i++) {
        bool taken = false;

        for (unsigned k = 0; k < n; k++) {
            struct nsc_error ignored = {0};

            taken |=
                nsc_question_set(&questions[k], skills[k], options->params[i], &ignored) == NSC_OK;
        }
        if (!taken)
            return nsc_question_set(&questions[0], skills[0], options->params[i], error);
    }
    return NSC_OK;
}

struct asking {
    const struct answer *answer;
    const struct nsc_skill *skills[MOST_SKILLS];
    struct nsc_question questions[MOST_SKILLS];
    unsigned n;
    bool is_found; /* at least one export has rows or such events */
};

static enum nsc_status fill(void *context, struct nsc_loaded_scope *loaded,
                            struct nsc_sheets *sheets, struct nsc_error *error)
{
    struct asking *asking = context;
    enum nsc_status status =
        nsc_skills_ask(sheets, loaded, asking->skills, asking->questions, asking->n, error);

    asking->is_found |=
        nsc_sheets_rows(sheets) > 0 ||
        nsc_scope_has_kinds(&loaded->scope, asking->answer->about, asking->answer->about);
    return status;
}

/* Prints tables without rows too; the exit status says if no export has such events. */
static enum nsc_status ask(const struct nsc_options *options, const struct answer *answer,
                           struct nsc_error *error)
{
    struct asking asking = {.answer = answer};
    struct nsc_ask ask = {fill, &asking, answer->kind};
    const char *const *skills = options->set[NSC_OPTION_INSTANCES] ? instances : answer->skills;
    struct nsc_skill_list list;
    enum nsc_status status;

    nsc_skill_list_init_program(&list);
    for (; asking.n < MOST_SKILLS && skills[asking.n]; asking.n++) {
        asking.skills[asking.n] = nsc_skill_list_program(&list, skills[asking.n]);
        asking.questions[asking.n] = nsc_question_of(asking.skills[asking.n], NULL, NULL);
    }
    status = set_params(asking.questions, asking.skills, asking.n, options, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_walk(options, nsc_options_files(options), &ask, error);
    nsc_skill_list_fini(&list);
    return status != NSC_OK || asking.is_found
               ? status
               : nsc_loaded_scope_nothing(options, answer->events, answer->about, answer->about,
                                          error);
}

enum nsc_status nsc_cmd_answers(const struct nsc_options *options, struct nsc_error *error)
{
    if (options->set[NSC_OPTION_HEADINGS])
        return nsc_tree_headings(options, error);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (answers[i].command == options->command)
            return ask(options, &answers[i], error);
    return nsc_fail(error, NSC_EINVAL, "%s: no question", nsc_commands[options->command].name);
}
