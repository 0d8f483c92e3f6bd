/*
 * The time axis, the mark and iterations: texts and positions.
 */
#include "view/scene/axis.h"

#include "analysis/base/correlate.h"
#include "core/chars.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NAME_SHOWN = 60 }; /* bytes of the name of an iteration */

static const nsc_time second = 1000000000;
static const nsc_time day = 86400 * (nsc_time)1000000000;

bool nsc_axis_is_known(const struct nsc_scene *scene, const struct nsc_explore *explore,
                       enum nsc_axis axis)
{
    switch (axis) {
    case NSC_AXIS_MARK:
        return explore->has_mark;
    case NSC_AXIS_ITERATION:
        return explore->iterations.n > 0;
    case NSC_AXIS_UTC:
        return nsc_trace_info(scene->trace)->utc_start > 0;
    default:
        return true;
    }
}

/* The thread that launches the first work of a GPU; of another row, the row. */
static uint32_t host_of(const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    uint32_t group = nsc_trace_group_of(trace, track);

    if (nsc_trace_track(trace, group)->kind != NSC_TRACK_DEVICE)
        return track;
    for (struct nsc_lane_walk at = nsc_device_lanes(trace, group); nsc_lane_walk_next(&at);)
        if (events->link[lanes[at.lane].first] != NSC_NONE)
            return nsc_event_track(trace, events->link[lanes[at.lane].first]);
    return track;
}

struct nsc_iterations nsc_iterations_here(const struct nsc_scene *scene,
                                          const struct nsc_explore *explore)
{
    struct nsc_iterations here = explore->iterations;
    const struct nsc_line *line = nsc_scene_cursor_line(scene);
    const struct nsc_track *host;
    uint32_t l;

    if (here.n_lines < 2 || !line)
        return here;
    host = nsc_trace_track(scene->trace, host_of(scene->trace, line->track));
    l = nsc_iterations_line(&here, scene->trace, host->process, host->tid);
    if (l == NSC_NONE)
        return here;
    here.at = here.lines[l].at;
    here.n = here.lines[l].n;
    here.first = here.lines[l].first;
    return here;
}

void nsc_iteration_name(const struct nsc_scene *scene, const struct nsc_iterations *all, uint32_t i,
                        char out[NSC_AXIS_BYTES])
{
    char scratch[2][NSC_NAME_BYTES];
    nsc_event next = all->at[i + 1 < all->n ? i + 1 : i ? i - 1 : i].event;
    struct nsc_text name = nsc_trace_event_text(scene->trace, all->at[i].event, false, scratch[0]);
    struct nsc_text other = nsc_trace_event_text(scene->trace, next, false, scratch[1]);
    uint64_t number = 0;
    uint32_t k = 0;

    out[0] = '\0';
    if (all->by != NSC_ITERATIONS_BY_RANGE || nsc_text_equal(name, other))
        return;
    while (k < name.n && !nsc_is_digit(name.bytes[k]))
        k++;
    for (; k < name.n && nsc_is_digit(name.bytes[k]) && number <= UINT32_MAX; k++)
        number = 10 * number + (uint64_t)(name.bytes[k] - '0');
    if (number != all->first + i)
        (void)snprintf(out, NSC_AXIS_BYTES, ", %.*s",
                       (int)(name.n < NAME_SHOWN ? name.n : NAME_SHOWN), name.bytes);
}

const char *nsc_iterations_others(const struct nsc_iterations *all, char out[NSC_UNITS_BYTES])
{
    out[0] = '\0';
    if (all->warm_up)
        (void)snprintf(out, NSC_UNITS_BYTES, "%u warm-up; others: ", all->warm_up);
    return out;
}

void nsc_iterations_text(const struct nsc_scene *scene, const struct nsc_explore *explore,
                         char out[2 * NSC_AXIS_BYTES])
{
    const struct nsc_iterations *all = &explore->iterations;
    char others[NSC_UNITS_BYTES];
    char median[NSC_UNITS_BYTES], shortest[NSC_UNITS_BYTES], longest[NSC_UNITS_BYTES];

    out[0] = '\0';
    if (!all->n)
        return;
    (void)snprintf(out, 2 * NSC_AXIS_BYTES, "n %u, %smedian %s, min %s, max %s", all->n,
                   nsc_iterations_others(all, others),
                   nsc_units_duration(median, all->median, scene->ascii),
                   nsc_units_duration(shortest, all->shortest, scene->ascii),
                   nsc_units_duration(longest, all->longest, scene->ascii));
}

/* The axis in effect: absolute if its origin is gone. */
static enum nsc_axis axis_of(const struct nsc_scene *scene, const struct nsc_explore *explore)
{
    enum nsc_axis axis = (enum nsc_axis)scene->axis;

    return nsc_axis_is_known(scene, explore, axis) ? axis : NSC_AXIS_ABSOLUTE;
}

nsc_time nsc_axis_origin(const struct nsc_scene *scene, const struct nsc_explore *explore)
{
    struct nsc_iterations here;
    uint32_t i = 0;

    switch (axis_of(scene, explore)) {
    case NSC_AXIS_WINDOW:
        return nsc_viewport_window(&scene->viewport).t0;
    case NSC_AXIS_MARK:
        return explore->mark;
    case NSC_AXIS_ITERATION:
        here = nsc_iterations_here(scene, explore);
        i = nsc_iterations_at(&here, scene->cursor);
        return nsc_iterations_window(&here, i == NSC_NONE ? 0 : i).t0;
    case NSC_AXIS_UTC: /* the midnight before the trace begins */
        return -(nsc_trace_info(scene->trace)->utc_start % day);
    default:
        return 0;
    }
}

/* "12:34:56.789", with the decimals that step needs. t: ns since midnight. */
static void clock_text(char out[NSC_UNITS_BYTES + 1], nsc_time t, nsc_time step)
{
    nsc_time in_day = ((t % day) + day) % day;
    unsigned s = (unsigned)(in_day / second);
    unsigned ns = (unsigned)(in_day % second);
    int decimals = 9;

    for (; decimals > 0 && step > 0 && step % 10 == 0; decimals--)
        step /= 10;
    (void)snprintf(out, NSC_UNITS_BYTES + 1, "%02u:%02u:%02u.%09u", s / 3600, s / 60 % 60, s % 60,
                   ns);
    out[decimals ? 9 + decimals : 8] = '\0';
}

void nsc_axis_tick(const struct nsc_scene *scene, const struct nsc_explore *explore,
                   char out[NSC_UNITS_BYTES + 1], nsc_time t, nsc_time step)
{
    nsc_time shown = 0;
    enum nsc_axis axis = axis_of(scene, explore);

    out[0] = '\0';
    if (__builtin_sub_overflow(t, nsc_axis_origin(scene, explore), &shown))
        return;
    if (axis == NSC_AXIS_UTC) {
        clock_text(out, shown, step);
        return;
    }
    nsc_units_tick(out + 1, shown, step, scene->ascii);
    if (axis == NSC_AXIS_ABSOLUTE || shown < 0)
        memmove(out, out + 1, strlen(out + 1) + 1);
    else
        out[0] = '+';
}

/* The date of the window's start. */
static void date_text(const struct nsc_scene *scene, char out[NSC_AXIS_BYTES])
{
    nsc_time at = 0;
    time_t seconds = 0;
    struct tm date;

    (void)snprintf(out, NSC_AXIS_BYTES, "UTC");
    if (__builtin_add_overflow(nsc_trace_info(scene->trace)->utc_start,
                               nsc_viewport_window(&scene->viewport).t0, &at) ||
        at < 0)
        return;
    seconds = (time_t)(at / second);
    if (gmtime_r(&seconds, &date))
        (void)strftime(out, NSC_AXIS_BYTES, "UTC %Y-%m-%d", &date);
}

void nsc_axis_label(const struct nsc_scene *scene, const struct nsc_explore *explore,
                    char out[NSC_AXIS_BYTES])
{
    struct nsc_iterations here;
    uint32_t i = 0;

    switch (axis_of(scene, explore)) {
    case NSC_AXIS_WINDOW:
        (void)snprintf(out, NSC_AXIS_BYTES, "time from the left");
        break;
    case NSC_AXIS_MARK:
        (void)snprintf(out, NSC_AXIS_BYTES, "time from the mark");
        break;
    case NSC_AXIS_ITERATION:
        here = nsc_iterations_here(scene, explore);
        i = nsc_iterations_at(&here, scene->cursor);
        (void)snprintf(out, NSC_AXIS_BYTES, "in iteration %u",
                       here.first + (i == NSC_NONE ? 0 : i));
        break;
    case NSC_AXIS_UTC:
        date_text(scene, out);
        break;
    default:
        (void)snprintf(out, NSC_AXIS_BYTES, "time");
        break;
    }
}

/* "833 /s" for 1.2 ms, with three digits; "" if it is not useful. */
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

void nsc_axis_mark_text(const struct nsc_scene *scene, const struct nsc_explore *explore,
                        char out[NSC_AXIS_BYTES])
{
    nsc_time away = 0;
    char time[NSC_UNITS_BYTES], rate[NSC_UNITS_BYTES];

    out[0] = '\0';
    if (!explore->has_mark || __builtin_sub_overflow(scene->cursor, explore->mark, &away) ||
        away == INT64_MIN)
        return;
    rate_text(rate, away < 0 ? -away : away);
    (void)snprintf(out, NSC_AXIS_BYTES, "mark %s%s%s%s", away >= 0 ? "+" : "",
                   nsc_units_duration(time, away, scene->ascii), rate[0] ? ", " : "", rate);
}
