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

#define PROCESS_BITS 40

NSC_COMPARE(compare_samples, struct nsc_stage_sample,
            NSC_LEAST(name) || NSC_LEAST(process) || NSC_LEAST(duration))

/* The process key of a track, with the number of its export counted over all traces added. */
static uint64_t key_of(const struct nsc_rank_stages *stages, const struct nsc_track *track)
{
    uint64_t process = track->process & (((uint64_t)1 << PROCESS_BITS) - 1);

    return process | (uint64_t)(stages->n_exports + track->capture_no) << PROCESS_BITS;
}

static void add_processes(struct nsc_rank_stages *stages, const struct nsc_trace *trace)
{
    uint32_t n = 0;
    size_t kept = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t i = 0; i < n; i++)
        if (tracks[i].kind == NSC_TRACK_NVTX)
            *NSC_VEC_ADD(&stages->process) = key_of(stages, &tracks[i]);
    NSC_VEC_SORT(&stages->process, nsc_u64_compare);
    for (size_t i = 0; i < stages->process.n; i++)
        if (i == 0 || stages->process.at[i] != stages->process.at[i - 1])
            stages->process.at[kept++] = stages->process.at[i];
    stages->process.n = kept;
}

static uint32_t rank_of(const struct nsc_rank_stages *stages, uint64_t process)
{
    const uint64_t *found =
        bsearch(&process, stages->process.at, stages->process.n, sizeof process, nsc_u64_compare);

    return (uint32_t)(found - stages->process.at);
}

static nsc_str fold(struct nsc_rank_stages *stages, const struct nsc_trace *trace, nsc_name name)
{
    struct nsc_buf folded = NSC_BUF_INIT(NSC_NAME_BYTES + 1);
    nsc_str text;

    nsc_name_fold(&folded, trace, name);
    text = nsc_strpool_add(&stages->pool, folded.bytes, folded.n);
    nsc_buf_fini(&folded);
    return text;
}

void nsc_rank_stages_add(struct nsc_rank_stages *stages, const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint32_t n_captures = 0;
    nsc_str *folded = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *folded);

    add_processes(stages, scope->trace);
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_scope_next(&at);) {
        const struct nsc_track *track = nsc_trace_track(scope->trace, at.track);
        nsc_name name = events->name[at.row];

        if (at.lane - track->first_lane >= NSC_STAGE_DEPTHS ||
            events->kind[at.row] != NSC_KIND_NVTX_RANGE)
            continue;
        if (!folded[name])
            folded[name] = fold(stages, scope->trace, name) + 1;
        *NSC_VEC_ADD(&stages->samples) = (struct nsc_stage_sample){
            folded[name] - 1, key_of(stages, track), nsc_event_duration(events, at.row)};
    }
    free(folded);
    (void)nsc_trace_captures(scope->trace, &n_captures);
    stages->n_exports += n_captures;
}

/* Measures a stage; the samples [from, end) have one name. */
static void measure_stage(struct nsc_rank_stage *out, const struct nsc_rank_stages *stages,
                          const struct nsc_stage_sample samples[], size_t n)
{
    uint32_t n_ranks = (uint32_t)stages->process.n;
    nsc_time *medians = nsc_xcalloc(n_ranks, sizeof *medians);

    *out = (struct nsc_rank_stage){.name = samples[0].name,
                                   .of_rank = nsc_xcalloc(n_ranks, sizeof *out->of_rank)};
    for (uint32_t i = 0; i < n_ranks; i++)
        out->of_rank[i] = -1;
    for (size_t from = 0, end = 0; from < n; from = end) {
        uint32_t rank = rank_of(stages, samples[from].process);

        for (; end < n && samples[end].process == samples[from].process; end++)
            out->total = nsc_sum(out->total, samples[end].duration);
        out->of_rank[rank] = samples[from + (end - from - 1) / 2].duration;
        if (out->n_ranks == 0)
            out->fastest = out->slowest = rank;
        if (out->of_rank[rank] < out->of_rank[out->fastest])
            out->fastest = rank;
        if (out->of_rank[rank] > out->of_rank[out->slowest])
            out->slowest = rank;
        medians[out->n_ranks++] = out->of_rank[rank];
    }
    qsort(medians, out->n_ranks, sizeof *medians, nsc_time_compare);
    out->median = medians[(out->n_ranks - 1) / 2];
    free(medians);
}

void nsc_rank_stages_init(struct nsc_rank_stages *stages)
{
    memset(stages, 0, sizeof *stages);
    nsc_strpool_init(&stages->pool);
}

NSC_COMPARE(compare_stages, struct nsc_rank_stage, NSC_MOST(total) || NSC_LEAST(name))

void nsc_rank_stages_measure(struct nsc_rank_stages *stages)
{
    struct nsc_stage_sample *samples = stages->samples.at;
    size_t n = stages->samples.n;

    if (n)
        qsort(samples, n, sizeof *samples, compare_samples);
    for (size_t i = 0; i < n; i++)
        stages->n += i == 0 || samples[i].name != samples[i - 1].name;
    stages->list = nsc_xcalloc((size_t)stages->n + 1, sizeof *stages->list);
    stages->n = 0;
    for (size_t from = 0, end = 0; from < n; from = end) {
        while (end < n && samples[end].name == samples[from].name)
            end++;
        measure_stage(&stages->list[stages->n++], stages, samples + from, end - from);
    }
    qsort(stages->list, stages->n, sizeof *stages->list, compare_stages);
    NSC_VEC_FINI(&stages->samples);
}

void nsc_rank_stages_fini(struct nsc_rank_stages *stages)
{
    for (uint32_t i = 0; i < stages->n; i++)
        free(stages->list[i].of_rank);
    free(stages->list);
    nsc_strpool_fini(&stages->pool);
    NSC_VEC_FINI(&stages->process);
    NSC_VEC_FINI(&stages->samples);
    memset(stages, 0, sizeof *stages);
}
