/* nsyscope bins: prints the bins of the timeline as CSV or JSON. */
#include "nsyscope/cover.h"

#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/die.h"
#include "core/json_write.h"
#include "core/sum.h"
#include "core/vec.h"
#include "share/csv.h"

#include <stdlib.h>

struct question {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary; /* of the rows that count */
    NSC_VEC(uint32_t) lanes;
    struct nsc_window window;
    uint32_t columns;
    bool is_union;
    bool is_raw; /* CSV for programs */
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

struct column {
    nsc_time start, end, busy, longest_ns;
    uint32_t events;
    struct nsc_text longest_name;
};

static struct column column_of(const struct question *question, const struct nsc_bin *bins,
                               uint32_t i, char scratch[NSC_NAME_BYTES])
{
    const struct nsc_bin *bin = &bins[i];
    struct column column = {.start = nsc_window_cut(question->window, i, question->columns),
                            .end = nsc_window_cut(question->window, i + 1, question->columns),
                            .busy = bin->busy,
                            .events = bin->events,
                            .longest_name = {"", 0}};

    if (bin->longest != NSC_NONE) {
        column.longest_ns = nsc_event_duration(nsc_trace_events(question->trace), bin->longest);
        column.longest_name = nsc_trace_event_text(question->trace, bin->longest, true, scratch);
    }
    return column;
}

static void write_csv(struct nsc_buf *out, const struct question *question,
                      const struct nsc_bin *bins)
{
    char scratch[NSC_NAME_BYTES];

    nsc_buf_puts(out, "start_ns,end_ns,busy_ns,events,longest_name,longest_ns\n");
    for (uint32_t i = 0; i < question->columns; i++) {
        struct column column = column_of(question, bins, i, scratch);

        nsc_csv_int(out, true, column.start);
        nsc_csv_int(out, false, column.end);
        nsc_csv_int(out, false, column.busy);
        nsc_csv_int(out, false, column.events);
        (question->is_raw ? nsc_csv_raw_text : nsc_csv_text)(out, false, column.longest_name);
        nsc_csv_int(out, false, column.longest_ns);
        nsc_csv_end(out);
    }
}

static void write_json(struct nsc_buf *out, const struct question *question,
                       const struct nsc_bin *bins)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_json json;

    nsc_json_init(&json, out, true);
    nsc_json_open(&json, NULL, '[');
    for (uint32_t i = 0; i < question->columns; i++) {
        struct column column = column_of(question, bins, i, scratch);

        nsc_json_open(&json, NULL, '{');
        nsc_json_int(&json, "start_ns", column.start);
        nsc_json_int(&json, "end_ns", column.end);
        nsc_json_int(&json, "busy_ns", column.busy);
        nsc_json_uint(&json, "events", column.events);
        nsc_json_text(&json, "longest_name", column.longest_name);
        nsc_json_int(&json, "longest_ns", column.longest_ns);
        nsc_json_close(&json, '}');
    }
    nsc_json_close(&json, ']');
}

static enum nsc_status answer(const struct question *question, bool as_json,
                              struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_bin *bins = sum_bins(question);
    enum nsc_status status;

    if (as_json)
        write_json(&out, question, bins);
    else
        write_csv(&out, question, bins);
    free(bins);
    status = nsc_print(&out, error);
    nsc_buf_fini(&out);
    return status;
}

enum nsc_status nsc_cmd_bins(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    struct question question = {.is_raw = options->set[NSC_OPTION_RAW_CSV]};
    enum nsc_status status = check(options, error);

    if (status == NSC_OK)
        status = nsc_loaded_scope_open(&loaded, options, error);
    if (status != NSC_OK)
        return status;
    question.trace = loaded.trace;
    question.summary = loaded.scope.summary;
    status = prepare(&question, options, error);
    if (status == NSC_OK)
        status = answer(&question, options->set[NSC_OPTION_JSON], error);
    NSC_VEC_FINI(&question.lanes);
    nsc_loaded_scope_close(&loaded);
    return status;
}
