/*
 * Narrows a scope to the steady state.
 */
#include "analysis/finding/steady.h"

#include "analysis/base/shared.h"
#include "analysis/device/sweep.h"
#include "analysis/finding/threshold.h"
#include "analysis/ranges/iterations.h"
#include "core/units.h"

#include <stdio.h>

/* NULL: the iterations are a steady state; else why they are none. */
static const char *reason_against(const struct nsc_iterations *iterations)
{
    if (iterations->n == 0)
        return "no iterations are found";
    if (iterations->n - iterations->warm_up < NSC_LIMIT_STEADY_ITERATIONS)
        return "there are too few iterations for a steady state";
    if (100 * iterations->loop_coverage < NSC_LIMIT_STEADY_COVERAGE)
        return "the iterations launch less than half of the work";
    if (100 * iterations->confidence < NSC_LIMIT_STEADY_CONFIDENCE)
        return "the iterations are not certain enough";
    return NULL;
}

static void say_steady(struct nsc_steady *out, const struct nsc_iterations *iterations)
{
    char text[2][NSC_UNITS_BYTES];
    uint32_t n = iterations->n - iterations->warm_up;

    nsc_units_instant(text[0], out->scope.window.t0);
    nsc_units_instant(text[1], out->scope.window.t1);
    (void)snprintf(
        out->words, sizeof out->words,
        "Steady state: the last %u of %u iterations (%s), from %s to %s. --whole asks of "
        "all, --trim of another time.",
        n, iterations->n,
        iterations->label[0] ? iterations->label : nsc_iterations_by_word(iterations->by), text[0],
        text[1]);
}

void nsc_steady_open(struct nsc_steady *out, struct nsc_scope *scope)
{
    struct nsc_iterations iterations = {0};
    const char *against = "all was asked for";

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
    if (out->is_narrow)
        say_steady(out, &iterations);
    else
        (void)snprintf(out->words, sizeof out->words,
                       "Window of each GPU: from its first to its last work; %s.", against);
    out->scope.words = scope->words = out->words;
    scope->steady = out->is_narrow ? &out->scope : NULL;
    nsc_iterations_fini(&iterations);
}

void nsc_steady_share(struct nsc_steady *steady, const struct nsc_field_sets *fields, bool for_all)
{
    if (!steady->is_narrow)
        return;
    nsc_shared_open(&steady->scope);
    steady->has_store = true;
    nsc_device_share(&steady->scope, fields, for_all);
}

void nsc_steady_close(struct nsc_steady *steady, struct nsc_scope *scope)
{
    if (steady->has_store)
        nsc_shared_close(&steady->scope);
    steady->has_store = false;
    if (scope->steady == &steady->scope)
        scope->steady = NULL;
    if (scope->words == steady->words)
        scope->words = NULL;
}
