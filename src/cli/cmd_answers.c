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

static int answer(const struct nsc_options *options, const char *const names[], const char *kind)
{
    const struct nsc_skill *skills[MOST_SKILLS];
    struct nsc_question questions[MOST_SKILLS];
    struct nsc_error error = {0};
    struct nsc_sheets sheets = {0};
    struct nsc_field_reader fields;
    struct nsc_asked asked;
    unsigned n = 0;
    int result;

    for (; n < MOST_SKILLS && names[n]; n++) {
        skills[n] = nsc_skill_find(names[n]);
        questions[n] = nsc_question_of(skills[n], NULL, NULL);
    }
    if (set_params(questions, skills, n, options, &error) != NSC_OK ||
        nsc_asked_open(&asked, options, &error) != NSC_OK)
        return nsc_report(&error);
    nsc_field_reader_init(&fields, asked.xport, asked.trace);
    for (unsigned i = 0; i < n; i++) {
        questions[i].scope = &asked.scope;
        questions[i].fields = &fields.sets;
        questions[i].indent = asked.format == NSC_SHEET_AS_TABLE || asked.format == NSC_SHEET_AS_MD;
        skills[i]->run(&sheets, &questions[i]);
    }
    result = nsc_asked_print(&asked, &sheets, kind);
    nsc_sheets_fini(&sheets);
    nsc_field_reader_fini(&fields);
    nsc_asked_close(&asked);
    return result;
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
