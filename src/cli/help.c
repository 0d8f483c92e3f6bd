/*
 * Builds the help texts from the command and option tables.
 */
#include "cli/commands.h"

#include <string.h>

/* Lists are aligned by their longest word; an even longer word gets its own line. */
#define WORD_CELLS 34
#define NAME_CELLS 10 /* of them, for the name of a command */

/* Adds "  word   help", with the help on the next line if the word is too long. */
static void add_row(struct nsc_buf *out, const char *word, const char *help)
{
    if (strlen(word) <= WORD_CELLS)
        nsc_buf_printf(out, "  %-*s  %s\n", WORD_CELLS, word, help);
    else
        nsc_buf_printf(out, "  %s\n  %*s  %s\n", word, WORD_CELLS, "", help);
}

static void add_command(struct nsc_buf *out, const char *name, const char *arguments,
                        const char *help)
{
    struct nsc_buf word = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_printf(&word, "%-*s %s", NAME_CELLS, name, arguments);
    add_row(out, word.bytes, help);
    nsc_buf_fini(&word);
}

void nsc_help(struct nsc_buf *out)
{
    nsc_buf_puts(out, "nsyscope explores NVIDIA Nsight Systems reports in a terminal.\n\n"
                      "  nsyscope [options] FILE...       open the timeline (h shows the keys)\n"
                      "  nsyscope COMMAND [options] ...\n\nCommands:\n");
    for (unsigned i = 0; i < NSC_N_COMMANDS; i++)
        add_command(out, nsc_commands[i].name, nsc_commands[i].arguments, nsc_commands[i].help);
    nsc_buf_puts(out, "\nOther names, as in other tools:\n");
    for (unsigned i = 0; i < nsc_n_command_aliases; i++)
        add_command(out, nsc_command_aliases[i].name, nsc_command_aliases[i].arguments,
                    nsc_command_aliases[i].help);
    nsc_buf_puts(
        out,
        "\nnsyscope COMMAND --help lists a command's options. FILE is an export (.sqlite), a "
        "report\n"
        "(.nsys-rep), which nsys exports first, or a folder of them.\n\n"
        "Exit status: 0 done, 1 a gate failed, 2 usage or terminal, 3 cannot open or no export,\n"
        "4 damaged beyond use, 5 over the memory budget, 6 could not write,\n"
        "7 not enough data for the question, 128+N ended by signal N.\n");
}

void nsc_help_command(struct nsc_buf *out, const struct nsc_options *options)
{
    enum nsc_command command = options->command;
    const struct nsc_command_row *row = &nsc_commands[command];
    const struct nsc_command_alias *alias = options->alias;

    if (alias)
        nsc_buf_printf(out, "nsyscope %s [options] %s\n  %s\n  The same as nsyscope %s.\n",
                       alias->name, alias->arguments, alias->help, alias->words);
    else
        nsc_buf_printf(out, "nsyscope %s [options] %s\n  %s\n", row->name, row->arguments,
                       row->help);
    nsc_buf_puts(out, "\nOptions:\n");
    for (unsigned i = 0; i < NSC_N_OPTIONS; i++) {
        struct nsc_buf word = NSC_BUF_INIT(SIZE_MAX);

        if (!nsc_option_applies((enum nsc_option)i, command))
            continue;
        nsc_buf_printf(&word, "--%s%s%s", nsc_option_rows[i].name, nsc_option_rows[i].n ? " " : "",
                       nsc_option_rows[i].arguments);
        add_row(out, word.bytes, nsc_option_rows[i].help);
        nsc_buf_fini(&word);
    }
}
