/*
 * Sets of subcommands, as option.def names them: a bit for each.
 */
#ifndef NSC_CLI_OPTION_SETS_H
#define NSC_CLI_OPTION_SETS_H

#include "cli/options.h"

_Static_assert(NSC_N_COMMANDS <= 64, "a set has a bit for each command");

#define ON(command) (UINT64_C(1) << NSC_COMMAND_##command)
#define ALL         UINT64_MAX

/* Those that draw the screen. */
#define PICTURES (ON(OPEN) | ON(RENDER))
/* Questions that a skill answers, by their own names. */
#define QUESTIONS \
    (ON(SUMMARY) | ON(OVERLAP) | ON(NCCL) | ON(ITERS) | ON(TREE) | ON(SEARCH) | ON(SKILL))
/* Questions about a pipeline, of all its ranks or of single ones. */
#define PIPELINE_RANKS (ON(WINDOW) | ON(STREAMS) | ON(STAGES))
#define PIPELINE       (PIPELINE_RANKS | ON(SETUP))
/* Those that answer about a part of an export: a window, a range, a bookmark. */
#define SCOPED                                                                                  \
    (QUESTIONS | PIPELINE | ON(EXPORT) | ON(CUT) | ON(VIEWER) | ON(DIFF) | ON(RANKS) |          \
     ON(NCU_PLAN) | ON(NCU_IMPORT) | ON(STATS) | ON(ANALYZE) | ON(REPORT) | ON(ASK) | ON(SQL) | \
     ON(BASELINE))
/* Those that load exports. */
#define LOADS (SCOPED | ON(OPEN) | ON(INFO) | ON(RENDER) | ON(BINS) | ON(SESSION) | ON(SKETCH))
/* Those that read exports. */
#define READS (LOADS | ON(BOOKMARKS) | ON(SCHEMA) | ON(DOCTOR))
/* Those that a session answers when they only print: not the screen (docs/adr/0025-serving.md). */
#define ASKS_SESSION (LOADS & ~ON(OPEN))
/* Those that print tables. */
#define MAKES_SHEETS                                                                              \
    (QUESTIONS | PIPELINE | ON(SQL) | ON(SCHEMA) | ON(CAPTURE) | ON(DIFF) | ON(RANKS) |           \
     ON(MERGE) | ON(NCU_PLAN) | ON(NCU_IMPORT) | ON(ANALYZE) | ON(ASK) | ON(CACHE) | ON(DOCTOR) | \
     ON(OPEN) | ON(INFO) | ON(BINS) | ON(BOOKMARKS) | ON(BASELINE))

#endif
