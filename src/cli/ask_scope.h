/* Narrows a question's scope by its words: a time, iterations, a stream. */
#ifndef NSC_CLI_ASK_SCOPE_H
#define NSC_CLI_ASK_SCOPE_H

#include "analysis/skill/narrow.h"
#include "cli/scope_options.h"

#define NSC_ASK_WORDS 256

struct nsc_ask_scope {
    char words[NSC_ASK_WORDS];   /* "Between 1.200 s and 1.400 s"; "": the whole recording */
    char options[NSC_ASK_WORDS]; /* " --trim 1200000000ns 1400000000ns": the same as options */
    char why[NSC_ASK_WORDS];     /* the reason against asking it there; "": none */
};

/* Sets the window of loaded->scope, and replaces numbers of iterations counted from the end. False,
 * with why, if the recording lacks such a time or iteration. */
bool nsc_ask_narrow_time(struct nsc_ask_scope *out, struct nsc_loaded_scope *loaded,
                         struct nsc_narrowing *narrowing);
/* Keeps the kernels longer or shorter than the question says. Sets why if it is about no kernels. */
NSC_NODISCARD enum nsc_status nsc_ask_narrow_length(struct nsc_ask_scope *out,
                                                    struct nsc_loaded_scope *loaded,
                                                    const struct nsc_narrowing *narrowing,
                                                    struct nsc_error *error);
/* For questions about GPU work, keeps only events of the stream; other questions use all streams.
 * Sets why if there is no such stream. */
NSC_NODISCARD enum nsc_status nsc_ask_narrow_stream(struct nsc_ask_scope *out,
                                                    struct nsc_loaded_scope *loaded,
                                                    const struct nsc_narrowing *narrowing,
                                                    const char *category, struct nsc_error *error);

#endif
