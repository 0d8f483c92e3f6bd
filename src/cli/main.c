/*
 * The program's entry: parses the command line and calls the subcommand.
 */
#include "cli/commands.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/*
 * A file we open must never land on descriptor 0, 1 or 2: what is closed is pointed at nothing, and
 * cannot be written, so that output that goes nowhere is no success.
 */
static void fill_standard_descriptors(void)
{
    int fd = 0;

    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

static int print_help(const struct nsc_options *options)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 20);
    int status = 0;

    if (options->set[NSC_OPTION_VERSION])
        nsc_buf_puts(&text, "nsyscope " NSC_VERSION "\n");
    else if (options->has_command)
        nsc_help_command(&text, options->command);
    else
        nsc_help(&text);
    status = nsc_print(&text);
    nsc_buf_fini(&text);
    return status;
}

static int run(const struct nsc_options *options)
{
    static int (*const functions[NSC_N_COMMANDS])(const struct nsc_options *) = {
#define NSC_COMMAND(id, letter, operands, name, arguments, help, function) function,
#include "cli/command.def"
#undef NSC_COMMAND
    };

    if (options->set[NSC_OPTION_HELP] || options->set[NSC_OPTION_VERSION])
        return print_help(options);
    if (!options->file && !options->set[NSC_OPTION_FILES_FROM] &&
        nsc_commands[options->command].operands > 0 && !options->set[NSC_OPTION_HELP_REPORTS] &&
        !options->set[NSC_OPTION_HELP_RULES]) {
        struct nsc_error error = {0};

        (void)nsc_fail(&error, NSC_EINVAL, "give %s; nsyscope %s%s--help says more",
                       nsc_commands[options->command].arguments,
                       options->has_command ? nsc_commands[options->command].name : "",
                       options->has_command ? " " : "");
        return nsc_report(&error);
    }
    return functions[options->command](options);
}

int main(int argc, char **argv)
{
    struct nsc_options options;
    struct nsc_error error = {0};
    int status = 0;

    fill_standard_descriptors();
    signal(SIGXFSZ, SIG_IGN); /* a file that may grow no further is an error of writing */
    setlocale(LC_CTYPE, "");
    if (nsc_options_parse(&options, argc, argv, &error) != NSC_OK)
        return nsc_report(&error);
    status = run(&options);
    nsc_options_fini(&options);
    return status;
}
