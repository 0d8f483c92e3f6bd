/* Runs a subcommand: checks what all have in common, gives up rights and calls its function. */
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/sandbox.h"
#include "core/paths.h"
#include "serve/session.h"

#include <unistd.h>

enum { FILE_LIMIT = 1 << 20, PATH_LIMIT = 8192 };

static void read_config(struct nsc_options *options)
{
    struct nsc_buf path = NSC_BUF_INIT(PATH_LIMIT);
    struct nsc_error error = {0};

    options->config = (struct nsc_buf)NSC_BUF_INIT(FILE_LIMIT + 1);
    if (nsc_path_home(&path, NSC_PATH_CONFIG, "config.ini") && access(path.bytes, F_OK) == 0 &&
        nsc_file_read(&options->config, path.bytes, FILE_LIMIT, &error) != NSC_OK)
        (void)nsc_complain(&error);
    options->open.words = options->config.bytes;
    nsc_buf_fini(&path);
}

/* Prints the answer as JSON, whatever it is worth. */
static enum nsc_status finish(struct nsc_options *options, enum nsc_status status,
                              struct nsc_error *error)
{
    struct nsc_error own = {0};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    nsc_envelope_write(&out, options->envelope, nsc_commands[options->command].name, status, error);
    if (out.n > 0 && nsc_put(options, &out, &own) != NSC_OK && status == NSC_OK)
        status = nsc_fail(error, own.status, "%s", own.text);
    nsc_buf_fini(&out);
    return status;
}

enum nsc_status nsc_command_run(struct nsc_options *options, struct nsc_error *error)
{
    static enum nsc_status (*const functions[NSC_N_COMMANDS])(const struct nsc_options *,
                                                              struct nsc_error *) = {
#define NSC_COMMAND(id, operands, name, arguments, help, function) function,
#include "cli/command.def"
    };
    const struct nsc_command_row *row = &nsc_commands[options->command];

    options->envelope->is_json =
        options->format == NSC_SHEET_AS_JSON || options->set[NSC_OPTION_SUMMARY];
    if (!options->file && !options->set[NSC_OPTION_FILES_FROM] && row->operands > 0 &&
        row->arguments[0] != '[' && !options->set[NSC_OPTION_HELP_REPORTS] &&
        !options->set[NSC_OPTION_HELP_RULES])
        return nsc_fail(error, NSC_EINVAL, "give %s; nsyscope %s%s--help says more", row->arguments,
                        options->has_command ? row->name : "", options->has_command ? " " : "");
    if (nsc_outputs_check(options, error) != NSC_OK)
        return error->status;
    if (!options->warm && (nsc_pick(options, error) != NSC_OK || options->picks))
        return error->status;
    if (!options->warm && nsc_options_resolve(options, error) != NSC_OK)
        return error->status;
    if (options->command == NSC_COMMAND_SERVE &&
        nsc_session_listen(&options->listening, error) != NSC_OK)
        return error->status;
    read_config(options);
    /* what they start runs before, or in another process */
    if (!options->set[NSC_OPTION_LLM] && options->command != NSC_COMMAND_DOCTOR)
        nsc_limits_enter(options);
    return finish(options, functions[options->command](options, error), error);
}
