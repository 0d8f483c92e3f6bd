/*
 * Narrows what is asked of to what the words of a question say: a time, iterations, a stream.
 */
#ifndef NSC_CLI_ASK_SCOPE_H
#define NSC_CLI_ASK_SCOPE_H

#include "analysis/skill/narrow.h"
#include "cli/scope_options.h"

#define NSC_ASK_WORDS 256

struct nsc_ask_scope {
    char words[NSC_ASK_WORDS]; /* "Between 1.200 s and 1.400 s"; "": all is asked of */
    char options
        [NSC_ASK_WORDS];     /* " --trim 1200000000ns 1400000000ns": the same for other commands */
    char why[NSC_ASK_WORDS]; /* why it cannot be asked of; "": it can */
};

/* Sets the window of asked->scope, and the numbers of iterations that were counted from the end. False, with why, if the recording has no such time or iteration. */
bool nsc_ask_narrow_time(struct nsc_ask_scope *out, struct nsc_asked *asked,
                         struct nsc_narrowing *narrowing);
/* The start of the first work on a GPU; INT64_MAX without any. */
nsc_time nsc_ask_first_work(const struct nsc_trace *trace);
/* Keeps the events of the stream, for questions about work on GPUs; others are asked of all streams.
 * Sets why if there is no such stream. */
NSC_NODISCARD enum nsc_status nsc_ask_narrow_stream(struct nsc_ask_scope *out,
                                                    struct nsc_asked *asked,
                                                    const struct nsc_narrowing *narrowing,
                                                    const char *category, struct nsc_error *error);

#endif
