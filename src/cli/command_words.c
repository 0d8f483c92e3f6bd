/*
 * Prints the parsed options as words again.
 */
#include "cli/command_words.h"

#include "core/argv.h"

#include <string.h>

static void add_word(struct nsc_buf *out, const char *word)
{
    nsc_buf_putc(out, ' ');
    nsc_argv_quote(out, word);
}

void nsc_command_words(struct nsc_buf *out, const struct nsc_options *options)
{
    nsc_buf_printf(out, "nsyscope %s", nsc_commands[options->command].name);
    for (unsigned i = 0; i < options->n_operands; i++) {
        const char *slash = strrchr(options->operands[i], '/');

        add_word(out, slash && slash[1] ? slash + 1 : options->operands[i]);
    }
    for (int i = 0; i < NSC_N_OPTIONS; i++) {
        if (!options->set[i] || i == NSC_OPTION_OUTPUT || i == NSC_OPTION_FORCE)
            continue;
        nsc_buf_printf(out, " --%s", nsc_option_rows[i].name);
        for (int k = 0; k < nsc_option_rows[i].n; k++)
            add_word(out, options->arg[i][k]);
    }
}
