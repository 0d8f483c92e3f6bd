/*
 * The words that people say an alignment with: "utc", "start", "nvtx:NAME".
 */
#ifndef NSC_INDEX_ALIGN_WORD_H
#define NSC_INDEX_ALIGN_WORD_H

#include "nsyscope/trace.h"

#define NSC_ALIGN_WORDS "utc|start|nvtx:NAME"

/* *range points into text: the name behind "nvtx:", which is not empty; else NULL. False: no such
 * word. */
bool nsc_align_parse(enum nsc_align *out, const char **range, const char *text);

#endif
