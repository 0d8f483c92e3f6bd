/*
 * Gathers the durations of NVTX ranges by name and process and takes their medians.
 */
#include "analysis/job/rank_sheets.h"
#include "analysis/names/label.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct sample {
    nsc_name name;
    uint32_t rank;
    nsc_time duration;
};

struct samples {
    NSC_VEC(struct sample) list;
};

static int compare_samples(const void *a, const void *b)
{
    const struct sample *x = a;
    const struct sample *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->duration < y->duration ? -1 : x->duration > y->duration;
}

static int compare_stages(const void *a, const void *b)
{
    const struct nsc_rank_stage *x = a;
    const struct nsc_rank_stage *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static void find_processes(struct nsc_rank_stages *out, const struct nsc_trace *trace)
{
    uint32_t n = 0;
    uint32_t kept = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    out->process = nsc_xcalloc((size_t)n + 1, sizeof *out->process);
    for (uint32_t i = 0; i < n; i++)
        if (tracks[i].kind == NSC_TRACK_NVTX)
            out->process[out->n_ranks++] = tracks[i].process;
    qsort(out->process, out->n_ranks, sizeof *out->process, nsc_u64_compare);
    for (uint32_t i = 0; i < out->n_ranks; i++)
        if (i == 0 || out->process[i] != out->process[i - 1])
            out->process[kept++] = out->process[i];
    out->n_ranks = kept;
}

static uint32_t rank_of(const struct nsc_rank_stages *out, uint64_t process)
{
    const uint64_t *found =
        bsearch(&process, out->process, out->n_ranks, sizeof process, nsc_u64_compare);

    return (uint32_t)(found - out->process);
}

static void gather(struct samples *out, const struct nsc_rank_stages *stages,
                   const struct nsc_scope *scope)
{
    nsc_name *folded = nsc_names_by_fold(scope->trace);
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, &n_lanes);

    for (uint32_t lane = 0; lane < n_lanes; lane++) {
        const struct nsc_track *track = &tracks[lanes[lane].track];
        nsc_event row = 0;
        nsc_event end = 0;

        if (track->kind != NSC_TRACK_NVTX || lane - track->first_lane >= NSC_STAGE_DEPTHS)
            continue;
        for (nsc_scope_rows(scope, lane, &row, &end); row < end; row++)
            if (events->kind[row] == NSC_KIND_NVTX_RANGE && nsc_scope_has(scope, row))
                *NSC_VEC_ADD(&out->list) =
                    (struct sample){folded[events->name[row]], rank_of(stages, track->process),
                                    nsc_event_duration(events, row)};
    }
    free(folded);
    if (out->list.n)
        qsort(out->list.at, out->list.n, sizeof *out->list.at, compare_samples);
}

/* The samples [from, end) are of one name. */
static void measure_stage(struct nsc_rank_stage *out, const struct sample samples[], size_t n,
                          uint32_t n_ranks)
{
    struct sample *medians = nsc_xcalloc(n_ranks, sizeof *medians);

    *out = (struct nsc_rank_stage){.name = samples[0].name,
                                   .of_rank = nsc_xcalloc(n_ranks, sizeof *out->of_rank)};
    for (uint32_t i = 0; i < n_ranks; i++)
        out->of_rank[i] = -1;
    for (size_t from = 0, end = 0; from < n; from = end) {
        nsc_time median = 0;

        for (; end < n && samples[end].rank == samples[from].rank; end++)
            out->total = nsc_sum(out->total, samples[end].duration);
        median = samples[from + (end - from - 1) / 2].duration;
        out->of_rank[samples[from].rank] = median;
        medians[out->n_ranks++] = (struct sample){0, samples[from].rank, median};
    }
    out->fastest = out->slowest = medians[0].rank;
    for (uint32_t i = 1; i < out->n_ranks; i++) {
        if (medians[i].duration < out->of_rank[out->fastest])
            out->fastest = medians[i].rank;
        if (medians[i].duration > out->of_rank[out->slowest])
            out->slowest = medians[i].rank;
        medians[i].rank = 0; /* so that they are ordered by duration alone */
    }
    medians[0].rank = 0;
    qsort(medians, out->n_ranks, sizeof *medians, compare_samples);
    out->median = medians[(out->n_ranks - 1) / 2].duration;
    free(medians);
}

void nsc_rank_stages_build(struct nsc_rank_stages *out, const struct nsc_scope *scope)
{
    struct samples samples = {0};
    size_t n = 0;

    memset(out, 0, sizeof *out);
    find_processes(out, scope->trace);
    gather(&samples, out, scope);
    n = samples.list.n;
    for (size_t i = 0; i < n; i++)
        out->n += i == 0 || samples.list.at[i].name != samples.list.at[i - 1].name;
    out->list = nsc_xcalloc((size_t)out->n + 1, sizeof *out->list);
    out->n = 0;
    for (size_t from = 0, end = 0; from < n; from = end) {
        while (end < n && samples.list.at[end].name == samples.list.at[from].name)
            end++;
        measure_stage(&out->list[out->n++], samples.list.at + from, end - from, out->n_ranks);
    }
    qsort(out->list, out->n, sizeof *out->list, compare_stages);
    NSC_VEC_FINI(&samples.list);
}

void nsc_rank_stages_fini(struct nsc_rank_stages *stages)
{
    for (uint32_t i = 0; i < stages->n; i++)
        free(stages->list[i].of_rank);
    free(stages->list);
    free(stages->process);
    memset(stages, 0, sizeof *stages);
}
