/*
 * The help texts, made from the command and option tables.
 */
#include "cli/commands.h"

#include <string.h>

void nsc_help(struct nsc_buf *out)
{
    nsc_buf_puts(out, "nsyscope explores NVIDIA Nsight Systems SQLite exports in a terminal.\n\n"
                      "  nsyscope [options] FILE          open the timeline (h shows the keys)\n"
                      "  nsyscope COMMAND [options] ...\n\nCommands:\n");
    for (unsigned i = 0; i < NSC_N_COMMANDS; i++)
        nsc_buf_printf(out, "  %-9s %-29s %s\n", nsc_commands[i].name, nsc_commands[i].arguments,
                       nsc_commands[i].help);
    nsc_buf_puts(
        out,
        "\nnsyscope COMMAND --help lists a command's options. An export is made by\n"
        "  nsys export --type sqlite -o trace.sqlite trace.nsys-rep\n\n"
        "Exit status: 0 done, 1 a gate failed, 2 usage or terminal, 3 cannot open or no export,\n"
        "4 damaged beyond use, 5 over the memory budget, 6 could not write,\n"
        "7 not enough data for the question, 128+N ended by signal N.\n");
}

void nsc_help_command(struct nsc_buf *out, enum nsc_command command)
{
    const struct nsc_command_row *row = &nsc_commands[command];

    nsc_buf_printf(out, "nsyscope %s [options] %s\n  %s\n\nOptions:\n", row->name, row->arguments,
                   row->help);
    for (unsigned i = 0; i < NSC_N_OPTIONS; i++) {
        char left[64];
        struct nsc_buf word = NSC_BUF_INIT(sizeof left);

        if (!nsc_option_applies((enum nsc_option)i, command))
            continue;
        nsc_buf_printf(&word, "--%s %s", nsc_option_rows[i].name, nsc_option_rows[i].arguments);
        nsc_buf_printf(out, "  %-32s %s\n", word.bytes, nsc_option_rows[i].help);
        nsc_buf_fini(&word);
    }
}
