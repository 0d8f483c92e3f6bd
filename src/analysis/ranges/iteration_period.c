/* Finds anchors and compares the stretches between them by sums of random numbers: stretches with
 * equal sums have the same content in some order. */
#include "analysis/ranges/iteration_period.h"

#include "analysis/ranges/iteration_rules.h"
#include "core/die.h"

#include <stdlib.h>

enum { MOST_LOOSE = 32, LOOSE_SAMPLES = 16 };

struct class_of_stretches { /* stretches of the same content */
    uint64_t sum;
    uint32_t n, length;
    uint32_t example; /* index of its first token */
};

struct anchor {
    uint32_t symbol, n, first; /* first: index of its first occurrence */
    struct class_of_stretches usual, other;
    bool loose; /* stretches are similar, not equal */
};

struct finding {
    const struct nsc_sequence *of;
    uint64_t *sum;   /* sum of the random numbers before each place */
    uint32_t *place; /* places sorted by symbol */
    uint32_t *begin; /* first index in place of each symbol; n_symbols + 1 entries */
    uint32_t *count; /* scratch for histograms, all 0 between uses */
    struct anchor *anchors;
    uint32_t n_anchors, n_loose;
};

static void index_places(struct finding *f)
{
    const struct nsc_sequence *of = f->of;
    uint64_t sum = 0;

    f->sum = nsc_xcalloc((size_t)of->n + 1, sizeof *f->sum);
    f->place = nsc_xcalloc((size_t)of->n + 1, sizeof *f->place);
    f->begin = nsc_xcalloc((size_t)of->n_symbols + 2, sizeof *f->begin);
    f->count = nsc_xcalloc((size_t)of->n_symbols + 1, sizeof *f->count);
    f->anchors = nsc_xcalloc((size_t)of->n_symbols + 1, sizeof *f->anchors);
    for (uint32_t i = 0; i < of->n; i++)
        f->begin[of->symbol[i] + 2]++;
    for (uint32_t s = 2; s <= of->n_symbols; s++)
        f->begin[s] += f->begin[s - 1];
    for (uint32_t i = 0; i < of->n; i++) {
        uint32_t at = f->begin[of->symbol[i] + 1]++;

        f->place[at] = i;
        f->sum[at] = sum;
        sum += nsc_symbol_hash(of->symbol[i]);
    }
}

/* ---- the stretches of one symbol ---- */

/* at: places of the symbol. */
static uint64_t sum_of(const struct finding *f, const uint32_t at[], uint32_t i)
{
    const uint64_t *sum = f->sum + (at - f->place);

    return sum[i + 1] - sum[i];
}

/* The traits of all n symbols that start at `at`. */
static uint8_t traits_of(const struct finding *f, uint32_t at, uint32_t n)
{
    uint8_t traits = 0;

    for (uint32_t i = at; i < at + n && i < f->of->n; i++)
        traits |= f->of->traits[f->of->symbol[i]];
    return traits;
}

/* What a stretch is compared by: its content, or its length. */
static uint64_t key_of(const struct finding *f, const uint32_t at[], uint32_t i, bool by_length)
{
    return by_length ? at[i + 1] - at[i] : sum_of(f, at, i);
}

/* The content, or the length, of more than half of the stretches, by majority vote. Skips one content. */
static struct class_of_stretches vote(const struct finding *f, const uint32_t at[], uint32_t n,
                                      const struct class_of_stretches *without, bool by_length)
{
    struct class_of_stretches best = {0};
    uint32_t lead = 0;

    for (uint32_t i = 0; i + 1 < n; i++) {
        uint64_t key = key_of(f, at, i, by_length);

        if (without && key == without->sum)
            continue;
        if (lead == 0)
            best = (struct class_of_stretches){key, 0, at[i + 1] - at[i], at[i]};
        lead = key == best.sum ? lead + 1 : lead - 1;
    }
    for (uint32_t i = 0; i + 1 < n && best.length > 0; i++)
        best.n += key_of(f, at, i, by_length) == best.sum;
    return best;
}

/* The common part of two stretches, as a share of the longer one. */
static double common(struct finding *f, uint32_t a, uint32_t a_n, uint32_t b, uint32_t b_n)
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
static uint32_t middle_length(const struct finding *f, const uint32_t at[], uint32_t n)
{
    struct class_of_stretches most = vote(f, at, n, NULL, true);

    if (2 * most.n > n - 1 && (traits_of(f, most.example, most.length) & NSC_TRAIT_EXCHANGE))
        return most.length;
    return at[n - 1] - at[0] >= n - 1 ? (at[n - 1] - at[0]) / (n - 1) : 1;
}

/* Whether nearly all stretches are about as long as the middle one. */
static bool is_even(const struct finding *f, const uint32_t at[], uint32_t n)
{
    double middle = middle_length(f, at, n);
    uint32_t even = 0;

    for (uint32_t i = 0; i + 1 < n; i++) {
        double length = at[i + 1] - at[i];

        even += length >= (1 - NSC_ITERATIONS_EXTRA) * middle &&
                length <= (1 + NSC_ITERATIONS_EXTRA) * middle;
    }
    return even >= NSC_ITERATIONS_USUAL * (n - 1);
}

/* Whether nearly all stretches have exactly the same number of tokens: batches of several shapes,
 * each with its own kernels. */
static bool is_equally_long(const struct finding *f, const uint32_t at[], uint32_t n)
{
    return n > NSC_ITERATIONS_SLOW_LEAST &&
           vote(f, at, n, NULL, true).n >= NSC_ITERATIONS_USUAL * (n - 1);
}

/* Whether two contents mostly alternate: they are halves of one repetition. */
static bool is_in_turn(const struct finding *f, const uint32_t at[], uint32_t n)
{
    uint32_t turns = 0;

    for (uint32_t i = 0; i + 3 < n; i++)
        turns +=
            sum_of(f, at, i) == sum_of(f, at, i + 2) && sum_of(f, at, i) != sum_of(f, at, i + 1);
    return turns > NSC_ITERATIONS_COVERAGE * n;
}

/* Whether each stretch is at least as similar to the next as to the one after that. */
static bool is_alike(struct finding *f, const uint32_t at[], uint32_t n)
{
    double near = 0;
    double far = 0;
    uint32_t samples = 0;
    uint32_t step = n > LOOSE_SAMPLES + 3 ? (n - 3) / LOOSE_SAMPLES : 1;

    for (uint32_t i = 0; i + 3 < n; i += step, samples++) {
        uint32_t length = at[i + 1] - at[i];

        near += common(f, at[i], length, at[i + 1], at[i + 2] - at[i + 1]);
        far += common(f, at[i], length, at[i + 2], at[i + 3] - at[i + 2]);
    }
    return samples > 1 && near >= NSC_ITERATIONS_USUAL * samples &&
           near >= NSC_ITERATIONS_SAME * far;
}

static void add_anchor(struct finding *f, uint32_t symbol)
{
    const uint32_t *at = f->place + f->begin[symbol];
    uint32_t n = f->begin[symbol + 1] - f->begin[symbol];
    struct anchor anchor = {.symbol = symbol, .n = n, .first = at[0]};

    anchor.usual = vote(f, at, n, NULL, false);
    if (anchor.usual.n < n - 1)
        anchor.other = vote(f, at, n, &anchor.usual, false);
    if (anchor.other.n > anchor.usual.n)
        anchor = (struct anchor){symbol, n, at[0], anchor.other, anchor.usual, false};
    if (anchor.usual.n + (anchor.other.n > 1 ? anchor.other.n : 0) <
        NSC_ITERATIONS_USUAL * (n - 1)) {
        if (f->n_loose++ >= MOST_LOOSE || n <= NSC_ITERATIONS_LEAST || !is_even(f, at, n) ||
            is_in_turn(f, at, n) || !(is_alike(f, at, n) || is_equally_long(f, at, n)))
            return;
        anchor.loose = true;
        anchor.usual = (struct class_of_stretches){0, n - 1, middle_length(f, at, n), at[0]};
        anchor.other = (struct class_of_stretches){0};
    }
    if (f->of->of_launches && anchor.usual.length < 2 && !(f->of->traits[symbol] & NSC_TRAIT_GRAPH))
        return;
    if ((double)anchor.usual.n * anchor.usual.length +
            (double)anchor.other.n * anchor.other.length <
        NSC_ITERATIONS_COVERAGE / 2 * f->of->n)
        return;
    f->anchors[f->n_anchors++] = anchor;
}

static int compare_anchors(const void *a, const void *b)
{
    const struct anchor *x = a;
    const struct anchor *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* ---- from parts to the whole ---- */

/* Whether the unusual stretches are equally spaced; *m is their distance. */
static bool is_regular(const struct finding *f, const struct anchor *anchor, uint32_t *m)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t last = NSC_NONE;
    uint32_t n = 0;
    uint32_t votes = 0;
    uint32_t same = 0;

    for (int pass = 0; pass < 2; pass++, last = NSC_NONE)
        for (uint32_t i = 0; i + 1 < anchor->n; i++) {
            if (anchor->loose || sum_of(f, at, i) == anchor->usual.sum)
                continue;
            if (last != NSC_NONE && pass == 0) {
                if (votes == 0)
                    *m = i - last;
                votes = i - last == *m ? votes + 1 : votes - 1;
                n++;
            } else if (last != NSC_NONE) {
                same += i - last == *m;
            }
            last = i;
        }
    return n > 0 && *m >= 2 && *m <= NSC_ITERATIONS_LAYERS && same * 10 >= n * 8;
}

/* The traits of the other stretch that the usual one lacks. *exchanges: both have an exchange with
 * the host, or a graph and no exchange. If every m-th graph is different and followed by an
 * exchange, the graphs are parts: drafts before their target. */
static uint8_t traits_of_rest(struct finding *f, const struct anchor *anchor, bool *exchanges)
{
    const uint32_t *symbol = f->of->symbol;
    const struct class_of_stretches *u = &anchor->usual, *v = &anchor->other;
    uint8_t both = traits_of(f, u->example, u->length) & traits_of(f, v->example, v->length);
    uint8_t rest = 0;

    for (uint32_t i = u->example; i < u->example + u->length; i++)
        f->count[symbol[i]]++;
    for (uint32_t i = v->example; i < v->example + v->length; i++)
        if (f->count[symbol[i]] == 0)
            rest |= f->of->traits[symbol[i]];
    for (uint32_t i = u->example; i < u->example + u->length; i++)
        f->count[symbol[i]] = 0;
    *exchanges =
        (both & NSC_TRAIT_EXCHANGE) != 0 ||
        ((both & NSC_TRAIT_GRAPH) != 0 && (~rest & (NSC_TRAIT_EXCHANGE | NSC_TRAIT_GRAPH)) != 0);
    return rest;
}

/* Whether the stretch contains everything that the usual one contains. */
static bool holds_usual(struct finding *f, const struct anchor *anchor, uint32_t at, uint32_t n)
{
    const struct class_of_stretches *u = &anchor->usual;
    uint32_t most = u->length > n ? u->length : n;

    return (uint32_t)(common(f, u->example, u->length, at, n) * most + 0.5) >= u->length;
}

/* Whether the unusual stretches are iterations cut in two, because the anchor occurs twice in them:
 * two such stretches together contain the usual one, but neither alone does. */
static bool cuts_iterations(struct finding *f, const struct anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t unlike = 0;
    uint32_t halves = 0;

    if (anchor->loose)
        return false;
    for (uint32_t i = 0; i + 1 < anchor->n; i++) {
        unlike += sum_of(f, at, i) != anchor->usual.sum;
        if (i + 2 >= anchor->n || sum_of(f, at, i) == anchor->usual.sum ||
            sum_of(f, at, i + 1) == anchor->usual.sum ||
            holds_usual(f, anchor, at[i], at[i + 1] - at[i]) ||
            holds_usual(f, anchor, at[i + 1], at[i + 2] - at[i + 1]) ||
            !holds_usual(f, anchor, at[i], at[i + 2] - at[i]))
            continue;
        halves += 2;
        unlike++;
        i++;
    }
    return halves > 2 && halves >= NSC_ITERATIONS_USUAL * unlike;
}

static double gpu_time(const struct finding *f, const struct class_of_stretches *stretch)
{
    double sum = 0;

    for (uint32_t i = 0; i < stretch->length; i++)
        sum += (double)nsc_event_duration(f->of->events, f->of->op[stretch->example + i]);
    return sum;
}

/* Whether the other stretch takes hardly longer than the usual one and has only one or two more
 * launches: a list is pruned now and then. There is more work between the layers of two steps. */
static bool is_slightly_more(struct finding *f, const struct anchor *anchor, uint8_t rest)
{
    const struct class_of_stretches *u = &anchor->usual, *v = &anchor->other;

    if (!f->of->op || v->length <= u->length || v->length > u->length + NSC_ITERATIONS_MORE ||
        (rest & (NSC_TRAIT_UPDATE | NSC_TRAIT_EXCHANGE | NSC_TRAIT_GRAPH)) ||
        common(f, u->example, u->length, v->example, v->length) < 1 - NSC_ITERATIONS_EXTRA)
        return false;
    return gpu_time(f, v) <= (1 + NSC_ITERATIONS_SLIGHT) * gpu_time(f, u);
}

/* Whether the other stretch is rare and short: a log, cut off from its iteration by its copy. */
static bool is_appendix(const struct finding *f, const struct anchor *anchor)
{
    const struct class_of_stretches *u = &anchor->usual, *v = &anchor->other;

    return !(traits_of(f, v->example, v->length) & NSC_TRAIT_GRAPH) && f->of->op &&
           v->length < u->length && v->n < NSC_ITERATIONS_KIND_SHARE * anchor->n &&
           gpu_time(f, v) <= NSC_ITERATIONS_SLIGHT * gpu_time(f, u);
}

/* Whether a range that ends steps (the optimizer) recurs, but less than half as often: then the
 * ranges of the anchor are passes of a step, in any order. */
static bool has_rarer_update(const struct finding *f, const struct anchor *anchor)
{
    for (uint32_t s = 0; s < f->of->n_symbols; s++) {
        uint32_t n = f->begin[s + 1] - f->begin[s];

        if ((f->of->traits[s] & NSC_TRAIT_UPDATE) && n >= NSC_ITERATIONS_LEAST &&
            2 * n <= anchor->n)
            return true;
    }
    return false;
}

static uint8_t usual_traits(const struct finding *f, const struct anchor *anchor)
{
    return traits_of(f, anchor->usual.example, anchor->usual.length);
}

/* Launches that are only similar and do not exchange data with the host may be layers. */
static bool is_doubtful(const struct finding *f, const struct anchor *anchor)
{
    return anchor->loose && f->of->of_launches &&
           !(usual_traits(f, anchor) & (NSC_TRAIT_EXCHANGE | NSC_TRAIT_GRAPH));
}

enum whole { IS_WHOLE, IS_PART, IS_UNCLEAR };

/* Whether stretches between ranges are whole iterations or parts of one. rest: what unusual
 * stretches have in addition; regular: every m-th is unusual. */
static enum whole judge_ranges(const struct finding *f, const struct anchor *anchor, uint8_t rest,
                               bool regular)
{
    uint8_t own = f->of->traits[anchor->symbol];

    if (!(own & NSC_TRAIT_STEP) && has_rarer_update(f, anchor))
        return IS_PART;
    if (!(rest & NSC_TRAIT_UPDATE) && ((own & NSC_TRAIT_STEP) || (rest & NSC_TRAIT_ASIDE) ||
                                       (usual_traits(f, anchor) & NSC_TRAIT_UPDATE)))
        return IS_WHOLE; /* also if each has its optimizer */
    return regular || own & NSC_TRAIT_PART ? IS_PART : IS_WHOLE;
}

/* Whether the host waits in nearly every usual stretch: loops do, layers do not. */
static bool has_waits(const struct finding *f, const struct anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    const uint32_t *waits = f->of->waits;
    uint32_t n = 0;

    for (uint32_t i = 0; waits && i + 1 < anchor->n; i++)
        n += sum_of(f, at, i) == anchor->usual.sum && waits[at[i + 1]] > waits[at[i]];
    return n > 0 && n >= NSC_ITERATIONS_USUAL * anchor->usual.n;
}

/* Whether m stretches without input of their own form one iteration: two of a solver with two sums,
 * stages of a time step, or layers that read a result each (tokens of experts) of which the m-th
 * has the input. */
static bool share_input(const struct finding *f, const struct anchor *anchor, uint8_t rest,
                        uint32_t m)
{
    double longer = 1 + NSC_ITERATIONS_SLIGHT;
    bool has_own = f->of->op && (rest & NSC_TRAIT_EXCHANGE) &&
                   gpu_time(f, &anchor->other) > longer * gpu_time(f, &anchor->usual);

    return !(usual_traits(f, anchor) & (NSC_TRAIT_STEP | NSC_TRAIT_GRAPH)) &&
           ((rest & NSC_TRAIT_STEP) ||
            (f->of->waits &&
             (m == 2 || (m <= NSC_ITERATIONS_STAGES && has_own && !(rest & NSC_TRAIT_ASIDE)))));
}

/* Whether the stretches of an anchor are whole iterations or parts of one. */
static enum whole judge_whole(struct finding *f, const struct anchor *anchor)
{
    const struct class_of_stretches *u = &anchor->usual, *v = &anchor->other;
    uint8_t own = f->of->traits[anchor->symbol];
    bool exchanges = false;
    uint32_t m = 0;
    bool regular = is_regular(f, anchor, &m);
    uint8_t rest;

    if (own & NSC_TRAIT_BORDER)
        return IS_UNCLEAR;
    if (v->n == 0)
        return (own & NSC_TRAIT_PART && u->length == 1) || is_doubtful(f, anchor) ? IS_UNCLEAR
                                                                                  : IS_WHOLE;
    rest = traits_of_rest(f, anchor, &exchanges);
    if (!(rest & NSC_TRAIT_UPDATE) &&
        common(f, u->example, u->length, v->example, v->length) >
            (exchanges ? 1 - NSC_ITERATIONS_EXTRA / 2 : NSC_ITERATIONS_SAME))
        return IS_WHOLE;
    if (is_slightly_more(f, anchor, rest))
        return IS_WHOLE;
    if (f->of->of_launches && (cuts_iterations(f, anchor) || is_appendix(f, anchor)))
        return IS_UNCLEAR;
    if (!f->of->of_launches)
        return judge_ranges(f, anchor, rest, regular);
    if (regular && rest & NSC_TRAIT_UPDATE)
        return IS_PART;
    if (exchanges || has_waits(f, anchor))
        return regular && share_input(f, anchor, rest, m) ? IS_PART : IS_WHOLE;
    return regular || v->n > 1 ? IS_PART : IS_UNCLEAR;
}

/* Whether nearly all unusual stretches of launches contain the optimizer: they end steps. */
static bool ends_steps(const struct finding *f, const struct anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t n = 0;

    for (uint32_t i = 0; f->of->of_launches && i + 1 < anchor->n; i++)
        n += sum_of(f, at, i) != anchor->usual.sum &&
             (traits_of(f, at[i], at[i + 1] - at[i]) & NSC_TRAIT_UPDATE);
    return n > 0 && n >= NSC_ITERATIONS_USUAL * (anchor->n - 1 - anchor->usual.n);
}

/* The most frequent anchor that marks whole iterations; NULL: none. *part and *m: the last anchor
 * whose stretches are parts of an iteration, and the number of parts; NULL: none. An anchor rarer than
 * the optimizer after the parts marks more than an iteration: the loss of every tenth step. */
static const struct anchor *choose_anchor(struct finding *f, const struct anchor **part,
                                          uint32_t *m)
{
    uint32_t i = 0;
    uint32_t distance = 0;
    uint32_t least = 0;

    *part = NULL;
    while (i < f->n_anchors && f->anchors[i].n >= least) {
        const struct anchor *anchor = &f->anchors[i];
        enum whole whole = judge_whole(f, anchor);
        uint32_t below = anchor->n - (whole == IS_UNCLEAR ? 0 : anchor->n / 4);

        if (whole == IS_WHOLE)
            return anchor;
        if (whole == IS_PART && is_regular(f, anchor, &distance)) {
            *part = anchor;
            *m = distance;
            if (ends_steps(f, anchor))
                least = anchor->n / distance * 3 / 4;
        }
        for (; i < f->n_anchors && f->anchors[i].n >= below; i++)
            if (whole == IS_PART && f->of->of_launches && !f->anchors[i].loose &&
                (usual_traits(f, &f->anchors[i]) & NSC_TRAIT_EXCHANGE) && /* layers do not exchange
                                                                           * data */
                judge_whole(f, &f->anchors[i]) == IS_WHOLE)
                return &f->anchors[i];
    }
    return NULL;
}

/* Among anchors that recur about equally often, takes the most common count, because others also
 * occur in the set-up; then the first anchor in the sequence. Those of parts do not count: a few prefills
 * may have as many layers as there are tokens. */
static const struct anchor *settle_anchor(struct finding *f, const struct anchor *finest)
{
    uint32_t slack = f->of->of_launches ? 1 + finest->n / 20 : 0;
    const struct anchor *best = finest, *first = finest;
    uint32_t n = 0, run = 0, best_n = 0;

    for (const struct anchor *a = finest;
         a < f->anchors + f->n_anchors && a->n + slack >= finest->n && a->n >= NSC_ITERATIONS_LEAST;
         a++) {
        if (a > finest && f->of->of_launches && judge_whole(f, a) == IS_PART)
            continue;
        first = n == a->n ? first : a;
        run = n == a->n ? run + 1 : 1;
        n = a->n;
        if (run > best_n && !a->loose) {
            best_n = run;
            best = first;
        }
    }
    return best;
}

static bool is_usual(const struct finding *f, const struct anchor *anchor, const uint32_t at[],
                     uint32_t i)
{
    uint64_t sum = sum_of(f, at, i);

    return anchor->loose || sum == anchor->usual.sum ||
           (anchor->other.n > 1 && sum == anchor->other.sum);
}

/* Drops places at both ends that are not iterations: the anchor's name in the set-up, an incomplete
 * end. */
static void take_anchors(struct nsc_period *out, const struct finding *f,
                         const struct anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t usual = anchor->usual.length;
    uint32_t first = 0;
    uint32_t n = anchor->n;
    uint32_t alike = 0;

    while (f->of->of_launches && first + 2 < n && !is_usual(f, anchor, at, first) &&
           (at[first + 1] - at[first] < usual / 2 || at[first + 1] - at[first] > 3 * usual))
        first++;
    for (uint32_t i = first; i + 1 < n; i++)
        alike += is_usual(f, anchor, at, i);
    out->n = n - first;
    out->length = usual;
    out->steady = out->n > 1 ? (double)alike / (out->n - 1) : 0;
    out->start = nsc_xcalloc((size_t)out->n + 1, sizeof *out->start);
    for (uint32_t i = 0; i < out->n; i++)
        out->start[i] = at[first + i];
    nsc_period_shift(out, f->of);
    if (out->n > 1 && f->of->n - out->start[out->n - 1] < (usual + 1) / 2)
        out->n--;
}

/* ---- iterations between borders ---- */

/* Handles parts with a border after every m-th, without a name that marks the border: an iteration
 * begins with the first part after a border. */
static void take_borders(struct nsc_period *out, const struct finding *f, const struct anchor *part,
                         uint32_t m)
{
    const uint32_t *at = f->place + f->begin[part->symbol];

    out->start = nsc_xcalloc((size_t)part->n + 1, sizeof *out->start);
    out->start[out->n++] = at[0];
    for (uint32_t i = 0; i + 1 < part->n; i++)
        if (sum_of(f, at, i) != part->usual.sum)
            out->start[out->n++] = at[i + 1];
    if (out->n > 1 && f->of->n - out->start[out->n - 1] < part->usual.length * (m / 2))
        out->n--;
    out->length = part->usual.length * (m - 1) + part->other.length;
    out->steady = (double)(part->usual.n + part->other.n) / (part->n - 1);
    nsc_period_shift(out, f->of);
}

bool nsc_period_find(struct nsc_period *out, const struct nsc_sequence *sequence)
{
    struct finding f = {.of = sequence};
    const struct anchor *anchor, *part;
    uint32_t m = 0;

    *out = (struct nsc_period){0};
    index_places(&f);
    for (uint32_t s = 0; s < sequence->n_symbols; s++)
        if (f.begin[s + 1] - f.begin[s] >= NSC_ITERATIONS_LEAST)
            add_anchor(&f, s);
    qsort(f.anchors, f.n_anchors, sizeof *f.anchors, compare_anchors);
    anchor = choose_anchor(&f, &part, &m);
    if (anchor)
        take_anchors(out, &f, settle_anchor(&f, anchor));
    else if (part)
        take_borders(out, &f, part, m);
    free(f.sum);
    free(f.place);
    free(f.begin);
    free(f.count);
    free(f.anchors);
    if (out->n >= NSC_ITERATIONS_LEAST)
        return true;
    free(out->start);
    *out = (struct nsc_period){0};
    return false;
}
