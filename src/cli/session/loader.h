/*
 * The thread that opens, loads and watches exports, fetches details, and saves bookmarks, without
 * blocking the screen.
 *
 * Only that thread uses the exports; other threads may read their table statuses, which stay
 * constant after the load. The caller polls for answers when the wake descriptor is readable. The
 * loader owns all answers.
 */
#ifndef NSC_CLI_LOADER_H
#define NSC_CLI_LOADER_H

#include "nsyscope/job.h"

#include "view/model/bookmark.h"

#include <stdbool.h>

struct nsc_loader;

enum nsc_answer {
    NSC_ANSWER_NONE,
    NSC_ANSWER_EARLY, /* the first rows, while the rest loads; always before LOADED; optional */
    NSC_ANSWER_LOADED,
    NSC_ANSWER_FAILED, /* the load failed */
    NSC_ANSWER_DETAILS,
    NSC_ANSWER_NO_DETAILS, /* error has the reason */
    NSC_ANSWER_KEPT,       /* bookmarks were read or saved; error->text has a message */
    NSC_ANSWER_CHANGED     /* the file on disk has changed; sent once */
};

/* Valid until the next call of nsc_loader_next(). */
struct nsc_answer_view {
    enum nsc_answer type;
    const struct nsc_trace *trace;     /* EARLY, LOADED: until nsc_loader_free() */
    struct nsc_iterations *iterations; /* LOADED: the receiver may take them; comparing: of two */
    struct nsc_job *job; /* LOADED: for its table statuses; EARLY: to compare its files */
    nsc_event event;     /* DETAILS, NO_DETAILS: event of the request */
    nsc_event waited;    /* DETAILS: the op it waited for; NSC_NONE: not known */
    const struct nsc_details *details;
    const struct nsc_error *error;
    struct nsc_bookmarks *bookmarks; /* KEPT: the receiver may take them */
    const struct nsc_session_state
        *state; /* KEPT, the first one: the view saved at the last exit */
};

struct nsc_loader_options {
    const char *const *paths; /* paths of the exports, in order */
    uint32_t n_paths;
    struct nsc_job_options job;
    const char *bookmarks; /* file for the bookmarks; NULL: that of the exports */
    bool compares;         /* two recordings, whose iterations are found apart */
};

/* wake_fd gets a byte for each answer and must be non-blocking. Borrows the options. NULL: no
 * thread could be started. */
struct nsc_loader *nsc_loader_new(const struct nsc_loader_options *options, int wake_fd);
/* Cancels, waits for the thread, and frees everything including the trace. */
void nsc_loader_free(struct nsc_loader *loader);
void nsc_loader_cancel(struct nsc_loader *loader);
/* The identity of the loaded exports; "" if it could not be computed. Valid after LOADED. */
const char *nsc_loader_identity(const struct nsc_loader *loader);
bool nsc_loader_is_busy(const struct nsc_loader *loader);
struct nsc_progress_view nsc_loader_progress(const struct nsc_loader *loader);
/* Requests the row of an event; replaces an earlier request that has not started. */
void nsc_loader_details(struct nsc_loader *loader, nsc_event event);
/* Saves the bookmarks (takes ownership) in the background; KEPT is the answer. */
void nsc_loader_save(struct nsc_loader *loader, struct nsc_bookmarks *list);
/* Saves the view (takes ownership) in the background, without an answer. */
void nsc_loader_save_view(struct nsc_loader *loader, struct nsc_session_state *view);
/* Ends the thread, and thereby details and saving; the trace stays. False if the thread has not
 * ended after ms, because a disk does not respond: then nsc_loader_free would wait for it. */
bool nsc_loader_stop(struct nsc_loader *loader, int ms);
/* The same, after saving bookmarks and view (NULL: unchanged), which it takes over. If the thread
 * waits for the export, saves on the caller's thread. Waits at most 10 s for the bookmarks' disk.
 * If there is no place to save them, returns no error: the first save reported it. */
NSC_NODISCARD enum nsc_status nsc_loader_save_last(struct nsc_loader *loader,
                                                   struct nsc_bookmarks *list,
                                                   struct nsc_session_state *view,
                                                   struct nsc_error *error);
struct nsc_answer_view nsc_loader_next(struct nsc_loader *loader);

#endif
