/* Finds anchors, and compares the stretches between them by sums of random numbers: stretches with
 * equal sums have the same content in some order. */
#include "analysis/ranges/iteration_anchors.h"

#include "analysis/base/limit.h"
#include "core/die.h"
#include "core/progress.h"
#include "core/vec.h"

#include <stdlib.h>

enum { MOST_LOOSE = 32, LOOSE_SAMPLES = 16 };

/* Lists the places of each symbol. */
static void index_places(struct nsc_period_anchors *f)
{
    const struct nsc_sequence *of = f->of;
    uint64_t sum = 0; /* of the tokens so far */

    f->sum = nsc_xmalloc(((size_t)of->n + 1) * sizeof *f->sum);
    f->place = nsc_xmalloc(((size_t)of->n + 1) * sizeof *f->place);
    f->begin = nsc_xcalloc((size_t)of->n_symbols + 3, sizeof *f->begin);
    f->count = nsc_xcalloc((size_t)of->n_symbols + 1, sizeof *f->count);
    f->at = nsc_xcalloc(of->n / NSC_LIMIT_ITERATIONS + 1, sizeof *f->at);
    for (uint32_t i = 0; i < of->n; i++)
        f->begin[of->symbol[i] + 2]++;
    for (uint32_t s = 0; s < of->n_symbols; s++)
        f->begin[s + 2] += f->begin[s + 1];
    for (uint32_t i = 0; i < of->n; i++) {
        uint32_t at = f->begin[of->symbol[i] + 1]++; /* in the end, the end of the symbol */

        f->place[at] = i;
        f->sum[at] = sum;
        sum += nsc_symbol_hash(of->symbol[i]);
    }
}

/* ---- the stretches of one symbol ---- */

uint64_t nsc_stretch_sum(const struct nsc_period_anchors *f, const uint32_t at[], uint32_t i)
{
    const uint64_t *sum = f->sum + (at - f->place);

    return sum[i + 1] - sum[i];
}

uint8_t nsc_stretch_traits(const struct nsc_period_anchors *f, uint32_t at, uint32_t n)
{
    uint8_t traits = 0;

    for (uint32_t i = at; i < at + n && i < f->of->n; i++)
        traits |= f->of->traits[f->of->symbol[i]];
    return traits;
}

/* What a stretch is compared by: its content, or its length. */
static uint64_t key_of(const struct nsc_period_anchors *f, const uint32_t at[], uint32_t i,
                       bool by_length)
{
    return by_length ? at[i + 1] - at[i] : nsc_stretch_sum(f, at, i);
}

/* The content, or the length, of more than half of the stretches, by majority vote. Skips one content. */
static struct nsc_stretches vote(const struct nsc_period_anchors *f, const uint32_t at[],
                                 uint32_t n, const struct nsc_stretches *without, bool by_length)
{
    struct nsc_stretches best = {0};
    uint32_t lead = 0;

    for (uint32_t i = 0; i + 1 < n; i++) {
        uint64_t key = key_of(f, at, i, by_length);

        if (without && key == without->sum)
            continue;
        if (lead == 0)
            best = (struct nsc_stretches){key, 0, at[i + 1] - at[i], at[i]};
        lead = key == best.sum ? lead + 1 : lead - 1;
    }
    for (uint32_t i = 0; i + 1 < n && best.length > 0; i++)
        best.n += key_of(f, at, i, by_length) == best.sum;
    return best;
}

double nsc_stretch_common(struct nsc_period_anchors *f, uint32_t a, uint32_t a_n, uint32_t b,
                          uint32_t b_n)
{
    const uint32_t *symbol = f->of->symbol;
    uint32_t most = a_n > b_n ? a_n : b_n;
    uint32_t both = 0;

    for (uint32_t i = a; i < a + a_n; i++)
        f->count[symbol[i]]++;
    for (uint32_t i = b; i < b + b_n; i++)
        if (f->count[symbol[i]] > 0) {
            f->count[symbol[i]]--;
            both++;
        }
    for (uint32_t i = a; i < a + a_n; i++)
        f->count[symbol[i]] = 0;
    return most > 0 ? (double)both / most : 0;
}

/* The length of most stretches, if they exchange data with the host; else the mean. */
static uint32_t middle_length(const struct nsc_period_anchors *f, const uint32_t at[], uint32_t n)
{
    struct nsc_stretches most = vote(f, at, n, NULL, true);

    if (2 * most.n > n - 1 &&
        (nsc_stretch_traits(f, most.example, most.length) & NSC_TRAIT_EXCHANGE))
        return most.length;
    return at[n - 1] - at[0] >= n - 1 ? (at[n - 1] - at[0]) / (n - 1) : 1;
}

/* Whether nearly all stretches are about as long as the middle one. */
static bool is_even(const struct nsc_period_anchors *f, const uint32_t at[], uint32_t n)
{
    double middle = middle_length(f, at, n);
    uint32_t even = 0;

    for (uint32_t i = 0; i + 1 < n; i++) {
        double length = at[i + 1] - at[i];

        even +=
            length >= (1 - NSC_SHARE(LARGE)) * middle && length <= (1 + NSC_SHARE(LARGE)) * middle;
    }
    return even >= NSC_SHARE(NEARLY_ALL) * (n - 1);
}

/* Whether nearly all stretches have exactly the same number of tokens: batches of several shapes,
 * each with its own kernels. */
static bool is_equally_long(const struct nsc_period_anchors *f, const uint32_t at[], uint32_t n)
{
    return n > NSC_LIMIT_MANY && vote(f, at, n, NULL, true).n >= NSC_SHARE(NEARLY_ALL) * (n - 1);
}

/* Whether each stretch is at least as similar to the next as to the one after that. */
static bool is_alike(struct nsc_period_anchors *f, const uint32_t at[], uint32_t n)
{
    double near = 0;
    double far = 0;
    uint32_t samples = 0;
    uint32_t step = n > LOOSE_SAMPLES + 3 ? (n - 3) / LOOSE_SAMPLES : 1;

    for (uint32_t i = 0; i + 3 < n; i += step, samples++) {
        uint32_t length = at[i + 1] - at[i];

        near += nsc_stretch_common(f, at[i], length, at[i + 1], at[i + 2] - at[i + 1]);
        far += nsc_stretch_common(f, at[i], length, at[i + 2], at[i + 3] - at[i + 2]);
    }
    return samples > 1 && near >= NSC_SHARE(NEARLY_ALL) * samples &&
           near >= NSC_SHARE(ITERATION_SAME) * far;
}

static void add_anchor(struct nsc_period_anchors *f, uint32_t symbol)
{
    const uint32_t *at = f->place + f->begin[symbol];
    uint32_t n = f->begin[symbol + 1] - f->begin[symbol];
    struct nsc_period_anchor anchor = {.symbol = symbol, .n = n, .first = at[0]};

    anchor.usual = vote(f, at, n, NULL, false);
    if (anchor.usual.n < n - 1)
        anchor.other = vote(f, at, n, &anchor.usual, false);
    if (anchor.other.n > anchor.usual.n)
        anchor = (struct nsc_period_anchor){symbol, n, at[0], anchor.other, anchor.usual, false};
    if (anchor.usual.n + (anchor.other.n > 1 ? anchor.other.n : 0) <
        NSC_SHARE(NEARLY_ALL) * (n - 1)) {
        if (f->n_loose++ >= MOST_LOOSE || n <= NSC_LIMIT_ITERATIONS)
            return;
        if (!is_even(f, at, n) || !(is_alike(f, at, n) || is_equally_long(f, at, n)))
            return;
        anchor.loose = true;
        anchor.usual = (struct nsc_stretches){0, n - 1, middle_length(f, at, n), at[0]};
        anchor.other = (struct nsc_stretches){0};
    }
    if (f->of->of_launches && anchor.usual.length < 2 && !(f->of->traits[symbol] & NSC_TRAIT_GRAPH))
        return;
    if ((double)anchor.usual.n * anchor.usual.length +
            (double)anchor.other.n * anchor.other.length <
        NSC_SHARE(MOST) / 2 * f->of->n)
        return;
    f->at[f->n++] = anchor;
}

NSC_COMPARE(compare_anchors, struct nsc_period_anchor, NSC_MOST(n) || NSC_LEAST(first))

void nsc_period_anchors_build(struct nsc_period_anchors *out, const struct nsc_sequence *sequence)
{
    *out = (struct nsc_period_anchors){.of = sequence};
    index_places(out);
    for (uint32_t s = 0; s < sequence->n_symbols; s++) {
        uint32_t n = out->begin[s + 1] - out->begin[s];

        if (n >= NSC_LIMIT_ITERATIONS && !nsc_progress_is_cancelled(sequence->stop))
            add_anchor(out, s);
    }
    qsort(out->at, out->n, sizeof *out->at, compare_anchors);
}

void nsc_period_anchors_fini(struct nsc_period_anchors *anchors)
{
    free(anchors->sum);
    free(anchors->place);
    free(anchors->begin);
    free(anchors->count);
    free(anchors->at);
}
