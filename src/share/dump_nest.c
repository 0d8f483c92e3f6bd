/* Walks the rows of a track like brackets: finds the rows inside others, and those that cross. */
#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"
#include "share/dump_data.h"

#include <stdlib.h>

struct open_row {
    nsc_event event;
    nsc_time end, inside; /* inside: ns of the rows directly inside, saturating */
};

struct walk {
    struct nsc_dump *dump;
    const struct nsc_nest *nest;
    NSC_VEC(struct open_row) open;
};

static nsc_time self_of(const struct walk *walk, const struct open_row *row)
{
    nsc_time whole = nsc_event_duration(walk->dump->events, row->event);

    return whole > row->inside ? whole - row->inside : 0;
}

static void close_last(struct walk *walk)
{
    struct open_row *row = &walk->open.at[walk->open.n - 1];

    if (walk->nest->close)
        walk->nest->close(walk->nest->context, 0, row->event, self_of(walk, row));
    walk->open.n--;
}

/* An instant at the end of a row counts as after the row. */
static void close_until(struct walk *walk, nsc_time t)
{
    while (walk->open.n && walk->open.at[walk->open.n - 1].end <= t)
        close_last(walk);
}

static void row_add(struct walk *walk, nsc_event event)
{
    const struct nsc_events *events = walk->dump->events;
    nsc_time end = nsc_event_end(events, event);
    struct open_row *parent = NULL;
    uint32_t where = 0;

    close_until(walk, events->start[event]);
    parent = walk->open.n ? &walk->open.at[walk->open.n - 1] : NULL;
    if (!parent || end <= parent->end) {
        if (parent)
            parent->inside = nsc_sum(parent->inside, nsc_event_duration(events, event));
        walk->nest->open(walk->nest->context, 0, event, (uint32_t)walk->open.n);
        *NSC_VEC_ADD(&walk->open) = (struct open_row){event, end, 0};
        return;
    }
    where = 1 + nsc_trace_lane_of(walk->dump->trace, event);
    walk->nest->open(walk->nest->context, where, event, 0);
    if (walk->nest->close)
        walk->nest->close(walk->nest->context, where, event, nsc_event_duration(events, event));
}

void nsc_dump_merge(struct nsc_lane_merge *merge, const struct nsc_dump *dump, uint32_t first,
                    uint32_t n)
{
    struct nsc_row_range *ranges = nsc_xcalloc((size_t)n + 1, sizeof *ranges);

    for (uint32_t i = 0; i < n; i++)
        ranges[i] = nsc_lane_rows(dump->trace, first + i, dump->query->window);
    nsc_lane_merge_open(merge, dump->trace, ranges, n);
    free(ranges);
}

bool nsc_dump_nest(struct nsc_dump *dump, uint32_t track, const struct nsc_nest *nest)
{
    struct walk walk = {.dump = dump, .nest = nest};
    struct nsc_lane_merge merge;

    nsc_dump_merge(&merge, dump, dump->tracks[track].first_lane, dump->tracks[track].n_lanes);
    for (nsc_event event; (event = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        if (nsc_dump_keeps(dump, event))
            row_add(&walk, event);
        if (!nsc_dump_go_on(dump))
            break;
    }
    while (walk.open.n)
        close_last(&walk);
    nsc_lane_merge_fini(&merge);
    NSC_VEC_FINI(&walk.open);
    return dump->status == NSC_OK;
}
