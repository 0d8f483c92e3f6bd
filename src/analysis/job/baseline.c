/* Writes and reads the record of an accepted recording. */
#include "analysis/job/baseline.h"

#include "analysis/base/totals.h"
#include "core/json_write.h"
#include "core/sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a row is of: kernels, families, ranges, then each class of each kind of iterations. */
enum {
    OF_GROUPS = 3,
    OF_PARTS = NSC_LIMIT_KINDS * NSC_N_PART_CLASSES,
    N_METRICS = NSC_N_RECORDING_METRICS * 5,
    N_KIND = 4,
};

_Static_assert(sizeof(double[N_METRICS]) ==
                   sizeof(struct nsc_recording_spread[NSC_N_RECORDING_METRICS]),
               "a spread is five numbers");

static const char *const facts[NSC_N_BASELINE_FACTS] = {"file", "identity", "when",
                                                        "who",  "why",      "options"};

/* ---- writing ---- */

struct writing {
    struct nsc_json json;
    const struct nsc_recording *run;
    nsc_time least;
    uint32_t *place; /* by text: its first row and 1; 0: none */
    uint32_t n_rows;
    struct nsc_recording_group others[OF_GROUPS + OF_PARTS];
};

static void put_name(struct writing *writing, nsc_str name)
{
    struct nsc_json *json = &writing->json;

    writing->n_rows++;
    if (name == NSC_NONE) {
        nsc_json_puts(json, NULL, "others");
    } else if (writing->place[name] > 0) {
        nsc_json_uint(json, NULL, writing->place[name] - 1);
    } else {
        nsc_json_text(json, NULL, nsc_strpool_text(&writing->run->texts, name));
        writing->place[name] = writing->n_rows;
    }
}

static void put_row(struct writing *writing, unsigned of, struct nsc_recording_group row)
{
    struct nsc_json *json = &writing->json;

    if (row.total < writing->least) {
        writing->others[of].count += row.count;
        writing->others[of].total = nsc_sum(writing->others[of].total, row.total);
        writing->others[of].blocks = nsc_sum(writing->others[of].blocks, row.blocks);
        return;
    }
    nsc_json_open(json, NULL, '[');
    nsc_json_uint(json, NULL, of);
    put_name(writing, row.name);
    nsc_json_uint(json, NULL, row.count);
    nsc_json_int(json, NULL, row.total);
    if (row.blocks > 0)
        nsc_json_int(json, NULL, row.blocks);
    nsc_json_close(json, ']');
}

static void put_rows(struct writing *writing)
{
    const struct nsc_recording *run = writing->run;
    const struct nsc_recording_groups *groups[] = {&run->kernels, &run->families, &run->ranges};

    nsc_json_open(&writing->json, "rows", '[');
    for (unsigned of = 0; of < OF_GROUPS; of++)
        for (size_t i = 0; i < groups[of]->list.n; i++)
            put_row(writing, of, groups[of]->list.at[i]);
    for (size_t i = 0; i < run->parts.list.n; i++) {
        const struct nsc_recording_part *part = &run->parts.list.at[i];

        put_row(writing, OF_GROUPS + part->kind * NSC_N_PART_CLASSES + part->class,
                (struct nsc_recording_group){.name = part->name, .count = 1, .total = part->total});
    }
    writing->least = 0;
    for (unsigned of = 0; of < OF_GROUPS + OF_PARTS; of++) {
        writing->others[of].name = NSC_NONE;
        if (writing->others[of].count > 0)
            put_row(writing, of, writing->others[of]);
    }
    nsc_json_close(&writing->json, ']');
}

static void put_numbers(struct nsc_json *json, const char *key, const double values[], size_t n)
{
    nsc_json_open(json, key, '[');
    for (size_t i = 0; i < n; i++)
        nsc_json_number(json, NULL, values[i], NSC_ALL_DIGITS);
    nsc_json_close(json, ']');
}

static void put_run(struct nsc_json *json, const struct nsc_recording *run)
{
    double metrics[N_METRICS];
    double kinds[NSC_LIMIT_KINDS * N_KIND];

    nsc_json_text(json, "nsys", nsc_strpool_text(&run->texts, run->version));
    nsc_json_text(json, "gpus", nsc_strpool_text(&run->texts, run->devices));
    nsc_json_puts(json, "label", run->label);
    nsc_json_uint(json, "n", run->n);
    nsc_json_uint(json, "found", run->n_found);
    nsc_json_uint(json, "cut", run->n_cut);
    nsc_json_uint(json, "devices", run->n_devices);
    nsc_json_uint(json, "processes", run->n_processes);
    nsc_json_uint(json, "by", run->by);
    nsc_json_uint(json, "on_gpu", run->on_gpu);
    nsc_json_uint(json, "has_work", run->has_work);
    nsc_json_int(json, "t0_ns", run->window.t0);
    nsc_json_int(json, "t1_ns", run->window.t1);
    memcpy(metrics, run->metrics, sizeof metrics);
    put_numbers(json, "metrics", metrics, N_METRICS);
    for (uint32_t k = 0; k < run->n_kinds; k++) {
        const struct nsc_recording_kind *kind = &run->kinds[k];

        memcpy(&kinds[(size_t)k * N_KIND],
               (double[N_KIND]){kind->n, kind->mean, kind->median, kind->kernels},
               N_KIND * sizeof *kinds);
    }
    put_numbers(json, "kinds", kinds, (size_t)run->n_kinds * N_KIND);
}

static void put_all(struct nsc_buf *out, const struct nsc_baseline *of)
{
    struct writing writing = {.run = &of->run, .least = of->least};
    struct nsc_json *json = &writing.json;

    writing.place = nsc_xcalloc((size_t)of->run.texts.n + 1, sizeof *writing.place);
    nsc_json_init(json, out, false);
    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "format", NSC_BASELINE_FORMAT);
    for (unsigned i = 0; i < NSC_N_BASELINE_FACTS; i++)
        nsc_json_text(json, facts[i], of->facts[i]);
    nsc_json_int(json, "least_ns", of->least);
    put_run(json, &of->run);
    put_rows(&writing);
    nsc_json_close(json, '}');
    free(writing.place);
}

enum nsc_status nsc_baseline_write(struct nsc_buf *out, struct nsc_baseline *baseline, size_t most,
                                   struct nsc_error *error)
{
    size_t before = out->n;

    for (baseline->least = 0; baseline->least < INT64_MAX / 2;
         baseline->least = nsc_later(1000, baseline->least + baseline->least / 4)) {
        out->n = before;
        put_all(out, baseline);
        if (out->n - before <= most)
            return NSC_OK;
    }
    return nsc_fail(error, NSC_EFORMAT, "the record would be longer than %zu bytes", most);
}

/* ---- reading ---- */

struct reading {
    const struct nsc_json_tree *tree;
    struct nsc_recording *run;
    bool failed; /* this is no record; reading goes on with zeros */
};

static int64_t take_int(struct reading *reading, uint32_t node, int64_t least, int64_t most)
{
    int64_t value = 0;

    if (nsc_json_get_int(&value, reading->tree, node) && value >= least && value <= most)
        return value;
    reading->failed = true;
    return least;
}

static int64_t int_of(struct reading *reading, const char *key, int64_t least, int64_t most)
{
    return take_int(reading, nsc_json_find(reading->tree, 0, key), least, most);
}

static struct nsc_text text_of(struct reading *reading, const char *key)
{
    struct nsc_text text = {"", 0};

    if (!nsc_json_get_text(&text, reading->tree, nsc_json_find(reading->tree, 0, key)))
        reading->failed = true;
    return text;
}

/* Reads 0 to most figures; not negative, and int64 holds them. */
static uint32_t numbers_of(struct reading *reading, const char *key, double out[], uint32_t most)
{
    const struct nsc_json_tree *tree = reading->tree;
    uint32_t list = nsc_json_find(tree, 0, key);
    uint32_t n = nsc_json_is(tree, list, NSC_JSON_ARRAY) ? tree->nodes[list].n : UINT32_MAX;

    reading->failed |= n > most;
    for (uint32_t i = 0; i < n && !reading->failed; i++) {
        reading->failed |= !nsc_json_is(tree, list + 1 + i, NSC_JSON_NUMBER);
        if (!reading->failed) /* "," or "]" ends the text of the number */
            out[i] = strtod(tree->bytes + tree->nodes[list + 1 + i].at, NULL);
        reading->failed |= !(out[i] >= 0 && out[i] < 9e18);
    }
    return reading->failed ? 0 : n;
}

static void read_figures(struct reading *reading)
{
    struct nsc_recording *run = reading->run;
    double metrics[N_METRICS] = {0};
    double kinds[NSC_LIMIT_KINDS * N_KIND] = {0};

    reading->failed |= numbers_of(reading, "metrics", metrics, N_METRICS) != N_METRICS;
    memcpy(run->metrics, metrics, sizeof metrics);
    run->n_kinds = numbers_of(reading, "kinds", kinds, NSC_LIMIT_KINDS * N_KIND) / N_KIND;
    for (uint32_t k = 0; k < run->n_kinds; k++) {
        const double *at = &kinds[(size_t)k * N_KIND];

        reading->failed |= at[0] > UINT32_MAX;
        run->kinds[k] =
            (struct nsc_recording_kind){reading->failed ? 0 : (uint32_t)at[0], at[1], at[2], at[3]};
    }
}

static nsc_str keep(struct reading *reading, struct nsc_text text)
{
    return nsc_strpool_add(&reading->run->texts, text.bytes, text.n);
}

static void read_run(struct reading *reading)
{
    struct nsc_recording *run = reading->run;
    const int64_t most = INT64_MAX / 4;
    struct nsc_text label = text_of(reading, "label");

    run->version = keep(reading, text_of(reading, "nsys"));
    run->devices = keep(reading, text_of(reading, "gpus"));
    (void)snprintf(run->label, sizeof run->label, "%.*s", (int)label.n, label.bytes);
    run->n = (uint32_t)int_of(reading, "n", 1, UINT32_MAX);
    run->n_found = (uint32_t)int_of(reading, "found", 0, UINT32_MAX);
    run->n_cut = (uint32_t)int_of(reading, "cut", 0, UINT32_MAX);
    run->n_devices = (uint32_t)int_of(reading, "devices", 0, UINT32_MAX);
    run->n_processes = (uint32_t)int_of(reading, "processes", 0, UINT32_MAX);
    run->by = (enum nsc_iterations_by)int_of(reading, "by", 0, NSC_ITERATIONS_BY_LAUNCHES);
    run->on_gpu = int_of(reading, "on_gpu", 0, 1) > 0;
    run->has_work = int_of(reading, "has_work", 0, 1) > 0;
    run->window.t0 = int_of(reading, "t0_ns", -most, most);
    run->window.t1 = int_of(reading, "t1_ns", run->window.t0, most);
    reading->failed |= run->n_found > 0 && run->n_found < run->n;
    read_figures(reading);
}

/* Reads a row: what it is of, a name or the number of an earlier row with it, how many, ns, and blocks where
 * they are known. names: of the rows before. */
static struct nsc_recording_group take_row(struct reading *reading, uint32_t node, int64_t *of,
                                           const nsc_str names[], uint32_t n_names)
{
    struct nsc_recording_group row = {0};
    struct nsc_text name;
    uint32_t n =
        nsc_json_is(reading->tree, node, NSC_JSON_ARRAY) ? reading->tree->nodes[node].n : 0;

    reading->failed |= n != 4 && n != 5;
    if (reading->failed)
        return row;
    *of = take_int(reading, node + 1, 0, OF_GROUPS + OF_PARTS - 1);
    if (nsc_json_get_text(&name, reading->tree, node + 2))
        row.name = keep(reading, name);
    else
        row.name = names[take_int(reading, node + 2, 0, (int64_t)n_names - 1)];
    row.count = (uint64_t)take_int(reading, node + 3, 1, INT64_MAX);
    row.total = take_int(reading, node + 4, 0, INT64_MAX);
    row.blocks = n == 5 ? take_int(reading, node + 5, 0, INT64_MAX) : 0;
    return row;
}

static void add_row(struct nsc_recording *run, uint32_t of, struct nsc_recording_group row)
{
    struct nsc_recording_groups *groups[] = {&run->kernels, &run->families, &run->ranges};

    if (of == 0) {
        run->kernel_time = nsc_sum(run->kernel_time, row.total);
        run->kernel_count = (uint64_t)nsc_sum((nsc_time)run->kernel_count, (nsc_time)row.count);
    }
    if (of < OF_GROUPS)
        *NSC_VEC_ADD(&groups[of]->list) = row;
    else
        *NSC_VEC_ADD(&run->parts.list) =
            (struct nsc_recording_part){(of - OF_GROUPS) / NSC_N_PART_CLASSES,
                                        (of - OF_GROUPS) % NSC_N_PART_CLASSES, row.name, row.total};
}

/* Sums the rows of equal names: a name may be others, or have bytes that are no text. */
static void read_rows(struct reading *reading)
{
    const struct nsc_json_tree *tree = reading->tree;
    uint32_t list = nsc_json_find(tree, 0, "rows");
    struct nsc_totals keys = nsc_totals_new(2, 0);
    nsc_str *names = nsc_xcalloc(tree->n, sizeof *names);
    NSC_VEC(struct nsc_recording_group) rows = {0};
    uint32_t n = 0;

    reading->failed |= !nsc_json_is(tree, list, NSC_JSON_ARRAY);
    for (uint32_t at = list + 1; !reading->failed && at != tree->nodes[list].next;
         at = tree->nodes[at].next) {
        int64_t of = 0;
        struct nsc_recording_group row = take_row(reading, at, &of, names, n);
        uint32_t i = nsc_totals_find(&keys, (int64_t[]){of, row.name});

        names[n++] = row.name;
        if (i == rows.n)
            *NSC_VEC_ADD(&rows) = (struct nsc_recording_group){.name = row.name};
        rows.at[i].count = (uint64_t)nsc_sum((nsc_time)rows.at[i].count, (nsc_time)row.count);
        rows.at[i].total = nsc_sum(rows.at[i].total, row.total);
        rows.at[i].blocks = nsc_sum(rows.at[i].blocks, row.blocks);
    }
    for (uint32_t i = 0; i < rows.n; i++)
        add_row(reading->run, (uint32_t)nsc_totals_keys(&keys, i)[0], rows.at[i]);
    NSC_VEC_FINI(&rows);
    nsc_totals_fini(&keys);
    free(names);
}

enum nsc_status nsc_baseline_parse(struct nsc_baseline *out, struct nsc_text text,
                                   struct nsc_error *error)
{
    struct reading reading = {.tree = &out->tree, .run = &out->run};

    *out = (struct nsc_baseline){0};
    if (!nsc_text_begins(text, NSC_BASELINE_BEGIN))
        return nsc_fail(error, NSC_EFORMAT, "no baseline that this version reads");
    if (nsc_json_parse(&out->tree, text, error) != NSC_OK) {
        nsc_json_fini(&out->tree);
        return error->status = NSC_EDAMAGED;
    }
    nsc_strpool_init(&out->run.texts);
    for (unsigned i = 0; i < NSC_N_BASELINE_FACTS; i++)
        out->facts[i] = text_of(&reading, facts[i]);
    out->least = int_of(&reading, "least_ns", 0, INT64_MAX);
    read_run(&reading);
    read_rows(&reading);
    if (!reading.failed)
        return NSC_OK;
    nsc_baseline_fini(out);
    return nsc_fail(error, NSC_EDAMAGED, "the baseline is damaged");
}

void nsc_baseline_fini(struct nsc_baseline *baseline)
{
    nsc_recording_fini(&baseline->run);
    nsc_json_fini(&baseline->tree);
}
