/* Judges whether two recordings are comparable, and compares them. */
#include "analysis/job/diff.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"no change",  "slower",      "faster",
                                    "regression", "improvement", "inconclusive"};

const char *nsc_diff_word(enum nsc_diff_verdict verdict)
{
    return words[verdict];
}

static bool same_text(const struct nsc_recording *a, nsc_str x, const struct nsc_recording *b,
                      nsc_str y)
{
    return nsc_text_equal(nsc_strpool_text(&a->texts, x), nsc_strpool_text(&b->texts, y));
}

/* The smaller divided by the greater; 1 when both are 0. */
static double ratio(double x, double y)
{
    double most = x > y ? x : y;

    return most > 0 ? (x < y ? x : y) / most : 1;
}

uint32_t *nsc_diff_match(const struct nsc_recording *run, const struct nsc_recording_groups *groups,
                         const struct nsc_recording *other,
                         const struct nsc_recording_groups *others)
{
    uint32_t *of_text = nsc_xcalloc(other->texts.n, sizeof *of_text); /* + 1; 0: none */
    uint32_t *partner = nsc_xcalloc(groups->list.n + 1, sizeof *partner);

    for (size_t i = 0; i < others->list.n; i++)
        of_text[others->list.at[i].name] = (uint32_t)i + 1;
    for (size_t i = 0; i < groups->list.n; i++) {
        struct nsc_text name = nsc_strpool_text(&run->texts, groups->list.at[i].name);
        nsc_str found = nsc_strpool_find(&other->texts, name.bytes, name.n);

        partner[i] = found == NSC_NONE || of_text[found] == 0 ? NSC_NONE : of_text[found] - 1;
    }
    free(of_text);
    return partner;
}

/* The share of x's kernel time whose kernel names also occur in y. */
static double shared_time(const struct nsc_recording *x, const struct nsc_recording *y)
{
    uint32_t *partner = nsc_diff_match(x, &x->kernels, y, &y->kernels);
    double shared = 0;

    for (size_t i = 0; i < x->kernels.list.n; i++)
        if (partner[i] != NSC_NONE)
            shared += (double)x->kernels.list.at[i].total;
    free(partner);
    return x->kernel_time > 0 ? shared / (double)x->kernel_time : 1;
}

/* The share of the kernels of both, by time or by name, the greater, whose grids have about as many blocks in b: another
 * batch changes most of them, a change of one kernel does not. 1: grids are not known. */
static double same_grids(const struct nsc_recording *a, const struct nsc_recording *b)
{
    uint32_t *partner = nsc_diff_match(a, &a->kernels, b, &b->kernels);
    double all[2] = {0}, same[2] = {0}; /* time, names */

    for (size_t i = 0; i < a->kernels.list.n; i++) {
        const struct nsc_recording_group *x = &a->kernels.list.at[i];
        const struct nsc_recording_group *y =
            partner[i] == NSC_NONE ? NULL : &b->kernels.list.at[partner[i]];

        if (!y || x->blocks == 0 || y->blocks == 0)
            continue;
        all[0] += (double)x->total;
        all[1]++;
        if (ratio((double)x->blocks / (double)x->count, (double)y->blocks / (double)y->count) <
            NSC_SHARE(NEARLY_ALL))
            continue;
        same[0] += (double)x->total;
        same[1]++;
    }
    free(partner);
    return all[0] > 0 ? fmax(same[0] / all[0], same[1] / all[1]) : 1;
}

/* If neither recording has iterations, compares what both run equally often. */
static double compare_iterations(const struct nsc_recording *a, const struct nsc_recording *b)
{
    if (a->n_found == 0 && b->n_found == 0)
        return 1;
    if (a->n_found == 0 || b->n_found == 0)
        return 0.3;
    if (a->by == NSC_ITERATIONS_BY_LAUNCHES && b->by == NSC_ITERATIONS_BY_LAUNCHES)
        return 1; /* without names, the number of kernels shows whether they are the same */
    return strcmp(a->label, b->label) == 0 ? 1 : 0.6;
}

/* The confidence left by the share of what is equal. Small differences keep all of it; large ones
 * mean another workload, with one exception: the same ranges mark the iterations but some kernels
 * have other names, because they were compiled or fused. Without one common kernel only the name of
 * the range is the same, which says little. */
static double forgive(double share, bool is_compiled)
{
    const double enough = NSC_SHARE(NEARLY_ALL);
    double factor = share >= enough ? 1 : share * share / (enough * enough);

    return is_compiled ? fmax(factor, NSC_SHARE(DIFF_OTHER_KERNELS)) : factor;
}

static bool has_same_range(const struct nsc_recording *a, const struct nsc_recording *b)
{
    return a->n_found > 0 && b->n_found > 0 && a->by != NSC_ITERATIONS_BY_LAUNCHES &&
           b->by != NSC_ITERATIONS_BY_LAUNCHES && strcmp(a->label, b->label) == 0;
}

static void check(struct nsc_diff *out, bool anyway)
{
    const struct nsc_recording *a = out->a;
    const struct nsc_recording *b = out->b;
    double names = fmin(shared_time(a, b), shared_time(b, a));
    bool is_compiled = has_same_range(a, b) && forgive(names, false) < 1 && (names > 0 || anyway);

    out->factor[NSC_DIFF_VERSION] = same_text(a, a->version, b, b->version) ? 1 : 0.95;
    out->factor[NSC_DIFF_DEVICES] = anyway || same_text(a, a->devices, b, b->devices) ? 1 : 0.3;
    out->factor[NSC_DIFF_PROCESSES] = a->n_processes == b->n_processes ? 1 : 0.5;
    out->factor[NSC_DIFF_ITERATIONS] = compare_iterations(a, b);
    out->factor[NSC_DIFF_LAUNCHES] = forgive(ratio(a->metrics[NSC_RECORDING_KERNELS].median,
                                                   b->metrics[NSC_RECORDING_KERNELS].median),
                                             is_compiled) *
                                     (a->is_torn || b->is_torn ? 0.3 : 1);
    out->factor[NSC_DIFF_NAMES] = forgive(names, is_compiled);
    out->factor[NSC_DIFF_GRIDS] = anyway ? 1 : forgive(same_grids(a, b), false);
    out->confidence = 1;
    for (unsigned i = 0; i < NSC_N_DIFF_CHECKS; i++)
        out->confidence *= out->factor[i];
}

/* ---- with iterations ---- */

/* Whether both have the same kinds: equally many, each with about as many kernels. */
static bool has_same_kinds(const struct nsc_diff *diff)
{
    const struct nsc_recording *a = diff->a;
    const struct nsc_recording *b = diff->b;

    if (a->n_kinds != b->n_kinds || a->n_kinds < 2)
        return false;
    for (uint32_t k = 0; k < a->n_kinds; k++) {
        const struct nsc_recording_kind *x = &a->kinds[diff->kinds[0][k]];
        const struct nsc_recording_kind *y = &b->kinds[diff->kinds[1][k]];

        if (x->n == 0 || y->n == 0 || ratio(x->kernels, y->kernels) < NSC_SHARE(NEARLY_ALL))
            return false;
    }
    return true;
}

/* Orders the kinds by number of kernels, so that those of both recordings match. */
static void order_kinds(uint8_t out[], const struct nsc_recording *run)
{
    for (uint32_t k = 0; k < run->n_kinds; k++) {
        const struct nsc_recording_kind *kind = &run->kinds[k];
        uint32_t at = k;

        for (; at > 0; at--) {
            const struct nsc_recording_kind *before = &run->kinds[out[at - 1]];

            if (before->kernels < kind->kernels ||
                (before->kernels <= kind->kernels && before->median <= kind->median))
                break;
            out[at] = out[at - 1];
        }
        out[at] = (uint8_t)k;
    }
}

double nsc_diff_weight(const struct nsc_diff *diff, uint32_t k)
{
    const struct nsc_recording *a = diff->a;
    const struct nsc_recording *b = diff->b;

    return (double)a->kinds[diff->kinds[0][k]].n / a->n +
           (double)b->kinds[diff->kinds[1][k]].n / b->n;
}

/* Sets the change of the mean period. Weighs kinds by how often both have them. */
static void compare_periods(struct nsc_diff *out)
{
    double weights = 0;

    order_kinds(out->kinds[0], out->a);
    order_kinds(out->kinds[1], out->b);
    out->by_kind = has_same_kinds(out);
    for (uint32_t k = 0; k < out->a->n_kinds && out->by_kind; k++) {
        double weight = nsc_diff_weight(out, k);

        out->mean[0] += weight * out->a->kinds[out->kinds[0][k]].mean;
        out->mean[1] += weight * out->b->kinds[out->kinds[1][k]].mean;
        weights += weight;
    }
    for (unsigned i = 0; i < 2; i++)
        out->mean[i] = out->by_kind ? out->mean[i] / weights
                                    : (i ? out->b : out->a)->metrics[NSC_RECORDING_ITERATION].mean;
    out->change = out->mean[0] > 0 ? 100 * (out->mean[1] - out->mean[0]) / out->mean[0] : 0;
}

/* The standard error of the usual period: 1.4826 MAD estimates the standard deviation without the
 * rare long periods, whose change is to be found. */
static double error_of(const struct nsc_recording *run)
{
    return 1.4826 * run->metrics[NSC_RECORDING_ITERATION].mad / sqrt((double)run->n);
}

/* ---- without iterations ---- */

/* Compares the time of what both run equally often. Sets the change, and the share of all time that
 * it covers. */
static void compare_groups(struct nsc_diff *out, const struct nsc_recording_groups *of_a,
                           const struct nsc_recording_groups *of_b)
{
    uint32_t *partner = nsc_diff_match(out->a, of_a, out->b, of_b);
    double both[2] = {0};
    double all[2] = {0};

    for (size_t i = 0; i < of_b->list.n; i++)
        all[1] += (double)of_b->list.at[i].total;
    for (size_t i = 0; i < of_a->list.n; i++) {
        const struct nsc_recording_group *x = &of_a->list.at[i];

        all[0] += (double)x->total;
        if (partner[i] == NSC_NONE || of_b->list.at[partner[i]].count != x->count)
            continue;
        both[0] += (double)x->total;
        both[1] += (double)of_b->list.at[partner[i]].total;
    }
    free(partner);
    out->shared = all[0] > 0 && all[1] > 0 ? fmin(both[0] / all[0], both[1] / all[1]) : 0;
    out->change = both[0] > 0 ? 100 * (both[1] - both[0]) / both[0] : 0;
}

/* ---- the verdict ---- */

static const char *why_not(const struct nsc_diff *diff)
{
    bool found = diff->a->n_found > 0;

    if (diff->factor[NSC_DIFF_DEVICES] < 1)
        return "The GPUs differ in model or number; --anyway compares them even so.";
    if (found != (diff->b->n_found > 0))
        return "Only one of the two has iterations.";
    if (found && !(diff->a->metrics[NSC_RECORDING_ITERATION].mean > 0))
        return "The iterations of A take no time.";
    if (!found && diff->shared < NSC_SHARE(NEARLY_ALL))
        return "There are no iterations, and too little runs equally often in both.";
    if (diff->a->is_torn || diff->b->is_torn)
        return "The profiler lost events of one of the two. Record a shorter time.";
    if (diff->factor[NSC_DIFF_GRIDS] < NSC_SHARE(MOST))
        return "Most kernels launch grids of other sizes, so the batch or the problem may be "
               "another; --anyway compares them even so.";
    if (diff->confidence < NSC_SHARE(MOST))
        return "Too much differs between the two; see \"Can they be compared?\".";
    return NULL;
}

static enum nsc_diff_verdict judge(const struct nsc_diff *diff)
{
    if (diff->why)
        return NSC_DIFF_INCONCLUSIVE;
    if (fabs(diff->change) < diff->noise)
        return NSC_DIFF_SAME;
    if (diff->change >= diff->gate)
        return NSC_DIFF_REGRESSION;
    if (diff->change <= -diff->gate)
        return NSC_DIFF_IMPROVEMENT;
    return diff->change > 0 ? NSC_DIFF_SLOWER : NSC_DIFF_FASTER;
}

void nsc_diff_measure(struct nsc_diff *out, const struct nsc_recording *a,
                      const struct nsc_recording *b, double gate, bool anyway)
{
    double before = a->metrics[NSC_RECORDING_ITERATION].median;
    double after = b->metrics[NSC_RECORDING_ITERATION].median;
    double mean = a->metrics[NSC_RECORDING_ITERATION].mean;

    *out = (struct nsc_diff){.a = a, .b = b, .gate = gate, .noise = NSC_DIFF_NOISE};
    check(out, anyway);
    out->of_median = before > 0 ? 100 * (after - before) / before : 0;
    if (a->n_found > 0 && b->n_found > 0) {
        compare_periods(out);
        if (mean > 0)
            out->noise = fmax(NSC_DIFF_NOISE, 200 * hypot(error_of(a), error_of(b)) / mean);
    } else if (a->has_work || b->has_work) {
        compare_groups(out, &a->kernels, &b->kernels);
    } else {
        compare_groups(out, &a->ranges, &b->ranges);
    }
    out->why = why_not(out);
    out->verdict = judge(out);
}
