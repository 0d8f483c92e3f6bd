/* Measures a recording per iteration. */
#include "analysis/job/recording.h"

#include "analysis/base/activity.h"
#include "analysis/base/loss.h"
#include "analysis/base/totals.h"
#include "analysis/names/kernel_family.h"
#include "analysis/names/label.h"
#include "core/bits.h"
#include "core/buf.h"
#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const metric_titles[NSC_N_RECORDING_METRICS] = {
#define NSC_RECORDING_METRIC(id, title) title,
#include "analysis/job/recording_metric.def"
};

const char *nsc_recording_metric_title(enum nsc_recording_metric metric)
{
    return metric_titles[metric];
}

struct measuring {
    struct nsc_recording *out;
    const struct nsc_scope *scope;
    const struct nsc_fields *grids; /* of kernels; NULL: not known */
    NSC_VEC(struct nsc_window) windows;
    NSC_VEC(struct nsc_iteration)
    iterations;                        /* iterations that give the windows; empty: the scope
                                               * is the only window */
    NSC_VEC(struct nsc_window) asides; /* interludes, ascending */
    bool ends_open;       /* the last window ends with its work, not with the next start */
    uint32_t capture;     /* export of the iterations; NSC_NONE: the whole trace */
    NSC_VEC(bool) counts; /* by window: it counts for the mean period */
    NSC_VEC(struct nsc_scope_covers) devices; /* devices that work in the window */
    NSC_VEC(uint32_t) tracks;                 /* of the devices */
    double *values[NSC_N_RECORDING_METRICS];  /* one a window each */
};

/* ---- the windows ---- */

/* From the first start to the last end of the scope's events on tracks of a kind. */
static bool find_extent(struct nsc_window *out, const struct nsc_scope *scope, uint8_t kind)
{
    struct nsc_lane_walk at = nsc_trace_all_lanes(scope->trace, NSC_TRACK_BIT(kind));

    *out = (struct nsc_window){INT64_MAX, INT64_MIN};
    while (nsc_lane_walk_next(&at))
        nsc_scope_widen(out, scope, at.lane);
    return out->t0 < out->t1;
}

/* Adds iterations except warm-up and those that the chosen window cuts. */
static void add_iterations(struct measuring *measuring, const struct nsc_iterations *iterations)
{
    const struct nsc_scope *scope = measuring->scope;

    for (uint32_t i = 0; i < iterations->n; i++) {
        struct nsc_window window = nsc_iterations_window(iterations, i);

        if (window.t0 < scope->window.t0 || window.t0 >= scope->window.t1 ||
            (scope->has_window && window.t1 > scope->window.t1))
            continue;
        measuring->out->n_found++;
        if (iterations->at[i].warm_up)
            continue;
        *NSC_VEC_ADD(&measuring->windows) = window;
        *NSC_VEC_ADD(&measuring->iterations) = iterations->at[i];
        measuring->ends_open = i + 1 == iterations->n;
    }
    for (uint32_t k = 0; k < iterations->n_interludes; k++)
        *NSC_VEC_ADD(&measuring->asides) = iterations->interludes[k].window;
    measuring->out->by = iterations->by;
    measuring->out->on_gpu = iterations->on_gpu;
    measuring->out->n_kinds = iterations->n_kinds;
    memcpy(measuring->out->label, iterations->label, sizeof measuring->out->label);
}

static enum nsc_status find_windows(struct measuring *measuring, struct nsc_text named,
                                    struct nsc_error *error)
{
    const struct nsc_scope *scope = measuring->scope;
    struct nsc_iterations iterations = {0};
    struct nsc_window whole;

    measuring->out->has_work = find_extent(&whole, scope, NSC_TRACK_STREAM);
    if (!measuring->out->has_work && !find_extent(&whole, scope, NSC_TRACK_NVTX))
        return nsc_fail(error, NSC_ENODATA,
                        "no GPU work and no NVTX range in the window: nothing to compare");
    if (named.n ? nsc_iterations_named(&iterations, scope, named)
                : nsc_iterations_find_one(&iterations, scope, measuring->capture))
        add_iterations(measuring, &iterations);
    nsc_iterations_fini(&iterations);
    if (measuring->windows.n == 0 && named.n)
        return nsc_fail(error, NSC_ENODATA, "no NVTX range named like %.*s in the window",
                        (int)(named.n > 60 ? 60 : named.n), named.bytes);
    if (measuring->windows.n == 0) {
        measuring->out->label[0] = '\0';
        measuring->out->n_found = 0;
        *NSC_VEC_ADD(&measuring->windows) = scope->has_window ? scope->window : whole;
    }
    measuring->out->n = (uint32_t)measuring->windows.n;
    measuring->out->window.t0 = measuring->windows.at[0].t0;
    measuring->out->window.t1 = measuring->windows.at[measuring->windows.n - 1].t1;
    return NSC_OK;
}

/* ---- devices ---- */

static bool works_in(const struct nsc_device_covers *covers, struct nsc_window window)
{
    return covers->busy && nsc_cover_measure(covers->busy, window) > 0;
}

/* Adds "NVIDIA ..." from the label "GPU 0 NVIDIA ...". */
static void add_model(struct nsc_buf *models, struct nsc_text label)
{
    uint32_t word = 0;

    for (unsigned blanks = 0; word < label.n && blanks < 2; word++)
        blanks += label.bytes[word] == ' ';
    nsc_buf_puts(models, models->n ? ", " : "");
    nsc_buf_add(models, label.bytes + word, label.n - word);
}

static enum nsc_status find_devices(struct measuring *measuring, struct nsc_error *error)
{
    const struct nsc_trace *trace = measuring->scope->trace;
    struct nsc_buf models = NSC_BUF_INIT(SIZE_MAX);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_scope_covers covers;

        if (tracks[i].kind != NSC_TRACK_DEVICE)
            continue;
        if (!nsc_scope_covers_build(&covers, measuring->scope, i)) {
            nsc_buf_fini(&models);
            return nsc_fail(error, NSC_ENOMEM, "no memory for the GPU's busy times");
        }
        if (!works_in(&covers.of, measuring->out->window)) {
            nsc_scope_covers_fini(&covers);
            continue;
        }
        *NSC_VEC_ADD(&measuring->devices) = covers;
        *NSC_VEC_ADD(&measuring->tracks) = i;
        add_model(&models, nsc_trace_string(trace, tracks[i].label));
    }
    measuring->out->n_devices = (uint32_t)measuring->devices.n;
    measuring->out->devices = nsc_recording_keep(&measuring->out->texts, nsc_text_of_buf(&models));
    nsc_buf_fini(&models);
    return NSC_OK;
}

static void count_processes(struct measuring *measuring)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(measuring->scope->trace, &n);
    NSC_VEC(uint64_t) processes = {0};

    for (uint32_t t = 0; t < n; t++) {
        struct nsc_scope_cursor at = nsc_scope_open_track(measuring->scope, t);

        if (tracks[t].kind == NSC_TRACK_STREAM && nsc_scope_next(&at))
            *NSC_VEC_ADD(&processes) = tracks[t].process;
    }
    NSC_VEC_SORT(&processes, nsc_u64_compare);
    for (size_t i = 0; i < processes.n; i++)
        measuring->out->n_processes += i == 0 || processes.at[i] != processes.at[i - 1];
    NSC_VEC_FINI(&processes);
}

/* ---- the breakdown ---- */

/* Counts the kernels that start in each window; both windows and rows of a lane ascend. */
static void count_kernels(struct measuring *measuring)
{
    const struct nsc_events *events = nsc_trace_events(measuring->scope->trace);
    uint32_t lane = NSC_NONE;
    size_t w = 0;

    for (struct nsc_scope_cursor at =
             nsc_scope_open(measuring->scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);) {
        nsc_time t = events->start[at.row];

        w = at.lane == lane ? w : 0;
        lane = at.lane;
        while (w < measuring->windows.n && measuring->windows.at[w].t1 <= t)
            w++;
        if (w < measuring->windows.n && events->kind[at.row] == NSC_KIND_KERNEL &&
            t >= measuring->windows.at[w].t0)
            measuring->values[NSC_RECORDING_KERNELS][w]++;
    }
}

static void break_down(struct measuring *measuring, size_t w)
{
    struct nsc_window window = measuring->windows.at[w];
    double n = (double)measuring->devices.n;

    measuring->values[NSC_RECORDING_ITERATION][w] = measuring->iterations.n > 0
                                                        ? (double)measuring->iterations.at[w].period
                                                        : (double)nsc_window_length(window);
    if (measuring->devices.n == 0)
        measuring->values[NSC_RECORDING_IDLE][w] = (double)nsc_window_length(window);
    for (size_t d = 0; d < measuring->devices.n; d++) {
        struct nsc_activity activity = nsc_device_activity(&measuring->devices.at[d].of, window);

        measuring->values[NSC_RECORDING_COMPUTE][w] += (double)activity.compute / n;
        measuring->values[NSC_RECORDING_EXPOSED][w] += (double)activity.exposed / n;
        measuring->values[NSC_RECORDING_OTHER][w] +=
            (double)(activity.busy - activity.compute - activity.exposed) / n;
        measuring->values[NSC_RECORDING_IDLE][w] += (double)activity.idle / n;
        measuring->values[NSC_RECORDING_COMM][w] += (double)activity.comm / n;
    }
}

/* The middle of sorted values; the mean of two. */
static double middle(const double sorted[], size_t n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

static struct nsc_recording_spread spread_of(double values[], size_t n)
{
    struct nsc_recording_spread spread;

    qsort(values, n, sizeof *values, nsc_double_compare);
    spread.median = middle(values, n);
    spread.least = values[0];
    spread.most = values[n - 1];
    spread.mean = 0;
    for (size_t i = 0; i < n; i++)
        spread.mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - spread.median);
    qsort(values, n, sizeof *values, nsc_double_compare);
    spread.mad = middle(values, n);
    return spread;
}

/* ---- the mean period ---- */

/* The median period of a kind; NSC_LIMIT_KINDS: of all. */
static double median_period(const struct measuring *measuring, uint32_t kind)
{
    double *list = nsc_xcalloc(measuring->windows.n, sizeof *list);
    size_t n = 0;
    double median;

    for (size_t w = 0; w < measuring->windows.n; w++)
        if (measuring->iterations.at[w].kind == kind)
            list[n++] = measuring->values[NSC_RECORDING_ITERATION][w];
    qsort(list, n, sizeof *list, nsc_double_compare);
    median = n > 0 ? middle(list, n) : 0;
    free(list);
    return median;
}

/* The mean period of a kind, from start to start. Skips a last iteration that ends with its work,
 * and a few that were cut short. */
static void average_kind(struct measuring *measuring, uint32_t kind)
{
    struct nsc_recording_kind *out = &measuring->out->kinds[kind];
    size_t n = measuring->windows.n;
    double short_of = 0.5 * (out->median = median_period(measuring, kind));
    uint32_t cut = 0;
    uint32_t all = 0;

    for (size_t w = 0; w < n; w++) {
        if (measuring->iterations.at[w].kind != kind)
            continue;
        all++;
        cut += measuring->values[NSC_RECORDING_ITERATION][w] < short_of;
    }
    if (cut * NSC_RECORDING_CUT > all + NSC_RECORDING_CUT - 1)
        short_of = cut = 0;
    for (size_t w = 0; w < n; w++) {
        double period = measuring->values[NSC_RECORDING_ITERATION][w];

        if (measuring->iterations.at[w].kind != kind || period < short_of ||
            (w + 1 == n && measuring->ends_open && all > NSC_LIMIT_ITERATIONS))
            continue;
        measuring->counts.at[w] = true;
        out->n++;
        out->mean += (period - out->mean) / out->n;
        out->kernels += (measuring->values[NSC_RECORDING_KERNELS][w] - out->kernels) / out->n;
    }
    measuring->out->n_cut += cut;
}

/* Sets the mean period over all kinds; it differs from the spread's mean. */
static void average_periods(struct measuring *measuring)
{
    double total = 0;
    uint32_t n = 0;

    for (size_t w = 0; w < measuring->windows.n; w++)
        *NSC_VEC_ADD(&measuring->counts) = measuring->iterations.n == 0;
    if (measuring->iterations.n == 0)
        return;
    for (uint32_t k = 0; k < measuring->out->n_kinds; k++) {
        average_kind(measuring, k);
        total += measuring->out->kinds[k].mean * measuring->out->kinds[k].n;
        n += measuring->out->kinds[k].n;
    }
    if (n > 0)
        measuring->out->metrics[NSC_RECORDING_ITERATION].mean = total / n;
}

static void measure_windows(struct measuring *measuring)
{
    for (unsigned m = 0; m < NSC_N_RECORDING_METRICS; m++)
        measuring->values[m] = nsc_xcalloc(measuring->windows.n, sizeof(double));
    count_kernels(measuring);
    for (size_t w = 0; w < measuring->windows.n; w++)
        break_down(measuring, w);
    average_periods(measuring);
    for (unsigned m = 0; m < NSC_N_RECORDING_METRICS; m++) {
        double mean = measuring->out->metrics[m].mean;

        measuring->out->metrics[m] = spread_of(measuring->values[m], measuring->windows.n);
        if (mean > 0)
            measuring->out->metrics[m].mean = mean;
        free(measuring->values[m]);
    }
}

/* ---- parts ---- */

/* Measures the parts in the windows of the mean period, without interludes. */
static void measure_parts(struct measuring *measuring)
{
    NSC_VEC(struct nsc_part_segment) segments = {0};
    size_t aside = 0;

    for (size_t w = 0; w < measuring->windows.n; w++) {
        struct nsc_window window = measuring->windows.at[w];
        uint32_t kind = measuring->iterations.n > 0 ? measuring->iterations.at[w].kind : 0;

        while (aside < measuring->asides.n && measuring->asides.at[aside].t1 <= window.t0)
            aside++;
        for (size_t k = aside; measuring->counts.at[w] && window.t0 < window.t1; k++) {
            struct nsc_window next = {window.t1, window.t1};

            if (k < measuring->asides.n && measuring->asides.at[k].t0 < window.t1)
                next = measuring->asides.at[k];
            if (next.t0 > window.t0)
                *NSC_VEC_ADD(&segments) = (struct nsc_part_segment){{window.t0, next.t0}, kind};
            window.t0 = next.t1 > window.t0 ? next.t1 : window.t0;
        }
    }
    nsc_recording_parts_measure(&measuring->out->parts, &measuring->out->texts,
                                &(struct nsc_part_question){measuring->scope, measuring->tracks.at,
                                                            (uint32_t)measuring->tracks.n,
                                                            segments.at, (uint32_t)segments.n});
    NSC_VEC_FINI(&segments);
}

/* ---- names ---- */

NSC_COMPARE(compare_groups, struct nsc_recording_group, NSC_MOST(total) || NSC_LEAST(name))

/* Interns a name. Kernels keep their numbers, which distinguish kernels. */
static nsc_str keep_name(struct measuring *measuring, nsc_name name, bool fold)
{
    const struct nsc_trace *trace = measuring->scope->trace;
    struct nsc_text full = nsc_trace_string(trace, nsc_trace_names(trace)->full[name]);
    struct nsc_buf text = NSC_BUF_INIT(NSC_NAME_BYTES + 1);
    nsc_str id = 0;

    if (fold)
        nsc_name_fold(&text, trace, name);
    else
        nsc_buf_add(&text, full.bytes, full.n);
    id = nsc_recording_keep(&measuring->out->texts, nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
    return id;
}

static bool is_aside(const struct measuring *measuring, nsc_time t)
{
    for (size_t k = 0; k < measuring->asides.n; k++)
        if (measuring->asides.at[k].t0 <= t && t < measuring->asides.at[k].t1)
            return true;
    return false;
}

/* The group of a name; names with the same text share one. */
static uint32_t find_group(struct nsc_recording_groups *out, struct nsc_totals *texts,
                           struct measuring *measuring, nsc_name name, bool fold)
{
    nsc_str text = keep_name(measuring, name, fold);
    uint32_t group = nsc_totals_find(texts, &(int64_t){text});

    if (group == out->list.n)
        *NSC_VEC_ADD(&out->list) = (struct nsc_recording_group){.name = text};
    return group;
}

static void add_blocks(struct nsc_recording_group *group, double blocks)
{
    if (blocks > 0 && blocks < 1e18)
        group->blocks = nsc_sum(group->blocks, (nsc_time)blocks);
}

/* Sums by name the rows of a kind that start in the run's window and in no interlude. */
static void sum_groups(struct nsc_recording_groups *out, struct measuring *measuring, uint8_t kind,
                       uint32_t tracks)
{
    const struct nsc_trace *trace = measuring->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_window w = measuring->out->window;
    uint32_t *group_of = nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, sizeof *group_of);
    struct nsc_totals texts = nsc_totals_new(1, 0);

    for (struct nsc_scope_cursor at = nsc_scope_open(measuring->scope, tracks);
         nsc_scope_next(&at);) {
        nsc_name name = events->name[at.row];
        nsc_time start = events->start[at.row];

        if (events->kind[at.row] != kind || start < w.t0 || start >= w.t1 ||
            is_aside(measuring, start))
            continue;
        if (group_of[name] == 0)
            group_of[name] = find_group(out, &texts, measuring, name, kind != NSC_KIND_KERNEL) + 1;
        out->list.at[group_of[name] - 1].count++;
        out->list.at[group_of[name] - 1].total =
            nsc_sum(out->list.at[group_of[name] - 1].total, nsc_event_duration(events, at.row));
        if (kind == NSC_KIND_KERNEL && measuring->grids)
            add_blocks(&out->list.at[group_of[name] - 1],
                       nsc_kernel_blocks(measuring->grids, at.row));
    }
    free(group_of);
    nsc_totals_fini(&texts);
    NSC_VEC_SORT(&out->list, compare_groups);
}

/* Sums the kernels by what they do. */
static void sum_families(struct nsc_recording *out, const struct nsc_trace *trace)
{
    struct nsc_recording_groups *families = &out->families;
    struct nsc_totals words = nsc_totals_new(1, 0);

    for (size_t i = 0; i < out->kernels.list.n; i++) {
        const struct nsc_recording_group *kernel = &out->kernels.list.at[i];
        struct nsc_text word =
            nsc_kernel_family_text(trace, nsc_strpool_text(&out->texts, kernel->name));
        nsc_str name = nsc_strpool_add(&out->texts, word.bytes, word.n);
        uint32_t at = nsc_totals_find(&words, &(int64_t){name});

        if (at == families->list.n)
            *NSC_VEC_ADD(&families->list) = (struct nsc_recording_group){.name = name};
        families->list.at[at].count += kernel->count;
        families->list.at[at].total = nsc_sum(families->list.at[at].total, kernel->total);
    }
    nsc_totals_fini(&words);
    NSC_VEC_SORT(&families->list, compare_groups);
}

static void sum_names(struct measuring *measuring)
{
    struct nsc_recording *out = measuring->out;

    sum_groups(&out->kernels, measuring, NSC_KIND_KERNEL, NSC_TRACK_BIT(NSC_TRACK_STREAM));
    sum_groups(&out->ranges, measuring, NSC_KIND_NVTX_RANGE, NSC_TRACK_BIT(NSC_TRACK_NVTX));
    for (size_t i = 0; i < out->kernels.list.n; i++) {
        out->kernel_time = nsc_sum(out->kernel_time, out->kernels.list.at[i].total);
        out->kernel_count += out->kernels.list.at[i].count;
    }
    sum_families(out, measuring->scope->trace);
}

/* ---- the whole ---- */

static void fini(struct measuring *measuring)
{
    NSC_VEC_FINI(&measuring->windows);
    NSC_VEC_FINI(&measuring->iterations);
    NSC_VEC_FINI(&measuring->asides);
    NSC_VEC_FINI(&measuring->counts);
    NSC_VEC_FINI(&measuring->tracks);
    for (size_t d = 0; d < measuring->devices.n; d++)
        nsc_scope_covers_fini(&measuring->devices.at[d]);
    NSC_VEC_FINI(&measuring->devices);
}

static enum nsc_status measure(struct nsc_recording *out, const struct nsc_scope *scope,
                               const struct nsc_field_sets *fields, uint32_t capture,
                               struct nsc_text named, struct nsc_error *error)
{
    struct measuring measuring = {.out = out, .scope = scope, .capture = capture};
    const struct nsc_trace_info *info =
        &nsc_trace_captures(scope->trace, NULL)[capture == NSC_NONE ? 0 : capture];
    struct nsc_text version = nsc_trace_string(scope->trace, info->version);
    struct nsc_loss loss;
    enum nsc_status status;

    if (nsc_trace_events(scope->trace)->n <= NSC_GRIDS_MOST)
        measuring.grids = nsc_field_set(fields, NSC_FIELDS_KERNELS);
    memset(out, 0, sizeof *out);
    nsc_strpool_init(&out->texts);
    out->version = nsc_recording_keep(&out->texts, version);
    status = find_windows(&measuring, named, error);
    if (status == NSC_OK)
        status = find_devices(&measuring, error);
    if (status == NSC_OK) {
        out->is_torn = nsc_loss_find(&loss, scope, fields);
        count_processes(&measuring);
        measure_windows(&measuring);
        measure_parts(&measuring);
        sum_names(&measuring);
    } else {
        nsc_recording_fini(out);
    }
    fini(&measuring);
    return status;
}

enum nsc_status nsc_recording_measure(struct nsc_recording *out, const struct nsc_scope *scope,
                                      const struct nsc_field_sets *fields, struct nsc_text named,
                                      struct nsc_error *error)
{
    return measure(out, scope, fields, NSC_NONE, named, error);
}

enum nsc_status nsc_recording_measure_one(struct nsc_recording *out, const struct nsc_trace *trace,
                                          uint32_t capture, struct nsc_error *error)
{
    const struct nsc_trace_info *info = &nsc_trace_captures(trace, NULL)[capture];
    size_t words = nsc_bits_words(nsc_trace_events(trace)->n);
    uint64_t *mask = nsc_xcalloc(words + 1, sizeof *mask);
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_summary *summary;
    enum nsc_status status = NSC_ENOMEM;

    for (uint32_t i = 0; i < info->n_events; i++)
        nsc_bits_set(mask, info->first_event + i);
    summary = nsc_summary_build(trace, mask);
    scope.summary = summary;
    scope.mask = mask;
    if (summary)
        status = measure(out, &scope, NULL, capture, (struct nsc_text){"", 0}, error);
    else
        status = nsc_fail(error, NSC_ENOMEM, "no memory to measure one of the recordings");
    nsc_summary_free(summary);
    free(mask);
    return status;
}

void nsc_recording_fini(struct nsc_recording *run)
{
    nsc_strpool_fini(&run->texts);
    NSC_VEC_FINI(&run->parts.list);
    NSC_VEC_FINI(&run->kernels.list);
    NSC_VEC_FINI(&run->families.list);
    NSC_VEC_FINI(&run->ranges.list);
    memset(run, 0, sizeof *run);
}
