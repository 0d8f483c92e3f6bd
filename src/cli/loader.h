/*
 * The thread that opens, loads and watches exports, fetches details from them, and keeps their
 * bookmarks, while the screen goes on.
 *
 * All use of the exports is on that thread, but for their reports, which do not change after the
 * load. The caller polls for answers on its own thread when the wake descriptor says so; whatever
 * it is given is owned by the loader.
 */
#ifndef NSC_CLI_LOADER_H
#define NSC_CLI_LOADER_H

#include "nsyscope/job.h"

#include "view/model/bookmark.h"

#include <stdbool.h>

struct nsc_loader;

enum nsc_answer {
    NSC_ANSWER_NONE,
    NSC_ANSWER_EARLY, /* rows to look at while the rest is loaded; before LOADED, or never */
    NSC_ANSWER_LOADED,
    NSC_ANSWER_FAILED, /* the load */
    NSC_ANSWER_DETAILS,
    NSC_ANSWER_NO_DETAILS, /* error says why */
    NSC_ANSWER_KEPT,   /* bookmarks were read or saved; error->text says what there is to tell */
    NSC_ANSWER_CHANGED /* the file, on disk; once */
};

/* Valid until the next call of nsc_loader_next(). */
struct nsc_answer_view {
    enum nsc_answer type;
    const struct nsc_trace *trace; /* EARLY, LOADED: until nsc_loader_free() */
    struct nsc_job *job;           /* LOADED: for its reports */
    nsc_event event;               /* DETAILS, NO_DETAILS: which was asked for */
    const struct nsc_details *details;
    const struct nsc_error *error;
    struct nsc_bookmarks *bookmarks;       /* KEPT: may be taken over */
    const struct nsc_session_state *state; /* KEPT, the first one: as the view was left */
};

struct nsc_loader_options {
    const char *const *paths; /* of the exports, in order */
    uint32_t n_paths;
    struct nsc_job_options job;
    const char *bookmarks; /* the file to keep them in; NULL: that of the exports */
};

/* wake_fd gets a byte at each answer; it must not block. The options are borrowed. NULL: no thread
 * could be made. */
struct nsc_loader *nsc_loader_new(const struct nsc_loader_options *options, int wake_fd);
/* Cancels, waits for the thread and frees everything, the trace too. */
void nsc_loader_free(struct nsc_loader *loader);
void nsc_loader_cancel(struct nsc_loader *loader);
/* Of what was loaded, once that was told; "" when it could not be made out. */
const char *nsc_loader_identity(const struct nsc_loader *loader);
bool nsc_loader_busy(const struct nsc_loader *loader);
struct nsc_progress_view nsc_loader_progress(const struct nsc_loader *loader);
/* Asks for the row of an event of the trace; replaces what was asked before and not begun. */
void nsc_loader_details(struct nsc_loader *loader, nsc_event event);
/* Saves a copy of the bookmarks (taken over), in its time; the answer is KEPT. */
void nsc_loader_save(struct nsc_loader *loader, struct nsc_bookmarks *list);
/*
 * Ends the thread, then saves the bookmarks and the view (NULL: as it was) on the caller's. Only
 * details and saving end with it: the trace stays.
 */
NSC_NODISCARD enum nsc_status nsc_loader_save_last(struct nsc_loader *loader,
                                                   struct nsc_bookmarks *list,
                                                   struct nsc_session_state *state,
                                                   struct nsc_error *error);
struct nsc_answer_view nsc_loader_next(struct nsc_loader *loader);

#endif
