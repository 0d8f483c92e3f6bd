/*
 * The title line: file, window, number of events, and warnings.
 */
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/ticks.h"
#include "view/model/alignment.h"

#include <stdio.h>
#include <string.h>

enum { TITLE_BYTES = 200, FILTER_COLS = 10, TIGHT_COLS = 100 };

/* With a filter, or the iterations of two recordings, fixed words are dropped. */
static bool is_tight(const struct nsc_app *app)
{
    return (app->scene->compare.on || nsc_scene_is_filtered(app->scene)) &&
           app->scene->layout.title.cols < TIGHT_COLS;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* The file; for several, the first, the number of others, and their alignment. */
void nsc_app_title_name(struct nsc_app *app)
{
    struct nsc_buf *out = &app->title;
    uint32_t n = app->sources.n_files;

    nsc_buf_clear(out);
    if (app->compare.wanted && n == 2) {
        nsc_buf_printf(out, "A %s | B %s", base_name(app->files[0]), base_name(app->files[1]));
        return;
    }
    nsc_buf_puts(out, base_name(app->sources.file));
    if (n > 1)
        nsc_buf_printf(out, " +%u", n - 1);
    if (n < 2 || !app->scene->trace)
        return;
    nsc_buf_puts(out, " by ");
    nsc_alignment_put_word(out, app->scene->trace, app->scene->ascii);
}

enum span { SPAN_WHOLE, SPAN_TIMES, SPAN_LENGTH, SPAN_SHORT };

static void span_text(const struct nsc_app *app, char out[TITLE_BYTES], enum span span)
{
    struct nsc_window w = nsc_viewport_window(&app->scene->viewport);
    nsc_time step = nsc_ticks_build(w, 1000, 1, 0).step;
    char from[NSC_UNITS_BYTES], to[NSC_UNITS_BYTES], length[NSC_UNITS_BYTES],
        whole[NSC_UNITS_BYTES];

    nsc_units_tick(from, w.t0, step, app->scene->ascii);
    nsc_units_tick(to, w.t1, step, app->scene->ascii);
    nsc_units_duration(length, nsc_window_length(w), app->scene->ascii);
    nsc_units_duration(whole, nsc_window_length(app->scene->viewport.extent), app->scene->ascii);
    if (span == SPAN_TIMES)
        (void)snprintf(out, TITLE_BYTES, "%s … %s", from, to);
    else if (span == SPAN_LENGTH)
        (void)snprintf(out, TITLE_BYTES, "%s of %s", length, whole);
    else if (span == SPAN_SHORT)
        (void)snprintf(out, TITLE_BYTES, "%s", length);
    else
        (void)snprintf(out, TITLE_BYTES, "%s … %s · %s of %s", from, to, length, whole);
}

/* The text at the right: events, and skipped or doubtful rows. */
static void tail_text(const struct nsc_app *app, char out[TITLE_BYTES])
{
    char n[NSC_UNITS_BYTES], kept[NSC_UNITS_BYTES];

    nsc_units_count(n, nsc_trace_events(app->scene->trace)->n);
    nsc_units_count(kept, nsc_summary_count(app->scene->summary));
    if (nsc_scene_is_filtered(app->scene))
        (void)snprintf(out, TITLE_BYTES, "%s of %s%s", kept, n, is_tight(app) ? "" : " events");
    else
        (void)snprintf(out, TITLE_BYTES, "%s events", n);
}

/* Draws a mark that ends at column right. Returns the next free column. Draws nothing of "", or if it
 * would take more than half of the line. */
static int mark_draw(const struct nsc_app *app, struct nsc_grid *grid, int right,
                     enum nsc_role role, const char *text)
{
    int width = (int)nsc_text_width(nsc_text_from(text), app->scene->ascii) + 1;

    if (!text[0] || width > right / 2)
        return right;
    nsc_grid_puts(grid, 0, right - width, width - 1, role, text);
    return right - width - 1;
}

/* Draws words with the number n in the place of "%"; nothing for 0. */
static int count_draw(const struct nsc_app *app, struct nsc_grid *grid, int right,
                      enum nsc_role role, uint64_t n, const char *words)
{
    size_t before = strcspn(words, "%");
    char count[NSC_UNITS_BYTES];
    char text[TITLE_BYTES];

    nsc_units_count(count, n);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)before, words, count, words + before + 1);
    return mark_draw(app, grid, right, role, n ? text : "");
}

/* Says that answers are of the range, which need not be in the picture. */
static int range_draw(const struct nsc_app *app, struct nsc_grid *grid, int right)
{
    const char *word = app->scene->compare.on                       ? "range"
                       : app->scene->layout.title.cols < TIGHT_COLS ? "answers:"
                                                                    : "answers: range";
    char length[NSC_UNITS_BYTES];
    char text[NSC_UNITS_BYTES + 24];

    if (!app->scene->has_range)
        return right;
    nsc_units_duration(length, nsc_window_length(app->scene->range), app->scene->ascii);
    (void)snprintf(text, sizeof text, "%s %s", word, length);
    return mark_draw(app, grid, right, NSC_ROLE_WARNING, text);
}

/* Progress of the rest of the load, or of a filter or search that is being built. */
static int progress_draw(const struct nsc_app *app, struct nsc_grid *grid, int right)
{
    bool filters = nsc_app_filter_is_waiting(app);
    enum nsc_build_slot slot = filters ? NSC_BUILDS_PICK : NSC_BUILDS_HITS;
    struct nsc_progress_view progress =
        app->scene->early ? app->loading.progress : nsc_progress_view(&app->builds[slot].progress);
    const char *what = app->scene->early ? "loading the rest" : filters ? "filtering" : "searching";
    long double percent = 0;
    char text[TITLE_BYTES];

    if (!app->scene->early && !filters && !nsc_app_search_is_waiting(app))
        return right;
    if (progress.rows_total)
        percent = (long double)progress.rows * 100 / (long double)progress.rows_total;
    (void)snprintf(text, sizeof text, "● %s, %d %%", what, (int)(percent < 99 ? percent : 99));
    return mark_draw(app, grid, right, NSC_ROLE_WARNING, text);
}

/* Cells for the whole filter; 0: there is none. */
static int filter_cols(const struct nsc_app *app)
{
    if (!nsc_scene_is_filtered(app->scene) && !nsc_app_filter_is_waiting(app))
        return 0;
    return FILTER_COLS + (int)nsc_text_width(nsc_text_from(app->filter.text), app->scene->ascii);
}

static void filter_draw(const struct nsc_app *app, struct nsc_grid *grid, int col, int right)
{
    if (!filter_cols(app) || right - col < FILTER_COLS)
        return;
    col += 2;
    if (right - col > 2 * FILTER_COLS)
        col = nsc_grid_puts(grid, 0, col, right - col, NSC_ROLE_TITLE, "filter: ");
    nsc_grid_text(grid, 0, col, right - col - 1, NSC_ROLE_WARNING, nsc_text_from(app->filter.text));
}

/* Draws the number of events, unless the times need the room. */
static int tail_draw(const struct nsc_app *app, struct nsc_grid *grid, int col, int right)
{
    char text[TITLE_BYTES], times[TITLE_BYTES];
    int width = 0;

    span_text(app, times, SPAN_TIMES);
    tail_text(app, text);
    width = (int)strlen(text) + 1;
    if (app->scene->layout.title.cols < 64 ||
        col + (int)nsc_text_width(nsc_text_from(times), app->scene->ascii) + filter_cols(app) + 4 +
                width >
            right)
        return right;
    nsc_grid_puts(grid, 0, right - width, width - 1, NSC_ROLE_TITLE, text);
    return right - width;
}

/* Columns for the names from col on: half of the line; when comparing, the rest beside iterations
 * and marks. */
static int name_room(const struct nsc_app *app, int col)
{
    enum { MARKS_COLS = 8 };
    char text[TITLE_BYTES];
    int cols = app->scene->layout.title.cols, width = 0;

    nsc_app_compare_text(app, text, sizeof text);
    width = (int)nsc_text_width(nsc_text_from(text), app->scene->ascii);
    if (!text[0] || width >= cols / 2) /* there is no room for it */
        return (cols - col) / 2;
    return cols - col - width - MARKS_COLS;
}

void nsc_app_title_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->scene->layout.title;
    char text[TITLE_BYTES];
    int right = rect.cols, col = 0;

    nsc_grid_fill(grid, rect, NSC_ROLE_TITLE, " ");
    col =
        nsc_grid_puts(grid, 0, 1, rect.cols - 1, NSC_ROLE_TITLE, is_tight(app) ? "" : "nsyscope  ");
    col = nsc_grid_text(grid, 0, col, name_room(app, col), NSC_ROLE_TITLE,
                        nsc_text_of_buf(&app->title));
    if (!app->scene->trace) {
        (void)mark_draw(app, grid, right, NSC_ROLE_WARNING,
                        app->loading.failure[0]  ? ""
                        : app->loading.cancelled ? "cancelled"
                                                 : "● loading");
        return;
    }
    right = mark_draw(app, grid, right, NSC_ROLE_WARNING, app->changed ? "⚠ file changed" : "");
    right = progress_draw(app, grid, right);
    right = count_draw(app, grid, right, NSC_ROLE_TITLE, nsc_bookmarks_live(&app->bookmarks.list),
                       "⚑%");
    right =
        count_draw(app, grid, right, NSC_ROLE_WARNING, app->skipped ? app->skipped : app->doubtful,
                   app->skipped ? "⚠ % skipped" : "⚠ % doubtful");
    right = mark_draw(app, grid, right, NSC_ROLE_WARNING, app->slow_link ? "slow link" : "");
    right = range_draw(app, grid, right);
    right = count_draw(app, grid, right, NSC_ROLE_TITLE,
                       app->findings.wanted ? nsc_findings_assessed(&app->findings) : 0, "▴%");
    right = count_draw(app, grid, right, NSC_ROLE_WARNING, app->scene->lines.n_hidden,
                       app->scene->lines.n_hidden == 1 ? "% row hidden" : "% rows hidden");
    nsc_app_compare_text(app, text, sizeof text);
    right = mark_draw(app, grid, right, NSC_ROLE_WARNING, text);
    if (!app->scene->compare.on)
        right = tail_draw(app, grid, col, right);
    for (enum span span = SPAN_WHOLE; span <= SPAN_SHORT; span++) {
        span_text(app, text, span);
        if ((int)nsc_text_width(nsc_text_from(text), app->scene->ascii) + filter_cols(app) + 4 <=
            right - col)
            break;
    }
    col = nsc_grid_puts(grid, 0, col + 2, right - col - 3, NSC_ROLE_TITLE, text);
    filter_draw(app, grid, col, right);
}
