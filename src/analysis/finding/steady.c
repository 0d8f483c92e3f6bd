/*
 * Narrows a scope to the steady state.
 */
#include "analysis/finding/steady.h"

#include "analysis/base/device_ops.h"
#include "analysis/base/shared.h"
#include "analysis/finding/threshold.h"
#include "analysis/ranges/iterations.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/units.h"

#include <stdio.h>
#include <stdlib.h>

/* Why the iterations are not a steady state; NULL if they are one. */
static const char *reason_against(const struct nsc_iterations *iterations)
{
    if (iterations->n == 0)
        return "no iterations are found";
    if (iterations->n - iterations->warm_up < NSC_LIMIT_STEADY_ITERATIONS)
        return "there are too few iterations for a steady state";
    if (100 * iterations->loop_coverage < NSC_LIMIT_MOST)
        return "the iterations launch less than half of the work";
    if (100 * iterations->confidence < NSC_LIMIT_NEARLY_ALL)
        return "the iterations are not certain enough";
    return NULL;
}

static void say_steady(struct nsc_steady *out, const struct nsc_iterations *iterations)
{
    char text[NSC_UNITS_SPAN_BYTES];
    uint32_t n = iterations->n - iterations->warm_up;

    (void)snprintf(out->words, sizeof out->words,
                   "Steady state: the last %u of %u iterations (%s), from %s. --whole selects "
                   "the whole recording, --trim another window.",
                   n, iterations->n,
                   iterations->label[0] ? iterations->label
                                        : nsc_iterations_by_word(iterations->by),
                   nsc_units_span(text, out->scope.window));
}

/* The window of a device: from the first to the last iteration, in the window, of the processes
 * that work on it. A process that began with the others gets the window's start. Without iterations, as
 * of a process that joined the job later: from the first to the last work of the device. */
static struct nsc_window window_of(const struct nsc_scope *scope,
                                   const struct nsc_iterations *iterations, uint32_t device)
{
    const struct nsc_scope whole = nsc_scope_all(scope->trace);
    struct nsc_window w = {INT64_MAX, INT64_MIN};

    for (uint32_t l = 0; l < iterations->n_lines; l++) {
        const struct nsc_iteration_line *line = &iterations->lines[l];

        if (line->n == 0 ||
            !nsc_process_works_on(scope->trace, device,
                                  nsc_trace_track(scope->trace, line->track)->process))
            continue;
        w.t0 = nsc_earlier(w.t0, line->first > iterations->warm_up ? line->at[0].window.t0
                                                                   : scope->window.t0);
        w.t1 = nsc_later(w.t1, line->at[line->n - 1].window.t1);
    }
    if (w.t0 > w.t1)
        (void)nsc_device_window(&w, &whole, device);
    w.t0 = nsc_later(w.t0, scope->window.t0);
    w.t1 = nsc_earlier(w.t1, scope->window.t1);
    return w.t0 < w.t1 ? w : scope->window;
}

/* Sets a window for each device, because processes may have different iterations: the recording began
 * or ended between those of two processes, or one joined later. */
static void find_windows(struct nsc_steady *out, const struct nsc_iterations *iterations)
{
    uint32_t n = 0;

    (void)nsc_trace_tracks(out->scope.trace, &n);
    out->of_devices = nsc_xcalloc((size_t)n, sizeof *out->of_devices);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(out->scope.trace, d)) != NSC_NONE;)
        out->of_devices[d] = window_of(&out->scope, iterations, d);
    out->scope.of_devices = out->of_devices;
}

void nsc_steady_open(struct nsc_steady *out, struct nsc_scope *scope)
{
    struct nsc_iterations iterations = {0};
    const char *against = "the whole recording was asked for";

    *out = (struct nsc_steady){.scope = *scope};
    if (scope->has_window || scope->words ||
        !nsc_scope_has_kinds(scope, NSC_KIND_KERNEL, NSC_KIND_MEMSET))
        return;
    if (scope->mask)
        against = "events are left out by a filter";
    else if (!scope->is_whole) {
        (void)nsc_iterations_ask(&iterations, scope);
        against = reason_against(&iterations);
    }
    out->is_narrow = !against && nsc_steady_state(&out->scope.window, &iterations);
    out->scope.has_window = out->is_narrow;
    if (out->is_narrow) {
        find_windows(out, &iterations);
        say_steady(out, &iterations);
    } else
        (void)snprintf(out->words, sizeof out->words,
                       "Window of each GPU: from its first to its last work; %s.", against);
    out->scope.words = scope->words = out->words;
    scope->steady = out->is_narrow ? &out->scope : NULL;
    nsc_iterations_fini(&iterations);
}

void nsc_steady_close(struct nsc_steady *steady, struct nsc_scope *scope)
{
    if (steady->has_store)
        nsc_shared_close(&steady->scope);
    steady->has_store = false;
    free(steady->of_devices);
    steady->of_devices = NULL;
    if (scope->steady == &steady->scope)
        scope->steady = NULL;
    if (scope->words == steady->words)
        scope->words = NULL;
}
