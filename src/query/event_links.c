/* Reads what an event belongs to: its call, the NVTX ranges around it, and what is inside a range. */
#include "nsyscope/calltree.h"

#include "core/bisect.h"
#include "query/event_getter.h"

/* ---- what it belongs to ---- */

/* argument 0: the call, 1: its start, 2: its end. */
GETTER(call, argument)
{
    nsc_event call = call_of(row);

    if (call == NSC_NONE || argument == 0)
        return event_value(call);
    return int_value(argument == 1 ? row->query->events->start[call]
                                   : nsc_event_end(row->query->events, call));
}

/* argument 0: the thread of the call, 1: its label. */
GETTER(caller, argument)
{
    const struct nsc_trace *trace = row->query->trace;
    nsc_event call = call_of(row);
    const struct nsc_track *thread;

    if (call == NSC_NONE)
        return null_value();
    thread = nsc_trace_track(trace, nsc_event_group(trace, call));
    return argument ? text_value(nsc_trace_string(trace, thread->label))
                    : known_value(thread->tid != 0, thread->tid);
}

GETTER(own_code, argument)
{
    struct nsc_trace_query *query = row->query;
    nsc_event call =
        nsc_kind_is_gpu(kind_of(row)) ? nsc_event_launch(query->trace, row->at) : row->at;
    struct nsc_text function =
        nsc_own_code_find(&query->own_code, query->trace, query->ground.fields, call);

    return function.n ? text_value(function) : null_value();
}

GETTER(queue, argument)
{
    nsc_time queue = 0;
    bool is_known = nsc_event_queue_time(row->query->trace, row->at, &queue);

    return known_value(is_known, queue);
}

GETTER(op, argument)
{
    return event_value(nsc_kind_is_gpu(kind_of(row)) ? row->at : row->query->events->link[row->at]);
}

struct nsc_path nsc_query_path_of(struct nsc_trace_query *query, nsc_event event, uint32_t lane)
{
    if (!query->memo)
        query->memo = nsc_path_memo_new(query->trace);
    return nsc_path_memo_find(query->memo, event, lane, nsc_event_launch(query->trace, event));
}

GETTER(range, argument)
{
    return event_value(nsc_query_path_of(row->query, row->at, row->lane).innermost);
}

/* The iterations of an export as if it were alone, as table iteration has them. */
static const struct nsc_iterations *iterations_of(struct nsc_trace_query *query, uint32_t export_no)
{
    uint32_t n_exports = 0;

    (void)nsc_trace_captures(query->trace, &n_exports);
    if (query->iterations.n == 0)
        for (uint32_t i = 0; i < n_exports; i++)
            *NSC_VEC_ADD(&query->iterations) = (struct nsc_iterations){.n_lines = NSC_NONE};
    if (query->iterations.at[export_no].n_lines == NSC_NONE) { /* not asked for yet */
        (void)nsc_iterations_find_one(&query->iterations.at[export_no], query->ground.scope,
                                      n_exports > 1 ? export_no : NSC_NONE);
    }
    return &query->iterations.at[export_no];
}

static void find_line(struct nsc_query_row *row)
{
    struct nsc_trace_query *query = row->query;
    const struct nsc_iterations *all = iterations_of(query, track_of(row)->capture_no);
    uint32_t l = nsc_iterations_line(all, query->trace, track_of(row)->process, NSC_NONE);

    query->line_track = row->track + 1;
    query->line = (struct nsc_iteration_line){.n = all->n, .at = all->at};
    if (l != NSC_NONE)
        query->line = all->lines[l];
}

/* The iteration of its process, or else of the job, that runs when the event starts. */
GETTER(iteration, argument)
{
    const struct nsc_iteration_line *of = &row->query->line;
    nsc_time start = start_of(row);
    uint32_t low = 0;
    uint32_t high;

    if (row->query->line_track != row->track + 1)
        find_line(row);
    high = of->n;
    NSC_BISECT(low, high, middle, of->at[middle].window.t0 <= start);
    return known_value(low > 0 && start < of->at[low - 1].window.t1, of->first + low - 1);
}

/* By the time of its call; the events of the host have none. */
GETTER(phase, argument)
{
    struct nsc_trace_query *query = row->query;
    nsc_event call = nsc_event_launch(query->trace, row->at);

    if (query->phases_track != row->track + 1) {
        if (query->phases_track == 0)
            (void)nsc_job_phases_find(&query->phases, query->ground.scope);
        query->phases_track = row->track + 1;
        query->process_phases = nsc_job_phases_of(&query->phases, track_of(row)->process);
    }
    if (call == NSC_NONE || !query->process_phases)
        return null_value();
    return text_value(
        nsc_text_from(nsc_process_phases_at(query->process_phases, query->events->start[call])));
}

/* ---- ranges ---- */

GETTER(style, argument)
{
    return text_value(nsc_text_from(kind_of(row) == NSC_KIND_NVTX_SPAN ? "start/end" : "push/pop"));
}

GETTER(parent, argument)
{
    return event_value(track_of(row)->kind == NSC_TRACK_NVTX
                           ? nsc_nvtx_parent(row->query->trace, row->at)
                           : NSC_NONE);
}

static struct nsc_query_value scratch_value(const struct nsc_buf *text)
{
    return (struct nsc_query_value){.type = NSC_QUERY_SCRATCH, .text = nsc_text_of_buf(text)};
}

static void add_step(struct nsc_query_row *row, nsc_event event, bool is_fold)
{
    struct nsc_trace_query *query = row->query;
    struct nsc_text text =
        is_fold ? nsc_texts_at(&query->texts, nsc_query_text_of(query, event, NSC_QUERY_FOLD))
                : nsc_trace_event_text(query->trace, event, false, row->scratch);

    nsc_buf_puts(&query->path, query->path.n ? " / " : "");
    nsc_buf_add(&query->path, text.bytes, text.n);
}

GETTER(path, is_fold)
{
    struct nsc_path path = nsc_query_path_of(row->query, row->at, row->lane);

    nsc_buf_clear(&row->query->path);
    for (uint32_t i = 0; i < path.n; i++)
        add_step(row, path.rows[i], is_fold);
    add_step(row, row->at, is_fold);
    return scratch_value(&row->query->path);
}

GETTER(graph_node, argument)
{
    uint8_t kind = kind_of(row);
    uint32_t set = kind == NSC_KIND_KERNEL   ? NSC_FIELDS_KERNEL_NODES
                   : kind == NSC_KIND_MEMSET ? NSC_FIELDS_MEMSET_NODES
                   : nsc_kind_is_copy(kind)  ? NSC_FIELDS_COPY_NODES
                                             : NSC_N_FIELD_SETS;
    struct nsc_query_value node =
        set == NSC_N_FIELD_SETS ? null_value() : nsc_query_get_field(row, set << 8);

    return known_value(node.integer != 0, node.integer);
}

/* Where the node of an op was captured; NSC_NONE: not known. */
static nsc_event captured_of(const struct nsc_query_row *row)
{
    const struct nsc_trace *captured = nsc_trace_captured(row->query->trace);

    return captured ? nsc_event_launch(captured, row->at) : NSC_NONE;
}

/* argument 0: the event, 1: its start, 2: its thread. */
GETTER(captured, argument)
{
    const struct nsc_trace *trace = row->query->trace;
    nsc_event event = captured_of(row);
    uint32_t tid;

    if (event == NSC_NONE || argument == 0)
        return event_value(event);
    tid = nsc_trace_track(trace, nsc_event_group(trace, event))->tid;
    return argument == 1 ? int_value(row->query->events->start[event]) : known_value(tid != 0, tid);
}

GETTER(captured_path, argument)
{
    struct nsc_trace_query *query = row->query;
    nsc_event event = captured_of(row);
    struct nsc_path path = {0};

    if (event != NSC_NONE)
        path = nsc_query_path_of(query, event, nsc_trace_lane_of(query->trace, event));
    nsc_buf_clear(&query->path);
    for (uint32_t i = 0; i < path.n; i++)
        add_step(row, path.rows[i], false);
    return path.n == 0 ? null_value() : scratch_value(&query->path);
}

/* The rows of a lane inside a range. */
static struct nsc_bin lane_inside(const struct nsc_query_row *row, uint32_t lane)
{
    const struct nsc_trace_query *query = row->query;
    struct nsc_window w = {start_of(row), end_of(row)};
    bool is_below = nsc_trace_lanes(query->trace, NULL)[lane].track == row->track;

    if (w.t0 == w.t1)
        return (struct nsc_bin){0};
    return nsc_lane_measure(
        query->trace, is_below ? nsc_trace_summary(query->trace) : query->scope.summary, lane, w);
}

GETTER(self, argument)
{
    const struct nsc_track *track = track_of(row);
    nsc_time dur = nsc_event_duration(row->query->events, row->at);

    if (track->kind != NSC_TRACK_NVTX)
        return null_value();
    return int_value(row->lane + 1 < track->first_lane + track->n_lanes
                         ? dur - lane_inside(row, row->lane + 1).busy
                         : dur);
}

/* argument 0: their number, 1: their time. */
GETTER(calls, argument)
{
    int64_t sum = 0;

    for (struct nsc_lane_walk at =
             nsc_group_lanes(row->query->trace, track_of(row)->group, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_lane_walk_next(&at);) {
        struct nsc_bin bin = lane_inside(row, at.lane);

        sum = nsc_sum(sum, argument ? bin.busy : bin.events);
    }
    return int_value(sum);
}

const struct nsc_launches *nsc_query_launches(struct nsc_trace_query *query)
{
    if (!query->launches)
        query->launches = nsc_launches_ask(query->ground.scope);
    return query->launches;
}

/* argument 0: the launches, 1: the ops, 2: their time, 3: the start of the first, 4: the end of the
 * last. */
GETTER(work, argument)
{
    const struct nsc_launches *launches = nsc_query_launches(row->query);
    struct nsc_gpu_figures figures;

    if (!launches)
        return null_value();
    figures = nsc_launches_measure(launches, nsc_launches_inside(launches, row->at));
    if (argument > 2)
        return figures.ops == 0 ? null_value()
               : argument == 3  ? int_value(row->query->events->start[figures.first])
                                : int_value(nsc_event_end(row->query->events, figures.last));
    return int_value(argument == 0 ? figures.launches : argument == 1 ? figures.ops : figures.work);
}
