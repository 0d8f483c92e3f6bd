/* Measures what the iterations found in a process launch, and when it runs. */
#include "analysis/ranges/iteration_search.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

enum { STREAM_SAMPLES = 8 };

static uint32_t stream_of(const struct nsc_iteration_search *search, nsc_event op)
{
    const struct nsc_trace *trace = search->trace;

    return nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, op)].track;
}

/* The stream with most compute in a sample of the iterations. Other streams (copies, communication)
 * may run far ahead of it. */
static uint32_t main_stream(const struct nsc_found *found,
                            const struct nsc_iteration_search *search,
                            struct nsc_stream_time by_stream[])
{
    uint32_t best = 0;

    by_stream[0] = (struct nsc_stream_time){found, 0};
    for (uint32_t i = 0; i < found->n; i += found->n / STREAM_SAMPLES + 1)
        for (uint32_t k = 0; k < found->process->n_threads; k++) {
            struct nsc_positions in =
                nsc_search_in(search, found->process->threads[k], found->at[i].host);

            for (; in.first < in.end; in.first++) {
                nsc_event op = nsc_launches_op(search->launches, in.first);
                uint32_t t = stream_of(search, op);

                if (by_stream[t].of != found) /* of another process */
                    by_stream[t] = (struct nsc_stream_time){found, 0};
                by_stream[t].compute = nsc_search_add_compute(by_stream[t].compute, search, op);
                if (by_stream[t].compute > by_stream[best].compute ||
                    (by_stream[t].compute == by_stream[best].compute && t < best))
                    best = t;
            }
        }
    return best;
}

struct measuring {
    struct nsc_found *found;
    const struct nsc_iteration_search *search;
    uint32_t stream, lane; /* with most compute, and its first lane */
};

/* Moves *out to the start of the first kernel launched in an iteration on the stream; without one there,
 * on any stream. */
static void find_first_kernel(nsc_time *out, const struct measuring *of, struct nsc_window w)
{
    const struct nsc_iteration_search *search = of->search;
    const struct nsc_lane *lanes = nsc_trace_lanes(search->trace, NULL);
    nsc_time first = INT64_MAX;
    nsc_time other = INT64_MAX;

    for (uint32_t i = 0; i < of->found->process->n_threads; i++) {
        struct nsc_positions in = nsc_search_in(search, of->found->process->threads[i], w);
        bool any = false;

        for (uint32_t at = in.first; at < in.end; at++) {
            nsc_event op = nsc_launches_op(search->launches, at);
            uint8_t kind = search->events->kind[op];

            if (kind != NSC_KIND_KERNEL && kind != NSC_KIND_GRAPH)
                continue;
            if (!any)
                other = nsc_earlier(other, search->events->start[op]);
            any = true;
            if (lanes[nsc_trace_lane_near(search->trace, op, of->lane)].track == of->stream) {
                first = nsc_earlier(first, search->events->start[op]);
                break;
            }
        }
    }
    if (nsc_earlier(first, other) < INT64_MAX)
        *out = first < INT64_MAX ? first : other;
}

/* The launches of iteration i, without those of its interludes. */
static struct nsc_gpu_figures own_work(const struct measuring *of, uint32_t i)
{
    const struct nsc_found *found = of->found;
    struct nsc_gpu_figures all = {.first = NSC_NONE, .last = NSC_NONE};
    struct nsc_window w;

    for (uint32_t k = 0; nsc_iteration_piece(&w, found->interludes.at, found->interludes.n, i,
                                             found->at[i].host, k);
         k++)
        nsc_gpu_figures_add(&all, of->search->events,
                            nsc_search_work(of->search, found->process, w));
    return all;
}

static void measure_iteration(const struct measuring *of, uint32_t i)
{
    const struct nsc_events *events = of->search->events;
    struct nsc_iteration *to = &of->found->at[i];
    struct nsc_gpu_figures figures = own_work(of, i);

    to->work = figures.work;
    to->ops = figures.ops;
    if (figures.ops == 0)
        return;
    to->gpu =
        (struct nsc_window){events->start[figures.first], nsc_event_end(events, figures.last)};
    if (i == 0)
        of->found->first_work = to->gpu.t0;
    find_first_kernel(&to->gpu.t0, of, to->host);
}

void nsc_search_measure(const struct nsc_iteration_search *search, struct nsc_found *found,
                        struct nsc_stream_time by_track[])
{
    struct measuring of = {.found = found, .search = search};

    found->first_work = INT64_MAX;
    if (found->n == 0)
        return;
    of.stream = main_stream(found, search, by_track);
    of.lane = nsc_trace_track(search->trace, of.stream)->first_lane;
    for (uint32_t i = 0; i < found->n; i++)
        measure_iteration(&of, i);
    if (found->at[found->n - 1].ops > 0)
        nsc_search_end_last(search, found);
    else
        found->host_end = found->at[found->n - 1].host.t1;
    for (uint32_t i = 0; i < found->n; i++)
        found->at[i].window = found->at[i].host;
}
