/* projection and around(id): where ranges have their GPU work, and what an event lies in. */
#include "analysis/base/correlate.h"
#include "analysis/ranges/projection.h"
#include "query/query_data.h"

/* ---- projection ---- */

struct projection_row {
    struct nsc_kept_text rank;
    int64_t gpu, range, depth, start, end, dur;
};

const struct nsc_sheet_column nsc_query_projection_columns[] = {
    NSC_COL_TEXT(projection_row, rank, "rank", "Label of the export; NULL for a single one"),
    NSC_COL_ID(projection_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(projection_row, range, "range", "Id of the NVTX range (table range)"),
    NSC_COL_COUNT(projection_row, depth, "depth", "Ranges of its domain around it on its thread"),
    NSC_COL_INSTANT(projection_row, start, "start", "Start of the first op launched in it"),
    NSC_COL_INSTANT(projection_row, end, "end", "End of the last one"),
    NSC_COL_NS(projection_row, dur, "dur", "Length"),
    {0},
};

static void put_line(struct nsc_sheet *sheet, const struct nsc_trace_query *query,
                     const struct nsc_trace *derived, const struct nsc_projection_line *line,
                     uint32_t lane)
{
    const struct nsc_lane *of = &nsc_trace_lanes(derived, NULL)[lane];
    const struct nsc_events *rows = nsc_trace_events(derived);
    const struct nsc_kept_text rank = nsc_rank_label(sheet, query->trace, line->device);
    const int64_t gpu = nsc_trace_track(query->trace, line->device)->gpu;

    for (nsc_event row = of->first;
         row < of->first + of->n && !nsc_scope_is_stopped(query->ground.scope); row++)
        if (nsc_scope_has(query->ground.scope, rows->source[row]))
            NSC_ADD_ROW(sheet, projection_row, .rank = rank, .gpu = gpu, .range = rows->source[row],
                        .depth = line->depth, .start = rows->start[row],
                        .end = nsc_event_end(rows, row), .dur = nsc_event_duration(rows, row));
}

enum nsc_status nsc_query_projection(struct nsc_sheets *out, struct nsc_trace_query *query,
                                     const char *const arguments[], struct nsc_error *error)
{
    struct nsc_sheet *sheet = NSC_QUERY_SHEET(out, projection);
    const struct nsc_launches *launches = nsc_query_launches(query);
    struct nsc_projection *projection =
        launches ? nsc_projection_build(query->trace, launches, NSC_PROJECTION_ALL, NULL,
                                        query->scope.stop)
                 : NULL;
    enum nsc_status status = NSC_OK;

    (void)arguments;
    if (!projection)
        return nsc_fail(error, NSC_ENOMEM, "no memory to project the ranges");
    if (projection->left_out)
        status = nsc_fail(error, NSC_EINVAL,
                          "more ranges than fit; gpu_start and gpu_end of table range have each");
    for (uint32_t i = 0; status == NSC_OK && i < projection->n; i++)
        for (uint32_t k = 0; k < projection->lines[i].n_lanes; k++)
            put_line(sheet, query, projection->derived, &projection->lines[i],
                     projection->lines[i].first_lane + k);
    nsc_projection_free(projection);
    return status;
}

/* ---- around ---- */

struct around_row {
    int64_t place, id, start, end;
    const char *kind;
    struct nsc_kept_text name;
};

const struct nsc_sheet_column nsc_query_around_columns[] = {
    NSC_COL_COUNT(around_row, place, "place", "0: the event, 1: what it lies in directly, ..."),
    NSC_COL_ID(around_row, id, "id", "Id of the event (table event)"),
    NSC_COL_TEXT(around_row, kind, "kind", "Kind, as kind: of a filter names it"),
    NSC_COL_TEXT(around_row, name, "name", "Full name"),
    NSC_COL_INSTANT(around_row, start, "start", "Start"),
    NSC_COL_INSTANT(around_row, end, "end", "End"),
    {0},
};

static void put_around(struct nsc_sheet *sheet, const struct nsc_trace_query *query,
                       nsc_event event)
{
    const struct nsc_events *events = query->events;
    char scratch[NSC_NAME_BYTES];

    NSC_ADD_ROW(
        sheet, around_row, .place = nsc_sheet_rows(sheet), .id = event,
        .kind = nsc_kind_word((enum nsc_kind)events->kind[event]),
        .name = nsc_sheet_keep(sheet, nsc_trace_event_text(query->trace, event, false, scratch)),
        .start = events->start[event], .end = nsc_event_end(events, event));
}

enum nsc_status nsc_query_around(struct nsc_sheets *out, struct nsc_trace_query *query,
                                 const char *const arguments[], struct nsc_error *error)
{
    struct nsc_sheet *sheet = NSC_QUERY_SHEET(out, around);
    int64_t id = -1;
    nsc_event event, launch;
    struct nsc_path path;
    enum nsc_status status = nsc_query_read_number(&id, arguments[0] ? arguments[0] : "nothing",
                                                   "id", 0, (int64_t)query->events->n - 1, error);

    if (status != NSC_OK)
        return status;
    event = (nsc_event)id;
    put_around(sheet, query, event);
    launch = nsc_event_launch(query->trace, event);
    if (launch != NSC_NONE && launch != event)
        put_around(sheet, query, launch);
    path = nsc_query_path_of(query, event, nsc_trace_lane_of(query->trace, event));
    for (uint32_t i = path.n; i-- > 0;)
        put_around(sheet, query, path.rows[i]);
    return NSC_OK;
}
