/*
 * Reads the CSV pages of Nsight Compute into launches and values.
 */
#include "analysis/ncu/ncu.h"

#include "core/csv_read.h"
#include "core/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns that identify a row; all other columns of a raw page are metrics. The name of a range is
 * longer and begins so. */
#define COLUMNS                                    \
    COLUMN(ID, "ID")                               \
    COLUMN(PROCESS, "Process ID")                  \
    COLUMN(KERNEL, "Kernel Name")                  \
    COLUMN(BLOCK, "Block Size")                    \
    COLUMN(GRID, "Grid Size")                      \
    COLUMN(DEVICE, "Device")                       \
    COLUMN(RANGE, "thread Domain:Push/Pop_Range")  \
    COLUMN(SECTION, "Section Name")                \
    COLUMN(ITEM, "Body Item Label")                \
    COLUMN(METRIC, "Metric Name")                  \
    COLUMN(UNIT, "Metric Unit")                    \
    COLUMN(VALUE, "Metric Value")                  \
    COLUMN(CALLS, "Invocations")                   \
    COLUMN(AVERAGE, "Average")                     \
    COLUMN(RULE, "Rule Name")                      \
    COLUMN(RULE_TYPE, "Rule Type")                 \
    COLUMN(RULE_TEXT, "Rule Description")          \
    COLUMN(SPEEDUP_KIND, "Estimated Speedup Type") \
    COLUMN(SPEEDUP, "Estimated Speedup")

#define COLUMN(id, name) id,
enum column { COLUMNS N_COLUMNS };
#undef COLUMN

#define COLUMN(id, name) name,
static const char *const column_names[N_COLUMNS] = {COLUMNS};
#undef COLUMN

/* identity columns of a raw page that no figure uses */
static const char *const other_names[] = {"Process Name", "Host Name", "Kernel Time", "Context",
                                          "Stream",       "CC",        "Id:Domain:"};

struct reading {
    struct nsc_ncu *out;
    struct nsc_csv csv;
    uint32_t at[N_COLUMNS]; /* NSC_NONE: not there */
    uint32_t n_columns;
    NSC_VEC(nsc_str) header; /* raw pages: the metric of each column; 0 for other columns */
    NSC_VEC(nsc_str) unit;   /* raw pages: its unit */
};

static struct nsc_text cell(const struct reading *reading, enum column column)
{
    return nsc_csv_field(&reading->csv, reading->at[column]);
}

static int64_t parse_int(struct nsc_text text)
{
    char digits[32];
    char *end = NULL;
    long long value = 0;

    if (text.n == 0 || text.n >= sizeof digits)
        return -1;
    memcpy(digits, text.bytes, text.n);
    digits[text.n] = '\0';
    errno = 0;
    value = strtoll(digits, &end, 10);
    return errno || *end ? -1 : value;
}

/* ---- the header ---- */

static bool is_other(struct nsc_text name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (nsc_text_begins(name, other_names[i]))
            return true;
    return false;
}

static enum column column_of(struct nsc_text name)
{
    for (unsigned c = 0; c < N_COLUMNS; c++)
        if (c == RANGE ? nsc_text_begins(name, column_names[c])
                       : nsc_text_is(name, column_names[c]))
            return (enum column)c;
    return N_COLUMNS;
}

/* Reads the current row as a header; false if it is not one of Nsight Compute's. */
static bool take_header(struct reading *reading)
{
    reading->n_columns = nsc_csv_fields(&reading->csv);
    for (unsigned c = 0; c < N_COLUMNS; c++)
        reading->at[c] = NSC_NONE;
    NSC_VEC_CLEAR(&reading->header);
    for (uint32_t i = 0; i < reading->n_columns; i++) {
        struct nsc_text name = nsc_csv_field(&reading->csv, i);
        enum column column = column_of(name);
        bool is_metric = column == N_COLUMNS && !is_other(name);

        if (column != N_COLUMNS && reading->at[column] == NSC_NONE)
            reading->at[column] = i;
        *NSC_VEC_ADD(&reading->header) =
            is_metric ? nsc_strpool_add(&reading->out->texts, name.bytes, name.n) : 0;
    }
    /* versions of 2019 and 2020 give no device */
    return reading->at[KERNEL] != NSC_NONE &&
           (reading->at[DEVICE] != NSC_NONE ||
            (reading->at[ID] != NSC_NONE && reading->at[PROCESS] != NSC_NONE));
}

/* ---- launches ---- */

/* The last range of a stack: the text between its domain and the next colon. */
static nsc_str innermost(struct reading *reading, struct nsc_text stack)
{
    const char *from = NULL;
    const char *end = stack.bytes + stack.n;
    const char *stop = NULL;

    for (const char *c = stack.bytes; c < end; c++) /* each range stands in quotes */
        if (*c == '"' && (stop = memchr(c + 1, '"', (size_t)(end - c - 1))) != NULL) {
            from = c + 1;
            c = stop;
        }
    from = from ? memchr(from, ':', (size_t)(end - from)) : NULL;
    if (!from)
        return 0;
    from++;
    stop = from;
    /* A name may hold "::" itself; one colon ends it. */
    while (stop < end &&
           (*stop != ':' || (stop + 1 < end && stop[1] == ':') || (stop > from && stop[-1] == ':')))
        stop++;
    return nsc_strpool_add(&reading->out->texts, from, (size_t)(stop - from));
}

static nsc_str keep(struct reading *reading, enum column column)
{
    struct nsc_text text = cell(reading, column);

    return nsc_strpool_add(&reading->out->texts, text.bytes, text.n);
}

static uint32_t add_launch(struct reading *reading)
{
    struct nsc_ncu_launch launch = {.id = parse_int(cell(reading, ID)),
                                    .process = parse_int(cell(reading, PROCESS)),
                                    .device = parse_int(cell(reading, DEVICE)),
                                    .kernel = keep(reading, KERNEL),
                                    .range = innermost(reading, cell(reading, RANGE)),
                                    .grid = keep(reading, GRID),
                                    .block = keep(reading, BLOCK),
                                    .calls = 1,
                                    .flop = (double)NAN};

    for (unsigned i = 0; i < NSC_N_NCU_METRICS; i++)
        launch.value[i] = (double)NAN;
    *NSC_VEC_ADD(&reading->out->launches) = launch;
    return (uint32_t)reading->out->launches.n - 1;
}

/* Rows of one launch are adjacent, so comparing with the last one is enough. */
static uint32_t find_launch(struct reading *reading)
{
    const struct nsc_ncu_launch *last = NULL;
    int64_t calls = 0;
    uint32_t at = 0;

    if (reading->out->launches.n > 0) {
        last = &reading->out->launches.at[reading->out->launches.n - 1];
        if (last->id == parse_int(cell(reading, ID)) &&
            last->process == parse_int(cell(reading, PROCESS)) &&
            last->device == parse_int(cell(reading, DEVICE)) &&
            last->kernel == keep(reading, KERNEL) && last->grid == keep(reading, GRID) &&
            last->block == keep(reading, BLOCK))
            return (uint32_t)reading->out->launches.n - 1;
    }
    at = add_launch(reading);
    calls = parse_int(cell(reading, CALLS));
    if (calls > 0)
        reading->out->launches.at[at].calls = (uint64_t)calls;
    return at;
}

/* ---- values ---- */

struct found {
    struct nsc_text section, item, name, number, unit;
};

static void add_value(struct reading *reading, uint32_t at, const struct found *found)
{
    struct nsc_ncu_launch *launch = &reading->out->launches.at[at];
    enum nsc_ncu_metric metric = nsc_ncu_metric_of(found->section, found->item, found->name);
    double weight = nsc_ncu_flop_of(found->name);
    double value = 0;

    if (!nsc_ncu_parse(&value, found->number, found->unit)) {
        reading->out->n_missing++;
        return;
    }
    if (metric != NSC_N_NCU_METRICS && isnan(launch->value[metric]))
        launch->value[metric] = value;
    if (weight > 0)
        launch->flop = (isnan(launch->flop) ? 0 : launch->flop) + weight * value;
}

static void add_rule(struct reading *reading, uint32_t at)
{
    struct nsc_ncu_rule rule = {.launch = at,
                                .section = keep(reading, SECTION),
                                .name = keep(reading, RULE),
                                .type = keep(reading, RULE_TYPE),
                                .text = keep(reading, RULE_TEXT),
                                .kind = keep(reading, SPEEDUP_KIND)};

    if (!nsc_ncu_parse(&rule.speedup, cell(reading, SPEEDUP), nsc_text_from("%")))
        rule.speedup = (double)NAN;
    *NSC_VEC_ADD(&reading->out->rules) = rule;
}

/* ---- the pages ---- */

/* Reads a row of details or summary: one value or one rule. */
static void read_long_row(struct reading *reading)
{
    bool is_summary = reading->out->is_summary;
    struct found found = {cell(reading, SECTION), cell(reading, ITEM), cell(reading, METRIC),
                          cell(reading, is_summary ? AVERAGE : VALUE), cell(reading, UNIT)};

    if (cell(reading, KERNEL).n == 0) {
        reading->out->n_skipped++;
        return;
    }
    if (found.name.n > 0)
        add_value(reading, find_launch(reading), &found);
    if (cell(reading, RULE).n > 0)
        add_rule(reading, find_launch(reading));
}

static void read_units(struct reading *reading)
{
    NSC_VEC_CLEAR(&reading->unit);
    for (uint32_t i = 0; i < reading->n_columns; i++) {
        struct nsc_text unit = nsc_csv_field(&reading->csv, i);

        *NSC_VEC_ADD(&reading->unit) = nsc_strpool_add(&reading->out->texts, unit.bytes, unit.n);
    }
}

static void read_raw_row(struct reading *reading)
{
    struct nsc_text none = {"", 0};
    uint32_t launch = 0;

    if (cell(reading, KERNEL).n == 0 && cell(reading, DEVICE).n == 0 && reading->unit.n == 0 &&
        nsc_csv_fields(&reading->csv) == reading->n_columns) {
        read_units(reading);
        return;
    }
    if (cell(reading, KERNEL).n == 0) {
        reading->out->n_skipped++;
        return;
    }
    launch = add_launch(reading);
    for (uint32_t i = 0; i < reading->n_columns; i++) {
        struct found found = {none, none, none, nsc_csv_field(&reading->csv, i), none};

        if (!reading->header.at[i] || found.number.n == 0)
            continue;
        found.name = nsc_strpool_text(&reading->out->texts, reading->header.at[i]);
        if (reading->unit.n)
            found.unit = nsc_strpool_text(&reading->out->texts, reading->unit.at[i]);
        add_value(reading, launch, &found);
    }
}

static void read_rows(struct reading *reading)
{
    bool is_long = reading->at[METRIC] != NSC_NONE;

    reading->out->is_summary = reading->at[CALLS] != NSC_NONE && reading->at[AVERAGE] != NSC_NONE;
    while (nsc_csv_next(&reading->csv)) {
        struct nsc_text first = nsc_csv_field(&reading->csv, 0);

        if (nsc_csv_fields(&reading->csv) == 1) { /* blank, or "==PROF== ..." */
            reading->out->n_skipped += first.n > 0 && !nsc_text_begins(first, "==");
            continue;
        }
        if (is_long)
            read_long_row(reading);
        else
            read_raw_row(reading);
    }
}

enum nsc_status nsc_ncu_read(struct nsc_ncu *out, struct nsc_text text, struct nsc_error *error)
{
    struct reading reading = {.out = out};
    bool found = false;

    memset(out, 0, sizeof *out);
    nsc_strpool_init(&out->texts);
    nsc_csv_init(&reading.csv, text.bytes, text.n);
    while (!found && nsc_csv_next(&reading.csv))
        found = nsc_csv_fields(&reading.csv) > 1 && take_header(&reading);
    if (found)
        read_rows(&reading);
    nsc_csv_fini(&reading.csv);
    NSC_VEC_FINI(&reading.header);
    NSC_VEC_FINI(&reading.unit);
    if (found)
        return NSC_OK;
    nsc_ncu_fini(out);
    return nsc_fail(error, NSC_EFORMAT,
                    "no table of Nsight Compute: make it by ncu --import REPORT --csv --page raw");
}

void nsc_ncu_fini(struct nsc_ncu *ncu)
{
    nsc_strpool_fini(&ncu->texts);
    NSC_VEC_FINI(&ncu->launches);
    NSC_VEC_FINI(&ncu->rules);
    memset(ncu, 0, sizeof *ncu);
}
