/* Walks the lines of a timeline: tracks with their counters, ranges projected onto devices. */
#include "core/die.h"
#include "core/text.h"
#include "share/dump_data.h"

#include <stdlib.h>

/* Numbers of lines: tracks and lanes, then projected lanes, then bookmarks. */
static uint32_t projected_number(const struct nsc_dump *dump, uint32_t lane)
{
    return dump->n_tracks + dump->n_lanes + 2 + lane;
}

uint32_t nsc_dump_bookmark_row(const struct nsc_dump *dump, size_t i)
{
    uint32_t n = 0;

    if (dump->projection)
        (void)nsc_trace_lanes(dump->projection->derived, &n);
    return projected_number(dump, n) + (uint32_t)i;
}

/* ---- names ---- */

static void tell(struct nsc_dump *dump, const struct nsc_dump_timeline *to,
                 const struct nsc_dump_line *line)
{
    dump->told[line->number] = true;
    to->name(to->nest.context, line);
}

static void tell_group(struct nsc_dump *dump, const struct nsc_dump_timeline *to)
{
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    if (dump->told[dump->group + 1])
        return;
    nsc_dump_group_put(dump, &name, dump->group);
    tell(dump, to,
         &(struct nsc_dump_line){
             .number = dump->group + 1, .order = dump->group, .name = nsc_text_of_buf(&name)});
    nsc_buf_fini(&name);
}

void nsc_dump_tell(struct nsc_dump *dump, const struct nsc_dump_timeline *to, uint32_t where)
{
    const struct nsc_track *track = &dump->tracks[dump->track];
    struct nsc_text label = nsc_trace_string(dump->trace, track->label);
    struct nsc_dump_line line = {.number = nsc_dump_line_of(dump, where),
                                 .parent = dump->group + 1,
                                 .order = dump->track + (where ? where : track->first_lane),
                                 .is_counter = track->n_lanes == 0};
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    if (dump->told[line.number])
        return;
    tell_group(dump, to);
    nsc_buf_add(&name, label.bytes, label.n);
    if (where)
        nsc_buf_printf(&name, " +%u", where - track->first_lane);
    line.name = nsc_text_of_buf(&name);
    tell(dump, to, &line);
    nsc_buf_fini(&name);
}

/* "NVTX 0 t111 on the GPU"; nth: index of the lane in its line */
static void tell_projected(struct nsc_dump *dump, const struct nsc_dump_timeline *to,
                           const struct nsc_projection_line *of, uint32_t nth)
{
    const struct nsc_track *track = &dump->tracks[of->track];
    struct nsc_text label = nsc_trace_string(dump->trace, track->label);
    struct nsc_dump_line line = {.number = projected_number(dump, of->first_lane + nth),
                                 .parent = dump->group + 1,
                                 .order = of->device};
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    tell_group(dump, to);
    if (dump->told[line.number])
        return;
    nsc_buf_add(&name, label.bytes, label.n);
    nsc_buf_printf(&name, " %u t%u on the GPU", of->depth, track->tid);
    if (nth)
        nsc_buf_printf(&name, " +%u", nth);
    line.name = nsc_text_of_buf(&name);
    tell(dump, to, &line);
    nsc_buf_fini(&name);
}

/* ---- events ---- */

static void visit_counter(struct nsc_dump *dump, const struct nsc_dump_timeline *to,
                          const struct nsc_counter *counter)
{
    struct nsc_window w = dump->query->window;

    for (uint32_t i = 0; i < counter->n && dump->status == NSC_OK; i++) {
        nsc_time t = counter->time[i];

        if (t >= w.t1 || (i + 1 < counter->n && counter->time[i + 1] <= w.t0))
            continue;
        nsc_dump_tell(dump, to, 0);
        to->sample(to->nest.context, nsc_dump_offset(dump, t), counter->value[i]);
        (void)nsc_dump_go_on(dump);
    }
}

/* Visits each projected range of the window that the mask keeps, by start. */
static void visit_projected(struct nsc_dump *dump, const struct nsc_dump_timeline *to,
                            const struct nsc_projection_line *line, uint32_t nth)
{
    const struct nsc_trace *derived = dump->projection->derived;
    const struct nsc_lane *lane = &nsc_trace_lanes(derived, NULL)[line->first_lane + nth];
    const struct nsc_events *rows = nsc_trace_events(derived);
    struct nsc_window w = dump->query->window;

    dump->group = nsc_trace_group_of(dump->trace, line->device);
    for (nsc_event row = lane->first; row < lane->first + lane->n && dump->status == NSC_OK;
         row++) {
        struct nsc_window time = {rows->start[row], nsc_event_end(rows, row)};

        if (time.t0 >= w.t1 || nsc_event_touch_end(rows, row) <= w.t0 ||
            !nsc_dump_keeps(dump, rows->source[row]))
            continue;
        tell_projected(dump, to, line, nth);
        to->projected(
            to->nest.context, projected_number(dump, line->first_lane + nth), rows->source[row],
            (struct nsc_window){nsc_dump_offset(dump, time.t0), nsc_dump_offset(dump, time.t1)});
        (void)nsc_dump_go_on(dump);
    }
}

void nsc_dump_timeline(struct nsc_dump *dump, const struct nsc_dump_timeline *to)
{
    const struct nsc_projection *projection = dump->projection;
    const struct nsc_track *only = dump->query->device;
    uint32_t n = 0;
    const struct nsc_counter *counters = nsc_trace_counters(dump->trace, &n);

    dump->told = nsc_xcalloc(nsc_dump_bookmark_row(dump, 0), sizeof *dump->told);
    for (dump->track = 0; dump->track < dump->n_tracks && dump->status == NSC_OK; dump->track++) {
        uint32_t counter = dump->tracks[dump->track].counter;

        dump->group = nsc_trace_group_of(dump->trace, dump->track);
        if (dump->tracks[dump->track].n_lanes)
            (void)nsc_dump_nest(dump, dump->track, &to->nest);
        else if (counter < n && !dump->query->mask)
            visit_counter(dump, to, &counters[counter]);
    }
    for (uint32_t i = 0; projection && i < projection->n; i++) {
        const struct nsc_projection_line *line = &projection->lines[i];

        for (uint32_t k = 0; k < line->n_lanes && (!only || only == &dump->tracks[line->device]);
             k++)
            visit_projected(dump, to, line, k);
    }
    free(dump->told);
}
