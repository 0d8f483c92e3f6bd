/* The screen before a trace is loaded: progress and remaining time, or the reason for a failure. */
#include "core/units.h"
#include "view/app/state.h"

#include <stdio.h>
#include <string.h>

enum { BAR_MAX_COLS = 60, TEXT_BYTES = 200, MS = 1000 };

static const char *phase_text(enum nsc_phase phase)
{
    switch (phase) {
    case NSC_PHASE_OPEN:
        return "Opening the export";
    case NSC_PHASE_NAMES:
        return "Reading names";
    case NSC_PHASE_ROWS:
        return "Reading events";
    case NSC_PHASE_INDEX:
        return "Sorting and indexing";
    case NSC_PHASE_DONE:
        break;
    }
    return "Done";
}

/* "1 234 567 of 9 876 543 rows · 4 100 000 rows/s · 1.5 s to go" */
static void rows_text(const struct nsc_loading *loading, char out[TEXT_BYTES], bool ascii)
{
    const struct nsc_progress_view *progress = &loading->progress;
    uint64_t ms = loading->now > loading->since ? loading->now - loading->since : 0;
    uint64_t rate = ms ? (uint64_t)((long double)progress->rows * MS / (long double)ms) : 0;
    char rows[NSC_UNITS_BYTES], total[NSC_UNITS_BYTES], a_second[NSC_UNITS_BYTES],
        left[NSC_UNITS_BYTES];

    nsc_units_count(rows, progress->rows);
    nsc_units_count(a_second, rate);
    if (!progress->rows_total || !rate || progress->rows > progress->rows_total) {
        (void)snprintf(out, TEXT_BYTES, "%s rows · %s rows/s", rows, a_second);
        return;
    }
    nsc_units_duration(
        left,
        (nsc_time)((long double)(progress->rows_total - progress->rows) * 1e9L / (long double)rate),
        ascii);
    (void)snprintf(out, TEXT_BYTES, "%s of %s rows · %s rows/s · about %s to go", rows,
                   nsc_units_count(total, progress->rows_total), a_second, left);
}

static void failure_draw(const struct nsc_app *app, struct nsc_grid *grid, int row, int left,
                         int width)
{
    nsc_grid_puts(grid, row, left, width, NSC_ROLE_ERROR, "The export could not be opened:");
    nsc_grid_puts(grid, row + 1, left, width, NSC_ROLE_TEXT, app->loading.failure);
    nsc_grid_puts(grid, row + 3, left, width, NSC_ROLE_DIM, "q leaves");
}

/* "2 of 4  rank1.sqlite", while exports are read one by one. */
static void export_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_progress_view *progress = &app->loading.progress;
    const char *slash = NULL;
    char text[TEXT_BYTES];
    int col = rect.col;

    if (app->sources.n_files < 2 || progress->capture_no >= app->sources.n_files ||
        progress->phase >= NSC_PHASE_INDEX)
        return;
    slash = strrchr(app->files[progress->capture_no], '/');
    (void)snprintf(text, sizeof text, "%u of %u  ", progress->capture_no + 1, app->sources.n_files);
    col = nsc_grid_puts(grid, rect.row, col, rect.cols, NSC_ROLE_DIM, text);
    nsc_grid_puts(grid, rect.row, col, rect.col + rect.cols - col, NSC_ROLE_TEXT,
                  slash ? slash + 1 : app->files[progress->capture_no]);
}

void nsc_app_loading_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    const struct nsc_loading *loading = &app->loading;
    int width = (int)app->scene->cols - 4;
    int bar = width < BAR_MAX_COLS ? width : BAR_MAX_COLS;
    int left = ((int)app->scene->cols - bar) / 2;
    int row = (int)app->scene->rows / 2 - 2;
    int col = 0;
    char text[TEXT_BYTES];

    if (loading->failure[0]) {
        failure_draw(app, grid, row, 2, width);
        return;
    }
    col = nsc_grid_puts(grid, row, left, bar, NSC_ROLE_TEXT,
                        loading->cancelled ? "Stopping" : phase_text(loading->progress.phase));
    if (!loading->cancelled)
        export_draw(app, grid, (struct nsc_rect){row, col + 2, 1, (int)app->scene->cols - col - 3});
    nsc_grid_fill(grid, (struct nsc_rect){row + 1, left, 1, bar}, NSC_ROLE_DIM, "░");
    nsc_grid_share(grid, (struct nsc_rect){row + 1, left, 1, bar}, NSC_ROLE_OVERVIEW_WINDOW, 0,
                   (int64_t)loading->progress.rows, (int64_t)loading->progress.rows_total);
    rows_text(loading, text, app->scene->ascii);
    nsc_grid_puts(grid, row + 2, left, (int)app->scene->cols - left - 1, NSC_ROLE_DIM, text);
    nsc_grid_puts(grid, row + 4, left, bar, NSC_ROLE_DIM, "Esc cancels");
}
