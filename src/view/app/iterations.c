/*
 * Iterations as the application sees them: which there are, where the cursor is among them, and
 * going from one to the next.
 */
#include "view/app/state.h"
#include "view/scene/move.h"

#include <stdio.h>

bool nsc_app_set_iterations(struct nsc_app *app, struct nsc_text name)
{
    struct nsc_iterations found;
    bool any = name.n ? nsc_iterations_named(&found, app->scene->trace, name)
                      : nsc_iterations_detect(&found, app->scene->trace);

    if (!any)
        return false;
    nsc_iterations_fini(&app->explore.iterations);
    app->explore.iterations = found;
    nsc_app_relayout(app);
    return true;
}

uint32_t nsc_app_iteration(const struct nsc_app *app)
{
    return nsc_iterations_at(&app->explore.iterations, app->scene->trace, app->scene->cursor);
}

void nsc_app_iteration_number(const struct nsc_app *app, uint32_t i, char out[NSC_UNITS_BYTES])
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text =
        nsc_trace_event_text(app->scene->trace, app->explore.iterations.event[i], false, scratch);
    uint32_t end = text.n;
    uint32_t from = 0;

    while (end > 0 && (text.bytes[end - 1] < '0' || text.bytes[end - 1] > '9'))
        end--;
    from = end;
    while (from > 0 && text.bytes[from - 1] >= '0' && text.bytes[from - 1] <= '9')
        from--;
    if (from < end && end - from < NSC_UNITS_BYTES)
        (void)snprintf(out, NSC_UNITS_BYTES, "%.*s", (int)(end - from), text.bytes + from);
    else
        (void)snprintf(out, NSC_UNITS_BYTES, "%u", i);
}

void nsc_app_iterations_text(const struct nsc_app *app, char out[2 * NSC_AXIS_BYTES])
{
    const struct nsc_iterations *all = &app->explore.iterations;
    char median[NSC_UNITS_BYTES];
    char shortest[NSC_UNITS_BYTES];
    char longest[NSC_UNITS_BYTES];
    int n = 0;

    out[0] = '\0';
    if (!all->n)
        return;
    nsc_units_duration(median, all->median, app->scene->ascii);
    nsc_units_duration(shortest, all->shortest, app->scene->ascii);
    nsc_units_duration(longest, all->longest, app->scene->ascii);
    n = snprintf(out, 2 * NSC_AXIS_BYTES, "n %u, median %s, min %s, max %s", all->n, median,
                 shortest, longest);
    if (all->other_n && n > 0 && n < 2 * NSC_AXIS_BYTES)
        (void)snprintf(out + n, 2 * NSC_AXIS_BYTES - (size_t)n, "; \"%.60s\" disagrees: %u",
                       all->other, all->other_n);
}

/* "iteration 12, 3 of 20: 9.3 ms; 20 of ..." */
static void tell(struct nsc_app *app, uint32_t i)
{
    struct nsc_window w = nsc_iterations_window(&app->explore.iterations, app->scene->trace, i);
    char all[2 * NSC_AXIS_BYTES];
    char number[NSC_UNITS_BYTES];
    char time[NSC_UNITS_BYTES];
    char text[NSC_APP_MESSAGE];

    nsc_app_iterations_text(app, all);
    nsc_app_iteration_number(app, i, number);
    nsc_units_duration(time, nsc_window_length(w), app->scene->ascii);
    (void)snprintf(text, sizeof text, "iteration %s: %s; %.160s", number, time, all);
    nsc_app_say(app, text);
}

/* The one before is where the cursor's begins, unless the cursor is behind it. */
static bool find_step(const struct nsc_app *app, bool forward, uint32_t *out)
{
    const struct nsc_iterations *all = &app->explore.iterations;
    uint32_t at = nsc_app_iteration(app);

    if (forward) {
        *out = at == NSC_NONE ? 0 : at + 1;
        return *out < all->n;
    }
    if (at == NSC_NONE)
        return false;
    if (app->scene->cursor >= nsc_iterations_window(all, app->scene->trace, at).t1)
        *out = at;
    else if (at > 0)
        *out = at - 1;
    else
        return false;
    return true;
}

bool nsc_app_iteration_step(struct nsc_app *app, bool forward)
{
    struct nsc_window w;
    uint32_t i = 0;

    if (!app->explore.iterations.n && nsc_app_wait_for_rest(app))
        return false;
    if (!app->explore.iterations.n) {
        nsc_app_say(app, "No iterations: no NVTX range recurs steadily through the work.");
        return false;
    }
    if (!find_step(app, forward, &i)) {
        nsc_app_say(app, forward ? "No later iteration." : "No earlier iteration.");
        return false;
    }
    w = nsc_iterations_window(&app->explore.iterations, app->scene->trace, i);
    (void)nsc_scene_show_window(app->edit, w);
    nsc_scene_set_cursor(app->edit, w.t0);
    nsc_scene_select_here(app->edit);
    tell(app, i);
    return true;
}
