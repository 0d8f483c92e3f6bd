/* Finds the window in a question's words, and describes it. */
#include "cli/ask_scope.h"

#include "analysis/ranges/iterations.h"
#include "analysis/select/filter.h"
#include "core/sum.h"
#include "core/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An instant means its iteration, or one of so many equal parts of the recording. */
enum { PARTS = 100 };

static struct nsc_window around(const struct nsc_scope *scope, nsc_time t)
{
    nsc_time half = (scope->window.t1 - scope->window.t0) / (2 * PARTS);

    return (struct nsc_window){nsc_later(scope->window.t0, t - half),
                               nsc_earlier(scope->window.t1, t + half + 1)};
}

/* The iteration that contains t, or a part of the recording. */
static void take_moment(struct nsc_ask_scope *out, struct nsc_window *w,
                        const struct nsc_scope *scope, nsc_time t)
{
    struct nsc_iterations iterations;
    uint32_t i = NSC_NONE;
    char at[NSC_UNITS_BYTES];

    nsc_units_instant(at, t);
    if (nsc_iterations_find(&iterations, scope->trace))
        i = nsc_iterations_at(&iterations, t);
    if (i != NSC_NONE && t < iterations.at[i].window.t1) {
        *w = iterations.at[i].window;
        (void)snprintf(out->words, sizeof out->words, "In iteration %" PRIu32 ", which holds %s", i,
                       at);
    } else {
        *w = around(scope, t);
        (void)snprintf(out->words, sizeof out->words, "In the hundredth of the recording around %s",
                       at);
    }
    nsc_iterations_fini(&iterations);
}

static void take_steps(struct nsc_ask_scope *out, struct nsc_window *w,
                       const struct nsc_scope *scope, struct nsc_narrowing *of)
{
    struct nsc_iterations iterations;
    bool is_found = nsc_iterations_find(&iterations, scope->trace);
    int64_t n = is_found ? iterations.n : 0;

    of->step = of->step < 0 ? nsc_later(0, n + of->step) : of->step;
    of->last_step = of->last_step < 0 ? n + of->last_step : of->last_step;
    if (!is_found)
        (void)snprintf(out->why, sizeof out->why, "No iterations were found: %s",
                       iterations.why ? iterations.why : "");
    else if (of->step >= n || of->last_step >= n)
        (void)snprintf(out->why, sizeof out->why,
                       "There are %" PRId64 " iterations, from 0 to %" PRId64 ".", n, n - 1);
    else if (of->step == of->last_step)
        (void)snprintf(out->words, sizeof out->words, "In iteration %" PRId64, of->step);
    else
        (void)snprintf(out->words, sizeof out->words, "In iterations %" PRId64 " to %" PRId64,
                       of->step, of->last_step);
    if (!out->why[0])
        *w = (struct nsc_window){iterations.at[of->step].window.t0,
                                 iterations.at[of->last_step].window.t1};
    nsc_iterations_fini(&iterations);
}

static void take_time(struct nsc_ask_scope *out, struct nsc_window *w,
                      const struct nsc_scope *scope, const struct nsc_narrowing *of)
{
    char from[NSC_UNITS_BYTES];
    char to[NSC_UNITS_BYTES];

    *w = scope->window;
    if (of->time == NSC_NARROW_FIRST || of->time == NSC_NARROW_LAST) {
        if (of->t0 < w->t1 - w->t0 && of->time == NSC_NARROW_FIRST)
            w->t1 = w->t0 + of->t0;
        else if (of->t0 < w->t1 - w->t0)
            w->t0 = w->t1 - of->t0;
        (void)snprintf(out->words, sizeof out->words, "In the %s %s of the recording",
                       of->time == NSC_NARROW_FIRST ? "first" : "last",
                       nsc_units_duration(from, of->t0, true));
        return;
    }
    *w = nsc_window_meet(*w, (struct nsc_window){of->t0, of->t1});
    (void)snprintf(out->words, sizeof out->words, "Between %s and %s",
                   nsc_units_instant(from, w->t0), nsc_units_instant(to, w->t1));
}

/* States the times of the recording, and the given times relative to its start if they are inside
 * it. */
static void explain_outside(struct nsc_ask_scope *out, const struct nsc_scope *scope,
                            const struct nsc_narrowing *of)
{
    nsc_time length = scope->window.t1 - scope->window.t0;
    char text[NSC_UNITS_SPAN_BYTES];
    int n =
        snprintf(out->why, sizeof out->why, "Nothing is recorded then: the recording goes from %s.",
                 nsc_units_span(text, scope->window));

    if (of->t0 >= 0 && of->t0 < length)
        (void)snprintf(out->why + n, sizeof out->why - (size_t)n,
                       " Counted from its start, your time begins at %s.",
                       nsc_units_instant(text, scope->window.t0 + of->t0));
}

bool nsc_ask_narrow_time(struct nsc_ask_scope *out, struct nsc_loaded_scope *loaded,
                         struct nsc_narrowing *narrowing)
{
    struct nsc_scope *scope = &loaded->scope;
    struct nsc_window w = scope->window;

    *out = (struct nsc_ask_scope){0};
    if (narrowing->time == NSC_NARROW_AT && (narrowing->t0 < w.t0 || narrowing->t0 >= w.t1)) {
        explain_outside(out, scope, narrowing);
    } else if (narrowing->time == NSC_NARROW_AT) {
        take_moment(out, &w, scope, narrowing->t0);
    } else if (narrowing->time != NSC_NARROW_ALL) {
        take_time(out, &w, scope, narrowing);
        if (w.t0 >= w.t1)
            explain_outside(out, scope, narrowing);
    } else if (narrowing->has_steps) {
        take_steps(out, &w, scope, narrowing);
    } else {
        return true;
    }
    w = nsc_window_meet(w, scope->window);
    if (!out->why[0] && w.t0 >= w.t1)
        (void)snprintf(out->why, sizeof out->why, "That lies outside of the window asked for.");
    if (out->why[0])
        return false;
    scope->window = w;
    scope->has_window = true;
    (void)snprintf(out->options, sizeof out->options, " --trim %" PRId64 "ns %" PRId64 "ns", w.t0,
                   w.t1);
    return true;
}

/* Whether questions of this category can be answered from the work on one stream. */
static bool is_of_streams(const char *category)
{
    static const char *const of[] = {"kernels", "device",  "communication", "memory",
                                     "streams", "utility", "nvtx"};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(category, of[i]) == 0)
            return true;
    return false;
}

static enum nsc_status keep(struct nsc_loaded_scope *loaded, const char *line,
                            struct nsc_error *error)
{
    struct nsc_filter *filter = NULL;
    enum nsc_status status = nsc_filter_parse(&filter, nsc_text_from(line), error);

    if (status == NSC_OK)
        status = nsc_loaded_scope_narrow(loaded, filter, error);
    nsc_filter_free(filter);
    return status;
}

/* Whether a GPU has a stream with that number. */
static bool has_stream(const struct nsc_trace *trace, int64_t stream)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_STREAM && tracks[t].stream == stream)
            return true;
    return false;
}

enum nsc_status nsc_ask_narrow_stream(struct nsc_ask_scope *out, struct nsc_loaded_scope *loaded,
                                      const struct nsc_narrowing *narrowing, const char *category,
                                      struct nsc_error *error)
{
    char line[NSC_UNITS_BYTES];
    size_t words = strlen(out->words);
    size_t options = strlen(out->options);

    if (narrowing->stream < 0)
        return NSC_OK;
    if (!has_stream(loaded->trace, narrowing->stream)) {
        (void)snprintf(out->why, sizeof out->why, "No work on a stream %" PRId64 " is recorded.",
                       narrowing->stream);
        return NSC_OK;
    }
    if (!is_of_streams(category)) {
        (void)snprintf(out->words + words, sizeof out->words - words, "%s all streams",
                       words ? ", on" : "On");
        return NSC_OK;
    }
    (void)snprintf(line, sizeof line, "stream:%" PRId64, narrowing->stream);
    (void)snprintf(out->words + words, sizeof out->words - words, "%s stream %" PRId64,
                   words ? ", on" : "On", narrowing->stream);
    (void)snprintf(out->options + options, sizeof out->options - options, " --filter %s", line);
    return keep(loaded, line, error);
}

enum nsc_status nsc_ask_narrow_length(struct nsc_ask_scope *out, struct nsc_loaded_scope *loaded,
                                      const struct nsc_narrowing *narrowing,
                                      struct nsc_error *error)
{
    size_t words = strlen(out->words);
    size_t options = strlen(out->options);
    char line[NSC_UNITS_BYTES];
    char length[NSC_UNITS_BYTES];

    if (!narrowing->has_length)
        return NSC_OK;
    if (!strstr(narrowing->rest, "kernel")) {
        (void)snprintf(out->why, sizeof out->why, "Lengths narrow only questions about kernels.");
        return NSC_OK;
    }
    (void)snprintf(line, sizeof line, "kind:kernel dur%c%" PRId64 "ns",
                   narrowing->is_longer ? '>' : '<', narrowing->length);
    nsc_units_duration(length, narrowing->length, true);
    (void)snprintf(out->words + words, sizeof out->words - words, "%s kernels %s than %s",
                   words ? ", of" : "Of", narrowing->is_longer ? "longer" : "shorter", length);
    (void)snprintf(out->options + options, sizeof out->options - options, " --filter '%s'", line);
    return keep(loaded, line, error);
}
