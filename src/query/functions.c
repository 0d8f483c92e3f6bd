/* The functions of SQL: aggregates over numbers and intervals, and questions about texts and
 * events. */
#include "analysis/base/quantile.h"
#include "analysis/base/spread.h"
#include "analysis/names/collective.h"
#include "analysis/names/kernel_family.h"
#include "analysis/names/matrix_kernel.h"
#include "analysis/select/filter.h"
#include "core/sort.h"
#include "core/sum.h"
#include "query/query_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SQLite's memory for aggregates is aligned to 8 bytes. */
typedef nsc_wide wide __attribute__((aligned(8)));

enum { MOST_VALUES = 1 << 28 }; /* of one group: 2 GiB, which SQLite's own limit does not see */

/* ---- sums; SQLite itself fails if it has no memory for one ---- */

struct sum {
    wide integers;
    double numbers;
    sqlite3_int64 n, n_numbers;
};

/* sign: 1 adds, -1 takes away a row that leaves a window. */
static void sum_change(sqlite3_context *out, sqlite3_value *value, int sign)
{
    struct sum *sum = sqlite3_aggregate_context(out, sizeof *sum);
    int type = sqlite3_value_numeric_type(value);

    if (!sum || sqlite3_value_type(value) == SQLITE_NULL)
        return;
    sum->n += sign;
    if (type == SQLITE_INTEGER) {
        sum->integers += (wide)sign * sqlite3_value_int64(value);
    } else {
        sum->numbers += sign * sqlite3_value_double(value);
        sum->n_numbers += sign;
    }
}

static void sum_step(sqlite3_context *out, int n, sqlite3_value **values)
{
    (void)n;
    sum_change(out, values[0], 1);
}

static void sum_inverse(sqlite3_context *out, int n, sqlite3_value **values)
{
    (void)n;
    sum_change(out, values[0], -1);
}

static void total_value(sqlite3_context *out)
{
    const struct sum *sum = sqlite3_aggregate_context(out, sizeof *sum);

    if (!sum)
        return;
    if (sum->n == 0)
        sqlite3_result_null(out);
    else if (sum->n_numbers > 0)
        sqlite3_result_double(out, sum->numbers + (double)sum->integers);
    else
        sqlite3_result_int64(out, nsc_narrow(sum->integers));
}

static void mean_value(sqlite3_context *out)
{
    const struct sum *sum = sqlite3_aggregate_context(out, sizeof *sum);

    if (sum && sum->n > 0)
        sqlite3_result_double(out, ((double)sum->integers + sum->numbers) / (double)sum->n);
}

/* ---- values that are kept until the end of the group ---- */

struct kept {
    nsc_time *at; /* bits of doubles, which compare as these do */
    size_t n, capacity;
    double part; /* percentile: 0 to 100 */
};

static double number_of(nsc_time bits)
{
    double number;

    bits ^= bits >> 63 & INT64_MAX;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void keep(sqlite3_context *out, int n, sqlite3_value **values)
{
    struct kept *kept = sqlite3_aggregate_context(out, sizeof *kept);
    double number = sqlite3_value_double(values[0]);
    nsc_time bits;

    if (!kept || sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    if (kept->n >= MOST_VALUES) {
        sqlite3_result_error_toobig(out);
        return;
    }
    memcpy(&bits, &number, sizeof bits);
    *NSC_VEC_ADD(kept) = bits ^ (bits >> 63 & INT64_MAX);
    kept->part = n > 1 ? sqlite3_value_double(values[1]) : 50;
}

/* What was kept; NULL: nothing, or the query is stopped, and it is freed. */
static struct kept *kept_of(sqlite3_context *out)
{
    const struct nsc_trace_query *query = sqlite3_user_data(out);
    struct kept *kept = sqlite3_aggregate_context(out, 0);

    if (!kept || !nsc_scope_is_stopped(&query->scope))
        return kept && kept->n > 0 ? kept : NULL;
    free(kept->at);
    return NULL;
}

/* Between the two nearest values, linearly: the median of an even count is their mean. Selected: the
 * median of 1 M durations takes 0.06 s of CPU, with a sort 0.20, which nothing could stop. */
static void percentile_end(sqlite3_context *out)
{
    struct kept *kept = kept_of(out);
    double place, low, high;

    if (!kept)
        return;
    if (!(kept->part >= 0 && kept->part <= 100)) {
        sqlite3_result_error(out, "percentile: from 0 to 100", -1);
    } else {
        place = kept->part / 100 * (double)(kept->n - 1);
        low = number_of(nsc_select(kept->at, kept->n, (size_t)floor(place)));
        high = number_of(nsc_select(kept->at, kept->n, (size_t)ceil(place)));
        sqlite3_result_double(out, low + (high - low) * (place - floor(place)));
    }
    free(kept->at);
}

/* Of a sample: divides by n - 1. */
static void stdev_end(sqlite3_context *out)
{
    struct kept *kept = kept_of(out);
    long double mean = 0, sum = 0;

    if (!kept)
        return;
    for (size_t i = 0; i < kept->n; i++)
        mean += number_of(kept->at[i]);
    mean /= (long double)kept->n;
    for (size_t i = 0; i < kept->n; i++)
        sum += (number_of(kept->at[i]) - mean) * (number_of(kept->at[i]) - mean);
    sqlite3_result_double(out, kept->n < 2 ? 0 : (double)sqrtl(sum / (long double)(kept->n - 1)));
    free(kept->at);
}

static void spread_end(sqlite3_context *out)
{
    const struct kept *kept = kept_of(out);
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_spread spread;
    int64_t *values;

    if (!kept)
        return;
    values = nsc_xmalloc(kept->n * sizeof *values);
    for (size_t i = 0; i < kept->n; i++)
        values[i] = (int64_t)fmax(-9e18, fmin(9e18, number_of(kept->at[i])));
    nsc_spread_measure(&spread, values, kept->n);
    nsc_buf_printf(&text,
                   "{\"count\":%zu,\"total\":%" PRId64 ",\"mean\":%.17g,\"median\":%.17g,"
                   "\"min\":%" PRId64 ",\"max\":%" PRId64 ",\"stdev\":%.17g}",
                   kept->n, spread.total, spread.mean, spread.median, spread.min, spread.max,
                   spread.deviation);
    sqlite3_result_text(out, text.bytes, (int)text.n, SQLITE_TRANSIENT);
    nsc_buf_fini(&text);
    free(values);
    free(kept->at);
}

/* ---- time covered by intervals ---- */

struct intervals {
    struct nsc_window *at;
    size_t n, capacity;
};

static void interval_step(sqlite3_context *out, int n, sqlite3_value **values)
{
    struct intervals *intervals = sqlite3_aggregate_context(out, sizeof *intervals);

    (void)n;
    if (!intervals || sqlite3_value_type(values[0]) == SQLITE_NULL ||
        sqlite3_value_type(values[1]) == SQLITE_NULL)
        return;
    if (intervals->n >= MOST_VALUES / 4) {
        sqlite3_result_error_toobig(out);
        return;
    }
    *NSC_VEC_ADD(intervals) =
        (struct nsc_window){sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1])};
}

/* Those of lanes come in order, and are sorted in one pass. 10 M in random order take 0.2 s, which nothing stops. */
static void covered_end(sqlite3_context *out)
{
    const struct intervals *intervals = sqlite3_aggregate_context(out, 0);
    size_t n = intervals ? intervals->n : 0;
    struct nsc_sort_pair *order = nsc_xmalloc((2 * n + 1) * sizeof *order);
    nsc_time reach = INT64_MIN, covered = 0;

    for (size_t i = 0; i < n; i++)
        order[i] = (struct nsc_sort_pair){nsc_sort_key(intervals->at[i].t0), (uint32_t)i};
    nsc_sort_pairs(order, order + n, n);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_window *at = &intervals->at[order[i].value];

        covered = nsc_sum(covered, nsc_extend(&reach, at->t0, at->t1));
    }
    sqlite3_result_int64(out, covered);
    free(order);
    if (intervals)
        free(intervals->at);
}

/* ---- texts and events ---- */

static bool read_text(struct nsc_text *text, sqlite3_value *value)
{
    text->bytes = (const char *)sqlite3_value_text(value);
    text->n = (uint32_t)sqlite3_value_bytes(value);
    return text->bytes != NULL;
}

static void shape(sqlite3_context *out, int n, sqlite3_value **values)
{
    char text[80];
    size_t at = 0;

    for (int i = 0; i < n; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%4" PRId64, i ? " " : "",
                               (int64_t)sqlite3_value_int64(values[i]));
    }
    sqlite3_result_text(out, text, (int)at, SQLITE_TRANSIENT);
}

static void contains(sqlite3_context *out, int n, sqlite3_value **values)
{
    struct nsc_text text, part;

    (void)n;
    if (read_text(&text, values[0]) && read_text(&part, values[1]))
        sqlite3_result_int(out, nsc_text_contains_folded(text, part));
}

/* What a text tells, in a word; an empty one is NULL. */
static void put_word(sqlite3_context *out, sqlite3_value *value,
                     struct nsc_text (*word_of)(const struct nsc_trace *, struct nsc_text))
{
    const struct nsc_trace_query *query = sqlite3_user_data(out);
    struct nsc_text text;

    if (!read_text(&text, value))
        return;
    text = word_of(query->trace, text);
    if (text.n > 0)
        sqlite3_result_text(out, text.bytes, (int)text.n, SQLITE_STATIC);
}

static struct nsc_text collective_word(const struct nsc_trace *trace, struct nsc_text text)
{
    const char *word = nsc_collective_word(nsc_collective_of(text));

    (void)trace;
    return word ? nsc_text_from(word) : (struct nsc_text){0};
}

static struct nsc_text matrix_word(const struct nsc_trace *trace, struct nsc_text text)
{
    static const char *const words[NSC_N_MATRICES] = {"",     "unknown", "fp32", "fp64", "tensor",
                                                      "tf32", "fp8",     "int8", "fp4"};

    (void)trace;
    return nsc_text_from(words[nsc_matrix_of(text)]);
}

#define WORD_FUNCTION(name, word_of)                                      \
    static void name(sqlite3_context *out, int n, sqlite3_value **values) \
    {                                                                     \
        (void)n;                                                          \
        put_word(out, values[0], word_of);                                \
    }
WORD_FUNCTION(collective_of, collective_word)
WORD_FUNCTION(family_of, nsc_kernel_family_text)
WORD_FUNCTION(engine_of, nsc_kernel_engine_text)
WORD_FUNCTION(matrix_of, matrix_word)

const uint64_t *nsc_query_mask(struct nsc_trace_query *query, struct nsc_text words,
                               struct nsc_error *error)
{
    struct nsc_filter *filter = NULL;
    uint64_t *mask;

    for (size_t i = 0; i < query->filters.n; i++)
        if (nsc_text_is(words, query->filters.at[i].words))
            return query->filters.at[i].mask;
    if (nsc_filter_parse(&filter, words, error) != NSC_OK)
        return NULL;
    mask = nsc_filter_apply(filter, query->trace, NULL, NULL);
    nsc_filter_free(filter);
    if (!mask)
        (void)nsc_fail(error, NSC_ENOMEM, "no memory for a filter");
    else
        *NSC_VEC_ADD(&query->filters) =
            (struct nsc_query_filter){nsc_xcopy(words.bytes, words.n), mask};
    return mask;
}

static void passes(sqlite3_context *out, int n, sqlite3_value **values)
{
    struct nsc_trace_query *query = sqlite3_user_data(out);
    sqlite3_int64 id = sqlite3_value_int64(values[0]);
    struct nsc_error error = {0};
    const uint64_t *mask;
    struct nsc_text words;

    (void)n;
    if (!query->trace || sqlite3_value_type(values[0]) == SQLITE_NULL ||
        !read_text(&words, values[1]))
        return;
    mask = nsc_query_mask(query, words, &error);
    if (!mask)
        sqlite3_result_error(out, error.text, -1);
    else
        sqlite3_result_int(out, id >= 0 && id < (sqlite3_int64)query->events->n &&
                                    nsc_bits_get(mask, (nsc_event)id));
}

/* ---- the table of functions ---- */

typedef void call(sqlite3_context *, int, sqlite3_value **);

/* end NULL: no aggregate. inverse NULL: not in windows. */
static void add(struct nsc_trace_query *query, const char *name, int arguments, call *step,
                void (*end)(sqlite3_context *), call *inverse)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

    if (end)
        (void)sqlite3_create_window_function(query->db, name, arguments, flags, query, step, end,
                                             inverse ? end : NULL, inverse, NULL);
    else
        (void)sqlite3_create_function_v2(query->db, name, arguments, flags, query, step, NULL, NULL,
                                         NULL);
}

void nsc_query_functions_add(struct nsc_trace_query *query)
{
#define QUERY_FUNCTION(name, arguments, n, step, end, inverse, help) \
    add(query, #name, n, step, end, inverse);
#include "query/function.def"
}
