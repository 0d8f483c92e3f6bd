/*
 * nsyscope summary, overlap, nccl, iters and tree: the most wanted answers, each from a few skills.
 */
#include "analysis/skill/skill.h"
#include "cli/commands.h"
#include "cli/skill_list.h"

#include <stdio.h>

enum { MOST_SKILLS = NSC_ASKED_SKILLS };

/* The skills of a subcommand, in order; -p applies to those with the parameter. */
struct answer {
    enum nsc_command command;
    enum nsc_kind about; /* a trace without events of this kind has no answer */
    const char *events;  /* the name of these events in messages */
    const char *skills[MOST_SKILLS];
};

static const struct answer answers[] = {
    {NSC_COMMAND_SUMMARY, NSC_KIND_KERNEL, "kernels", {"gpu_summary", "stream_concurrency"}},
    {NSC_COMMAND_OVERLAP,
     NSC_KIND_KERNEL,
     "kernels",
     {"breakdown", "exposed", "kernel_overlap_matrix"}},
    {NSC_COMMAND_NCCL,
     NSC_KIND_KERNEL,
     "kernels",
     {"nccl_breakdown", "nccl_bandwidth", "nccl_anomaly"}},
    {NSC_COMMAND_ITERS, NSC_KIND_KERNEL, "iterations", {"iteration_timing", "iteration_stats"}},
    {NSC_COMMAND_TREE, NSC_KIND_NVTX_RANGE, "push/pop NVTX ranges", {"nvtx_tree"}},
};
static const char *const instances[MOST_SKILLS] = {"nvtx_instances"}; /* tree --instances */

/* Prints tables without rows too; the exit status says if no export has such events. */
static enum nsc_status ask(const struct nsc_options *options, const struct answer *answer,
                           struct nsc_error *error)
{
    const char *const *skills = options->set[NSC_OPTION_INSTANCES] ? instances : answer->skills;
    char kind[32];
    struct nsc_asked asked = {
        .kind = kind, .events = answer->events, .first = answer->about, .last = answer->about};
    struct nsc_skill_list list;
    enum nsc_status status;

    (void)snprintf(kind, sizeof kind, "nsyscope.%s", nsc_commands[answer->command].name);
    nsc_skill_list_init_program(&list);
    for (unsigned i = 0; i < MOST_SKILLS && skills[i]; i++)
        nsc_asked_add(&asked, nsc_skill_list_program(&list, skills[i]));
    status = nsc_asked_walk(&asked, options, nsc_options_files(options), error);
    nsc_skill_list_fini(&list);
    return status;
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
