/*
 * nsyscope tree --headings.
 */
#ifndef NSC_CLI_CMD_TREE_HEADINGS_H
#define NSC_CLI_CMD_TREE_HEADINGS_H

#include "cli/options.h"

/* Prints the tree as Markdown; returns the exit status. */
int nsc_tree_headings(const struct nsc_options *options);

#endif
