/*
 * Prepares the search for iterations: the threads that launch, their work, and the traits of range
 * names.
 */
#include "analysis/ranges/iteration_search.h"

#include "analysis/base/limit.h"
#include "analysis/names/framework.h"
#include "analysis/ranges/iteration_period.h"
#include "core/bisect.h"
#include "core/chars.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

uint8_t nsc_search_traits(struct nsc_text name)
{
    static const char *const part[] = {"layer",     "block", "micro",  "stage",    "attn",
                                       "attention", "mlp",   "expert", "encoder.", NULL};
    static const char *const update[] = {"optim",        "adam",       "sgd", "muon",
                                         "multi_tensor", "apply_grad", NULL};
    static const char *const lamb[] = {"lamb", NULL};
    static const char *const lambda[] = {"lambda", NULL}; /* in kernels of any C++ code */
    static const char *const pass[] = {"forward", "backward", "fwd", "bwd", NULL};
    static const char *const step[] = {"step",    "iter",   "batch",         "token",
                                       "prefill", "decode", "execute_model", NULL};
    static const char *const aside[] = {"eval",   "valid",  "test",     "checkpoint", "ckpt",
                                        "save",   "log",    "print",    "write",      "dump",
                                        "output", "metric", "snapshot", "io #",       NULL};
    static const char *const epoch[] = {"epoch", "trial", NULL};
    uint8_t traits = 0;

    traits |= nsc_text_contains_any(name, part) ? NSC_TRAIT_PART : 0;
    if (nsc_text_contains_any(name, update) ||
        (nsc_text_contains_any(name, lamb) && !nsc_text_contains_any(name, lambda)))
        traits |= NSC_TRAIT_UPDATE;
    traits |= nsc_text_contains_any(name, aside) ? NSC_TRAIT_ASIDE : 0;
    traits |= nsc_text_contains_any(name, epoch) ? NSC_TRAIT_EPOCH : 0;
    if (!traits && nsc_text_contains_any(name, step) && !nsc_text_contains_any(name, pass))
        traits |= NSC_TRAIT_STEP;
    return traits;
}

static bool is_digit_at(struct nsc_text text, uint32_t i)
{
    return i < text.n && (nsc_is_digit(text.bytes[i]) || text.bytes[i] == NSC_COUNTER_BYTE);
}

/* The length of the number at i: "17", "2.31", "3e-04", "0x1f", "nan"; 0: none. A sign belongs to
 * it after "=", ":" or a blank. */
static uint32_t number_bytes(struct nsc_text text, uint32_t i)
{
    uint32_t at = i;
    bool after_sign = i > 0 && strchr("=: ,(", text.bytes[i - 1]);

    if (after_sign && at + 3 <= text.n &&
        (memcmp(text.bytes + at, "nan", 3) == 0 || memcmp(text.bytes + at, "inf", 3) == 0))
        return 3;
    if (after_sign && (text.bytes[at] == '-' || text.bytes[at] == '+'))
        at++;
    if (!is_digit_at(text, at))
        return 0;
    while (is_digit_at(text, at) ||
           (at < text.n && text.bytes[at] == '.' && is_digit_at(text, at + 1)))
        at++;
    if (at + 1 < text.n && (text.bytes[at] == 'e' || text.bytes[at] == 'E')) {
        uint32_t sign = text.bytes[at + 1] == '-' || text.bytes[at + 1] == '+';

        if (is_digit_at(text, at + 1 + sign))
            for (at += 1 + sign; is_digit_at(text, at);)
                at++;
    }
    return at - i;
}

/* Replaces numbers of any form by "#". Returns the length. */
static uint32_t fold(char out[NSC_NAME_BYTES], struct nsc_text text)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < text.n && n < NSC_NAME_BYTES;) {
        uint32_t number = number_bytes(text, i);

        out[n++] = number ? '#' : text.bytes[i];
        i += number ? number : 1;
    }
    return n;
}

nsc_str nsc_search_pattern(struct nsc_iteration_search *search, nsc_event row)
{
    nsc_name name = search->events->name[row];

    if (search->pattern[name] == NSC_NONE) {
        char folded[NSC_NAME_BYTES];
        uint32_t n = fold(folded, nsc_name_text(search->trace, name));

        search->pattern[name] = nsc_strpool_add(&search->patterns, folded, n);
        while (search->traits.n < search->patterns.n) {
            nsc_str next = (nsc_str)search->traits.n;

            *NSC_VEC_ADD(&search->traits) =
                nsc_search_traits(nsc_strpool_text(&search->patterns, next));
        }
    }
    return search->pattern[name];
}

void nsc_search_label(char out[NSC_ITERATIONS_LABEL], const struct nsc_iteration_search *search,
                      nsc_str pattern)
{
    struct nsc_text text = nsc_strpool_text(&search->patterns, pattern);
    size_t n = strlen(out);

    if (n > 0 && n + 3 < NSC_ITERATIONS_LABEL) {
        out[n++] = ',';
        out[n++] = ' ';
    }
    for (uint32_t i = 0; i < text.n && n + 1 < NSC_ITERATIONS_LABEL; i++)
        out[n++] = text.bytes[i];
    out[n] = '\0';
}

/* ---- threads and their work ---- */

/* The process of the next thread. The threads of a process follow each other. */
static struct nsc_search_process *process_of(struct nsc_iteration_search *search, uint32_t group)
{
    uint64_t process = nsc_trace_track(search->trace, group)->process;
    size_t n = search->processes.n;

    if (n == 0 || search->processes.at[n - 1].process != process)
        *NSC_VEC_ADD(&search->processes) =
            (struct nsc_search_process){.process = process, .first = group};
    return &search->processes.at[search->processes.n - 1];
}

static void add_thread(struct nsc_iteration_search *search, uint32_t group)
{
    struct nsc_positions in = nsc_launches_of_track(search->launches, group);
    struct nsc_search_process *to = process_of(search, group);

    if (in.first == in.end)
        return;
    to->threads = nsc_xrealloc(to->threads, (size_t)to->n_threads + 1, sizeof *to->threads);
    to->threads[to->n_threads++] = group;
    to->work = nsc_sum(to->work, nsc_launches_measure(search->launches, in).work);
}

const struct nsc_search_process *nsc_search_process_of(const struct nsc_iteration_search *search,
                                                       uint32_t track)
{
    const struct nsc_search_process *at = search->processes.at;
    size_t low = 0;
    size_t high = search->processes.n;

    NSC_BISECT(low, high, middle, at[middle].first <= track);
    return low > 0 && at[low - 1].process == nsc_trace_track(search->trace, track)->process
               ? &at[low - 1]
               : NULL;
}

bool nsc_search_init(struct nsc_iteration_search *search, const struct nsc_scope *scope,
                     uint32_t capture)
{
    const struct nsc_trace *trace = scope->trace;
    struct nsc_scope all = *scope;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint32_t n_names = nsc_trace_names(trace)->n;
    nsc_time work = 0;

    *search = (struct nsc_iteration_search){
        .trace = trace, .events = nsc_trace_events(trace), .stop = scope->stop};
    nsc_strpool_init(&search->patterns);
    search->pattern = nsc_xmalloc(((size_t)n_names + 1) * sizeof *search->pattern);
    search->kernel_traits = nsc_xcalloc((size_t)n_names + 1, sizeof *search->kernel_traits);
    for (uint32_t i = 0; i < n_names; i++)
        search->pattern[i] = NSC_NONE;
    all.mask = NULL;
    search->launches = nsc_launches_ask(&all);
    if (!search->launches)
        return false;
    for (uint32_t g = nsc_trace_next_group(trace, 0); g < n;
         g = nsc_trace_next_group(trace, nsc_group_end(tracks, g)))
        if (tracks[g].kind == NSC_TRACK_THREAD &&
            (capture == NSC_NONE || tracks[g].capture_no == capture))
            add_thread(search, g);
    for (size_t i = 0; i < search->processes.n; i++)
        work = nsc_sum(work, search->processes.at[i].work);
    search->by_time = work == 0;
    search->is_pytorch = nsc_trace_is_pytorch(trace);
    return true;
}

void nsc_search_fini(struct nsc_iteration_search *search)
{
    for (size_t i = 0; i < search->processes.n; i++)
        free(search->processes.at[i].threads);
    NSC_VEC_FINI(&search->processes);
    NSC_VEC_FINI(&search->traits);
    nsc_strpool_fini(&search->patterns);
    nsc_launches_free(search->launches);
    free(search->pattern);
    free(search->kernel_traits);
}

struct nsc_gpu_figures nsc_search_work(const struct nsc_iteration_search *search,
                                       const struct nsc_search_process *process,
                                       struct nsc_window window)
{
    struct nsc_gpu_figures all = {.first = NSC_NONE, .last = NSC_NONE};

    for (uint32_t i = 0; i < process->n_threads; i++)
        nsc_gpu_figures_add(
            &all, search->events,
            nsc_launches_measure(search->launches,
                                 nsc_search_in(search, process->threads[i], window)));
    return all;
}

struct nsc_positions nsc_search_in(const struct nsc_iteration_search *search, uint32_t thread,
                                   struct nsc_window window)
{
    struct nsc_positions in = nsc_launches_of_track(search->launches, thread);

    in.first = nsc_launches_find(search->launches, in, window.t0);
    in.end = nsc_launches_find_ahead(search->launches, in, window.t1);
    return in;
}

nsc_time nsc_search_add_compute(nsc_time time, const struct nsc_iteration_search *search,
                                nsc_event op)
{
    enum nsc_op_class work;

    return nsc_trace_work_of(search->trace, op, &work) && work == NSC_OP_COMPUTE
               ? nsc_sum(time, nsc_event_duration(search->events, op))
               : time;
}

nsc_time nsc_search_compute_time(const struct nsc_iteration_search *search,
                                 const struct nsc_search_process *process, struct nsc_window window)
{
    nsc_time time = 0;

    for (uint32_t i = 0; i < process->n_threads; i++) {
        struct nsc_positions in = nsc_search_in(search, process->threads[i], window);

        for (; in.first < in.end; in.first++)
            time =
                nsc_search_add_compute(time, search, nsc_launches_op(search->launches, in.first));
    }
    return time;
}

void nsc_found_fini(struct nsc_found *found)
{
    free(found->at);
    NSC_VEC_FINI(&found->interludes);
    *found = (struct nsc_found){0};
}

/* ---- asides ---- */

void nsc_found_add_aside(struct nsc_found *found, const struct nsc_events *events, uint32_t i,
                         nsc_time work, nsc_event op)
{
    nsc_event call;

    if (work == 0 || (double)work * found->n < NSC_SHARE(LARGE) * (double)found->process->work)
        return;
    call = events->link[op];
    *NSC_VEC_ADD(&found->interludes) = (struct nsc_interlude){
        .window = {events->start[call], found->at[i].host.t1}, .event = call, .after = i};
}

/* ---- the end ---- */

/* Whether the range of the last iteration was still open when the recording ended: it ends there, and
 * after its last work passes more time than in any other iteration. */
static bool is_left_open(const struct nsc_iteration_search *search, const struct nsc_found *found)
{
    const struct nsc_iteration *last = &found->at[found->n - 1];
    nsc_time longest = 0;

    if (found->by == NSC_ITERATIONS_BY_LAUNCHES || found->n < NSC_LIMIT_ITERATIONS ||
        last->host.t1 < nsc_trace_extent(search->trace).t1)
        return false;
    for (uint32_t i = 0; i + 1 < found->n; i++)
        longest = nsc_later(longest, nsc_window_length(found->at[i].host));
    return nsc_span(nsc_later(last->gpu.t1, last->host.t0), last->host.t1) > longest;
}

void nsc_search_end_last(const struct nsc_iteration_search *search, struct nsc_found *found)
{
    struct nsc_iteration *last = &found->at[found->n - 1];

    if (is_left_open(search, found)) {
        last->host.t1 = last->gpu.t1;
        last->in_ranges = nsc_earlier(last->in_ranges, nsc_window_length(last->host));
    }
    found->host_end = last->host.t1;
    last->host.t1 = nsc_later(last->host.t1, last->gpu.t1);
}
