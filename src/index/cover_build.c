/*
 * The cover of events: lanes merged by start.
 */
#include "index/cover_data.h"
#include "index/lane_merge.h"
#include "index/trace_data.h"

static uint32_t count_rows(const struct nsc_trace *trace, const uint32_t lanes[], uint32_t n_lanes)
{
    uint64_t rows = 0;

    for (uint32_t i = 0; i < n_lanes; i++)
        rows += trace->lanes[lanes[i]].n;
    return rows < NSC_NONE ? (uint32_t)rows : NSC_NONE - 1;
}

struct nsc_cover *nsc_cover_build(const struct nsc_trace *trace, const uint32_t lanes[],
                                  uint32_t n_lanes,
                                  bool (*keep)(const void *context, nsc_event event),
                                  const void *context)
{
    const struct nsc_events *events = &trace->events;
    struct nsc_cover_writer writer;
    struct nsc_lane_merge merge;

    if (!nsc_cover_writer_init(&writer, count_rows(trace, lanes, n_lanes)))
        return NULL;
    nsc_lane_merge_init(&merge, trace, lanes, n_lanes);
    if (keep)
        nsc_lane_merge_set_filter(&merge, keep, context);
    for (nsc_event row = 0; (row = nsc_lane_merge_next(&merge)) != NSC_NONE;)
        nsc_cover_writer_add(&writer, events->start[row], nsc_event_end(events, row));
    nsc_lane_merge_fini(&merge);
    return nsc_cover_writer_end(&writer);
}
