/*
 * cuda_api_trace: every CUDA call in order of time.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"

#include <stdlib.h>

enum { START, DURATION, NAME, RESULT, CORRELATION, PID, TID, PRIORITY, THREAD, N_CELLS };

struct calls {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_names names;
    const struct nsc_track *track; /* track of the last call, and its thread */
    uint32_t thread;
};

static void fill_call(void *context, nsc_event e, struct nsc_stats_cell cells[])
{
    struct calls *calls = context;
    const struct nsc_track *track = nsc_stats_track(calls->input->trace, e);
    const struct nsc_fields *api = calls->input->fields[NSC_STATS_FIELDS_API];
    const struct nsc_fields *threads = calls->input->fields[NSC_STATS_FIELDS_THREADS];
    uint32_t row = nsc_fields_find(api, e);

    if (track != calls->track)
        calls->thread = nsc_stats_thread(calls->input, track);
    calls->track = track;
    cells[START] = nsc_cell_of_int(calls->events->start[e]);
    cells[DURATION] = nsc_cell_of_int(nsc_event_duration(calls->events, e));
    cells[NAME] = nsc_cell_of_text(nsc_stats_call(nsc_stats_name(&calls->names, e)));
    cells[RESULT] = nsc_cell_of_field(api, 1, row);
    cells[CORRELATION] = nsc_cell_of_field(api, 0, row);
    cells[PID] = nsc_cell_of_int(nsc_stats_pid(track));
    cells[TID] = nsc_cell_of_int(nsc_stats_tid(track));
    cells[PRIORITY] = nsc_cell_of_field(threads, 2, calls->thread);
    cells[THREAD] = nsc_cell_of_text(nsc_fields_text(threads, 1, calls->thread));
}

enum nsc_status nsc_stats_api_trace(const struct nsc_stats_input *input,
                                    const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER};
    struct calls calls = {.input = input, .events = nsc_trace_events(input->trace)};
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);

    nsc_stats_by_start(&list, calls.events);
    nsc_stats_names_init(&calls.names, input);
    nsc_stats_put_list(sink, list.event, list.n, fill_call, &calls);
    nsc_stats_names_fini(&calls.names);
    free(list.event);
    return list.n ? NSC_OK : NSC_ENODATA;
}
