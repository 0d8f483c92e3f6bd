/*
 * The command line behind the parsed options, for people to run again on another machine.
 */
#ifndef NSC_CLI_COMMAND_WORDS_H
#define NSC_CLI_COMMAND_WORDS_H

#include "cli/options.h"
#include "core/buf.h"

/* Appends "nsyscope COMMAND FILE... --option value ...", quoted for a shell. Files are named without
 * their folders; options that say where output goes are left out. */
void nsc_command_words(struct nsc_buf *out, const struct nsc_options *options);

#endif
