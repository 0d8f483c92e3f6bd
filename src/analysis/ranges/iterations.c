/*
 * Finds the iterations of a job: finds those of each process, matches them by number, and locates
 * them on the GPU.
 */
#include "analysis/ranges/iterations.h"

#include "analysis/base/shared.h"
#include "analysis/ranges/iteration_search.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/threads.h"

#include <stdlib.h>
#include <string.h>

const char *nsc_iterations_by_word(enum nsc_iterations_by by)
{
    static const char *const words[] = {"nothing", "NVTX range", "group of NVTX ranges",
                                        "period of the launches"};

    return words[by];
}

/* ---- where on the GPU ---- */

/* Whether the GPU still works on most iterations for a good part of a period after the host went on to
 * the next, with work left when the host is done; or for more than a period. */
static bool is_ahead(const struct nsc_found *found)
{
    const struct nsc_iteration *last = &found->at[found->n - 1];
    nsc_time whole = nsc_span(found->at[0].gpu.t0, last->gpu.t1);
    uint32_t ahead = 0;
    uint32_t far = 0;

    for (uint32_t i = 0; i + 1 < found->n; i++) {
        const struct nsc_iteration *it = &found->at[i];
        nsc_time period = nsc_span(it->host.t0, it->host.t1);

        if (it->gpu.t1 <= it->gpu.t0)
            return false;
        far += nsc_span(it->host.t1, it->gpu.t1) > period;
        ahead += (double)nsc_span(it->host.t1, it->gpu.t1) > NSC_SHARE(MOST) * (double)period;
    }
    if (found->n < 2 || last->gpu.t1 <= last->gpu.t0)
        return false;
    return 2 * far > found->n - 1 ||
           (2 * ahead > found->n - 1 && (double)nsc_span(found->host_end, last->gpu.t1) >
                                            NSC_SHARE(MOST) * (double)whole / found->n);
}

/* Moves the windows to the GPU: from first kernel to first kernel. */
static void move_to_gpu(struct nsc_found *found)
{
    for (uint32_t i = 0; i < found->n; i++) {
        struct nsc_iteration *it = &found->at[i];

        it->window = it->gpu;
        if (i > 0) {
            struct nsc_iteration *before = &found->at[i - 1];

            it->window.t0 = nsc_later(it->window.t0, before->window.t0 + 1);
            before->window.t1 = it->window.t0;
        }
        it->window.t1 = nsc_later(it->window.t1, it->window.t0 + 1);
    }
}

/* The GPU time of an interlude starts when the iteration's launches before it end (or the iteration
 * starts), and ends when its own launches (or the iteration) end. */
static void move_interlude(struct nsc_interlude *aside, const struct nsc_found *found,
                           const struct nsc_iteration_search *search)
{
    const struct nsc_iteration *it = &found->at[aside->after];
    struct nsc_gpu_figures before =
        nsc_search_work(search, found->process, (struct nsc_window){it->host.t0, aside->window.t0});
    struct nsc_gpu_figures own = nsc_search_work(search, found->process, aside->window);

    if (before.ops > 0)
        aside->taken.t0 = nsc_later(aside->taken.t0, nsc_event_end(search->events, before.last));
    if (own.ops > 0)
        aside->taken.t1 = nsc_later(aside->taken.t1, nsc_event_end(search->events, own.last));
}

/* Computes the periods: windows without their interludes. */
static void measure_periods(struct nsc_found *found, const struct nsc_iteration_search *search,
                            bool on_gpu)
{
    for (uint32_t i = 0; i < found->n; i++)
        found->at[i].period = nsc_window_length(found->at[i].window);
    for (size_t k = 0; k < found->interludes.n; k++) {
        struct nsc_interlude *aside = &found->interludes.at[k];
        struct nsc_iteration *it = &found->at[aside->after];

        aside->taken = aside->window;
        if (on_gpu)
            move_interlude(aside, found, search);
        if (k > 0 && aside[-1].after == aside->after)
            aside->taken.t0 = nsc_later(aside->taken.t0, aside[-1].taken.t1);
        aside->taken.t1 = nsc_earlier(aside->taken.t1, it->window.t1);
        it->period = nsc_later(1, it->period - nsc_span(aside->taken.t0, aside->taken.t1));
    }
}

/* ---- one job of several processes ---- */

static nsc_time distance(const struct nsc_iteration *a, const struct nsc_iteration *b)
{
    return nsc_span(a->window.t0, b->window.t0) + nsc_span(b->window.t0, a->window.t0);
}

/* The number of a line's first iteration: 0, or 1 if its recording starts with the second
 * iteration. */
static uint32_t number_of(const struct nsc_found *longest, const struct nsc_found *other)
{
    return other->n < longest->n &&
           distance(&longest->at[1], &other->at[0]) < distance(&longest->at[0], &other->at[0]) / 2;
}

static bool is_same_job(const struct nsc_found *a, const struct nsc_found *b)
{
    uint32_t difference = a->n > b->n ? a->n - b->n : b->n - a->n;

    return b->n > 0 && a->by == b->by &&
           (a->by == NSC_ITERATIONS_BY_LAUNCHES || strcmp(a->label, b->label) == 0) &&
           difference <= 1;
}

static void add_line(struct nsc_iterations *out, struct nsc_found *found, uint32_t first)
{
    struct nsc_iteration_line *line = &out->lines[out->n_lines++];

    *line = (struct nsc_iteration_line){found->track, first, found->n, found->at};
    found->at = NULL;
}

static void add_to(struct nsc_iteration *to, const struct nsc_iteration *from)
{
    if (to->window.t1 == to->window.t0) {
        *to = *from;
        return;
    }
    to->work = nsc_sum(to->work, from->work);
    to->ops += from->ops;
}

/* Takes the time of each iteration of the job from the first line that has it. */
static void merge_lines(struct nsc_iterations *out)
{
    out->n = 0;
    for (uint32_t l = 0; l < out->n_lines; l++)
        if (out->lines[l].first + out->lines[l].n > out->n)
            out->n = out->lines[l].first + out->lines[l].n;
    out->at = nsc_xcalloc((size_t)out->n + 1, sizeof *out->at);
    for (uint32_t l = 0; l < out->n_lines; l++)
        for (uint32_t k = 0; k < out->lines[l].n; k++)
            add_to(&out->at[out->lines[l].first + k], &out->lines[l].at[k]);
    for (uint32_t i = 1; i < out->n; i++) {
        struct nsc_window *before = &out->at[i - 1].window;
        struct nsc_window *w = &out->at[i].window;

        w->t0 = nsc_later(w->t0, before->t0 + 1);
        w->t1 = nsc_later(w->t1, w->t0 + 1);
        before->t1 = nsc_earlier(before->t1, w->t0);
    }
}

/* The line whose process works most is the first and decides. */
static size_t main_of(const struct nsc_found found[], size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        if (found[i].n > 0 && (found[best].n == 0 ||
                               found[i].coverage * (double)found[i].process->work >
                                   1.05 * found[best].coverage * (double)found[best].process->work))
            best = i;
    return best;
}

/* The line with the most iterations; the others are numbered after it. */
static const struct nsc_found *longest_of(const struct nsc_found found[], size_t n,
                                          const struct nsc_found *first)
{
    const struct nsc_found *best = first;

    for (size_t i = 0; i < n; i++)
        if (is_same_job(first, &found[i]) && found[i].n > best->n)
            best = &found[i];
    return best;
}

static void describe(struct nsc_iterations *out, const struct nsc_iteration_search *search,
                     const struct nsc_found *first)
{
    double share = first->loop_coverage < 0.9 ? 0.5 + first->loop_coverage / 1.8 : 1;

    out->by = first->by;
    out->by_time = search->by_time;
    out->on_gpu = is_ahead(first);
    out->first_work = first->first_work;
    out->coverage = first->coverage;
    out->loop_coverage = first->loop_coverage;
    out->confidence = first->steady * share;
    memcpy(out->label, first->label, sizeof out->label);
}

static void take_interludes(struct nsc_iterations *out, struct nsc_found *first, uint32_t number)
{
    out->interludes = first->interludes.at;
    out->n_interludes = (uint32_t)first->interludes.n;
    memset(&first->interludes, 0, sizeof first->interludes);
    for (uint32_t k = 0; k < out->n_interludes; k++)
        out->interludes[k].after += number;
}

/* Finds the distance between nearly all slow ones, as in "every 50th". */
static void find_recurrence(struct nsc_iterations *of)
{
    uint32_t before = NSC_NONE;
    uint32_t first = NSC_NONE;
    uint32_t gap = 0;
    uint32_t n = 0;
    uint32_t odd = 0;
    bool many, two;

    for (uint32_t i = 0; i < of->n; i++) {
        if (!of->at[i].slow)
            continue;
        if (before == NSC_NONE)
            first = i;
        else if (gap == 0)
            gap = i - before;
        else
            odd += (i - before) % gap != 0;
        before = i;
        n++;
    }
    many = n >= 3 && gap >= 2 && odd * 10 <= n && (before - first) / gap + 1 <= n + n / 4 &&
           (of->n - of->warm_up) / gap <= n + n / 4 + 1; /* not for a while only */
    two = n == 2 && gap >= 2 && first < gap + 1 && of->n - before <= gap &&
          (first == 0 || first + 1 == gap || first == gap);
    if (many || two)
        of->recurs = gap;
}

static void assemble(struct nsc_iterations *out, struct nsc_iteration_search *search,
                     struct nsc_found found[], size_t n)
{
    size_t main = 0;
    uint32_t n_tracks = 0;
    struct nsc_stream_time *by_track;
    const struct nsc_found *longest;
    uint32_t *number = nsc_xcalloc(n + 1, sizeof *number);
    bool *is_in = nsc_xcalloc(n + 1, sizeof *is_in);

    main = main_of(found, n);
    (void)nsc_trace_tracks(search->trace, &n_tracks);
    by_track = nsc_xcalloc((size_t)n_tracks + 1, sizeof *by_track);
    for (size_t i = 0; i < n; i++)
        nsc_search_measure(search, &found[i], by_track);
    free(by_track);
    describe(out, search, &found[main]);
    longest = longest_of(found, n, &found[main]);
    for (size_t i = 0; i < n; i++) {
        is_in[i] = i == main || is_same_job(&found[main], &found[i]);
        if (is_in[i] && out->on_gpu)
            move_to_gpu(&found[i]);
        if (is_in[i])
            measure_periods(&found[i], search, out->on_gpu);
    }
    for (size_t i = 0; i < n; i++)
        number[i] = is_in[i] ? number_of(longest, &found[i]) : 0;
    out->lines = nsc_xcalloc(n + 1, sizeof *out->lines);
    take_interludes(out, &found[main], number[main]);
    add_line(out, &found[main], number[main]);
    for (size_t i = 0; i < n; i++)
        if (i != main && is_in[i])
            add_line(out, &found[i], number[i]);
    free(number);
    free(is_in);
    merge_lines(out);
    nsc_iterations_judge(out, search);
    find_recurrence(out);
}

/* ---- finding ---- */

static const char *reason_of(const struct nsc_iteration_search *search, uint32_t n_recurring)
{
    if (search->by_time)
        return "No NVTX range recurs through the recording.";
    if (search->n_parts > 0)
        return "What recurs are parts of an iteration, as layers are; no three whole ones are "
               "there.";
    if (n_recurring > 0)
        return "NVTX ranges recur, but none that recurs launches half of the GPU time, and the "
               "launches have no period.";
    return "No NVTX range recurs through the work, and the sequence of launches has no period.";
}

/* why: the reason if nothing is found. is_named: the user trusts it. */
static bool conclude(struct nsc_iterations *out, struct nsc_iteration_search *search,
                     struct nsc_found found[], const char *why, bool is_named)
{
    size_t n = search->processes.n;
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any = any || found[i].n > 0;
    *out = (struct nsc_iterations){.why = any ? NULL : why};
    if (any)
        assemble(out, search, found, n);
    if (any && !is_named && out->confidence < NSC_SHARE(ITERATION_TRUST)) {
        nsc_iterations_fini(out);
        any = false;
        out->why = "What recurs is too irregular to be iterations; name the range with "
                   "-p marker=NAME.";
    }
    for (size_t i = 0; i < n; i++)
        nsc_found_fini(&found[i]);
    free(found);
    return any;
}

struct launch_search {
    struct nsc_iteration_search *search;
    struct nsc_found *found; /* by process */
};

static void search_process(void *context, unsigned worker, uint32_t i)
{
    struct launch_search *of = context;

    (void)worker;
    nsc_search_launches(of->search, &of->search->processes.at[i], &of->found[i]);
}

/* Searches the launches of all processes in parallel. */
static void search_launches(struct nsc_iteration_search *search, struct nsc_found found[])
{
    struct launch_search of = {search, found};
    struct nsc_pool *pool = nsc_pool_new(search->processes.n > 1 ? 0 : 1);

    nsc_pool_run(pool, (uint32_t)search->processes.n, search_process, &of);
    nsc_pool_free(pool);
}

static bool find_iterations(struct nsc_iterations *out, const struct nsc_scope *scope,
                            uint32_t capture)
{
    struct nsc_iteration_search search;
    struct nsc_found *found;
    uint32_t n_recurring = 0;
    bool any = false;

    *out = (struct nsc_iterations){.why = "No memory for the launches."};
    if (nsc_search_init(&search, scope, capture)) {
        found = nsc_xcalloc(search.processes.n + 1, sizeof *found);
        for (size_t i = 0; i < search.processes.n; i++) {
            nsc_search_ranges(&search, &search.processes.at[i], &found[i], &n_recurring);
            any = any || found[i].n > 0;
        }
        if (!any && !nsc_scope_is_stopped(scope))
            search_launches(&search, found);
        any = conclude(out, &search, found, reason_of(&search, n_recurring), false);
    }
    nsc_search_fini(&search);
    return any;
}

bool nsc_iterations_find(struct nsc_iterations *out, const struct nsc_trace *trace)
{
    struct nsc_scope scope = nsc_scope_all(trace);

    return find_iterations(out, &scope, NSC_NONE);
}

bool nsc_iterations_find_one(struct nsc_iterations *out, const struct nsc_scope *scope,
                             uint32_t capture)
{
    return find_iterations(out, scope, capture);
}

void nsc_iterations_find_each(struct nsc_iterations out[2], const struct nsc_trace *trace,
                              bool apart)
{
    struct nsc_scope scope = nsc_scope_all(trace);

    for (uint32_t i = 0; i < 1u + apart; i++)
        (void)find_iterations(&out[i], &scope, apart ? i : NSC_NONE);
}

void nsc_iterations_move(struct nsc_iterations *to, struct nsc_iterations *from)
{
    *to = *from;
    *from = (struct nsc_iterations){0};
}

bool nsc_iterations_named(struct nsc_iterations *out, const struct nsc_scope *scope,
                          struct nsc_text text)
{
    static const char why[] = "No NVTX range has a name like that.";
    struct nsc_iteration_search search;
    bool any = false;

    *out = (struct nsc_iterations){.why = why};
    if (text.n == 0 || text.n > NSC_NAME_BYTES)
        return false;
    if (nsc_search_init(&search, scope, NSC_NONE)) {
        struct nsc_found *found = nsc_xcalloc(search.processes.n + 1, sizeof *found);

        for (size_t i = 0; i < search.processes.n; i++)
            nsc_search_named(&search, &search.processes.at[i], text, &found[i]);
        any = conclude(out, &search, found, why, true);
    }
    nsc_search_fini(&search);
    return any;
}

static bool build_iterations(void *out, const struct nsc_scope *scope, uint32_t device)
{
    (void)device;
    return find_iterations(out, scope, NSC_NONE);
}

static void fini_iterations(void *iterations)
{
    nsc_iterations_fini(iterations);
}

static const struct nsc_shared_kind iterations_kind = {sizeof(struct nsc_iterations),
                                                       build_iterations, fini_iterations};

bool nsc_iterations_ask(struct nsc_iterations *out, const struct nsc_scope *scope)
{
    return nsc_shared_ask(out, &out->is_kept, &iterations_kind, scope, NSC_NONE);
}

void nsc_iterations_lend(const struct nsc_iterations *found, const struct nsc_scope *scope)
{
    struct nsc_iterations lent = *found;

    lent.is_kept = true; /* the store must not free it */
    nsc_shared_keep(&lent, found->n > 0, &iterations_kind, NULL, scope, NSC_NONE);
}
