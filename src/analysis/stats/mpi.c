/*
 * mpi_event_trace: every MPI call in order of time.
 *
 * One row per event of the export: as in the source tool, the two halves of a Sendrecv and each
 * request of a Waitall have rows of their own.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"

#include <stdlib.h>

enum {
    START,
    END,
    DURATION,
    EVENT,
    PID,
    TID,
    TAG,
    RANK,
    PEER,
    ROOT,
    SIZE,
    SENT,
    RECEIVED,
    N_CELLS
};

struct calls {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_names names;
};

/* The rank of a thread's process. */
static struct nsc_stats_cell rank_of(const struct nsc_fields *ranks, const struct nsc_track *track)
{
    int64_t id;

    for (uint32_t row = 0; ranks && row < ranks->n; row++)
        if (nsc_fields_int(&id, ranks, 0, row) &&
            (uint64_t)id >> 24 == (track->process & 0xffffffffff))
            return nsc_cell_of_field(ranks, 1, row);
    return nsc_cell_empty();
}

static void fill_call(void *context, nsc_event e, struct nsc_stats_cell cells[])
{
    struct calls *calls = context;
    const struct nsc_stats_input *input = calls->input;
    const struct nsc_track *track = nsc_stats_track(input->trace, e);
    const struct nsc_fields *p2p = input->fields[NSC_STATS_FIELDS_MPI_P2P];
    const struct nsc_fields *collective = input->fields[NSC_STATS_FIELDS_MPI_COLLECTIVE];
    uint32_t row = nsc_fields_find(p2p, e), group = nsc_fields_find(collective, e);

    cells[START] = nsc_cell_of_int(calls->events->start[e]);
    cells[END] = nsc_cell_of_int(nsc_event_end(calls->events, e));
    cells[DURATION] = nsc_cell_of_int(nsc_event_duration(calls->events, e));
    cells[EVENT] = nsc_cell_of_text(nsc_stats_known(nsc_stats_name(&calls->names, e)));
    cells[PID] = nsc_cell_of_int(nsc_stats_pid(track));
    cells[TID] = nsc_cell_of_int(nsc_stats_tid(track));
    cells[TAG] = nsc_cell_of_field(p2p, 0, row);
    cells[RANK] = rank_of(input->fields[NSC_STATS_FIELDS_MPI_RANKS], track);
    cells[PEER] = nsc_cell_of_field(p2p, 1, row);
    cells[SIZE] = nsc_cell_of_field(p2p, 2, row);
    cells[ROOT] = nsc_cell_of_field(collective, 0, group);
    cells[SENT] = nsc_cell_of_field(collective, 1, group);
    cells[RECEIVED] = nsc_cell_of_field(collective, 2, group);
}

enum nsc_status nsc_stats_mpi_trace(const struct nsc_stats_input *input,
                                    const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_MPI_P2P, NSC_KIND_MPI_COLLECTIVE, NSC_KIND_MPI_WAIT,
                                    NSC_KIND_MPI_OTHER};
    struct calls calls = {.input = input, .events = nsc_trace_events(input->trace)};
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);

    nsc_stats_by_start(&list, calls.events);
    nsc_stats_names_init(&calls.names, input);
    nsc_stats_put_list(sink, list.event, list.n, fill_call, &calls);
    nsc_stats_names_fini(&calls.names);
    free(list.event);
    return list.n ? NSC_OK : NSC_ENODATA;
}
