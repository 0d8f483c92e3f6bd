/* Sums what bounds a GPU over the spans of a phase. */
#include "analysis/base/device_ops.h"
#include "analysis/base/shared.h"
#include "analysis/device/bound.h"
#include "core/sum.h"

#include <string.h>

static void add_bound(struct nsc_bound *to, const struct nsc_bound *more)
{
    to->whole = nsc_sum(to->whole, more->whole);
    for (int i = 0; i < NSC_N_BOUND_PARTS; i++)
        to->part[i] = nsc_sum(to->part[i], more->part[i]);
    to->within = nsc_sum(to->within, more->within);
    to->beside = nsc_sum(to->beside, more->beside);
    to->behind_comm = nsc_sum(to->behind_comm, more->behind_comm);
    to->behind_copies = nsc_sum(to->behind_copies, more->behind_copies);
}

/* The times of all phases of a device. */
struct all_times {
    struct nsc_phase_times of[NSC_PHASES_MOST];
};

static void add_span(struct nsc_phase_times *to, const struct nsc_scope *part, uint32_t device,
                     struct nsc_depends **depends, const struct nsc_field_sets *fields)
{
    struct nsc_scope scope = *part;
    struct nsc_bound bound;

    if (!nsc_bound_build(&bound, &scope, device))
        return;
    nsc_bound_look_behind(&bound, &scope, device, depends, fields);
    add_bound(&to->bound, &bound);
    to->n++;
}

static void sum_spans(struct all_times *times, const struct nsc_process_phases *phases,
                      const struct nsc_scope *scope, uint32_t device,
                      const struct nsc_field_sets *fields)
{
    struct nsc_scope all = *scope, part;
    bool is_own = !nsc_shared_keeps(scope, NSC_NONE);
    struct nsc_depends *depends = NULL;

    if (is_own)
        nsc_shared_open(&all); /* for what spans have in common */
    part = all;
    part.has_window = true;
    for (uint32_t i = 0; i < phases->n_spans; i++) {
        part.window = phases->spans[i].window;
        if (!scope->has_window ||
            (part.window.t0 >= scope->window.t0 && part.window.t1 <= scope->window.t1))
            add_span(&times->of[phases->spans[i].phase], &part, device, &depends, fields);
    }
    nsc_depends_free(depends);
    if (is_own)
        nsc_shared_close(&all);
}

const struct nsc_process_phases *nsc_phase_times_build(struct nsc_phase_times out[NSC_PHASES_MOST],
                                                       const struct nsc_job_phases *job,
                                                       const struct nsc_scope *scope,
                                                       uint32_t device,
                                                       const struct nsc_field_sets *fields)
{
    static const struct nsc_shared_kind kind = {sizeof(struct all_times), NULL, NULL};
    const struct nsc_process_phases *phases = NULL;
    struct all_times times = {{{0}}};
    bool has_times = true, keeps;

    for (size_t i = 0; i < job->list.n && !phases; i++)
        if (nsc_process_works_on(scope->trace, device, job->list.at[i].process))
            phases = &job->list.at[i];
    keeps = phases && nsc_shared_keeps(scope, device);
    if (phases && !(keeps && nsc_shared_find(&times, &has_times, &kind, fields, scope, device))) {
        sum_spans(&times, phases, scope, device, fields);
        if (keeps)
            nsc_shared_keep(&times, true, &kind, fields, scope, device);
    }
    memcpy(out, times.of, sizeof times.of);
    return phases;
}
