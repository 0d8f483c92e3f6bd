/* Sums kernels, copies, GPUs and findings for a sketch. */
#include "fleet/sketch_names.h"

#include "analysis/base/histogram.h"
#include "analysis/base/tally.h"
#include "analysis/device/copies.h"
#include "analysis/device/device_times.h"
#include "analysis/device/kernel_work.h"
#include "analysis/names/kernel_family.h"
#include "fleet/column.h"

#include <stdlib.h>

enum {
    NAMES = 48, /* kernels by name, the largest; the others in one row */
    FINDINGS = 24,
    NAME_BYTES = 256,
    TITLE_BYTES = 400
};

static void cut(struct nsc_text *text, uint32_t most)
{
    if (text->n > most)
        for (text->n = most; text->n > 0 && ((unsigned char)text->bytes[text->n] & 0xC0) == 0x80;)
            text->n--;
}

void nsc_sketch_text(struct nsc_json *json, const char *key, struct nsc_text text, uint32_t most)
{
    struct nsc_buf written = NSC_BUF_INIT(SIZE_MAX);

    cut(&text, most);
    nsc_json_string(&written, text);
    if (written.n > most + 2) /* escapes take up to 6 bytes each */
        cut(&text, most / 6);
    nsc_json_text(json, key, text);
    nsc_buf_fini(&written);
}

void nsc_sketch_column(struct nsc_json *json, const char *key, const int64_t values[], size_t n)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

    nsc_column_put(&text, values, n);
    nsc_json_text(json, key, nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
}

static void open_sheet(struct nsc_json *json, const char *key)
{
    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "key", key);
    nsc_json_open(json, "rows", '[');
}

static void close_sheet(struct nsc_json *json)
{
    nsc_json_close(json, ']');
    nsc_json_close(json, '}');
}

/* ---- kernels ---- */

static void add_sum(struct nsc_tally *tally, nsc_str text, uint64_t count, nsc_time total)
{
    uint32_t group = nsc_tally_group(tally, text, 0);

    tally->rows.at[group].count += count;
    tally->rows.at[group].total = nsc_sum(tally->rows.at[group].total, total);
}

/* Sums the kernels of a scope by full name, a string of the trace. */
static struct nsc_tally sum_kernels(const struct nsc_scope *scope)
{
    const struct nsc_names *names = nsc_trace_names(scope->trace);
    struct nsc_kernel_work work;
    struct nsc_tally kernels = {0};

    nsc_kernel_work_build(&work, scope);
    for (size_t i = 0; i < work.n; i++)
        add_sum(&kernels, names->full[work.at[i].name], work.at[i].count, work.at[i].work);
    nsc_kernel_work_fini(&work);
    return kernels;
}

/* The durations in the bins of nsc_duration_bin: the first bin, then the counts of it and those after. */
static void put_bins(struct nsc_json *json, const uint64_t count[NSC_DURATION_BINS])
{
    int64_t bins[NSC_DURATION_BINS];
    uint32_t first = 0;
    uint32_t end = NSC_DURATION_BINS;

    while (first < end && count[first] == 0)
        first++;
    while (end > first && count[end - 1] == 0)
        end--;
    for (uint32_t i = first; i < end; i++)
        bins[i - first] = (int64_t)count[i];
    nsc_json_uint(json, "first_bin", first);
    nsc_sketch_column(json, "bins", bins, end - first);
}

static void put_kernel(struct nsc_json *json, struct nsc_text name, const struct nsc_tally_row *row)
{
    nsc_json_open(json, NULL, '{');
    nsc_sketch_text(json, "kernel_name", name, NAME_BYTES);
    nsc_json_uint(json, "call_count", row->count);
    nsc_json_int(json, "total_time_ns", row->total);
}

/* The durations of the first n kernels of an order. */
static struct nsc_duration_bins *count_durations(const struct nsc_scope *scope,
                                                 const struct nsc_tally *kernels,
                                                 const uint32_t *order, size_t n)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_duration_bins *bins = nsc_xcalloc(n + 1, sizeof *bins);
    const struct nsc_names *names = nsc_trace_names(scope->trace);
    uint32_t *place = nsc_xcalloc((size_t)names->n + 1, sizeof *place); /* 0: none */

    for (uint32_t name = 0; name < names->n; name++)
        for (uint32_t i = 0; i < n; i++)
            if (kernels->rows.at[order[i]].key[0] == names->full[name])
                place[name] = i + 1;
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL && place[events->name[at.row]])
            nsc_duration_bins_add(&bins[place[events->name[at.row]] - 1],
                                  nsc_event_duration(events, at.row));
    free(place);
    return bins;
}

static void put_kernels(struct nsc_json *json, const struct nsc_scope *scope,
                        const struct nsc_tally *kernels)
{
    uint32_t *order = nsc_tally_sort(kernels, NSC_TALLY_TOTAL, 0, NULL);
    size_t n = kernels->rows.n < NAMES ? kernels->rows.n : NAMES;
    struct nsc_tally_row rest = {0};
    struct nsc_duration_bins *bins = count_durations(scope, kernels, order, n);

    open_sheet(json, "kernels");
    for (size_t i = 0; i < n; i++) {
        const struct nsc_tally_row *row = &kernels->rows.at[order[i]];

        put_kernel(json, nsc_trace_string(scope->trace, (nsc_str)row->key[0]), row);
        put_bins(json, bins[i].count);
        nsc_json_close(json, '}');
    }
    for (size_t i = n; i < kernels->rows.n; i++) {
        rest.count += kernels->rows.at[order[i]].count;
        rest.total = nsc_sum(rest.total, kernels->rows.at[order[i]].total);
    }
    if (rest.count) {
        put_kernel(json, nsc_text_from("(other)"), &rest);
        nsc_json_close(json, '}');
    }
    close_sheet(json);
    free(bins);
    free(order);
}

static void put_families(struct nsc_json *json, const struct nsc_scope *scope,
                         const struct nsc_tally *kernels)
{
    struct nsc_strpool words;
    struct nsc_tally families = {0};

    nsc_strpool_init(&words);
    for (size_t i = 0; i < kernels->rows.n; i++) {
        const struct nsc_tally_row *row = &kernels->rows.at[i];
        struct nsc_text word = nsc_kernel_family_text(
            scope->trace, nsc_trace_string(scope->trace, (nsc_str)row->key[0]));

        add_sum(&families, nsc_strpool_add(&words, word.bytes, word.n), row->count, row->total);
    }
    open_sheet(json, "families");
    for (size_t i = 0; i < families.rows.n; i++) {
        const struct nsc_tally_row *row = &families.rows.at[i];

        nsc_json_open(json, NULL, '{');
        nsc_json_text(json, "family", nsc_strpool_text(&words, (nsc_str)row->key[0]));
        nsc_json_uint(json, "count", row->count);
        nsc_json_int(json, "total_ns", row->total);
        nsc_json_close(json, '}');
    }
    close_sheet(json);
    nsc_tally_fini(&families);
    nsc_strpool_fini(&words);
}

/* ---- GPUs ---- */

/* Sweeps each GPU once for the two questions below. */
static void sweep_devices(const struct nsc_sketch_question *question)
{
    const struct nsc_ride rides[] = {{.rider = &nsc_device_times_rider},
                                     {.rider = &nsc_copies_rider, .param = question->fields}};

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(question->scope->trace, d)) != NSC_NONE;)
        nsc_sweep_share(question->scope, d, rides, 2);
}

static void put_devices(struct nsc_json *json, const struct nsc_scope *scope)
{
    struct nsc_breakdown time, sum = {0};

    open_sheet(json, "gpu_idle");
    for (uint32_t d = NSC_NONE, n = 0; nsc_breakdown_next(&time, scope, &d); n++) {
        sum.comm = nsc_sum(sum.comm, time.comm);
        sum.exposed = nsc_sum(sum.exposed, time.exposed);
        sum.kernel_work = nsc_sum(sum.kernel_work, time.kernel_work);
        if (n >= NSC_SKETCH_GPUS)
            continue;
        nsc_json_open(json, NULL, '{');
        nsc_json_int(json, "gpu", nsc_trace_track(scope->trace, d)->gpu);
        nsc_json_int(json, "window_ns", time.whole);
        nsc_json_int(json, "all_work_busy_ns", time.busy);
        nsc_json_int(json, "compute_ns", time.compute);
        nsc_json_close(json, '}');
    }
    close_sheet(json);
    open_sheet(json, "stream_overlap");
    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "work", "communication");
    nsc_json_int(json, "busy_ns", sum.comm);
    nsc_json_int(json, "overlap_ns", sum.comm - sum.exposed);
    nsc_json_close(json, '}');
    close_sheet(json);
    open_sheet(json, "pids");
    nsc_json_open(json, NULL, '{');
    nsc_json_int(json, "total_kernel_time_ns", sum.kernel_work);
    nsc_json_close(json, '}');
    close_sheet(json);
}

static void put_copies(struct nsc_json *json, const struct nsc_sketch_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    struct nsc_copies *copies = nsc_xcalloc(1, sizeof *copies); /* too large for the stack */

    open_sheet(json, "copies");
    for (uint32_t d = NSC_NONE, gpus = 0;
         gpus < NSC_SKETCH_GPUS && (d = nsc_device_next(trace, d)) != NSC_NONE; gpus++) {
        if (!nsc_copies_build(copies, question->scope, question->fields, d))
            continue;
        for (uint32_t i = 0; i < copies->n; i++) {
            nsc_json_open(json, NULL, '{');
            nsc_json_int(json, "gpu", nsc_trace_track(trace, d)->gpu);
            nsc_json_puts(json, "direction", nsc_copy_direction_word(&copies->at[i]));
            nsc_json_uint(json, "count", copies->at[i].count);
            nsc_json_int(json, "bytes", copies->at[i].bytes);
            nsc_json_int(json, "total_ns", copies->at[i].work);
            nsc_json_close(json, '}');
        }
    }
    close_sheet(json);
    free(copies);
}

/* ---- findings ---- */

void nsc_sketch_findings_write(struct nsc_json *json, const struct nsc_findings *findings)
{
    uint32_t n = 0;

    nsc_json_open(json, "findings", '[');
    for (size_t i = 0; i < findings->list.n && n < FINDINGS; i++) {
        const struct nsc_finding *finding = &findings->list.at[i];

        if (finding->severity > NSC_SEVERITY_LOW)
            continue;
        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "rule", finding->key);
        nsc_json_puts(json, "severity", nsc_severity_word(finding->severity));
        nsc_sketch_text(json, "title", nsc_text_from(finding->title), TITLE_BYTES);
        nsc_json_int(json, "ns", finding->ns);
        nsc_json_close(json, '}');
        n++;
    }
    nsc_json_close(json, ']');
}

void nsc_sketch_names_write(struct nsc_json *json, const struct nsc_sketch_question *question)
{
    struct nsc_tally kernels = sum_kernels(question->scope);

    nsc_json_open(json, "sheets", '[');
    put_kernels(json, question->scope, &kernels);
    put_families(json, question->scope, &kernels);
    sweep_devices(question);
    put_devices(json, question->scope);
    put_copies(json, question);
    nsc_json_close(json, ']');
    nsc_tally_fini(&kernels);
}
