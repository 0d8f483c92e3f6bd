/* Finds the anchor that marks whole iterations, and where each of them begins. */
#include "analysis/ranges/iteration_period.h"

#include "analysis/base/limit.h"
#include "analysis/ranges/iteration_anchors.h"
#include "core/die.h"

#include <stdlib.h>

/* ---- from parts to the whole ---- */

/* Whether the unusual stretches are equally spaced; *m is their distance. */
static bool is_regular(const struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor,
                       uint32_t *m)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t last = NSC_NONE;
    uint32_t n = 0;
    struct nsc_majority most = {0};

    for (int pass = 0; pass < 2; pass++, last = NSC_NONE)
        for (uint32_t i = 0; i + 1 < anchor->n; i++) {
            if (anchor->loose || nsc_stretch_sum(f, at, i) == anchor->usual.sum)
                continue;
            if (last != NSC_NONE)
                nsc_majority_add(&most, i - last, pass);
            n += last != NSC_NONE && pass == 0;
            last = i;
        }
    *m = n > 0 ? (uint32_t)most.key : *m;
    return n > 0 && *m >= 2 && most.same * 10 >= n * 8;
}

/* The traits of the other stretch that the usual one lacks. *exchanges: both have an exchange with
 * the host, or a graph and no exchange. If every m-th graph is different and followed by an
 * exchange, the graphs are parts: drafts before their target. */
static uint8_t traits_of_rest(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor,
                              bool *exchanges)
{
    const uint32_t *symbol = f->of->symbol;
    const struct nsc_stretches *u = &anchor->usual, *v = &anchor->other;
    uint8_t both =
        nsc_stretch_traits(f, u->example, u->length) & nsc_stretch_traits(f, v->example, v->length);
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
static bool holds_usual(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor,
                        uint32_t at, uint32_t n)
{
    const struct nsc_stretches *u = &anchor->usual;
    uint32_t most = u->length > n ? u->length : n;

    return (uint32_t)(nsc_stretch_common(f, u->example, u->length, at, n) * most + 0.5) >=
           u->length;
}

/* Whether the unusual stretches are iterations cut in two, because the anchor occurs twice in them:
 * two such stretches together contain the usual one, but neither alone does. */
static bool cuts_iterations(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t unlike = 0;
    uint32_t halves = 0;

    if (anchor->loose)
        return false;
    for (uint32_t i = 0; i + 1 < anchor->n; i++) {
        unlike += nsc_stretch_sum(f, at, i) != anchor->usual.sum;
        if (i + 2 >= anchor->n || nsc_stretch_sum(f, at, i) == anchor->usual.sum ||
            nsc_stretch_sum(f, at, i + 1) == anchor->usual.sum ||
            holds_usual(f, anchor, at[i], at[i + 1] - at[i]) ||
            holds_usual(f, anchor, at[i + 1], at[i + 2] - at[i + 1]) ||
            !holds_usual(f, anchor, at[i], at[i + 2] - at[i]))
            continue;
        halves += 2;
        unlike++;
        i++;
    }
    return halves > 2 && halves >= NSC_SHARE(NEARLY_ALL) * unlike;
}

static double gpu_time(const struct nsc_period_anchors *f, const struct nsc_stretches *stretch)
{
    double sum = 0;

    for (uint32_t i = 0; i < stretch->length; i++)
        sum += (double)nsc_event_duration(f->of->events, f->of->op[stretch->example + i]);
    return sum;
}

static uint8_t usual_traits(const struct nsc_period_anchors *f,
                            const struct nsc_period_anchor *anchor)
{
    return nsc_stretch_traits(f, anchor->usual.example, anchor->usual.length);
}

/* Whether the other stretch takes hardly longer than the usual one and has only one or two more
 * launches: a list is pruned now and then, or a loss copied after steps that all have their optimizer.
 * There is more work between the layers of two steps, or a result. */
static bool is_slightly_more(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor,
                             uint8_t rest)
{
    const struct nsc_stretches *u = &anchor->usual, *v = &anchor->other;
    bool is_step = 2 * v->n <= u->n && (usual_traits(f, anchor) & NSC_TRAIT_UPDATE);

    if (!f->of->op || v->length <= u->length || v->length > u->length + NSC_LIMIT_ITERATION_MORE ||
        (rest & (NSC_TRAIT_UPDATE | NSC_TRAIT_GRAPH | (is_step ? 0 : NSC_TRAIT_EXCHANGE))) ||
        nsc_stretch_common(f, u->example, u->length, v->example, v->length) < 1 - NSC_SHARE(LARGE))
        return false;
    return gpu_time(f, v) <= (1 + NSC_SHARE(SLIGHT)) * gpu_time(f, u);
}

/* Whether the other stretch is the usual one and the rebuilding of a list, as steps of molecular
 * dynamics do now and then. Only the names tell it from a head after its layers. */
static bool is_rebuild(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    const struct nsc_stretches *u = &anchor->usual, *v = &anchor->other;
    uint32_t n = 0;

    for (uint32_t i = v->example; i < v->example + v->length; i++)
        n += (f->of->traits[f->of->symbol[i]] & NSC_TRAIT_REBUILD) != 0;
    return f->of->of_launches && n > 0 && u->length + n == v->length &&
           !(usual_traits(f, anchor) & NSC_TRAIT_REBUILD) &&
           holds_usual(f, anchor, v->example, v->length);
}

/* Whether the other stretch is rare and short: a log, cut off from its iteration by its copy. */
static bool is_appendix(const struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    const struct nsc_stretches *u = &anchor->usual, *v = &anchor->other;

    return !(nsc_stretch_traits(f, v->example, v->length) & NSC_TRAIT_GRAPH) && f->of->op &&
           v->length < u->length && v->n < NSC_SHARE(FIFTH) * anchor->n &&
           gpu_time(f, v) <= NSC_SHARE(SLIGHT) * gpu_time(f, u);
}

/* Whether a range that ends steps (the optimizer) recurs, but less than half as often: then the
 * ranges of the anchor are passes of a step, in any order. */
static bool has_rarer_update(const struct nsc_period_anchors *f,
                             const struct nsc_period_anchor *anchor)
{
    for (uint32_t s = 0; s < f->of->n_symbols; s++) {
        uint32_t n = f->begin[s + 1] - f->begin[s];

        if ((f->of->traits[s] & NSC_TRAIT_UPDATE) && n >= NSC_LIMIT_ITERATIONS &&
            2 * n <= anchor->n)
            return true;
    }
    return false;
}

/* Whether stretches between copies from or to the host have equal contents. */
static bool has_equal_exchanges(const struct nsc_period_anchors *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (!f->at[i].loose && (f->of->traits[f->at[i].symbol] & NSC_TRAIT_EXCHANGE) &&
            f->at[i].usual.n >= NSC_SHARE(NEARLY_ALL) * (f->at[i].n - 1))
            return true;
    return false;
}

/* Launches that are only similar and do not exchange data with the host may be layers. So may graphs
 * if what lies between two exchanges recurs: each layer then has a graph of its own. */
static bool is_doubtful(const struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    uint8_t traits = usual_traits(f, anchor);

    return anchor->loose && f->of->of_launches && !(traits & NSC_TRAIT_EXCHANGE) &&
           (!(traits & NSC_TRAIT_GRAPH) || has_equal_exchanges(f));
}

enum whole { IS_WHOLE, IS_PART, IS_UNCLEAR };

/* Whether stretches between ranges are whole iterations or parts of one. rest: what unusual
 * stretches have in addition; regular: every m-th is unusual. */
static enum whole judge_ranges(const struct nsc_period_anchors *f,
                               const struct nsc_period_anchor *anchor, uint8_t rest, bool regular)
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
static bool has_waits(const struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    const uint32_t *waits = f->of->waits;
    uint32_t n = 0;

    for (uint32_t i = 0; waits && i + 1 < anchor->n; i++)
        n += nsc_stretch_sum(f, at, i) == anchor->usual.sum && waits[at[i + 1]] > waits[at[i]];
    return n > 0 && n >= NSC_SHARE(NEARLY_ALL) * anchor->usual.n;
}

/* Whether m stretches form one iteration, because one of them is a copy alone (two inputs in a row), or
 * because they have no input of their own: two of a solver with two sums, stages of a time step, layers
 * that read a result each (tokens of experts), or polls beside the work. */
static bool share_input(const struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor,
                        uint8_t rest, uint32_t m)
{
    double usual = f->of->op ? gpu_time(f, &anchor->usual) : 0;
    double other = f->of->op ? gpu_time(f, &anchor->other) : 0;
    bool has_own = (rest & NSC_TRAIT_EXCHANGE) && other > (1 + NSC_SHARE(SLIGHT)) * usual;

    if (usual_traits(f, anchor) & (NSC_TRAIT_STEP | NSC_TRAIT_GRAPH))
        return (f->of->traits[anchor->symbol] & NSC_TRAIT_STEP) &&
               (anchor->usual.length == 1 || anchor->other.length == 1);
    return (rest & NSC_TRAIT_STEP) ||
           usual * anchor->usual.n < NSC_SHARE(SLIGHT) * other * anchor->other.n ||
           (f->of->waits &&
            (m == 2 || (m <= NSC_LIMIT_ITERATION_STAGES && has_own && !(rest & NSC_TRAIT_ASIDE))));
}

/* Whether nearly all unusual stretches of launches contain the optimizer: they end steps. */
static bool ends_steps(const struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t n = 0;

    for (uint32_t i = 0; f->of->of_launches && i + 1 < anchor->n; i++)
        n += nsc_stretch_sum(f, at, i) != anchor->usual.sum &&
             (nsc_stretch_traits(f, at[i], at[i + 1] - at[i]) & NSC_TRAIT_UPDATE);
    return n > 0 && n >= NSC_SHARE(NEARLY_ALL) * (anchor->n - 1 - anchor->usual.n);
}

/* Whether usual stretches, some of them before each, end in one with the optimizer that does their
 * work too: micro-batches, however many form a step. */
static bool accumulates(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    const uint32_t *at = f->place + f->begin[anchor->symbol];
    uint32_t n = 0;
    uint32_t alone = 0;

    if (anchor->loose || !ends_steps(f, anchor))
        return false;
    for (uint32_t i = 1; i + 1 < anchor->n; i++) {
        bool is_end = nsc_stretch_sum(f, at, i) != anchor->usual.sum;

        n += is_end;
        alone += is_end && (nsc_stretch_sum(f, at, i - 1) != anchor->usual.sum ||
                            !holds_usual(f, anchor, at[i], at[i + 1] - at[i]));
    }
    return n >= NSC_LIMIT_ITERATIONS && alone <= (1 - NSC_SHARE(NEARLY_ALL)) * n;
}

/* Whether the stretches of an anchor are whole iterations or parts of one. */
static enum whole judge_whole(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor)
{
    const struct nsc_stretches *u = &anchor->usual, *v = &anchor->other;
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
        nsc_stretch_common(f, u->example, u->length, v->example, v->length) >
            (exchanges ? 1 - NSC_SHARE(LARGE) / 2 : NSC_SHARE(ITERATION_SAME)))
        return IS_WHOLE;
    if (is_slightly_more(f, anchor, rest) || is_rebuild(f, anchor))
        return IS_WHOLE;
    if (f->of->of_launches && (cuts_iterations(f, anchor) || is_appendix(f, anchor)))
        return IS_UNCLEAR;
    if (!f->of->of_launches)
        return judge_ranges(f, anchor, rest, regular);
    if (rest & NSC_TRAIT_UPDATE && (regular || accumulates(f, anchor)))
        return IS_PART;
    if (exchanges || has_waits(f, anchor))
        return regular && share_input(f, anchor, rest, m) ? IS_PART : IS_WHOLE;
    return regular || v->n > 1 ? IS_PART : IS_UNCLEAR;
}

/* The mean distance of unusual stretches that end steps; false for others. */
static bool measure_distance(struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor,
                             uint32_t *m)
{
    if (!f->of->of_launches || !accumulates(f, anchor))
        return false;
    *m = anchor->n / (anchor->n - 1 - anchor->usual.n);
    return true;
}

/* The most frequent anchor that marks whole iterations; NULL: none. *part and *m: the last anchor
 * whose stretches are parts of an iteration, and the number of parts; NULL: none. An anchor rarer than
 * the optimizer after the parts marks more than an iteration: the loss of every tenth step. */
static const struct nsc_period_anchor *
choose_anchor(struct nsc_period_anchors *f, const struct nsc_period_anchor **part, uint32_t *m)
{
    uint32_t i = 0;
    uint32_t distance = 0;
    uint32_t least = 0;

    *part = NULL;
    while (i < f->n && f->at[i].n >= least) {
        const struct nsc_period_anchor *anchor = &f->at[i];
        enum whole whole = judge_whole(f, anchor);
        uint32_t below = anchor->n - (whole == IS_UNCLEAR ? 0 : anchor->n / 4);

        if (whole == IS_WHOLE)
            return anchor;
        if (whole == IS_PART &&
            (is_regular(f, anchor, &distance) || measure_distance(f, anchor, &distance))) {
            *part = anchor;
            *m = distance;
            if (ends_steps(f, anchor))
                least = anchor->n / distance * 3 / 4;
        }
        for (; i < f->n && f->at[i].n >= below; i++)
            if (whole == IS_PART && f->of->of_launches && !f->at[i].loose &&
                (usual_traits(f, &f->at[i]) & NSC_TRAIT_EXCHANGE) && /* layers do not exchange
                                                                           * data */
                judge_whole(f, &f->at[i]) == IS_WHOLE)
                return &f->at[i];
    }
    return NULL;
}

/* Among anchors that recur about equally often, takes the most common count, because others also
 * occur in the set-up; then the first anchor in the sequence. Those of parts do not count: a few prefills
 * may have as many layers as there are tokens. */
static const struct nsc_period_anchor *settle_anchor(struct nsc_period_anchors *f,
                                                     const struct nsc_period_anchor *finest)
{
    uint32_t slack = f->of->of_launches ? 1 + finest->n / 20 : 0;
    const struct nsc_period_anchor *best = finest, *first = finest;
    uint32_t n = 0, run = 0, best_n = 0;

    for (const struct nsc_period_anchor *a = finest;
         a < f->at + f->n && a->n + slack >= finest->n && a->n >= NSC_LIMIT_ITERATIONS; a++) {
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

static bool is_usual(const struct nsc_period_anchors *f, const struct nsc_period_anchor *anchor,
                     const uint32_t at[], uint32_t i)
{
    uint64_t sum = nsc_stretch_sum(f, at, i);

    return anchor->loose || sum == anchor->usual.sum ||
           (anchor->other.n > 1 && sum == anchor->other.sum);
}

/* Drops places at both ends that are not iterations: the anchor's name in the set-up, an incomplete
 * end. */
static void take_anchors(struct nsc_period *out, const struct nsc_period_anchors *f,
                         const struct nsc_period_anchor *anchor)
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
static void take_borders(struct nsc_period *out, const struct nsc_period_anchors *f,
                         const struct nsc_period_anchor *part, uint32_t m)
{
    const uint32_t *at = f->place + f->begin[part->symbol];

    out->start = nsc_xcalloc((size_t)part->n + 1, sizeof *out->start);
    out->start[out->n++] = at[0];
    for (uint32_t i = 0; i + 1 < part->n; i++)
        if (nsc_stretch_sum(f, at, i) != part->usual.sum)
            out->start[out->n++] = at[i + 1];
    if (out->n > 1 && f->of->n - out->start[out->n - 1] < part->usual.length * (m / 2))
        out->n--;
    out->length = part->usual.length * (m - 1) + part->other.length;
    out->steady = (double)(part->usual.n + part->other.n) / (part->n - 1);
    nsc_period_shift(out, f->of);
}

bool nsc_period_find(struct nsc_period *out, const struct nsc_sequence *sequence)
{
    struct nsc_period_anchors f;
    const struct nsc_period_anchor *anchor, *part;
    uint32_t m = 0;

    *out = (struct nsc_period){0};
    nsc_period_anchors_build(&f, sequence);
    anchor = choose_anchor(&f, &part, &m);
    anchor = anchor ? settle_anchor(&f, anchor) : NULL;
    if (anchor)
        take_anchors(out, &f, anchor);
    else if (part)
        take_borders(out, &f, part, m);
    nsc_period_anchors_fini(&f);
    if (out->n >= NSC_LIMIT_ITERATIONS)
        return true;
    free(out->start);
    *out = (struct nsc_period){0};
    return false;
}
