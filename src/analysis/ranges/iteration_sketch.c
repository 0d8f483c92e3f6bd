/*
 * Finds kinds of iterations by what they launch and by the range that marks them. Iterations with
 * less than half of their names in common are of different kinds; a sketch estimates that share.
 * Iterations with an optimizer and those without one (evaluation, micro-batches) differ too. Says
 * which length tells two kinds apart.
 */
#include "analysis/ranges/iteration_period.h"
#include "analysis/ranges/iteration_search.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

enum { SKETCH = 16 };

/* The smallest random numbers of the names that an iteration launches, and the range that marks it;
 * NSC_NONE: none. */
struct sketch {
    nsc_str range;
    uint64_t least[SKETCH];
    uint32_t n;
    bool has_graph, has_update;
    uint64_t graphs; /* which ones: a sum of random numbers; 0: none */
};

static void sketch_add(struct sketch *sketch, uint64_t value)
{
    uint32_t at = sketch->n;

    if (at == SKETCH && value >= sketch->least[SKETCH - 1])
        return;
    while (at > 0 && sketch->least[at - 1] > value)
        at--;
    if (at > 0 && sketch->least[at - 1] == value)
        return;
    sketch->n += sketch->n < SKETCH;
    for (uint32_t i = sketch->n - 1; i > at; i--)
        sketch->least[i] = sketch->least[i - 1];
    sketch->least[at] = value;
}

/* Adds the launch of an op to sketch number i. seen: by name, the number of the last sketch that has it,
 * from 1 on. */
static void sketch_launch(struct sketch *out, const struct nsc_iteration_search *search,
                          nsc_event op, uint32_t seen[], uint32_t i)
{
    nsc_name name = search->events->name[op];

    if (search->events->kind[op] == NSC_KIND_KERNEL && seen[name] != i + 1) {
        seen[name] = i + 1;
        sketch_add(out, nsc_symbol_hash(name));
        out->has_update |= (nsc_search_kernel_traits(search, name) & NSC_TRAIT_UPDATE) != 0;
    }
    if (search->events->kind[op] != NSC_KIND_GRAPH)
        return;
    out->has_graph = true;
    out->graphs += nsc_symbol_hash(name);
}

/* The pattern of the range that marks an iteration. Prefill and decode are of different kinds,
 * whatever they launch. */
static nsc_str range_of(const struct nsc_iterations *of, const struct nsc_iteration_search *search,
                        nsc_event event)
{
    return of->by == NSC_ITERATIONS_BY_LAUNCHES ? NSC_NONE
                                                : search->pattern[search->events->name[event]];
}

struct sketching {
    const struct nsc_iterations *of;
    const struct nsc_iteration_search *search;
    const struct nsc_search_process *process; /* of the first line */
    uint32_t *seen;                           /* by name, for sketch_launch */
};

/* Sketches the launches of the process in iteration i of the first line. */
static struct sketch make_sketch(const struct sketching *sketching, uint32_t i)
{
    const struct nsc_iteration_search *search = sketching->search;
    const struct nsc_iteration *it = &sketching->of->lines[0].at[i];
    struct sketch out = {.range = range_of(sketching->of, search, it->event)};

    for (uint32_t t = 0; t < sketching->process->n_threads; t++) {
        struct nsc_positions in = nsc_search_in(search, sketching->process->threads[t], it->host);

        for (; in.first < in.end; in.first++)
            sketch_launch(&out, search, nsc_launches_op(search->launches, in.first),
                          sketching->seen, i);
    }
    if (out.has_graph)
        sketch_add(&out, nsc_symbol_hash(UINT64_C(1) << 40));
    return out;
}

/* The estimated share of common names; 0 if ranges of different names mark them, or one has an
 * optimizer. */
static double likeness(const struct sketch *a, const struct sketch *b)
{
    uint32_t i = 0;
    uint32_t j = 0;
    uint32_t both = 0;
    uint32_t all = 0;

    if (a->range != b->range || a->has_update != b->has_update)
        return 0;
    while (all < SKETCH && (i < a->n || j < b->n)) {
        bool from_a = j == b->n || (i < a->n && a->least[i] <= b->least[j]);
        bool from_b = i == a->n || (j < b->n && b->least[j] <= a->least[i]);

        both += from_a && from_b;
        i += from_a;
        j += from_b;
        all++;
    }
    return all > 0 ? (double)both / all : 1;
}

struct leaders { /* the first iteration of each kind */
    struct sketch at[NSC_LIMIT_KINDS];
    uint32_t n;
};

/* The leader that an iteration resembles most; a new one if it resembles none. */
static uint8_t find_leader(struct leaders *leaders, const struct sketch *sketch)
{
    uint32_t best = 0;
    double most = -1;

    for (uint32_t k = 0; k < leaders->n; k++) {
        double like = likeness(&leaders->at[k], sketch);

        if (like > most) {
            most = like;
            best = k;
        }
    }
    if (most < NSC_SHARE(MOST) && leaders->n < NSC_LIMIT_KINDS) {
        leaders->at[leaders->n] = *sketch;
        best = leaders->n++;
    }
    return (uint8_t)best;
}

/* Sets the kind of each iteration of the first line, and its graphs. */
static void find_leaders(struct leaders *leaders, uint64_t graphs[], struct nsc_iterations *of,
                         const struct nsc_iteration_search *search)
{
    struct nsc_iteration *at = of->at + of->lines[0].first;
    struct sketching sketching = {
        .of = of, .search = search, .process = nsc_search_process_of(search, of->lines[0].track)};

    sketching.seen =
        nsc_xcalloc((size_t)nsc_trace_names(search->trace)->n + 1, sizeof *sketching.seen);
    for (uint32_t i = 0; i < of->lines[0].n; i++) {
        struct sketch sketch = make_sketch(&sketching, i);

        at[i].kind = find_leader(leaders, &sketch);
        graphs[i] = sketch.graphs;
    }
    free(sketching.seen);
}

struct graph_set { /* iterations that launch the same graphs */
    uint64_t graphs;
    uint32_t n;
    double sum; /* of their periods */
};

/* Whether the graphs that recur take differently long, and account for nearly all n iterations with graphs. */
static bool have_sizes(const struct graph_set sets[], uint32_t n_sets, uint32_t n)
{
    double shortest = 0, longest = 0;
    uint32_t recurring = 0;

    for (uint32_t k = 0; k < n_sets; k++) {
        double mean = sets[k].sum / sets[k].n;

        if (sets[k].n < NSC_LIMIT_ITERATIONS)
            continue;
        shortest = recurring == 0 || mean < shortest ? mean : shortest;
        longest = mean > longest ? mean : longest;
        recurring += sets[k].n;
    }
    return recurring >= NSC_SHARE(NEARLY_ALL) * n && longest > (1 + NSC_SHARE(SLIGHT)) * shortest;
}

/* Marks iterations that launch graphs of several sizes: a longer batch is not slow. */
static bool mark_sizes(struct nsc_iterations *of, const uint64_t graphs[])
{
    enum { MOST_SETS = 256 };
    struct nsc_iteration *at = of->at + of->lines[0].first;
    struct graph_set *sets = nsc_xcalloc(MOST_SETS, sizeof *sets);
    uint32_t n_sets = 0;
    uint32_t n = 0;
    bool have;

    for (uint32_t i = 0; i < of->lines[0].n; i++) {
        uint32_t k = 0;

        if (graphs[i] == 0)
            continue;
        n++;
        while (k < n_sets && sets[k].graphs != graphs[i])
            k++;
        if (k == MOST_SETS)
            continue;
        n_sets += k == n_sets;
        sets[k].graphs = graphs[i];
        sets[k].n++;
        sets[k].sum += (double)at[i].period;
    }
    have = have_sizes(sets, n_sets, n);
    for (uint32_t i = 0; have && i < of->lines[0].n; i++)
        at[i].sized = graphs[i] != 0;
    free(sets);
    return have;
}

/* A kind that occurs only once, or only at the beginning, joins the first kind; one prefill among passes
 * of a graph does not. */
bool nsc_iterations_split_by_launches(struct nsc_iterations *of,
                                      const struct nsc_iteration_search *search)
{
    uint64_t *graphs = nsc_xcalloc((size_t)of->lines[0].n + 1, sizeof *graphs);
    struct leaders leaders = {.n = 0};
    uint32_t late[NSC_LIMIT_KINDS] = {0};
    bool joins[NSC_LIMIT_KINDS] = {false};
    uint32_t most = 0;
    bool has_sizes;

    find_leaders(&leaders, graphs, of, search);
    for (uint32_t i = of->n / NSC_LIMIT_WARM_UP_MOST; i < of->lines[0].n; i++)
        late[of->at[of->lines[0].first + i].kind]++;
    for (uint32_t k = 1; k < leaders.n; k++)
        most = late[k] > late[most] ? k : most;
    for (uint32_t k = 0; k < leaders.n; k++)
        joins[k] =
            late[k] == 0 || (late[k] == 1 && leaders.at[k].has_graph == leaders.at[most].has_graph);
    for (uint32_t i = 0; i < of->n; i++)
        if (joins[of->at[i].kind])
            of->at[i].kind = (uint8_t)most;
    of->n_kinds = leaders.n > 0 ? leaders.n : 1;
    has_sizes = mark_sizes(of, graphs);
    free(graphs);
    return has_sizes;
}

/* ---- kinds by length ---- */

nsc_time nsc_iterations_find_step(const nsc_time sorted[], uint32_t n, double widest)
{
    nsc_time middle = 0;
    uint32_t least = (uint32_t)(NSC_SHARE(FIFTH) * n + 0.999);

    least = least > 2 ? least : 2;
    for (uint32_t i = least; i + least <= n; i++) {
        double factor = sorted[i - 1] > 0 ? (double)sorted[i] / (double)sorted[i - 1] : 0;

        if (factor > widest) {
            widest = factor;
            middle = sorted[i - 1] + nsc_span(sorted[i - 1], sorted[i]) / 2;
        }
    }
    return middle;
}

/* Sums over the iterations of a kind, without the first fifth: [0] below a border, [1] above it. Work
 * is compute, because communication takes long if another rank is late. */
struct sides {
    double work[2], period[2], n[2];
};

static struct sides sum_sides(const struct nsc_iterations *of,
                              const struct nsc_iteration_search *search, uint8_t kind,
                              nsc_time border, bool by_launches)
{
    const struct nsc_search_process *process = nsc_search_process_of(search, of->lines[0].track);
    struct sides sum = {0};

    for (uint32_t i = of->n / NSC_LIMIT_WARM_UP_MOST; i < of->n; i++) {
        const struct nsc_iteration *it = &of->at[i];
        int side = (by_launches ? (nsc_time)it->ops : it->period) > border;

        if (it->kind != kind)
            continue;
        sum.work[side] += (double)nsc_search_compute_time(search, process, it->host);
        sum.period[side] += (double)it->period;
        sum.n[side]++;
    }
    return sum;
}

/* Whether more GPU work makes up for at least this share of what the iterations above the border are
 * longer. */
static bool work_makes_longer(const struct sides *sum, double share)
{
    return sum->work[1] / sum->n[1] - sum->work[0] / sum->n[0] >=
           share * (sum->period[1] / sum->n[1] - sum->period[0] / sum->n[0]);
}

/* Whether iterations above a length do more work than those below. If the GPU only waits longer, the
 * iteration is slow and not of another kind. */
static bool differs_in_work(const struct nsc_iterations *of,
                            const struct nsc_iteration_search *search, uint8_t kind,
                            nsc_time middle)
{
    struct sides sum = sum_sides(of, search, kind, middle, false);

    return sum.work[0] <= 0 || work_makes_longer(&sum, NSC_SHARE(MOST));
}

/* Whether all iterations above a length launch more than all below it: more micro-batches. */
static bool differs_in_launches(const struct nsc_iterations *of, uint8_t kind, nsc_time middle)
{
    uint32_t most = 0, least = UINT32_MAX;

    for (uint32_t i = of->n / NSC_LIMIT_WARM_UP_MOST; i < of->n; i++) {
        const struct nsc_iteration *it = &of->at[i];

        if (it->kind != kind)
            continue;
        if (it->period > middle)
            least = it->ops < least ? it->ops : least;
        else
            most = it->ops > most ? it->ops : most;
    }
    return most > 0 && least >= (1 + NSC_SHARE(SLIGHT)) * most;
}

nsc_time nsc_iterations_find_border(const struct nsc_iterations *of,
                                    const struct nsc_iteration_search *search, uint8_t kind,
                                    const nsc_time sorted[], uint32_t n)
{
    nsc_time middle = nsc_iterations_find_step(sorted, n, 1 + NSC_SHARE(LARGE));

    if (middle == 0) {
        middle = nsc_iterations_find_step(sorted, n, 1 + NSC_SHARE(SLIGHT));
        middle = middle > 0 && differs_in_launches(of, kind, middle) ? middle : 0;
    }
    return middle > 0 && differs_in_work(of, search, kind, middle) ? middle : 0;
}

/* Whether iterations with more launches than the border, and those without, are enough to be a kind:
 * they are more than those of a warm-up. */
static bool are_enough(const struct nsc_iterations *of, uint8_t kind, nsc_time border)
{
    uint32_t n[2] = {0}, late[2] = {0};

    for (uint32_t i = 0; i < of->n; i++) {
        int side = of->at[i].ops > border;

        n[side] += of->at[i].kind == kind;
        late[side] += of->at[i].kind == kind && i >= of->n / NSC_LIMIT_WARM_UP_MOST;
    }
    for (int side = 0; side < 2; side++)
        if (late[side] < NSC_LIMIT_ITERATIONS && n[side] <= of->n / NSC_LIMIT_WARM_UP_MOST)
            return false;
    return true;
}

/* Whether iterations with more launches than the border are longer, by the work of these launches. */
static bool work_longer(const struct nsc_iterations *of, const struct nsc_iteration_search *search,
                        uint8_t kind, nsc_time border)
{
    struct sides sum = sum_sides(of, search, kind, border, true);

    return sum.n[0] > 0 &&
           sum.period[1] / sum.n[1] > (1 + NSC_SHARE(SLIGHT)) * sum.period[0] / sum.n[0] &&
           work_makes_longer(&sum, NSC_SHARE(NEARLY_ALL));
}

/* What is rare under a range of one name is slow. */
nsc_time nsc_iterations_find_number(const struct nsc_iterations *of,
                                    const struct nsc_iteration_search *search, uint8_t kind,
                                    const nsc_time sorted[], uint32_t n)
{
    double widest = 0;
    nsc_time border = 0;

    for (uint32_t i = 1; i < n; i++) {
        double factor = sorted[i - 1] > 0 ? (double)sorted[i] / (double)sorted[i - 1] : 0;
        bool is_rare = n - i < NSC_SHARE(FIFTH) * n;

        if (is_rare && of->by != NSC_ITERATIONS_BY_LAUNCHES)
            continue;
        if (factor > widest &&
            factor >= (is_rare ? 1 + NSC_SHARE(LARGE) : NSC_SHARE(KIND_LAUNCHES)) &&
            are_enough(of, kind, sorted[i - 1]) && work_longer(of, search, kind, sorted[i - 1])) {
            widest = factor;
            border = sorted[i - 1];
        }
    }
    return border;
}
