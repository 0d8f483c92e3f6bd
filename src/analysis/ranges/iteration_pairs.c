/*
 * Pairs the iterations of two recordings.
 */
#include "analysis/base/limit.h"
#include "analysis/ranges/iterations.h"
#include "core/die.h"

#include <stdlib.h>

/* ---- kinds ---- */

/* The figure that identifies a kind: the mean number of ops of its iterations, without warm-up. */
static double ops_of(const struct nsc_iterations *all, uint32_t kind)
{
    double mean = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < all->n; i++)
        if (all->at[i].kind == kind && !all->at[i].warm_up)
            mean += ((double)all->at[i].ops - mean) / ++n;
    return mean;
}

/* Computes the place of each kind in the order by ops, then by median; ops by place. */
static void order_kinds(uint32_t place[], double ops[], const struct nsc_iterations *all)
{
    uint32_t order[NSC_LIMIT_KINDS];

    for (uint32_t k = 0; k < all->n_kinds; k++) {
        double own = ops_of(all, k);
        uint32_t at = k;

        for (; at > 0 &&
               (ops[at - 1] > own ||
                (ops[at - 1] >= own && all->kinds[order[at - 1]].median > all->kinds[k].median));
             at--) {
            ops[at] = ops[at - 1];
            order[at] = order[at - 1];
        }
        ops[at] = own;
        order[at] = k;
    }
    for (uint32_t i = 0; i < all->n_kinds; i++)
        place[order[i]] = i;
}

static bool is_alike(double x, double y)
{
    double most = x > y ? x : y;

    return most <= 0 || (x < y ? x : y) / most >= NSC_SHARE(NEARLY_ALL);
}

/* Fills the places of the kinds. If the recordings have different kinds, returns false with all
 * kinds in one place. */
static bool match_kinds(uint32_t place[2][NSC_LIMIT_KINDS], const struct nsc_iterations *a,
                        const struct nsc_iterations *b)
{
    double ops[2][NSC_LIMIT_KINDS] = {{0}};
    bool same = a->n_kinds == b->n_kinds && a->n_kinds > 1;

    order_kinds(place[0], ops[0], a);
    order_kinds(place[1], ops[1], b);
    for (uint32_t k = 0; k < a->n_kinds && same; k++)
        same = is_alike(ops[0][k], ops[1][k]);
    for (uint32_t k = 0; k < NSC_LIMIT_KINDS && !same; k++)
        place[0][k] = place[1][k] = 0;
    return same;
}

/* ---- pairs ---- */

/* The class of an iteration; partners must have the same one. */
static uint32_t class_of(const struct nsc_iterations *all, const uint32_t place[], uint32_t i)
{
    return all->at[i].warm_up ? NSC_LIMIT_KINDS : place[all->at[i].kind];
}

/* The next iteration of a class; n if there is none. */
static uint32_t next_of(const struct nsc_iterations *all, const uint32_t place[], uint32_t from,
                        uint32_t class)
{
    while (from < all->n && class_of(all, place, from) != class)
        from++;
    return from;
}

void nsc_iteration_pairs_build(struct nsc_iteration_pairs *out, const struct nsc_iterations *a,
                               const struct nsc_iterations *b)
{
    uint32_t place[2][NSC_LIMIT_KINDS] = {{0}};

    *out = (struct nsc_iteration_pairs){.of = {a, b}};
    for (unsigned side = 0; side < 2; side++) {
        out->partner[side] = nsc_xcalloc(out->of[side]->n + 1u, sizeof(uint32_t));
        for (uint32_t i = 0; i < out->of[side]->n; i++)
            out->partner[side][i] = NSC_NONE;
    }
    out->by_kind = match_kinds(place, a, b);
    for (uint32_t class = 0; class <= NSC_LIMIT_KINDS; class ++) {
        uint32_t i = next_of(a, place[0], 0, class);
        uint32_t k = next_of(b, place[1], 0, class);

        while (i < a->n && k < b->n) {
            out->partner[0][i] = k;
            out->partner[1][k] = i;
            out->n++;
            i = next_of(a, place[0], i + 1, class);
            k = next_of(b, place[1], k + 1, class);
        }
    }
}

void nsc_iteration_pairs_fini(struct nsc_iteration_pairs *pairs)
{
    free(pairs->partner[0]);
    free(pairs->partner[1]);
    *pairs = (struct nsc_iteration_pairs){0};
}

uint32_t nsc_iteration_pairs_at(const struct nsc_iteration_pairs *pairs, unsigned side, nsc_time t)
{
    const struct nsc_iterations *all = pairs->of[side];
    uint32_t at;

    if (!pairs->n)
        return NSC_NONE;
    at = nsc_iterations_at(all, t);
    for (; at != NSC_NONE; at = at ? at - 1 : NSC_NONE)
        if (pairs->partner[side][at] != NSC_NONE)
            return at;
    for (at = 0; pairs->partner[side][at] == NSC_NONE;)
        at++;
    return at;
}
