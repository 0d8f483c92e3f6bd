/*
 * Ends the program in order, with status 5, when its memory outgrows the budget of --mem: a load
 * refuses before it begins, and whatever else a subcommand builds is bounded by this.
 */
#ifndef NSC_CLI_MEMORY_WATCH_H
#define NSC_CLI_MEMORY_WATCH_H

#include <stdint.h>

/* Starts a thread that looks every few ms. bytes: the budget; a quarter of it, and 64 MiB for the
 * program itself, come on top. Without a thread nothing is watched. */
void nsc_memory_watch(uint64_t bytes);

#endif
