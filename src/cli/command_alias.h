/*
 * Other spellings of subcommands: "tui" for "open --command tree".
 */
#ifndef NSC_CLI_COMMAND_ALIAS_H
#define NSC_CLI_COMMAND_ALIAS_H

#include "core/argv.h"

struct nsc_command_alias {
    const char *name;  /* words and single spaces: "agent ask" */
    const char *words; /* that stand in its place */
    const char *arguments, *help;
};
extern const struct nsc_command_alias nsc_command_aliases[];
extern const unsigned nsc_n_command_aliases;

/* The alias that a command line begins with, NULL for none; *n: how many words its name has. */
const struct nsc_command_alias *nsc_command_alias_find(int argc, char *const *argv, int *n);
/* Appends the command line with the words of the alias in place of the n words of its name. */
void nsc_command_alias_expand(struct nsc_argv *out, const struct nsc_command_alias *alias, int argc,
                              char *const *argv, int n);

#endif
