/*
 * nsyscope summary, overlap, nccl, iters and tree: the answers people ask for most, each a few
 * skills.
 */
#include "analysis/skill.h"
#include "cli/commands.h"
#include "cli/field_reader.h"
#include "cli/scope_options.h"

#include <string.h>

/* What a subcommand asks, in order; -p goes to those that take it. */
static const struct {
    enum nsc_command command;
    const char *kind;
    const char *skills[3];
} answers[] = {
    {NSC_COMMAND_SUMMARY, "nsyscope.summary", {"gpu_summary", "stream_concurrency", NULL}},
    {NSC_COMMAND_OVERLAP, "nsyscope.overlap", {"overlap_breakdown", "kernel_overlap_matrix", NULL}},
    {NSC_COMMAND_NCCL, "nsyscope.nccl", {"nccl_breakdown", "nccl_anomaly", NULL}},
    {NSC_COMMAND_ITERS, "nsyscope.iters", {"iteration_timing", "iteration_stats", NULL}},
    {NSC_COMMAND_TREE, "nsyscope.tree", {"nvtx_tree", NULL, NULL}},
};
static const char *const tree_instances[] = {"nvtx_instances", NULL}; /* tree --instances */

enum { MOST_SKILLS = 3 };

/* Each parameter has to be known to one of the skills at least. */
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
    const struct nsc_skill *skills[MOST_SKILLS];
    struct nsc_question questions[MOST_SKILLS];
    unsigned n;
};

static void fill(void *context, struct nsc_asked *asked, struct nsc_sheets *sheets)
{
    const struct asking *asking = context;
    struct nsc_field_reader fields;

    nsc_field_reader_init(&fields, asked->xport, asked->trace);
    for (unsigned i = 0; i < asking->n; i++) {
        struct nsc_question question = asking->questions[i];

        question.scope = &asked->scope;
        question.fields = &fields.sets;
        question.indent = asked->format == NSC_SHEET_AS_TABLE || asked->format == NSC_SHEET_AS_MD;
        asking->skills[i]->run(sheets, &question);
    }
    nsc_field_reader_fini(&fields);
}

static int answer(const struct nsc_options *options, const char *const names[], const char *kind)
{
    struct asking asking = {.n = 0};
    struct nsc_ask ask = {fill, &asking, kind};
    struct nsc_error error = {0};

    for (; asking.n < MOST_SKILLS && names[asking.n]; asking.n++) {
        asking.skills[asking.n] = nsc_skill_find(names[asking.n]);
        asking.questions[asking.n] = nsc_question_of(asking.skills[asking.n], NULL, NULL);
    }
    if (set_params(asking.questions, asking.skills, asking.n, options, &error) != NSC_OK)
        return nsc_report(&error);
    return nsc_asked_each(options, nsc_options_files(options), &ask);
}

static int run(const struct nsc_options *options)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (answers[i].command == options->command)
            return answer(options, answers[i].skills, answers[i].kind);
    return NSC_EXIT_USAGE;
}

int nsc_cmd_summary(const struct nsc_options *options)
{
    return run(options);
}

int nsc_cmd_overlap(const struct nsc_options *options)
{
    return run(options);
}

int nsc_cmd_nccl(const struct nsc_options *options)
{
    return run(options);
}

int nsc_cmd_iters(const struct nsc_options *options)
{
    return run(options);
}

int nsc_cmd_tree(const struct nsc_options *options)
{
    if (options->set[NSC_OPTION_INSTANCES])
        return answer(options, tree_instances, "nsyscope.tree");
    return run(options);
}
