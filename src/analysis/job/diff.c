/*
 * Judges whether two recordings can be compared and what the comparison says.
 */
#include "analysis/job/diff.h"

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
    struct nsc_text s = nsc_strpool_text(&a->texts, x);
    struct nsc_text t = nsc_strpool_text(&b->texts, y);

    return s.n == t.n && memcmp(s.bytes, t.bytes, s.n) == 0;
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

/* The share of x's kernel time whose names y has too. */
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

/* When neither recording has iterations, the whole scopes are compared, with less confidence. */
static double compare_iterations(const struct nsc_recording *a, const struct nsc_recording *b)
{
    if (a->n_found == 0 && b->n_found == 0)
        return 0.8;
    if (a->n_found == 0 || b->n_found == 0)
        return 0.3;
    return strcmp(a->label, b->label) == 0 ? 1 : 0.6;
}

/* A comparison looks for small differences; large ones mean another workload. */
static double forgive(double share)
{
    return share >= 0.8 ? 1 : share * share / (0.8 * 0.8);
}

static void check(struct nsc_diff *out)
{
    const struct nsc_recording *a = out->a;
    const struct nsc_recording *b = out->b;
    double names = fmin(shared_time(a, b), shared_time(b, a));

    out->factor[NSC_DIFF_VERSION] = same_text(a, a->version, b, b->version) ? 1 : 0.95;
    out->factor[NSC_DIFF_DEVICES] = same_text(a, a->devices, b, b->devices) ? 1
                                    : a->n_devices == b->n_devices          ? 0.6
                                                                            : 0.3;
    out->factor[NSC_DIFF_PROCESSES] = a->n_processes == b->n_processes ? 1 : 0.5;
    out->factor[NSC_DIFF_ITERATIONS] = compare_iterations(a, b);
    out->factor[NSC_DIFF_LAUNCHES] = forgive(
        ratio(a->metrics[NSC_RECORDING_KERNELS].median, b->metrics[NSC_RECORDING_KERNELS].median));
    out->factor[NSC_DIFF_NAMES] = forgive(names);
    out->confidence = 1;
    for (unsigned i = 0; i < NSC_N_DIFF_CHECKS; i++)
        out->confidence *= out->factor[i];
}

/* The standard error of a median: 1.4826 MAD estimates the standard deviation, and the median's
 * error is 1.2533 times that, divided by the root of n. */
static double error_of(const struct nsc_recording *run)
{
    return 1.2533 * 1.4826 * run->metrics[NSC_RECORDING_ITERATION].mad / sqrt((double)run->n);
}

static enum nsc_diff_verdict judge(const struct nsc_diff *diff)
{
    if (diff->confidence < 0.5 || !(diff->a->metrics[NSC_RECORDING_ITERATION].median > 0))
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
                      const struct nsc_recording *b, double gate)
{
    double before = a->metrics[NSC_RECORDING_ITERATION].median;
    double after = b->metrics[NSC_RECORDING_ITERATION].median;
    double error = hypot(error_of(a), error_of(b));

    *out = (struct nsc_diff){.a = a, .b = b, .gate = gate};
    check(out);
    out->change = before > 0 ? 100 * (after - before) / before : 0;
    out->noise = before > 0 ? fmax(NSC_DIFF_NOISE, 200 * error / before) : NSC_DIFF_NOISE;
    out->verdict = judge(out);
}
