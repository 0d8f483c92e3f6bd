/*
 * What the screen asks for that takes a while and only reads: writing an export, looking for
 * findings. Each on a thread of its own, with its progress.
 *
 * The caller polls on its own thread: the wake descriptor gets a byte at each end.
 */
#ifndef NSC_CLI_BACKGROUND_H
#define NSC_CLI_BACKGROUND_H

#include "nsyscope/open.h"

#include "view/app/app.h"

struct nsc_background;

/* wake_fd must not block. */
struct nsc_background *nsc_background_new(int wake_fd);
/* Cancels what runs and waits for it. NULL is fine. */
void nsc_background_free(struct nsc_background *background);
bool nsc_background_busy(const struct nsc_background *background);

/* Begins an export; what is asked for is copied, the trace outlives it. While one runs nothing
 * happens. */
void nsc_background_export(struct nsc_background *background, const struct nsc_trace *trace,
                           const struct nsc_export_request *request);
void nsc_background_cancel_export(struct nsc_background *background);

/* All borrowed until nsc_background_free(). */
struct nsc_find_request {
    const char *path; /* of the export that the trace is from; NULL: it is from several */
    const struct nsc_open_options *open;
    bool ascii; /* as for nsc_findings */
};
/* Looks for findings in the whole trace, and in the export's columns where path is given: read
 * through a connection of its own. While it looks nothing happens. */
void nsc_background_find(struct nsc_background *background, const struct nsc_trace *trace,
                         const struct nsc_find_request *request);

/*
 * The same at once, on the caller's thread; false when progress (may be NULL) was cancelled. capture_no
 * NULL: there are no columns beside the trace. Of several exports at once there are none: a finding
 * that is not assessable says so, as it does of columns that could not be read.
 */
struct nsc_findings;
struct nsc_progress;
bool nsc_findings_of_trace(struct nsc_findings *out, const struct nsc_trace *trace,
                           struct nsc_capture *capture, struct nsc_progress *progress);

/* Runs what NSC_EFFECT_BUILD asks for. */
void nsc_background_build(struct nsc_background *background, struct nsc_app *app);
/* What has ended, else with progress how far things are, as an input; false when there is nothing
 * to tell. What the input points to holds until the next call. */
bool nsc_background_next(struct nsc_background *background, bool progress, struct nsc_input *out);

#endif
