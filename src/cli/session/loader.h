/*
 * The tasks that open and load exports, save what belongs to them, and watch their files.
 */
#ifndef NSC_CLI_LOADER_H
#define NSC_CLI_LOADER_H

#include "nsyscope/job.h"

#include "analysis/ranges/iterations.h"
#include "cli/options.h"
#include "cli/session/tasks.h"
#include "open/newer_schema.h"
#include "view/model/bookmark.h"

struct nsc_store;

/* What a load gives. Zero is the initial state; the owner calls fini when no task uses it. */
struct nsc_loaded {
    struct nsc_job *job;
    struct nsc_trace *trace;
    struct nsc_trace *early; /* the first rows, shown while the rest loads; NULL: none */
    struct nsc_iterations iterations[2]; /* comparing: of each recording; else the first */
    char identity[NSC_IDENTITY_BYTES];   /* "" if it could not be computed */
    struct nsc_store *store;             /* NULL if bookmarks cannot be saved */
    struct nsc_bookmarks bookmarks;      /* what was saved */
    struct nsc_session_state state;      /* the view saved at the last exit */
    char newer[NSC_NEWER_BYTES];         /* of nsc_newer_schema */
    struct nsc_error kept;               /* of reading these; its text has a message */
};
void nsc_loaded_fini(struct nsc_loaded *loaded);

/* A part is told when the early rows, the store and what it holds are there: all but trace and
 * iterations. */
struct nsc_load_task {
    struct nsc_task task;
    const struct nsc_options *options; /* borrowed */
    struct nsc_job_options job;
    struct nsc_loaded *loaded; /* borrowed */
    void *context;             /* for tell */
};

void nsc_load_begin(struct nsc_tasks *tasks, const struct nsc_options *options,
                    const struct nsc_job_options *job, struct nsc_loaded *out,
                    bool (*tell)(struct nsc_task *, enum nsc_tell, struct nsc_input *),
                    void *context);

/* Saves bookmarks and view in the store, which no other task uses meanwhile. */
struct nsc_save_task {
    struct nsc_task task;
    struct nsc_store *store;
    bool has_list, has_view;
    struct nsc_bookmarks list; /* then the merged one */
    struct nsc_session_state view;
    void *context; /* for tell */
};
/* Takes list and view over; NULL: not saved. */
void nsc_save_begin(struct nsc_tasks *tasks, struct nsc_store *store, struct nsc_bookmarks *list,
                    struct nsc_session_state *view,
                    bool (*tell)(struct nsc_task *, enum nsc_tell, struct nsc_input *),
                    void *context);

/* Checks the files of the job until one has changed, and tells NSC_INPUT_CHANGED. */
void nsc_watch_begin(struct nsc_tasks *tasks, const struct nsc_job *job);

#endif
