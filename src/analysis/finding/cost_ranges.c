/* Finds the ranges that costly events come from. */
#include "analysis/finding/cost_ranges.h"

#include "analysis/base/correlate.h"
#include "analysis/base/limit.h"
#include "analysis/device/breakdown.h"
#include "analysis/names/label.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nsc_cost_ranges_init(struct nsc_cost_ranges *where, const struct nsc_scope *scope,
                          uint32_t device, struct nsc_window window)
{
    *where = (struct nsc_cost_ranges){
        .trace = scope->trace, .scope = scope, .device = device, .window = window};
}

/* Whether the names of two ranges differ at most in numbers. */
static bool is_same(const struct nsc_cost_ranges *where, nsc_event a, nsc_event b)
{
    const nsc_name *name = nsc_trace_events(where->trace)->name;
    char text[2][NSC_NAME_BYTES];
    uint32_t n;

    if (name[a] == name[b])
        return true;
    n = nsc_label_pattern(text[0], where->trace, a, true);
    return n == nsc_label_pattern(text[1], where->trace, b, true) &&
           memcmp(text[0], text[1], n) == 0;
}

/* The innermost range around an event; NSC_NONE: none. */
static nsc_event innermost(const struct nsc_trace *trace, nsc_event event)
{
    uint32_t n = nsc_event_path(trace, event, NULL, 0);
    nsc_event *path = nsc_xmalloc(((size_t)n + 1) * sizeof *path);
    nsc_event found = nsc_event_path(trace, event, path, n) > 0 ? path[n - 1] : NSC_NONE;

    free(path);
    return found;
}

static void add_range(struct nsc_cost_ranges *where, nsc_event event, nsc_time ns)
{
    const nsc_name *name = nsc_trace_events(where->trace)->name;
    nsc_event range = innermost(where->trace, event);
    uint32_t i = 0;

    where->asked_ns = nsc_sum(where->asked_ns, ns);
    if (range == NSC_NONE)
        return;
    while (i < where->n_names && !is_same(where, range, where->names[i].like))
        i++;
    if (i == NSC_COST_RANGES_NAMES)
        return;
    if (i == where->n_names)
        where->names[where->n_names++].like = range;
    where->names[i].ns = nsc_sum(where->names[i].ns, ns);
    where->names[i].is_many |= range != where->names[i].like;
    where->names[i].is_mixed |= name[range] != name[where->names[i].like];
}

void nsc_cost_ranges_add(struct nsc_cost_ranges *where, nsc_event event, nsc_time start,
                         nsc_time ns)
{
    nsc_time whole = nsc_window_length(where->window);
    nsc_time into = nsc_span(where->window.t0, start);
    double part = whole > 0 ? (double)into / (double)whole * NSC_COST_RANGES_PARTS : 0;

    where->all_ns = nsc_sum(where->all_ns, ns);
    where->part[part >= NSC_COST_RANGES_PARTS ? NSC_COST_RANGES_PARTS - 1 : (int)part] += ns;
    if (where->n_asked++ < NSC_COST_RANGES_MOST)
        add_range(where, event, ns);
}

/* Compute of the device inside a window, ns. */
static nsc_time compute_in(const struct nsc_cost_ranges *where, struct nsc_window window)
{
    struct nsc_scope scope = *where->scope;
    struct nsc_breakdown time;

    scope.shared = NULL; /* its answers are about another window */
    scope.has_window = true;
    scope.window = window;
    return nsc_breakdown_build(&time, &scope, where->device) ? time.compute : 0;
}

/* Whether a range wraps the program as a whole. */
static bool is_wrapper(const struct nsc_cost_ranges *where, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(where->trace);
    struct nsc_window own = {events->start[range], nsc_event_end(events, range)};

    if (nsc_event_duration(events, range) < nsc_window_length(where->window) / 2)
        return false;
    return where->device == NSC_NONE ||
           compute_in(where, own) >= compute_in(where, where->window) / 2;
}

bool nsc_cost_ranges_is_once(const struct nsc_cost_ranges *where)
{
    nsc_time most = 0;

    for (uint32_t i = 0; i < where->n_names; i++)
        if (!where->names[i].is_many &&
            nsc_percent(where->names[i].ns, where->asked_ns) >= NSC_LIMIT_NEARLY_ALL &&
            !is_wrapper(where, where->names[i].like))
            return true;
    for (int i = 0; i + 1 < NSC_COST_RANGES_PARTS; i++)
        most = nsc_later(most, nsc_sum(where->part[i], where->part[i + 1]));
    return where->all_ns > 0 && nsc_percent(most, where->all_ns) >= NSC_LIMIT_NEARLY_ALL;
}

struct nsc_shown nsc_cost_ranges_words(const struct nsc_cost_ranges *where)
{
    uint32_t i = 0;
    struct nsc_shown name = {""};
    struct nsc_shown words = {""};

    while (i < where->n_names && nsc_percent(where->names[i].ns, where->asked_ns) < NSC_LIMIT_MOST)
        i++;
    if (i < where->n_names)
        name = nsc_show_range(where->trace, where->names[i].like, where->names[i].is_mixed);
    if (name.text[0])
        (void)snprintf(words.text, sizeof words.text, " in the range %.*s", NSC_SHOWN_BYTES,
                       name.text);
    return words;
}
