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
    NSC_ANSWER_EARLY, /* the first rows, while the rest loads; before LOADED, or never */
    NSC_ANSWER_LOADED,
    NSC_ANSWER_FAILED, /* the load */
    NSC_ANSWER_DETAILS,
    NSC_ANSWER_NO_DETAILS, /* error says why */
    NSC_ANSWER_KEPT,       /* bookmarks were read or saved; error->text holds a message */
    NSC_ANSWER_CHANGED     /* the file on disk has changed; sent once */
};

/* Valid until the next call of nsc_loader_next(). */
struct nsc_answer_view {
    enum nsc_answer type;
    const struct nsc_trace *trace; /* EARLY, LOADED: until nsc_loader_free() */
    struct nsc_job *job;           /* LOADED: for its table statuses; EARLY: to compare its files */
    nsc_event event;               /* DETAILS, NO_DETAILS: the event asked for */
    const struct nsc_details *details;
    const struct nsc_error *error;
    struct nsc_bookmarks *bookmarks; /* KEPT: the receiver may take them */
    const struct nsc_session_state
        *state; /* KEPT, the first one: the view when the export was last left */
};

struct nsc_loader_options {
    const char *const *paths; /* paths of the exports, in order */
    uint32_t n_paths;
    struct nsc_job_options job;
    const char *bookmarks; /* file for the bookmarks; NULL: the one of the exports */
};

/* wake_fd gets a byte at each answer and must be non-blocking. Borrows the options. NULL: no
 * thread could be started. */
struct nsc_loader *nsc_loader_new(const struct nsc_loader_options *options, int wake_fd);
/* Cancels, waits for the thread, and frees everything with the trace. */
void nsc_loader_free(struct nsc_loader *loader);
void nsc_loader_cancel(struct nsc_loader *loader);
/* The identity of the loaded exports; "" when it could not be computed. Valid after LOADED. */
const char *nsc_loader_identity(const struct nsc_loader *loader);
bool nsc_loader_is_busy(const struct nsc_loader *loader);
struct nsc_progress_view nsc_loader_progress(const struct nsc_loader *loader);
/* Asks for the row of an event; replaces an earlier request that has not started. */
void nsc_loader_details(struct nsc_loader *loader, nsc_event event);
/* Saves the bookmarks (takes ownership) in the background; KEPT is the answer. */
void nsc_loader_save(struct nsc_loader *loader, struct nsc_bookmarks *list);
/*
 * Ends the thread, then saves the bookmarks and the view (NULL: unchanged) on the caller's thread.
 * The trace stays; details and saving end.
 */
NSC_NODISCARD enum nsc_status nsc_loader_save_last(struct nsc_loader *loader,
                                                   struct nsc_bookmarks *list,
                                                   struct nsc_session_state *state,
                                                   struct nsc_error *error);
struct nsc_answer_view nsc_loader_next(struct nsc_loader *loader);

#endif
