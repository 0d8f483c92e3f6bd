/*
 * Prepares the attribution of kernels to NVTX ranges: the innermost range of any thread of their
 * process around each call (analysis/ranges/process_ranges.h).
 *
 * It needs no texts, so another thread computes it beside the first sheets.
 */
#include "analysis/base/shared.h"
#include "analysis/hotspots/parts.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/process_ranges.h"
#include "core/vec.h"

struct kept_ranges {
    nsc_event *at; /* by position of the launches; owned by the store */
};

static void free_kept(void *value)
{
    free(((struct kept_ranges *)value)->at);
}

/* The kernels of the scope that a thread launched, in the order of their calls. */
struct thread_launches {
    nsc_time time; /* the start of the next kernel's call */
    uint32_t next, end;
};

/* The threads of a process: a heap with the earliest call on top. */
struct merged_threads {
    const struct nsc_scope *scope;
    const struct nsc_launches *launches;
    NSC_VEC(struct thread_launches) heap;
};

/* Moves to the first kernel from next on; false if there is none. */
static bool find_kernel(struct thread_launches *thread, const struct merged_threads *threads)
{
    const struct nsc_events *events = nsc_trace_events(threads->scope->trace);

    for (; thread->next < thread->end; thread->next++) {
        nsc_event op = nsc_launches_op(threads->launches, thread->next);

        thread->time = events->start[events->link[op]];
        if (events->kind[op] == NSC_KIND_KERNEL && nsc_scope_has_row(threads->scope, events, op))
            return true;
    }
    return false;
}

/* Puts a thread where the one at place i of the heap was, or below it. */
static void put_thread(struct merged_threads *threads, size_t i, struct thread_launches thread)
{
    struct thread_launches *heap = threads->heap.at;
    size_t n = threads->heap.n;

    for (size_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && heap[child + 1].time < heap[child].time;
        if (heap[child].time >= thread.time)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = thread;
}

static void merge_threads(struct merged_threads *threads, uint64_t process)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(threads->scope->trace, &n_tracks);

    for (uint32_t t = 0; t < n_tracks; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD && tracks[t].process == process) {
            struct nsc_positions in = nsc_launches_of_track(threads->launches, t);
            struct thread_launches thread = {0, in.first, in.end};

            if (find_kernel(&thread, threads))
                *NSC_VEC_ADD(&threads->heap) = thread;
        }
    for (size_t i = threads->heap.n / 2; i-- > 0;)
        put_thread(threads, i, threads->heap.at[i]);
}

static void find_of_process(nsc_event at[], const struct nsc_hotspots *report,
                            const struct nsc_launches *launches, uint64_t process)
{
    struct nsc_process_query query = {.trace = report->query->scope.trace,
                                      .nvtx = nsc_hotspots_range_ends(report),
                                      .process = process};
    struct merged_threads threads = {.scope = &report->query->scope, .launches = launches};
    struct nsc_process_cursor cursor;

    nsc_process_cursor_open(&cursor, &query);
    merge_threads(&threads, process);
    while (threads.heap.n > 0) {
        struct thread_launches thread = threads.heap.at[0];

        at[thread.next] = nsc_process_cursor_find(&cursor, thread.time);
        thread.next++;
        if (!find_kernel(&thread, &threads))
            thread = threads.heap.at[--threads.heap.n];
        put_thread(&threads, 0, thread);
    }
    nsc_process_cursor_close(&cursor);
    NSC_VEC_FINI(&threads.heap);
}

static nsc_event *find_all(const struct nsc_hotspots *report, const struct nsc_launches *launches)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(report->query->scope.trace, &n_tracks);
    uint32_t n = nsc_launches_count(launches);
    nsc_event *at = nsc_xmalloc(((size_t)n + 1) * sizeof *at);

    for (uint32_t i = 0; i < n; i++)
        at[i] = NSC_NONE;
    for (uint32_t t = 0; t < n_tracks; t++) { /* handles each process once, at its first stream */
        bool is_first = tracks[t].kind == NSC_TRACK_STREAM;

        for (uint32_t k = 0; k < t && is_first; k++)
            is_first = tracks[k].kind != NSC_TRACK_STREAM || tracks[k].process != tracks[t].process;
        if (is_first)
            find_of_process(at, report, launches, tracks[t].process);
    }
    return at;
}

struct nsc_launches *nsc_hotspots_launches(const struct nsc_hotspots *report)
{
    struct nsc_launches *launches = nsc_launches_ask_order(&report->query->scope);

    if (!launches)
        nsc_die_oom();
    return launches;
}

const nsc_event *nsc_hotspots_any_thread(const struct nsc_hotspots *report,
                                         const struct nsc_launches *launches)
{
    static const struct nsc_shared_kind kind = {sizeof(struct kept_ranges), NULL, free_kept};
    const struct nsc_scope *scope = &report->query->scope;
    struct kept_ranges kept;
    bool result;

    if (nsc_shared_find(&kept, &result, &kind, NULL, scope, 0))
        return kept.at;
    kept.at = find_all(report, launches);
    nsc_shared_keep(&kept, true, &kind, NULL, scope, 0);
    return kept.at;
}

void nsc_hotspots_find_kernel_ranges(struct nsc_hotspots *report)
{
    if (!report->query->map_nvtx)
        return;
    (void)nsc_hotspots_any_thread(report, nsc_hotspots_launches(report));
}
