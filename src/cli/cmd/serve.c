/* nsyscope mcp and serve: answer clients by the other subcommands; and --session, the client of serve. */
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/option_sets.h"
#include "cli/outputs.h"
#include "core/pages.h"
#include "core/temporary.h"
#include "core/units.h"
#include "serve/server.h"
#include "serve/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- answers ---- */

/* Whether the trace of this file calls it so, without its folder, as pages do. */
static bool names_alike(const struct nsc_warms *warm, const char *file)
{
    const struct nsc_trace *trace = nsc_warms_find(warm, &file, 1)->trace;
    const char *path = nsc_trace_string(trace, nsc_trace_info(trace)->path).bytes;

    return strcmp(nsc_file_leaf(path), nsc_file_leaf(file)) == 0;
}

/* Whether the session answers this command line of a client: it has the only file, or both of diff. */
static bool claims(struct nsc_warms *warm, const struct nsc_options *options)
{
    unsigned n = 0;

    for (unsigned i = 0; i < options->n_operands; i++) {
        bool is_input = nsc_options_is_input(options, i);

        n += is_input;
        if (is_input && !nsc_warms_claim(warm, options->operands[i]))
            return false;
    }
    if (options->command == NSC_COMMAND_VIEWER || options->command == NSC_COMMAND_EXPORT)
        return n == 1 && names_alike(warm, options->file);
    return n == 1 || (n == 2 && options->command == NSC_COMMAND_DIFF);
}

static int run(const void *context, struct nsc_warms *warm, int n, char *const words[])
{
    const struct nsc_options *server = context;
    struct nsc_options options;
    struct nsc_error error = {0};
    int status = 0;

    if (nsc_options_parse(&options, n, words, &error) != NSC_OK)
        return nsc_complain(&error);
    options.open.memory = server->open.memory;
    if (!options.open.memory && server->command == NSC_COMMAND_SERVE)
        options.open.memory = nsc_memory_available() / 2;
    options.set[NSC_OPTION_MEM] = options.open.memory > 0;
    options.open.threads = server->open.threads;
    options.exit_status = &status;
    options.warm = warm;
    if (warm->is_by_content && !claims(warm, &options))
        status = NSC_SESSION_ELSEWHERE;
    else if (nsc_command_run(&options, &error) != NSC_OK)
        status = nsc_complain(&error);
    nsc_options_fini(&options);
    return status;
}

enum nsc_status nsc_cmd_mcp(const struct nsc_options *options, struct nsc_error *error)
{
    const struct nsc_job_options job = {&options->open, options->align, options->align_range, NULL};
    const struct nsc_serve_host host = {&job, run, options, NSC_VERSION, NULL, 0};
    struct nsc_argv files = {0};

    (void)error;
    for (unsigned i = 0; i < options->n_operands; i++)
        nsc_argv_add(&files, options->operands[i]);
    nsc_serve(&host, &files, STDIN_FILENO, STDOUT_FILENO);
    nsc_argv_fini(&files);
    return NSC_OK;
}

/* ---- the session ---- */

/* Loads each export by itself. A path is absolute, because clients have other folders. */
static enum nsc_status load_all(struct nsc_warms *warm, const struct nsc_job_options *job,
                                const struct nsc_options *options, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (unsigned i = 0; i < options->n_operands && status == NSC_OK; i++) {
        char *path = realpath(options->operands[i], NULL);

        nsc_argv_add(&warm->at[i].files, path ? path : options->operands[i]);
        free(path);
        status = nsc_warm_update(&warm->at[i], job, error);
        warm->n += status == NSC_OK;
    }
    nsc_pages_collapse();
    return status;
}

/* Says that the session is ready; with --daemonize it goes on as a copy without terminal and folder, and
 * this process ends. */
static enum nsc_status become_ready(const struct nsc_warms *warm, bool leaves,
                                    struct nsc_error *error)
{
    struct sockaddr_un name;
    pid_t child;
    int nothing;

    if (nsc_session_name(&name, error) != NSC_OK)
        return error->status;
    (void)printf("session of %u export%s at %s\n", warm->n, warm->n == 1 ? "" : "s", name.sun_path);
    (void)fflush(stdout);
    if (!leaves)
        return NSC_OK;
    child = fork();
    if (child > 0)
        _exit(NSC_EXIT_DONE);
    if (child < 0 || setsid() < 0 || chdir("/") != 0)
        return nsc_fail(error, NSC_EIO, "no process can be started: %s", strerror(errno));
    nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        (void)dup2(nothing, fd);
    return NSC_OK;
}

enum nsc_status nsc_cmd_serve(const struct nsc_options *options, struct nsc_error *error)
{
    const char *text = nsc_option_word(options, NSC_OPTION_IDLE, "30m");
    struct nsc_warms warm = {nsc_xcalloc(options->n_operands, sizeof *warm.at), 0, false};
    const struct nsc_job_options job = {&options->open, options->align, options->align_range, NULL};
    struct nsc_serve_host host = {&job, run, options, NSC_VERSION, &warm, 0};
    nsc_time idle = 0;
    enum nsc_status status = nsc_units_parse_time(&idle, text, NSC_UNITS_S, error);

    if (status != NSC_OK || idle < 1000000 || idle / 1000000 > INT32_MAX)
        status = nsc_fail(error, NSC_EINVAL, "--idle %s: give a time from 1 ms on, as 30m", text);
    host.idle = (int)(idle / 1000000);
    if (status == NSC_OK)
        status = load_all(&warm, &job, options, error);
    if (status == NSC_OK)
        status = become_ready(&warm, options->set[NSC_OPTION_DAEMONIZE], error);
    if (status == NSC_OK)
        nsc_session_serve(&host, &warm, options->listening);
    nsc_temporary_remove_all(); /* the socket */
    for (unsigned i = 0; i < options->n_operands; i++) {
        nsc_warm_drop(&warm.at[i]);
        nsc_argv_fini(&warm.at[i].files);
    }
    free(warm.at);
    return status;
}

/* ---- the client ---- */

bool nsc_session_answers(int *status, const struct nsc_options *options, char *const words[])
{
    const char *path = getenv("NSYSCOPE_SESSION");
    const char *outputs[NSC_OUTPUTS_MOST];

    return (ASKS_SESSION >> options->command & 1) &&
           (options->set[NSC_OPTION_SESSION] || (path && *path)) && nsc_options_load_all(options) &&
           !options->set[NSC_OPTION_MEM] && !options->set[NSC_OPTION_LLM] &&
           !options->set[NSC_OPTION_BASELINE] && nsc_outputs_list(outputs, options) == 0 &&
           nsc_session_ask(status, words, "\"version\":\"" NSC_VERSION "\"");
}
