/* nsyscope bins: prints the bins of the timeline as CSV or JSON. */
#include "nsyscope/cover.h"

#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>

struct question {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary; /* of the rows that count */
    NSC_VEC(uint32_t) lanes;
    struct nsc_window window;
    uint32_t columns;
    bool is_union;
};

/* The lanes of a device are those of its streams: GPU work only. */
static void find_lanes(struct question *question, const struct nsc_options *options)
{
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(question->trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(question->trace, NULL);

    for (uint32_t i = 0; i < n_lanes; i++) {
        const struct nsc_track *track = &tracks[lanes[i].track];
        bool wanted =
            options->set[NSC_OPTION_LANE]
                ? i == options->lane
                : track->kind == NSC_TRACK_STREAM && track->device == options->device &&
                      (!options->set[NSC_OPTION_STREAM] || track->stream == options->stream);

        if (wanted)
            *NSC_VEC_ADD(&question->lanes) = i;
    }
}

static enum nsc_status check(const struct nsc_options *options, struct nsc_error *error)
{
    int given = options->set[NSC_OPTION_LANE] + options->set[NSC_OPTION_STREAM] +
                options->set[NSC_OPTION_DEVICE];

    if (given != 1)
        return nsc_fail(error, NSC_EINVAL, "bins: give one of --lane N, --stream D:S, --device D");
    if (options->set[NSC_OPTION_CSV] && options->set[NSC_OPTION_JSON])
        return nsc_fail(error, NSC_EINVAL, "bins: give --csv or --json, not both");
    return NSC_OK;
}

static enum nsc_status prepare(struct question *question, const struct nsc_options *options,
                               struct nsc_error *error)
{
    question->window = options->has_window ? options->window : nsc_trace_extent(question->trace);
    question->columns = options->columns;
    question->is_union = options->set[NSC_OPTION_UNION];
    find_lanes(question, options);
    if (question->lanes.n == 0)
        return nsc_fail(error, NSC_ENODATA,
                        "%s: no such lane, stream or device; nsyscope info --lanes lists them",
                        options->file);
    return NSC_OK;
}

static bool is_longer(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    nsc_time da = nsc_event_duration(events, a);
    nsc_time db = nsc_event_duration(events, b);

    return da != db ? da > db : events->start[a] < events->start[b];
}

static void add_bin(const struct nsc_events *events, struct nsc_bin *sum, const struct nsc_bin *bin)
{
    sum->busy = nsc_sum(sum->busy, bin->busy);
    sum->events += bin->events;
    if (bin->longest != NSC_NONE &&
        (sum->longest == NSC_NONE || is_longer(events, bin->longest, sum->longest)))
        sum->longest = bin->longest;
}

static bool keep_masked(const void *context, nsc_event event)
{
    const struct question *question = context;

    return nsc_summary_has(question->summary, event);
}

static void cover_bins(const struct question *question, struct nsc_bin *bins)
{
    struct nsc_cover *cover = nsc_cover_build(question->trace, question->lanes.at,
                                              (uint32_t)question->lanes.n, keep_masked, question);
    nsc_time *covered = nsc_xcalloc(question->columns, sizeof *covered);

    if (!cover)
        nsc_die_oom();
    nsc_cover_bins(cover, question->window, question->columns, covered);
    for (uint32_t i = 0; i < question->columns; i++)
        bins[i].busy = covered[i];
    free(covered);
    nsc_cover_free(cover);
}

static struct nsc_bin *sum_bins(const struct question *question)
{
    const struct nsc_events *events = nsc_trace_events(question->trace);
    struct nsc_bin *sum = nsc_xcalloc(question->columns, sizeof *sum);
    struct nsc_bin *bins = nsc_xcalloc(question->columns, sizeof *bins);

    for (uint32_t i = 0; i < question->columns; i++)
        sum[i].longest = NSC_NONE;
    for (size_t l = 0; l < question->lanes.n; l++) {
        nsc_lane_bins(question->trace, question->summary, question->lanes.at[l], question->window,
                      question->columns, bins);
        for (uint32_t i = 0; i < question->columns; i++)
            add_bin(events, &sum[i], &bins[i]);
    }
    free(bins);
    if (question->is_union)
        cover_bins(question, sum);
    return sum;
}

struct bin_row {
    nsc_time start, end, busy, longest_ns;
    uint32_t events;
    struct nsc_text longest_name;
};

static void add_row(struct nsc_sheet *sheet, const struct question *question,
                    const struct nsc_bin *bin, uint32_t i)
{
    char scratch[NSC_NAME_BYTES];
    struct bin_row row = {.start = nsc_window_cut(question->window, i, question->columns),
                          .end = nsc_window_cut(question->window, i + 1, question->columns),
                          .busy = bin->busy,
                          .events = bin->events,
                          .longest_name = {"", 0}};

    if (bin->longest != NSC_NONE) {
        row.longest_ns = nsc_event_duration(nsc_trace_events(question->trace), bin->longest);
        row.longest_name = nsc_trace_event_text(question->trace, bin->longest, true, scratch);
    }
    NSC_SHEET_ADD_ROW(sheet, &row);
}

static enum nsc_status fill(void *context, struct nsc_loaded_scope *loaded,
                            struct nsc_sheets *sheets, struct nsc_error *error)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_INSTANT(bin_row, start, "start_ns", "From"),
        NSC_COL_INSTANT(bin_row, end, "end_ns", "To"),
        NSC_COL_NS(bin_row, busy, "busy_ns", "Busy"),
        NSC_COL_COUNT(bin_row, events, "events", "Events"),
        NSC_COL_TEXT(bin_row, longest_name, "longest_name", "Longest"),
        NSC_COL_NS(bin_row, longest_ns, "longest_ns", "Lasts"),
    };
    struct question question = {.trace = loaded->trace, .summary = loaded->scope.summary};
    enum nsc_status status = prepare(&question, loaded->options, error);
    struct nsc_bin *bins = status == NSC_OK ? sum_bins(&question) : NULL;
    struct nsc_sheet *sheet = NSC_SHEETS_ADD(sheets, "bins", "Columns of time", columns);

    (void)context;
    sheet->has_window = true;
    sheet->window = question.window;
    for (uint32_t i = 0; bins && i < question.columns; i++)
        add_row(sheet, &question, &bins[i], i);
    free(bins);
    NSC_VEC_FINI(&question.lanes);
    return status;
}

enum nsc_status nsc_cmd_bins(const struct nsc_options *options, struct nsc_error *error)
{
    const struct nsc_ask ask = {fill, NULL, "nsyscope.bins", true};

    return check(options, error) == NSC_OK
               ? nsc_loaded_scope_walk(options, nsc_options_files(options), &ask, error)
               : error->status;
}
