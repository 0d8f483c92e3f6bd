/*
 * What the time axis counts from, and the mark that times are measured against.
 */
#include "view/app/state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const nsc_time second = 1000000000;
static const nsc_time day = 86400 * (nsc_time)1000000000;

static bool axis_is_known(const struct nsc_app *app, enum nsc_axis axis)
{
    switch (axis) {
    case NSC_AXIS_MARK:
        return app->explore.has_mark;
    case NSC_AXIS_ITERATION:
        return app->explore.iterations.n > 0;
    case NSC_AXIS_UTC:
        return nsc_trace_info(app->scene->trace)->utc_start > 0;
    default:
        return true;
    }
}

bool nsc_app_axis_next(struct nsc_app *app)
{
    do
        app->explore.axis = (enum nsc_axis)((app->explore.axis + 1) % NSC_N_AXES);
    while (!axis_is_known(app, app->explore.axis));
    return true;
}

bool nsc_app_axis_set(struct nsc_app *app, enum nsc_axis axis)
{
    if (!axis_is_known(app, axis))
        return false;
    app->explore.axis = axis;
    return true;
}

/* What is shown now: a mark may be gone. */
static enum nsc_axis axis_of(const struct nsc_app *app)
{
    return axis_is_known(app, app->explore.axis) ? app->explore.axis : NSC_AXIS_ABSOLUTE;
}

nsc_time nsc_app_axis_origin(const struct nsc_app *app)
{
    uint32_t i = 0;

    switch (axis_of(app)) {
    case NSC_AXIS_WINDOW:
        return nsc_viewport_window(&app->scene->viewport).t0;
    case NSC_AXIS_MARK:
        return app->explore.mark;
    case NSC_AXIS_ITERATION:
        i = nsc_app_iteration(app);
        return nsc_iterations_window(&app->explore.iterations, app->scene->trace,
                                     i == NSC_NONE ? 0 : i)
            .t0;
    case NSC_AXIS_UTC: /* the midnight before the trace begins */
        return -(nsc_trace_info(app->scene->trace)->utc_start % day);
    default:
        return 0;
    }
}

/* "12:34:56.789": as many decimals as step needs. t: ns since a midnight. */
static void clock_text(char out[NSC_UNITS_BYTES + 1], nsc_time t, nsc_time step)
{
    nsc_time in_day = ((t % day) + day) % day;
    unsigned s = (unsigned)(in_day / second);
    unsigned ns = (unsigned)(in_day % second);
    int decimals = 9;

    while (decimals > 0 && step > 0 && step % 10 == 0) {
        step /= 10;
        decimals--;
        ns /= 10;
    }
    if (decimals)
        (void)snprintf(out, NSC_UNITS_BYTES + 1, "%02u:%02u:%02u.%0*u", s / 3600, s / 60 % 60,
                       s % 60, decimals, ns);
    else
        (void)snprintf(out, NSC_UNITS_BYTES + 1, "%02u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
}

void nsc_app_axis_tick(const struct nsc_app *app, char out[NSC_UNITS_BYTES + 1], nsc_time t,
                       nsc_time step)
{
    nsc_time shown = 0;
    enum nsc_axis axis = axis_of(app);

    out[0] = '\0';
    if (__builtin_sub_overflow(t, nsc_app_axis_origin(app), &shown))
        return;
    if (axis == NSC_AXIS_UTC) {
        clock_text(out, shown, step);
        return;
    }
    nsc_units_tick(out + 1, shown, step, app->scene->ascii);
    if (axis == NSC_AXIS_ABSOLUTE || shown < 0)
        memmove(out, out + 1, strlen(out + 1) + 1);
    else
        out[0] = '+';
}

/* The date of the window's start. */
static void date_text(const struct nsc_app *app, char out[NSC_AXIS_BYTES])
{
    nsc_time at = 0;
    time_t seconds = 0;
    struct tm date;

    (void)snprintf(out, NSC_AXIS_BYTES, "UTC");
    if (__builtin_add_overflow(nsc_trace_info(app->scene->trace)->utc_start,
                               nsc_viewport_window(&app->scene->viewport).t0, &at) ||
        at < 0)
        return;
    seconds = (time_t)(at / second);
    if (gmtime_r(&seconds, &date))
        (void)strftime(out, NSC_AXIS_BYTES, "UTC %Y-%m-%d", &date);
}

void nsc_app_axis_label(const struct nsc_app *app, char out[NSC_AXIS_BYTES])
{
    char number[NSC_UNITS_BYTES];
    uint32_t i = 0;

    switch (axis_of(app)) {
    case NSC_AXIS_WINDOW:
        (void)snprintf(out, NSC_AXIS_BYTES, "time from the left");
        break;
    case NSC_AXIS_MARK:
        (void)snprintf(out, NSC_AXIS_BYTES, "time from the mark");
        break;
    case NSC_AXIS_ITERATION:
        i = nsc_app_iteration(app);
        nsc_app_iteration_number(app, i == NSC_NONE ? 0 : i, number);
        (void)snprintf(out, NSC_AXIS_BYTES, "in iteration %s", number);
        break;
    case NSC_AXIS_UTC:
        date_text(app, out);
        break;
    default:
        (void)snprintf(out, NSC_AXIS_BYTES, "time");
        break;
    }
}

/* ---- the mark ---- */

bool nsc_app_mark(struct nsc_app *app)
{
    struct nsc_explore *explore = &app->explore;

    if (explore->has_mark && explore->mark == app->scene->cursor) {
        explore->has_mark = false;
        nsc_app_say(app, "The mark is gone.");
        return true;
    }
    explore->has_mark = true;
    explore->mark = app->scene->cursor;
    nsc_app_say(app, "Marked: the status line shows the time from here to the cursor.");
    return true;
}

/* "833 /s" for 1.2 ms, to three digits; "" where it says nothing. */
static void rate_text(char out[NSC_UNITS_BYTES], nsc_time ns)
{
    static const char *const units[] = {"/s", "k/s", "M/s", "G/s"};
    double rate = ns > 0 ? 1e9 / (double)ns : 0;
    int unit = 0;

    while (rate >= 999.5 && unit < 3) {
        rate /= 1000;
        unit++;
    }
    out[0] = '\0';
    if (ns > 0)
        (void)snprintf(out, NSC_UNITS_BYTES, "%.3g %s", rate, units[unit]);
}

void nsc_app_mark_text(const struct nsc_app *app, char out[NSC_AXIS_BYTES])
{
    nsc_time away = 0;
    char time[NSC_UNITS_BYTES];
    char rate[NSC_UNITS_BYTES];

    out[0] = '\0';
    if (!app->explore.has_mark ||
        __builtin_sub_overflow(app->scene->cursor, app->explore.mark, &away) || away == INT64_MIN)
        return;
    nsc_units_duration(time, away, app->scene->ascii);
    rate_text(rate, away < 0 ? -away : away);
    (void)snprintf(out, NSC_AXIS_BYTES, "mark %s%s%s%s", away >= 0 ? "+" : "", time,
                   rate[0] ? ", " : "", rate);
}
