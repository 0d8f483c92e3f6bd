/* totals(kinds, by, value): sums of events in groups, in one pass over the lanes. SQLite groups row
 * by row through a sort, and text by text. */
#include "analysis/base/totals.h"
#include "core/nearest.h"
#include "core/sum.h"
#include "query/query_data.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS, BY, VALUE, FILTER };
enum { N_OTHERS = 10 }; /* columns that are no keys */

#define USE_NONE(name, kind)
#define USE_VALUE(name, kind)
#define USE_KEY(name, kind)                                                  NSC_COL_UNBOUND(#name, #name, NULL, NSC_SHEET_##kind, 0),
#define QUERY_COLUMN(name, kind, use, level, getter, argument, tables, help) USE_##use(name, kind)
const struct nsc_sheet_column nsc_query_totals_columns[] = {
#include "query/event_column.def"
    NSC_COL_UNBOUND("text_id", "Number of the text that groups", NULL, NSC_SHEET_ID, 0),
    NSC_COL_UNBOUND("count", "Events with a value", NULL, NSC_SHEET_COUNT, 0),
    NSC_COL_UNBOUND("total", "Sum, at most 2^63 - 1", NULL, NSC_SHEET_COUNT, 0),
    NSC_COL_UNBOUND("mean", "Mean", NULL, NSC_SHEET_NUMBER, 0),
    NSC_COL_UNBOUND("median", "Median", NULL, NSC_SHEET_NUMBER, 0),
    NSC_COL_UNBOUND("min", "Least", NULL, NSC_SHEET_COUNT, 0),
    NSC_COL_UNBOUND("max", "Greatest", NULL, NSC_SHEET_COUNT, 0),
    NSC_COL_UNBOUND("stdev", "Standard deviation of a sample", NULL, NSC_SHEET_NUMBER, 0),
    NSC_COL_UNBOUND("p90", "90th percentile", NULL, NSC_SHEET_NUMBER, 0),
    NSC_COL_UNBOUND("longest", "Id of the event with the greatest value", NULL, NSC_SHEET_ID, 0),
    {0},
};

/* The values of a group. */
struct sum {
    nsc_wide total;
    uint64_t n;
    int64_t min, max;
    nsc_event greatest; /* with the greatest value, of equal ones the first */
};

/* The group of the last event of a name. */
struct met {
    uint32_t track; /* + 1; 0: none */
    uint32_t group;
    uint8_t kind;
};

struct grouping {
    struct nsc_trace_query *query;
    uint32_t n_tables, n_keys;
    enum nsc_query_events tables[NSC_N_QUERY_EVENTS];
    const struct nsc_query_column *keys[NSC_TOTALS_KEYS];
    const struct nsc_query_column *value;
    const uint64_t *mask; /* of the filter; NULL: none */
    bool needs_text;      /* of names with counters they depend on the event */
    struct met *met;      /* by name */
    struct nsc_text last_text[NSC_TOTALS_KEYS]; /* by key: the last that stays as it is */
    int64_t last_number[NSC_TOTALS_KEYS];       /* of it */
    struct nsc_totals totals;
    NSC_VEC(struct sum) sums; /* by group */
    NSC_VEC(int64_t) values;  /* of each event, for medians; NSC_UNKNOWN: it has none */
    struct nsc_query_scan *scan;
};

/* ---- the arguments ---- */

/* The next word of a list; an empty one at its end. */
static struct nsc_text next_word(const char **at)
{
    struct nsc_text word;

    *at += strspn(*at, " ,");
    word = (struct nsc_text){*at, (uint32_t)strcspn(*at, " ,")};
    *at += word.n;
    return word;
}

/* Whether all the tables have the column, and it has this use. */
static bool has_column(const struct grouping *grouping, const struct nsc_query_column *column,
                       enum nsc_query_use use)
{
    bool has = column && column->use == use;

    for (uint32_t i = 0; has && i < grouping->n_tables; i++)
        has = nsc_query_events_has(grouping->tables[i], column);
    return has;
}

/* Refuses a word, which is no column of this use, or no table (NSC_QUERY_USE_NONE). */
static enum nsc_status fail_word(const struct grouping *grouping, struct nsc_text word,
                                 enum nsc_query_use use, struct nsc_error *error)
{
    static const char *const what[][2] = {
        [NSC_QUERY_USE_NONE] = {"kinds", "table of events"},
        [NSC_QUERY_USE_KEY] = {"by", "column that groups these events"},
        [NSC_QUERY_USE_VALUE] = {"value", "column that can be measured"}};
    uint32_t n = 0;
    const struct nsc_query_column *columns = nsc_query_columns(&n);
    char near[NSC_NEAREST_WORDS], of_kind[NSC_QUERY_HINT];
    const char *hint = use == NSC_QUERY_USE_NONE ? nsc_query_kind_hint(of_kind, word) : "";
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, word);
    for (uint32_t t = 0; use == NSC_QUERY_USE_NONE && t < NSC_QUERY_EVENTS_counter; t++)
        nsc_nearest_add(&nearest, nsc_text_from(nsc_query_events_tables[t].name));
    for (uint32_t i = 0; use != NSC_QUERY_USE_NONE && i < n; i++)
        if (has_column(grouping, &columns[i], use))
            nsc_nearest_add(&nearest, nsc_text_from(columns[i].name));
    return nsc_fail(error, NSC_EINVAL, "%s: %.*s is no %s%s", what[use][0], (int)word.n, word.bytes,
                    what[use][1], hint[0] ? hint : nsc_nearest_words(near, &nearest));
}

static enum nsc_status add_table(struct grouping *grouping, struct nsc_text word,
                                 struct nsc_error *error)
{
    const struct nsc_query_events_table *all = nsc_query_events_tables;
    const unsigned t = NSC_TEXT_AMONG(word, nsc_query_events_tables);

    if (t >= NSC_QUERY_EVENTS_counter)
        return fail_word(grouping, word, NSC_QUERY_USE_NONE, error);
    for (uint32_t i = 0; i < grouping->n_tables; i++)
        if (all[grouping->tables[i]].first <= all[t].last &&
            all[t].first <= all[grouping->tables[i]].last)
            return nsc_fail(error, NSC_EINVAL, "kinds: %s and %s have the same events",
                            all[grouping->tables[i]].name, all[t].name);
    grouping->tables[grouping->n_tables++] = (enum nsc_query_events)t;
    return NSC_OK;
}

static enum nsc_status add_key(struct grouping *grouping, struct nsc_text word,
                               struct nsc_error *error)
{
    const struct nsc_query_column *column = nsc_query_column_find(word);
    enum nsc_query_text which;
    bool is_id;

    if (!has_column(grouping, column, NSC_QUERY_USE_KEY))
        return fail_word(grouping, word, NSC_QUERY_USE_KEY, error);
    if (grouping->n_keys == NSC_TOTALS_KEYS)
        return nsc_fail(error, NSC_EINVAL, "by: at most %d columns", NSC_TOTALS_KEYS);
    grouping->needs_text |=
        nsc_query_column_text(column, &which, &is_id) && which != NSC_QUERY_FOLD;
    grouping->keys[grouping->n_keys++] = column;
    return NSC_OK;
}

static enum nsc_status parse(struct grouping *grouping, const char *const arguments[],
                             struct nsc_error *error)
{
    const char *kinds = arguments[KINDS] ? arguments[KINDS] : "kernel";
    const char *by = arguments[BY] ? arguments[BY] : "short";
    struct nsc_text value = nsc_text_from(arguments[VALUE] ? arguments[VALUE] : "dur");
    enum nsc_status status = NSC_OK;

    for (struct nsc_text word = next_word(&kinds); status == NSC_OK && word.n > 0;
         word = next_word(&kinds))
        status = add_table(grouping, word, error);
    if (status == NSC_OK && grouping->n_tables == 0)
        status = nsc_fail(error, NSC_EINVAL, "kinds: give tables of events");
    for (struct nsc_text word = next_word(&by); status == NSC_OK && word.n > 0;
         word = next_word(&by))
        status = add_key(grouping, word, error);
    if (status != NSC_OK)
        return status;
    grouping->value = nsc_query_column_find(value);
    if (!has_column(grouping, grouping->value, NSC_QUERY_USE_VALUE))
        return fail_word(grouping, value, NSC_QUERY_USE_VALUE, error);
    if (arguments[FILTER])
        grouping->mask = nsc_query_mask(grouping->query, nsc_text_from(arguments[FILTER]), error);
    return arguments[FILTER] && !grouping->mask ? error->status : NSC_OK;
}

/* ---- the pass ---- */

/* The value of key k: the number of a text. */
static int64_t key_of(struct grouping *grouping, uint32_t k)
{
    enum nsc_query_text which;
    bool is_id;
    struct nsc_query_row *row = &grouping->scan->row;
    struct nsc_query_value value = nsc_query_value_of(row, grouping->keys[k]);
    struct nsc_text *last = &grouping->last_text[k];

    if (value.type == NSC_QUERY_NULL)
        return NSC_UNKNOWN;
    if (value.type == NSC_QUERY_INT)
        return value.integer;
    if (nsc_query_column_text(grouping->keys[k], &which, &is_id))
        return nsc_query_text_of(grouping->query, row->at, which);
    if (value.type == NSC_QUERY_SCRATCH || value.text.bytes != last->bytes ||
        value.text.n != last->n) {
        *last = value.type == NSC_QUERY_SCRATCH ? (struct nsc_text){NULL, 0} : value.text;
        grouping->last_number[k] = nsc_texts_add(&grouping->query->texts, value.text);
    }
    return grouping->last_number[k];
}

/* met: a group of the name on the track; NSC_NONE: not known. Its name tells the keys that depend on
 * no more, and most have the others too. */
static uint32_t find_group(struct grouping *grouping, uint32_t met)
{
    const int64_t *of_met = met == NSC_NONE ? NULL : nsc_totals_keys(&grouping->totals, met);
    int64_t keys[NSC_TOTALS_KEYS] = {0};
    bool is_met = of_met;

    for (uint32_t k = 0; k < grouping->n_keys; k++) {
        keys[k] = of_met && grouping->keys[k]->level <= NSC_QUERY_LEVEL_NAME ? of_met[k]
                                                                             : key_of(grouping, k);
        is_met = is_met && keys[k] == of_met[k];
    }
    return is_met ? met : nsc_totals_find(&grouping->totals, keys);
}

/* The group of the current event: most follow one of their name on their track. Finding each anew,
 * totals('event', 'kind_label track_label group_label') of 1 M kernels takes 2.3 s instead of 1.5,
 * and totals('kernel', 'family phase') of 10 M 0.8 s instead of 0.3. */
static uint32_t group_of(struct grouping *grouping)
{
    const struct nsc_query_row *row = &grouping->scan->row;
    nsc_name name = grouping->query->events->name[row->at];
    uint8_t kind = grouping->query->events->kind[row->at];
    struct met *met = &grouping->met[name];
    bool is_met = met->track == row->track + 1 && met->kind == kind && kind != NSC_KIND_SYNC;

    if (grouping->needs_text && nsc_trace_names(grouping->query->trace)->counters[name] > 0)
        return find_group(grouping, NSC_NONE);
    *met = (struct met){row->track + 1, find_group(grouping, is_met ? met->group : NSC_NONE), kind};
    return met->group;
}

static void add_value(struct grouping *grouping, uint32_t group, int64_t value)
{
    nsc_event event = grouping->scan->row.at;
    struct sum *sum;

    if (group == grouping->sums.n)
        *NSC_VEC_ADD(&grouping->sums) = (struct sum){.min = INT64_MAX, .max = INT64_MIN};
    sum = &grouping->sums.at[group];
    if (value == NSC_UNKNOWN)
        return;
    if (sum->n++ == 0 || value > sum->max || (value == sum->max && event < sum->greatest))
        sum->greatest = event;
    sum->total += value;
    sum->min = value < sum->min ? value : sum->min;
    sum->max = value > sum->max ? value : sum->max;
}

static void add_event(struct grouping *grouping)
{
    struct nsc_query_row *row = &grouping->scan->row;
    struct nsc_query_value of = nsc_query_value_of(row, grouping->value);
    int64_t value = nsc_known(of.type == NSC_QUERY_INT, of.integer);
    uint32_t group = group_of(grouping);

    add_value(grouping, group, value);
    if (grouping->query->needs_values) {
        *NSC_VEC_ADD(&grouping->totals.group) = group;
        *NSC_VEC_ADD(&grouping->values) = value;
    }
}

static void add_events(struct grouping *grouping)
{
    struct nsc_query_scan *scan = grouping->scan;

    while (nsc_query_scan_next(scan))
        if (!grouping->mask || nsc_bits_get(grouping->mask, scan->row.at))
            add_event(grouping);
}

/* ---- the sheet ---- */

static bool value_at(const void *context, uint32_t row, int64_t *out)
{
    const struct grouping *grouping = context;

    *out = grouping->values.at[row];
    return *out != NSC_UNKNOWN;
}

static int key_place(const struct grouping *grouping, const char *name)
{
    for (uint32_t k = 0; k < grouping->n_keys; k++)
        if (strcmp(grouping->keys[k]->name, name) == 0)
            return (int)k;
    return -1;
}

static void put_keys(struct nsc_sheet *sheet, const struct grouping *grouping, uint32_t group)
{
    const int64_t *keys = nsc_totals_keys(&grouping->totals, group);
    int64_t text = NSC_UNKNOWN;
    enum nsc_query_text which;
    bool is_id;

    for (uint32_t c = 0; strcmp(sheet->columns[c].key, "text_id") != 0; c++) {
        int k = key_place(grouping, sheet->columns[c].key);

        if (keys[k] == NSC_UNKNOWN || sheet->columns[c].kind != NSC_SHEET_TEXT) {
            nsc_sheet_add_int(sheet, keys[k]);
        } else {
            nsc_sheet_add_text(sheet, nsc_texts_at(&grouping->query->texts, (nsc_str)keys[k]));
            if (nsc_query_column_text(grouping->keys[k], &which, &is_id))
                text = keys[k];
        }
    }
    nsc_sheet_add_int(sheet, text);
}

/* spread: NULL if the query asks for no median, deviation or percentile. */
static void put_sum(struct nsc_sheet *sheet, const struct sum *sum, const struct nsc_spread *spread)
{
    static const struct nsc_spread none;

    nsc_sheet_add_int(sheet, (int64_t)sum->n);
    if (sum->n == 0) {
        for (int i = 0; i < 8; i++)
            nsc_sheet_add_unknown(sheet);
        return;
    }
    spread = spread ? spread : &none;
    nsc_sheet_add_int(sheet, nsc_narrow(sum->total));
    nsc_sheet_add_number(sheet, (double)sum->total / (double)sum->n);
    nsc_sheet_add_number(sheet, spread->median);
    nsc_sheet_add_int(sheet, sum->min);
    nsc_sheet_add_int(sheet, sum->max);
    nsc_sheet_add_number(sheet, spread->deviation);
    nsc_sheet_add_number(sheet, spread->p90);
    nsc_sheet_add_int(sheet, sum->greatest);
}

/* A sheet without the columns of keys that do not group: most. */
static struct nsc_sheet *add_sheet(struct nsc_sheets *out, const struct grouping *grouping)
{
    struct nsc_sheet_column columns[NSC_TOTALS_KEYS + N_OTHERS];
    struct nsc_sheet *sheet;
    uint32_t n_all = nsc_columns_count(nsc_query_totals_columns);
    uint32_t n = 0;

    for (uint32_t c = 0; c < n_all; c++)
        if (c >= n_all - N_OTHERS || key_place(grouping, nsc_query_totals_columns[c].key) >= 0)
            columns[n++] = nsc_query_totals_columns[c];
    sheet = nsc_sheets_add(out, "totals", "Totals", columns, n);
    sheet->columns = sheet->own_columns = nsc_sheet_columns_copy(columns, n);
    return sheet;
}

static enum nsc_status fill(struct nsc_sheets *out, struct grouping *grouping,
                            struct nsc_error *error)
{
    bool needs_values =
        grouping->query->needs_values && !nsc_scope_is_stopped(&grouping->query->scope);
    struct nsc_spread *spreads =
        needs_values ? nsc_totals_measure(&grouping->totals, value_at, grouping) : NULL;
    struct nsc_sheet *sheet = add_sheet(out, grouping);

    if (needs_values && !spreads)
        return nsc_fail(error, NSC_ENOMEM, "no memory for the values of all events");
    for (uint32_t g = 0; g < grouping->totals.n; g++) {
        put_keys(sheet, grouping, g);
        put_sum(sheet, &grouping->sums.at[g], spreads ? &spreads[g] : NULL);
    }
    free(spreads);
    return NSC_OK;
}

enum nsc_status nsc_query_totals(struct nsc_sheets *out, struct nsc_trace_query *query,
                                 const char *const arguments[], struct nsc_error *error)
{
    struct grouping grouping = {.query = query};
    enum nsc_status status = parse(&grouping, arguments, error);

    if (status != NSC_OK)
        return status;
    grouping.totals = nsc_totals_new(grouping.n_keys ? grouping.n_keys : 1, 0);
    grouping.totals.has_p90 = true;
    grouping.met = nsc_xcalloc((size_t)nsc_trace_names(query->trace)->n + 1, sizeof *grouping.met);
    grouping.scan = nsc_xcalloc(1, sizeof *grouping.scan);
    for (uint32_t i = 0; i < grouping.n_tables; i++) {
        nsc_query_scan_open(grouping.scan, query, grouping.tables[i], &nsc_query_unbounded, false);
        add_events(&grouping);
    }
    status = fill(out, &grouping, error);
    nsc_query_scan_fini(grouping.scan);
    free(grouping.scan);
    free(grouping.met);
    NSC_VEC_FINI(&grouping.values);
    NSC_VEC_FINI(&grouping.sums);
    nsc_totals_fini(&grouping.totals);
    return status;
}

enum nsc_status nsc_query_name(struct nsc_sheets *out, struct nsc_trace_query *query,
                               const char *const arguments[], struct nsc_error *error)
{
    const char *const of[] = {[KINDS] = arguments[0], [BY] = "kind name", [FILTER] = NULL};

    return nsc_query_totals(out, query, of, error);
}
