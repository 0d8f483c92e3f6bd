/* nsyscope mcp: answers a client of the Model Context Protocol by the other subcommands. */
#include "cli/commands.h"
#include "serve/server.h"

#include <unistd.h>

static int run(const void *context, struct nsc_warm *warm, int n, char *const words[])
{
    const struct nsc_options *server = context;
    struct nsc_options options;
    struct nsc_error error = {0};
    int status = 0;

    if (nsc_options_parse(&options, n, words, &error) != NSC_OK)
        return nsc_complain(&error);
    options.set[NSC_OPTION_MEM] = server->set[NSC_OPTION_MEM];
    options.open.memory = server->open.memory;
    options.open.threads = server->open.threads;
    options.exit_status = &status;
    options.warm = warm;
    if (nsc_command_run(&options, &error) != NSC_OK)
        status = nsc_complain(&error);
    nsc_options_fini(&options);
    return status;
}

enum nsc_status nsc_cmd_mcp(const struct nsc_options *options, struct nsc_error *error)
{
    const struct nsc_job_options loading = {&options->open, options->align, options->align_range};
    const struct nsc_serve_host host = {&loading, run, options, NSC_VERSION};
    struct nsc_argv files = {0};

    (void)error;
    for (unsigned i = 0; i < options->n_operands; i++)
        nsc_argv_add(&files, options->operands[i]);
    nsc_serve(&host, &files, STDIN_FILENO, STDOUT_FILENO);
    nsc_argv_fini(&files);
    return NSC_OK;
}
