/* Finds the phases of iterations by the names of ranges, or by kinds. */
#include "analysis/ranges/iteration_phases.h"

#include "analysis/base/shared.h"
#include "analysis/ranges/iteration_search.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

#include <stdio.h>
#include <stdlib.h>

enum phase_name { FORWARD, BACKWARD, OPTIMIZER, PREFILL, DECODE, OTHER, N_PHASE_NAMES };

struct gathering {
    const struct nsc_iterations *of;
    const struct nsc_iteration_search *search;
    const struct nsc_iteration_line *line;
    const struct nsc_search_process *process;
    NSC_VEC(struct nsc_phase_segment) segments;
    NSC_VEC(struct nsc_phase_span) spans;
};

/* ---- by the names of ranges ---- */

static bool says(struct nsc_text text, const char *a, const char *b)
{
    return nsc_text_contains_folded(text, nsc_text_from(a)) ||
           nsc_text_contains_folded(text, nsc_text_from(b));
}

/* The phase in a name; OTHER: none, or several. */
static enum phase_name phase_of(struct nsc_text text)
{
    const bool is[] = {[FORWARD] = says(text, "forward", "fwd"),
                       [BACKWARD] = says(text, "backward", "bwd"),
                       [OPTIMIZER] = says(text, "optim", "apply_grad"),
                       [PREFILL] = says(text, "prefill", "extend"),
                       [DECODE] = says(text, "decode", "generation_step") &&
                                  !says(text, "decoder", "jpeg") && !says(text, "image", "video")};
    enum phase_name found = OTHER;

    for (int i = 0; i < OTHER; i++) {
        if (is[i] && found != OTHER)
            return OTHER;
        found = is[i] ? (enum phase_name)i : found;
    }
    return found;
}

/* A range on the iterations' track that names a phase. */
struct named {
    nsc_time t0, t1;
    nsc_event row; /* ties in time: the inner range has the greater row */
    uint8_t phase;
};

NSC_COMPARE(compare_named, struct named, NSC_LEAST(t0) || NSC_MOST(t1) || NSC_LEAST(row))

/* The ranges that name a phase and start in w. The caller frees them. */
static struct named *find_named(const struct gathering *g, size_t *n, struct nsc_window w)
{
    const struct nsc_trace *trace = g->search->trace;
    const struct nsc_events *events = g->search->events;
    struct nsc_lane_walk at =
        nsc_track_lanes(trace, g->line->track, g->line->track + 1, UINT32_MAX);
    uint8_t *known =
        nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, 1); /* by name: phase + 1; 0: not seen */
    NSC_VEC(struct named) found = {0};

    while (nsc_lane_walk_next(&at))
        for (nsc_event row = at.rows->first; row < at.rows->first + at.rows->n; row++) {
            uint8_t *phase = &known[events->name[row]];

            if (events->start[row] < w.t0 || events->start[row] >= w.t1)
                continue;
            if (*phase == 0)
                *phase = (uint8_t)(1 + phase_of(nsc_event_name(trace, row)));
            if (*phase != 1 + OTHER)
                *NSC_VEC_ADD(&found) =
                    (struct named){events->start[row], nsc_event_touch_end(events, row), row,
                                   (uint8_t)(*phase - 1)};
        }
    free(known);
    NSC_VEC_SORT(&found, compare_named);
    *n = found.n;
    return found.at;
}

static bool is_serving(uint8_t phase)
{
    return phase == PREFILL || phase == DECODE;
}

/* Adds [t0, t1), or extends the previous segment. */
static void add_segment(struct gathering *g, nsc_time t0, nsc_time t1, uint8_t phase, bool begins)
{
    struct nsc_phase_segment *last = g->segments.n ? &g->segments.at[g->segments.n - 1] : NULL;

    if (t0 >= t1)
        return;
    if (last && !begins && last->t1 == t0 && last->phase == phase)
        last->t1 = t1;
    else
        *NSC_VEC_ADD(&g->segments) = (struct nsc_phase_segment){t0, t1, phase};
}

/* Gives each moment the phase of the innermost range around it that names one. */
static void add_named(struct gathering *g, nsc_time t0, nsc_time t1)
{
    size_t n = 0;
    struct named *ranges = find_named(g, &n, (struct nsc_window){t0, t1});
    NSC_VEC(struct named) open = {0}; /* by start */
    nsc_time at = INT64_MIN;          /* everything before it has been added */
    bool begins = false;              /* the outermost range opens there */

    for (size_t i = 0; i <= n; i++) {
        nsc_time start = i < n ? ranges[i].t0 : INT64_MAX;

        while (open.n > 0) {
            const struct named *inner = &open.at[open.n - 1];
            nsc_time end = nsc_earlier(inner->t1, start);

            add_segment(g, at, end, inner->phase, begins);
            begins = begins && end <= at;
            at = nsc_later(at, end);
            if (inner->t1 > start)
                break;
            open.n--;
        }
        at = start;
        if (i == n ||
            (open.n > 0 && is_serving(open.at[open.n - 1].phase) && !is_serving(ranges[i].phase)))
            continue;
        begins = begins || open.n == 0;
        *NSC_VEC_ADD(&open) = ranges[i];
    }
    NSC_VEC_FINI(&open);
    free(ranges);
}

/* ---- by kinds ---- */

static void add_kinds(struct gathering *g)
{
    const struct nsc_iteration_line *line = g->line;

    for (uint32_t i = 0; i < line->n; i++)
        if (!line->at[i].warm_up)
            *NSC_VEC_ADD(&g->segments) = (struct nsc_phase_segment){
                line->at[i].host.t0, line->at[i].host.t1, line->at[i].kind};
}

/* ---- spans on the GPU ---- */

/* Adds a span that ends with the work launched in [t0, t1); without work there is none. */
static void add_span(struct gathering *g, nsc_time *before, nsc_time t0, nsc_time t1, uint8_t phase)
{
    struct nsc_gpu_figures work;
    nsc_time end;

    if (t0 >= t1)
        return;
    work = nsc_search_work(g->search, g->process, (struct nsc_window){t0, t1});
    if (work.ops == 0)
        return;
    end = nsc_event_end(g->search->events, work.last);
    if (end <= *before)
        return;
    *NSC_VEC_ADD(&g->spans) = (struct nsc_phase_span){{*before, end}, phase};
    *before = end;
}

/* Adds spans that begin at start on the GPU. Host time in w outside of the segments is the phase
 * OTHER. */
static void add_spans(struct gathering *g, nsc_time start, struct nsc_window w)
{
    nsc_time before = start;
    nsc_time host = w.t0;

    for (size_t i = 0; i < g->segments.n; i++) {
        const struct nsc_phase_segment *at = &g->segments.at[i];

        add_span(g, &before, host, at->t0, OTHER);
        add_span(g, &before, at->t0, at->t1, at->phase);
        host = at->t1;
    }
    add_span(g, &before, host, w.t1, OTHER);
}

/* ---- the answer ---- */

static void name_phase(char out[NSC_ITERATIONS_LABEL], const struct nsc_iterations *of, uint8_t i,
                       bool by_kind)
{
    static const char *const names[N_PHASE_NAMES] = {"forward", "backward", "optimizer",
                                                     "prefill", "decode",   "other"};

    if (by_kind)
        (void)snprintf(out, NSC_ITERATIONS_LABEL, "kind %u of iterations (%u of %u)", i,
                       of->kinds[i].n, of->n - of->warm_up);
    else
        (void)snprintf(out, NSC_ITERATIONS_LABEL, "%s", names[i]);
}

/* Numbers the phases, and keeps evenly spaced spans of each, and the segments of those with work. */
static void take_spans(struct nsc_process_phases *out, struct gathering *g, bool by_kind)
{
    uint32_t all[N_PHASE_NAMES] = {0};
    uint32_t seen[N_PHASE_NAMES] = {0};
    uint8_t number[N_PHASE_NAMES] = {0};

    for (size_t i = 0; i < g->spans.n; i++)
        all[g->spans.at[i].phase]++;
    for (unsigned p = 0; p < N_PHASE_NAMES; p++) {
        if (all[p] == 0)
            continue;
        number[p] = (uint8_t)out->n++;
        out->count[number[p]] = all[p];
        name_phase(out->name[number[p]], g->of, (uint8_t)p, by_kind);
    }
    out->spans = nsc_xcalloc(g->spans.n + 1, sizeof *out->spans);
    for (size_t i = 0; i < g->spans.n; i++) {
        const struct nsc_phase_span *span = &g->spans.at[i];
        uint64_t of = all[span->phase];
        uint64_t k = seen[span->phase]++;
        uint64_t most = of < NSC_PHASE_SPANS ? of : NSC_PHASE_SPANS;

        out->time[number[span->phase]] =
            nsc_sum(out->time[number[span->phase]], nsc_window_length(span->window));
        if ((k + 1) * most / of > k * most / of)
            out->spans[out->n_spans++] = (struct nsc_phase_span){span->window, number[span->phase]};
    }
    for (size_t i = 0; i < g->segments.n; i++)
        if (all[g->segments.at[i].phase] > 0) {
            *NSC_VEC_ADD(&out->segments) = g->segments.at[i];
            out->segments.at[out->segments.n - 1].phase = number[g->segments.at[i].phase];
        }
}

/* Where the first span begins on the GPU. */
static nsc_time start_of(const struct gathering *g, uint32_t first)
{
    struct nsc_window steady = {0};

    if (g->line == g->of->lines && nsc_steady_state(&steady, g->of))
        return steady.t0;
    return g->line->at[first].window.t0;
}

static void gather(struct nsc_process_phases *out, struct gathering *g)
{
    const struct nsc_iteration_line *line = g->line;
    nsc_time t0;
    nsc_time t1 = line->at[line->n - 1].host.t1;
    uint32_t first = line->n;
    uint32_t kinds[2] = {0};
    bool by_kind;

    while (first > 0 && !line->at[first - 1].warm_up)
        first--;
    if (first == line->n)
        return;
    t0 = line->at[first].host.t0;
    if (g->of->by != NSC_ITERATIONS_BY_LAUNCHES)
        add_named(g, t0, t1);
    for (size_t i = 0; i < g->segments.n; i++)
        kinds[g->segments.at[i].phase != g->segments.at[0].phase]++;
    by_kind = kinds[0] < NSC_LIMIT_ITERATIONS || kinds[1] == 0;
    if (by_kind) {
        NSC_VEC_CLEAR(&g->segments);
        if (g->of->n_kinds > 1)
            add_kinds(g);
    }
    if (g->segments.n == 0)
        return;
    add_spans(g, start_of(g, first),
              by_kind ? (struct nsc_window){INT64_MAX, INT64_MIN} : (struct nsc_window){t0, t1});
    take_spans(out, g, by_kind);
}

static void free_process(struct nsc_process_phases *of)
{
    free(of->spans);
    NSC_VEC_FINI(&of->segments);
}

/* Adds the phases of a process by line l of the iterations, unless an earlier line is its own too. */
static void find_in_line(struct nsc_job_phases *out, const struct nsc_iterations *of,
                         const struct nsc_iteration_search *search, uint32_t l)
{
    struct gathering g = {.of = of, .search = search, .line = &of->lines[l]};
    struct nsc_process_phases found = {.process =
                                           nsc_trace_track(search->trace, g.line->track)->process};

    for (uint32_t i = 0; i < l; i++)
        if (nsc_trace_track(search->trace, of->lines[i].track)->process == found.process)
            return;
    g.process = nsc_search_process_of(search, g.line->track);
    if (g.process && g.line->n > 0)
        gather(&found, &g);
    NSC_VEC_FINI(&g.segments);
    NSC_VEC_FINI(&g.spans);
    if (found.n < 2)
        free_process(&found);
    else
        *NSC_VEC_ADD(&out->list) = found;
}

/* Adds the phases of the processes that have lines in the iterations of an export; NSC_NONE: of all. */
static void find_in(struct nsc_job_phases *out, const struct nsc_iterations *iterations,
                    const struct nsc_scope *scope, uint32_t capture)
{
    struct nsc_iteration_search search;

    if (iterations->n == 0 || iterations->by_time)
        return;
    if (nsc_search_init(&search, scope, capture))
        for (uint32_t l = 0; l < iterations->n_lines; l++)
            find_in_line(out, iterations, &search, l);
    nsc_search_fini(&search);
}

/* Each export of several has iterations of its own. */
static bool build_phases(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_job_phases *out = value;
    struct nsc_iterations iterations;
    uint32_t n_exports;

    (void)device;
    (void)nsc_trace_captures(scope->trace, &n_exports);
    for (uint32_t i = 0; i < n_exports; i++) {
        bool is_found = n_exports > 1 ? nsc_iterations_find_one(&iterations, scope, i)
                                      : nsc_iterations_ask(&iterations, scope);

        if (is_found)
            find_in(out, &iterations, scope, n_exports > 1 ? i : NSC_NONE);
        nsc_iterations_fini(&iterations);
    }
    return out->list.n > 0;
}

static void fini_phases(void *value)
{
    struct nsc_job_phases *phases = value;

    for (size_t i = 0; i < phases->list.n; i++)
        free_process(&phases->list.at[i]);
    NSC_VEC_FINI(&phases->list);
}

bool nsc_job_phases_find(struct nsc_job_phases *out, const struct nsc_scope *scope)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_job_phases), build_phases,
                                                fini_phases};

    *out = (struct nsc_job_phases){0};
    return !scope->mask && nsc_shared_ask(out, &out->is_kept, &kind, scope, NSC_NONE);
}

const struct nsc_process_phases *nsc_job_phases_of(const struct nsc_job_phases *phases,
                                                   uint64_t process)
{
    for (size_t i = 0; i < phases->list.n; i++)
        if (phases->list.at[i].process == process)
            return &phases->list.at[i];
    return NULL;
}

const char *nsc_process_phases_at(const struct nsc_process_phases *of, nsc_time t)
{
    size_t low = 0;
    size_t high = of->segments.n;

    NSC_BISECT(low, high, middle, of->segments.at[middle].t0 <= t);
    return low > 0 && t < of->segments.at[low - 1].t1 ? of->name[of->segments.at[low - 1].phase]
                                                      : "other";
}

void nsc_job_phases_fini(struct nsc_job_phases *phases)
{
    if (!phases->is_kept)
        fini_phases(phases);
}
