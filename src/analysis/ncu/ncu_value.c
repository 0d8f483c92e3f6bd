/* Parses numbers, units and metric names of Nsight Compute. */
#include "analysis/ncu/ncu.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- units ---- */

static const struct unit {
    const char *word;
    bool may_be_rate; /* per second, too */
    double scale;
} units[] = {
    {"ns", false, 1},
    {"nsecond", false, 1},
    {"us", false, 1e3},
    {"usecond", false, 1e3},
    {"ms", false, 1e6},
    {"msecond", false, 1e6},
    {"s", false, 1e9},
    {"second", false, 1e9},
    {"Kbyte", true, 1e3},
    {"Mbyte", true, 1e6},
    {"Gbyte", true, 1e9},
    {"Tbyte", true, 1e12},
    {"Khz", false, 1e3},
    {"Mhz", false, 1e6},
    {"Ghz", false, 1e9},
    {"cycle/nsecond", false, 1e9},
    {"cycle/usecond", false, 1e6},
    {"cycle/msecond", false, 1e3},
    {"Kbyte/cycle", false, 1e3},
};

static const struct unit *find_unit(struct nsc_text in)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].word) == in.n && strncasecmp(units[i].word, in.bytes, in.n) == 0)
            return &units[i];
    return NULL;
}

/* "Gbyte/s", "byte/second" */
static bool cut_per_second(struct nsc_text *in)
{
    return nsc_text_cut_end(in, "/second") || nsc_text_cut_end(in, "/s");
}

/* 1 for a unit that needs no scaling. */
static double scale_of(struct nsc_text in)
{
    bool is_rate = cut_per_second(&in);
    const struct unit *found = find_unit(in);

    return found && (!is_rate || found->may_be_rate) ? found->scale : 1;
}

/* ---- numbers ---- */

bool nsc_ncu_parse(double *out, struct nsc_text number, struct nsc_text in)
{
    char digits[64];
    size_t n = 0;
    char *end = NULL;

    for (uint32_t i = 0; i < number.n && number.bytes[i] != ' '; i++) {
        if (number.bytes[i] == ',')
            continue;
        if (!strchr("+-.0123456789eE", number.bytes[i]) || n + 1 == sizeof digits)
            return false; /* n/a, nan, inf, a text */
        digits[n++] = number.bytes[i];
    }
    digits[n] = '\0';
    *out = strtod(digits, &end);
    if (n == 0 || *end || !isfinite(*out))
        return false;
    *out *= scale_of(in);
    return isfinite(*out);
}

/* ---- names ---- */

static const struct alias {
    uint8_t metric;
    const char *section, *item, *name;
} aliases[] = {
#define NSC_NCU_METRIC(id, is_sum)
#define NSC_NCU_ALIAS(id, section, item, name) {NSC_NCU_##id, section, item, name},
#include "analysis/ncu/ncu_metric.def"
};

enum nsc_ncu_metric nsc_ncu_metric_of(struct nsc_text section, struct nsc_text item,
                                      struct nsc_text name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const struct alias *alias = &aliases[i];

        if (nsc_text_is(name, alias->name) &&
            (!alias->section[0] || nsc_text_is(section, alias->section)) &&
            (!alias->item[0] || nsc_text_is(item, alias->item)))
            return (enum nsc_ncu_metric)alias->metric;
    }
    return NSC_N_NCU_METRICS;
}

/* The operations per unit of a counter. Tensor counters count operations already; the others count
 * instructions of threads. */
double nsc_ncu_flop_of(struct nsc_text name)
{
    static const char *const fused[] = {"hfma", "ffma", "dfma"};
    static const char *const single[] = {"hadd", "hmul", "fadd", "fmul", "dadd", "dmul"};
    struct nsc_text op = name;

    if (nsc_text_begins(name, "sm__ops_path_tensor_"))
        return nsc_text_ends(name, ".sum") && !nsc_text_ends(name, "_sparsity_on.sum") &&
               !nsc_text_ends(name, "_sparsity_off.sum");
    if (!nsc_text_begins(name, "smsp__sass_thread_inst_executed_op_"))
        return 0;
    op.bytes += strlen("smsp__sass_thread_inst_executed_op_");
    op.n -= (uint32_t)strlen("smsp__sass_thread_inst_executed_op_");
    if (!nsc_text_cut_end(&op, "_pred_on.sum") && !nsc_text_cut_end(&op, ".sum"))
        return 0;
    for (size_t i = 0; i < sizeof fused / sizeof *fused; i++)
        if (nsc_text_is(op, fused[i]))
            return i == 0 ? 4 : 2; /* a half-precision instruction works on a pair */
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (nsc_text_is(op, single[i]))
            return i < 2 ? 2 : 1;
    return 0;
}
