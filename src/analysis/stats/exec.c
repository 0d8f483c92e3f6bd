/*
 * cuda_kern_exec_trace and cuda_kern_exec_sum: a launch, the wait in the queue, and the kernel.
 *
 * Queue time is from the end of the call to the start of the kernel; none if the kernel starts
 * before the call ends. The total is from the start of the call to the end of call and kernel,
 * whichever is later (docs/analyses/stats.md).
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/sort.h"

#include <stdlib.h>

struct exec {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_names names;
    struct nsc_stats_list list; /* kernels whose launch is known */
    char shape[2][NSC_STATS_SHAPE_BYTES];
};

/* The times of one kernel and its launch, ns. */
struct times {
    nsc_event call;
    bool has_queue;
    nsc_time queue_start, queue, call_duration, duration, total;
};

static struct times times_of(const struct exec *exec, nsc_event kernel)
{
    const struct nsc_events *events = exec->events;
    nsc_event call = events->link[kernel];
    nsc_time call_end = nsc_event_end(events, call), end = nsc_event_end(events, kernel);
    struct times times = {.call = call,
                          .queue_start = call_end,
                          .call_duration = nsc_event_duration(events, call),
                          .duration = nsc_event_duration(events, kernel)};

    times.has_queue =
        !__builtin_sub_overflow(events->start[kernel], call_end, &times.queue) && times.queue >= 0;
    if (__builtin_sub_overflow(end > call_end ? end : call_end, events->start[call], &times.total))
        times.total = INT64_MAX;
    return times;
}

static void init_exec(struct exec *exec, const struct nsc_stats_input *input)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL};
    uint32_t n = 0;

    *exec = (struct exec){.input = input, .events = nsc_trace_events(input->trace)};
    exec->list = nsc_stats_list(input, kinds, 1);
    for (uint32_t i = 0; i < exec->list.n; i++)
        if (exec->events->link[exec->list.event[i]] != NSC_NONE)
            exec->list.event[n++] = exec->list.event[i];
    exec->list.n = n;
    nsc_stats_names_init(&exec->names, input);
}

static void fini_exec(struct exec *exec)
{
    nsc_stats_names_fini(&exec->names);
    free(exec->list.event);
}

/* ---- trace ---- */

static nsc_time launch_of(const void *context, uint32_t kernel)
{
    const struct nsc_events *events = context;

    return events->start[events->link[kernel]];
}

static void fill_exec(void *context, nsc_event kernel, struct nsc_stats_cell cells[])
{
    struct exec *exec = context;
    const struct nsc_trace *trace = exec->input->trace;
    const struct nsc_fields *grid = exec->input->fields[NSC_STATS_FIELDS_GRID];
    struct times times = times_of(exec, kernel);
    const struct nsc_track *thread = nsc_stats_track(trace, times.call);
    uint32_t row = nsc_fields_find(grid, kernel);

    cells[0] = nsc_cell_of_int(exec->events->start[times.call]);
    cells[1] = nsc_cell_of_int(times.call_duration);
    if (times.has_queue) {
        cells[2] = nsc_cell_of_int(times.queue_start);
        cells[3] = nsc_cell_of_int(times.queue);
    }
    cells[4] = nsc_cell_of_int(exec->events->start[kernel]);
    cells[5] = nsc_cell_of_int(times.duration);
    cells[6] = nsc_cell_of_int(times.total);
    cells[7] = nsc_cell_of_int(nsc_stats_pid(thread));
    cells[8] = nsc_cell_of_int(nsc_stats_tid(thread));
    cells[9] = nsc_cell_of_int(nsc_stats_track(trace, kernel)->device);
    cells[10] = nsc_cell_of_text(nsc_stats_call(nsc_stats_name(&exec->names, times.call)));
    cells[11] = nsc_cell_of_text(nsc_stats_shape(exec->shape[0], grid, 0, row));
    cells[12] = nsc_cell_of_text(nsc_stats_shape(exec->shape[1], grid, 3, row));
    cells[13] = nsc_cell_of_text(nsc_stats_name(&exec->names, kernel));
}

enum nsc_status nsc_stats_exec_trace(const struct nsc_stats_input *input,
                                     const struct nsc_stats_sink *sink)
{
    struct exec exec;

    init_exec(&exec, input);
    nsc_sort_by_time(exec.list.event, exec.list.n, launch_of, exec.events);
    nsc_stats_put_list(sink, exec.list.event, exec.list.n, fill_exec, &exec);
    fini_exec(&exec);
    return exec.list.n ? NSC_OK : NSC_ENODATA;
}

/* ---- sum ---- */

enum measure { TOTAL, CALL, QUEUE, KERNEL, N_MEASURES };

/* Keys, in the order of rows with equal means. */
enum { PROCESS, TID, DEVICE, CALL_NAME, KERNEL_NAME, N_KEYS };

struct summing {
    struct exec exec;
    struct nsc_totals totals; /* by kernel of the list */
    struct nsc_spread *spread[N_MEASURES];
    enum measure measure;
};

static void find_groups(struct summing *summing)
{
    struct exec *exec = &summing->exec;

    for (uint32_t i = 0; i < exec->list.n; i++) {
        nsc_event kernel = exec->list.event[i], call = exec->events->link[kernel];
        const struct nsc_track *thread = nsc_stats_track(exec->input->trace, call);
        struct nsc_text call_name = nsc_stats_call(nsc_stats_name(&exec->names, call));
        struct nsc_text name;
        int64_t keys[N_KEYS] = {
            [PROCESS] = (int64_t)thread->process,
            [TID] = thread->tid,
            [DEVICE] = nsc_stats_track(exec->input->trace, kernel)->device,
            [CALL_NAME] = nsc_totals_text(&summing->totals, call_name),
        };

        name = nsc_stats_name(&exec->names, kernel);
        keys[KERNEL_NAME] = nsc_totals_text(&summing->totals, name);
        (void)nsc_totals_add(&summing->totals, keys);
    }
}

static bool measure_of(const void *context, uint32_t i, int64_t *value)
{
    const struct summing *summing = context;
    struct times times = times_of(&summing->exec, summing->exec.list.event[i]);
    const nsc_time values[N_MEASURES] = {[TOTAL] = times.total,
                                         [CALL] = times.call_duration,
                                         [QUEUE] = times.queue,
                                         [KERNEL] = times.duration};

    *value = values[summing->measure];
    return summing->measure != QUEUE || times.has_queue;
}

/* Orders by mean total, the greatest first, then as groups: process, thread, device, names. */
static int compare_sums(const void *context, uint32_t a, uint32_t b)
{
    const struct summing *summing = context;
    double x = summing->spread[TOTAL][a].mean, y = summing->spread[TOTAL][b].mean;
    int order = NSC_ORDER(y, x);

    return order ? order : nsc_totals_compare(&summing->totals, a, b, PROCESS, N_KEYS);
}

static void fill_sum(void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct summing *summing = context;
    const int64_t *keys = nsc_totals_keys(&summing->totals, group);

    cells[0] = nsc_cell_of_int(keys[PROCESS] & 0xffffff);
    cells[1] = nsc_cell_of_int(keys[TID] & 0xffffff);
    cells[2] = nsc_cell_of_int(keys[DEVICE]);
    cells[3] = nsc_cell_of_int((int64_t)summing->spread[TOTAL][group].n);
    cells[4] = nsc_cell_of_int((int64_t)summing->spread[QUEUE][group].n);
    for (int m = 0; m < N_MEASURES; m++) {
        const struct nsc_spread *spread = &summing->spread[m][group];

        nsc_stats_put_spread(cells + 5 + 5 * m, spread);
        cells[9 + 5 * m] = nsc_cell_of_real(spread->deviation);
    }
    cells[25] = nsc_cell_of_text(nsc_totals_text_of(&summing->totals, group, CALL_NAME));
    cells[26] = nsc_cell_of_text(nsc_totals_text_of(&summing->totals, group, KERNEL_NAME));
}

enum nsc_status nsc_stats_exec_sum(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink)
{
    struct summing summing = {.totals = nsc_totals_new(N_KEYS, NSC_TOTALS_TEXT(CALL_NAME) |
                                                                   NSC_TOTALS_TEXT(KERNEL_NAME))};
    enum nsc_status status;

    init_exec(&summing.exec, input);
    find_groups(&summing);
    status = summing.exec.list.n ? NSC_OK : NSC_ENODATA;
    for (int m = 0; m < N_MEASURES; m++) {
        summing.measure = (enum measure)m;
        summing.spread[m] = nsc_totals_measure(&summing.totals, measure_of, &summing);
        if (!summing.spread[m])
            status = NSC_ENOMEM;
    }
    if (status == NSC_OK)
        nsc_stats_put_sorted(sink, summing.totals.n, 0, compare_sums, fill_sum, &summing);
    for (int m = 0; m < N_MEASURES; m++)
        free(summing.spread[m]);
    nsc_totals_fini(&summing.totals);
    fini_exec(&summing.exec);
    return status;
}
