/*
 * Finds windows by name: an NVTX range, the GPU work launched inside it, a bookmark.
 */
#include "cli/scope_window.h"

#include "analysis/ranges/launches.h"
#include "cli/session/store.h"
#include "core/sum.h"
#include "core/units.h"
#include "nsys/jobs/job_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Intersects with the window of --trim. Fails if the result is empty. */
static enum nsc_status narrow(struct nsc_loaded_scope *loaded, struct nsc_window to,
                              const char *what, struct nsc_error *error)
{
    struct nsc_window *w = &loaded->scope.window;

    if (to.t0 >= to.t1)
        return nsc_fail(error, NSC_ENODATA, "%s: lasts 0 ns, so there is nothing to measure in it",
                        what);
    if (!loaded->scope.has_window) {
        *w = to;
        loaded->scope.has_window = true;
        return NSC_OK;
    }
    *w = nsc_window_meet(*w, to);
    if (w->t0 >= w->t1)
        return nsc_fail(error, NSC_ENODATA, "%s: lies outside of --trim", what);
    return NSC_OK;
}

/* ---- --range ---- */

static enum nsc_status fail_unknown(const struct nsc_loaded_scope *loaded, const char *option,
                                    const char *given, const struct nsc_range_name *name,
                                    struct nsc_error *error)
{
    char near[NSC_NEAREST_WORDS];

    return nsc_fail(error, NSC_EINVAL, "--%s %.60s: no NVTX range has that name%s", option, given,
                    nsc_named_ranges_nearest(near, loaded->trace, name->name));
}

/* From the first start to the last end of the work launched inside the range; figures.ops: number
 * of ops. */
static enum nsc_status find_launched(struct nsc_window *out, struct nsc_gpu_figures *figures,
                                     const struct nsc_trace *trace, nsc_event range,
                                     struct nsc_error *error)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_launches *launches = nsc_launches_build(trace, NULL, NULL);

    if (!launches)
        return nsc_fail(error, NSC_ENOMEM, "no memory for the launches");
    *figures = nsc_launches_measure(launches, nsc_launches_inside(launches, range));
    nsc_launches_free(launches);
    if (figures->ops > 0)
        *out = (struct nsc_window){events->start[figures->first],
                                   nsc_event_end(events, figures->last)};
    return NSC_OK;
}

static enum nsc_status project(struct nsc_window *out, const struct nsc_loaded_scope *loaded,
                               nsc_event range, const char *given, struct nsc_error *error)
{
    struct nsc_gpu_figures figures = {0};
    enum nsc_status status = find_launched(out, &figures, loaded->trace, range, error);

    if (status == NSC_OK && figures.ops == 0)
        return nsc_fail(error, NSC_ENODATA, "--range %.60s: launched no GPU work to project",
                        given);
    return status;
}

/* If no GPU works during the range, notes whether the host launched work in it, and when that work
 * runs. */
static enum nsc_status note_later_work(struct nsc_loaded_scope *loaded, nsc_event range,
                                       struct nsc_error *error)
{
    struct nsc_gpu_figures figures = {0};
    struct nsc_window window = {0};
    enum nsc_status status = find_launched(&window, &figures, loaded->trace, range, error);
    char text[NSC_UNITS_SPAN_BYTES];

    if (status != NSC_OK || figures.ops == 0)
        return status;
    nsc_loaded_scope_note(
        loaded,
        "no GPU works in the time of the range, but the host launches work in it: %llu "
        "ops, which run from %s; --projected selects that time",
        (unsigned long long)figures.ops, nsc_units_span(text, window));
    return NSC_OK;
}

static enum nsc_status take_range(struct nsc_loaded_scope *loaded, nsc_event range,
                                  struct nsc_error *error)
{
    const struct nsc_events *events = nsc_trace_events(loaded->trace);
    const char *given = loaded->options->arg[NSC_OPTION_RANGE_NAME][0];
    bool is_projected = loaded->options->set[NSC_OPTION_PROJECTED];
    struct nsc_window window = {events->start[range], nsc_event_end(events, range)};
    enum nsc_status status = NSC_OK;
    char what[80];

    if (is_projected)
        status = project(&window, loaded, range, given, error);
    (void)snprintf(what, sizeof what, "--range %.60s", given);
    if (status == NSC_OK)
        status = narrow(loaded, window, what, error);
    if (status != NSC_OK)
        return status;
    if (is_projected)
        nsc_loaded_scope_note(loaded, "window: the GPU work launched inside NVTX range %s", given);
    else
        nsc_loaded_scope_note(
            loaded,
            "window: the time of NVTX range %s on its thread; GPU work launched inside "
            "may run later: --projected takes its time instead",
            given);
    if (!is_projected && !nsc_scope_has_kinds(&loaded->scope, NSC_KIND_KERNEL, NSC_KIND_MEMSET))
        status = note_later_work(loaded, range, error);
    return status;
}

enum nsc_status nsc_loaded_scope_ranges(struct nsc_named_ranges *out, struct nsc_range_name *name,
                                        const struct nsc_loaded_scope *loaded,
                                        enum nsc_option option, struct nsc_error *error)
{
    const char *given = loaded->options->arg[option][0];

    *name = nsc_range_name_parse(loaded->trace, nsc_text_from(given));
    nsc_named_ranges_find(out, loaded->trace, name);
    if (out->n == 0)
        return fail_unknown(loaded, nsc_option_rows[option].name, given, name, error);
    return NSC_OK;
}

static enum nsc_status find_range(struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    const char *given = loaded->options->arg[NSC_OPTION_RANGE_NAME][0];
    struct nsc_range_name name;
    struct nsc_named_ranges ranges;
    enum nsc_status status =
        nsc_loaded_scope_ranges(&ranges, &name, loaded, NSC_OPTION_RANGE_NAME, error);

    if (status == NSC_OK && name.index >= ranges.n)
        status = nsc_fail(error, NSC_EINVAL,
                          "--range %.60s: there are %" PRIu32 " of that name, from /0 to /%" PRIu32,
                          given, ranges.n, ranges.n - 1);
    else if (status == NSC_OK)
        status = take_range(loaded, ranges.event[name.index], error);
    if (status == NSC_OK && !name.has_index && ranges.n > 1)
        nsc_loaded_scope_note(loaded,
                              "the first of %" PRIu32 " ranges of that name: %s/1 is the next",
                              ranges.n, given);
    nsc_named_ranges_fini(&ranges);
    return status;
}

/* ---- --bookmark ---- */

static const struct nsc_bookmark *find_bookmark(const struct nsc_bookmarks *list, const char *given,
                                                struct nsc_nearest *nearest)
{
    size_t n = nsc_bookmarks_live(list);
    uint64_t id = 0;
    size_t at = nsc_bookmark_parse_id(&id, nsc_text_from(given)) ? nsc_bookmarks_find(list, id) : n;

    if (at < n)
        return &list->at[at];
    for (size_t i = 0; i < n; i++) {
        const char *name = nsc_bookmark_text(&list->at[i], NSC_BOOKMARK_NAME);

        if (strcmp(name, given) == 0)
            return &list->at[i];
        nsc_nearest_add(nearest, nsc_text_from(name));
    }
    return NULL;
}

static enum nsc_status take_bookmark(struct nsc_loaded_scope *loaded,
                                     const struct nsc_bookmarks *list, struct nsc_error *error)
{
    const char *given = loaded->options->arg[NSC_OPTION_BOOKMARK][0];
    struct nsc_nearest nearest;
    const struct nsc_bookmark *bookmark;
    char text[NSC_NEAREST_WORDS];
    enum nsc_status status;

    nsc_nearest_init(&nearest, nsc_text_from(given));
    bookmark = find_bookmark(list, given, &nearest);
    if (!bookmark)
        return nsc_fail(error, NSC_EINVAL, "--bookmark %.60s: no bookmark of this export%s", given,
                        nsc_nearest_words(text, &nearest));
    if (!bookmark->has_range && !bookmark->has_zoom)
        return nsc_fail(error, NSC_EINVAL, "--bookmark %.60s: marks a moment, not a range", given);
    (void)snprintf(text, sizeof text, "--bookmark %.60s", given);
    status = narrow(loaded, bookmark->has_range ? bookmark->range : bookmark->zoom, text, error);
    if (status == NSC_OK)
        nsc_loaded_scope_note(loaded, "window: %s bookmark %s",
                              bookmark->has_range ? "the range of" : "what the screen showed at",
                              given);
    return status;
}

enum nsc_status nsc_bookmarks_load(struct nsc_bookmarks *list, const char *identity,
                                   const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_store *store = NULL;
    enum nsc_status status =
        nsc_store_open(&store, identity, options->arg[NSC_OPTION_BOOKMARKS][0], error);

    if (status == NSC_OK)
        status = nsc_store_load(store, list, NULL, error);
    nsc_store_close(store);
    return status;
}

/* Moves a bookmark of one export to the axis and the rows of the job. Returns false if its times
 * overflow. */
static bool bookmark_move(struct nsc_bookmark *bookmark, nsc_time offset, uint32_t capture_no)
{
    bool overflows = __builtin_add_overflow(bookmark->time, offset, &bookmark->time);

    overflows |= __builtin_add_overflow(bookmark->range.t0, offset, &bookmark->range.t0);
    overflows |= __builtin_add_overflow(bookmark->range.t1, offset, &bookmark->range.t1);
    overflows |= __builtin_add_overflow(bookmark->zoom.t0, offset, &bookmark->zoom.t0);
    overflows |= __builtin_add_overflow(bookmark->zoom.t1, offset, &bookmark->zoom.t1);
    bookmark->track.process |= (uint64_t)capture_no << NSC_PROCESS_BITS;
    bookmark->has_event =
        bookmark->has_event && capture_no == 0; /* row ids do not name an export */
    return !overflows;
}

/* Adds the own bookmarks of each export of a job. Returns whether at least one list was readable. */
static bool add_own_bookmarks(struct nsc_bookmarks *list, const struct nsc_loaded_scope *loaded)
{
    bool is_any = false;

    for (uint32_t i = 0; i < nsc_job_count(loaded->job); i++) {
        struct nsc_bookmarks own = {0};
        struct nsc_error ignored = {0};
        char identity[NSC_IDENTITY_BYTES];
        nsc_time offset = nsc_job_offset(loaded->job, i);

        if (nsc_capture_identity(identity, nsc_job_capture(loaded->job, i), &ignored) == NSC_OK &&
            nsc_bookmarks_load(&own, identity, loaded->options, &ignored) == NSC_OK) {
            is_any = true;
            for (size_t k = nsc_bookmarks_live(&own); k-- > 0;)
                if (!bookmark_move(&own.at[k], offset, i))
                    nsc_bookmarks_remove(&own, k);
            nsc_bookmarks_merge(list, &own);
        }
        nsc_bookmarks_fini(&own);
    }
    return is_any;
}

enum nsc_status nsc_loaded_scope_bookmarks(struct nsc_bookmarks *list,
                                           char identity[NSC_IDENTITY_BYTES],
                                           const struct nsc_loaded_scope *loaded,
                                           struct nsc_error *error)
{
    enum nsc_status status = nsc_job_identity(identity, loaded->job, error);

    if (status != NSC_OK)
        return status;
    status = nsc_bookmarks_load(list, identity, loaded->options, error);
    if (nsc_job_count(loaded->job) > 1 && add_own_bookmarks(list, loaded)) {
        *error = (struct nsc_error){0}; /* the lists of the exports do */
        return NSC_OK;
    }
    return status;
}

static enum nsc_status read_bookmarks(struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    struct nsc_bookmarks list = {0};
    char identity[NSC_IDENTITY_BYTES];
    enum nsc_status status = nsc_loaded_scope_bookmarks(&list, identity, loaded, error);

    if (status == NSC_OK)
        status = take_bookmark(loaded, &list, error);
    nsc_bookmarks_fini(&list);
    return status;
}

enum nsc_status nsc_loaded_scope_window(struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    if (loaded->options->set[NSC_OPTION_RANGE_NAME])
        return find_range(loaded, error);
    if (loaded->options->set[NSC_OPTION_BOOKMARK])
        return read_bookmarks(loaded, error);
    return NSC_OK;
}
