/* The table of reports, and the arguments after a report's name. */
#include "analysis/stats/stats.h"

#include "analysis/stats/columns.h"
#include "analysis/stats/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct nsc_stats_fields_def nsc_stats_fields_defs[NSC_N_STATS_FIELDS] = {
#define NSC_STATS_FIELDS(id, kind, table, ...) {NSC_KIND_##kind, table, {__VA_ARGS__}},
#include "analysis/stats/fields.def"
};

const struct nsc_stats nsc_stats_all[NSC_N_STATS] = {
#define NSC_STATS(id, name, title, is_rule, takes, tables, needs, fields, columns, function) \
    {name, title, is_rule, takes, tables, needs, fields, columns, function},
#include "analysis/stats/stats.def"
#undef NSC_STATS
};

const struct nsc_stats *nsc_stats_find(const char *name, size_t n, bool is_rule)
{
    for (size_t i = 0; i < NSC_N_STATS; i++)
        if (nsc_stats_all[i].is_rule == is_rule && strlen(nsc_stats_all[i].name) == n &&
            memcmp(nsc_stats_all[i].name, name, n) == 0)
            return &nsc_stats_all[i];
    return NULL;
}

enum nsc_status nsc_stats_report_run(const struct nsc_stats *report,
                                     const struct nsc_stats_input *input,
                                     const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct nsc_stats_input own = *input;
    enum nsc_status status;

    own.id = (enum nsc_stats_id)(report - nsc_stats_all);
    status = report->run(&own, sink);
    if (status == NSC_ENODATA)
        return nsc_fail(error, status, "the export does not contain %s", report->needs);
    if (status != NSC_OK)
        return nsc_fail(error, status, "the system refuses the memory for the rows");
    return NSC_OK;
}

uint32_t nsc_stats_columns(const struct nsc_stats *report)
{
    uint32_t n = 0;

    while (report->columns[n].title)
        n++;
    return n;
}

uint32_t nsc_stats_wanted_fields(const struct nsc_stats *report,
                                 const struct nsc_stats_arguments *arguments)
{
    uint32_t fields = report->fields;

    if (!arguments->mangled)
        fields &= ~NSC_STATS_BIT(MANGLED);
    return arguments->in_ranges ? fields | NSC_STATS_BIT(NVTX) : fields;
}

/* ---- arguments ---- */

struct word {
    const char *name, *value; /* value: NULL without a "=" */
    size_t n, value_n;
};

static bool is_word(const struct word *word, const char *name)
{
    return word->n == strlen(name) && memcmp(word->name, name, word->n) == 0;
}

/* A plain number, without a unit. */
static bool read_number(double *out, const struct word *word)
{
    char text[32], *end;

    if (!word->value || word->value_n == 0 || word->value_n >= sizeof text)
        return false;
    memcpy(text, word->value, word->value_n);
    text[word->value_n] = '\0';
    errno = 0;
    *out = strtod(text, &end);
    return *end == '\0' && errno == 0 && *out >= 0 && *out < 9e18;
}

static bool take_number(struct nsc_stats_arguments *arguments, const struct word *word,
                        uint8_t takes)
{
    double value;

    if (takes & NSC_STATS_TAKES_ROWS && is_word(word, "rows") && word->value_n == 2 &&
        memcmp(word->value, "-1", 2) == 0) {
        arguments->rows = 0;
        return true;
    }
    if (!read_number(&value, word))
        return false;
    if (takes & NSC_STATS_TAKES_ROWS && is_word(word, "rows") && value <= UINT32_MAX) {
        arguments->rows = (uint32_t)value;
    } else if (takes & NSC_STATS_TAKES_GAP && is_word(word, "gap") && value < 9e12) {
        arguments->gap = (nsc_time)(value * 1e6);
    } else if (takes & NSC_STATS_TAKES_CHUNKS && is_word(word, "chunks") && value >= 1 &&
               value <= 1000000) {
        arguments->chunks = (uint32_t)value;
    } else if (takes & NSC_STATS_TAKES_CHUNKS && is_word(word, "threshold")) {
        arguments->threshold = value;
    } else if (takes & NSC_STATS_TAKES_SPAN && is_word(word, "start")) {
        arguments->has_start = true;
        arguments->start = (nsc_time)value;
    } else if (takes & NSC_STATS_TAKES_SPAN && is_word(word, "end")) {
        arguments->has_end = true;
        arguments->end = (nsc_time)value;
    } else {
        return false;
    }
    return true;
}

static bool take_word(struct nsc_stats_arguments *arguments, const struct word *word, uint8_t takes)
{
    if (word->value)
        return take_number(arguments, word, takes);
    if (takes & NSC_STATS_TAKES_RANGES && is_word(word, "nvtx-name")) {
        arguments->in_ranges = true;
        return true;
    }
    if (!(takes & NSC_STATS_TAKES_NAMES))
        return false;
    if (is_word(word, "base")) {
        arguments->base = true;
        return true;
    }
    arguments->mangled |= is_word(word, "mangled");
    return is_word(word, "mangled");
}

static const char *next_word(struct word *word, const char *text)
{
    size_t n = strcspn(text, ":");
    const char *equals = memchr(text, '=', n);

    *word = (struct word){text, NULL, n, 0};
    if (equals) {
        word->n = (size_t)(equals - text);
        word->value = equals + 1;
        word->value_n = n - word->n - 1;
    }
    return text[n] ? text + n + 1 : NULL;
}

/* The option that replaces an argument of nsys for every report and rule. */
static const char *instead_of(const struct word *word)
{
    if (is_word(word, "nvtx"))
        return "; give --filter-nvtx NAME";
    return is_word(word, "process") || is_word(word, "thread") ? "; give --pid or --filter" : "";
}

enum nsc_status nsc_stats_parse(const struct nsc_stats **out, struct nsc_stats_arguments *arguments,
                                const char *text, bool is_rule, struct nsc_error *error)
{
    const char *what = is_rule ? "rule" : "report";
    size_t n = strcspn(text, ":");
    const char *rest = text[n] ? text + n + 1 : NULL;

    *arguments = (struct nsc_stats_arguments){
        .rows = is_rule ? 50 : 0, .gap = 500000000, .chunks = 30, .threshold = 50};
    *out = nsc_stats_find(text, n, is_rule);
    if (*out && !is_rule && (*out)->takes & NSC_STATS_TAKES_ROWS)
        arguments->rows = 10; /* um_sum */
    if (!*out)
        return nsc_fail(error, NSC_EINVAL, "no %s is called \"%.*s\"; --help-%ss lists them", what,
                        (int)(n < 80 ? n : 80), text, what);
    while (rest) {
        struct word word;

        rest = next_word(&word, rest);
        if (!take_word(arguments, &word, (*out)->takes))
            return nsc_fail(error, NSC_EINVAL, "%s %s does not take \"%.60s\"%s", what,
                            (*out)->name, word.name, instead_of(&word));
    }
    return NSC_OK;
}
