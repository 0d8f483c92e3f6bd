/*
 * Which lane each span of a track goes to: greedy first fit, the fewest lanes.
 */
#include "index/pack.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { FEW_LANES = 3 };
#else
enum { FEW_LANES = 12 };
#endif

/*
 * The times at which lanes become free are the leaves of a tree of minima: tree[1] is the root,
 * lane i is tree[capacity + i]. Up to FEW_LANES lanes are scanned and the inner nodes left stale.
 */
struct packer {
    nsc_time *tree;
    uint32_t capacity; /* leaves, a power of two */
    uint32_t n;        /* lanes in use; the leaves beyond are INT64_MAX */
};

static void build_minima(struct packer *packer)
{
    for (uint32_t i = packer->capacity - 1; i > 0; i--) {
        nsc_time a = packer->tree[(size_t)2 * i];
        nsc_time b = packer->tree[(size_t)2 * i + 1];

        packer->tree[i] = a < b ? a : b;
    }
}

static void grow(struct packer *packer)
{
    uint32_t capacity = packer->capacity ? packer->capacity * 2 : 4;
    nsc_time *tree = NULL;

    if (capacity > UINT32_MAX / 4)
        nsc_die_oom();
    tree = nsc_xmalloc((size_t)capacity * 2 * sizeof *tree);
    for (uint32_t i = 0; i < capacity; i++)
        tree[capacity + i] = i < packer->n ? packer->tree[packer->capacity + i] : INT64_MAX;
    free(packer->tree);
    packer->tree = tree;
    packer->capacity = capacity;
    build_minima(packer);
}

static uint32_t scan_lanes(const struct packer *packer, nsc_time start)
{
    const nsc_time *free_at = packer->tree + packer->capacity;
    uint32_t i = 0;

    while (i < packer->n && free_at[i] > start)
        i++;
    return i;
}

/* The leftmost lane free at start, or the number of lanes. */
static uint32_t find_lane(const struct packer *packer, nsc_time start)
{
    uint32_t node = 1;

    if (packer->n <= FEW_LANES)
        return packer->n ? scan_lanes(packer, start) : 0;
    if (packer->tree[1] > start)
        return packer->n;
    while (node < packer->capacity)
        node = 2 * node + (packer->tree[(size_t)2 * node] > start);
    return node - packer->capacity;
}

static void set_lane(struct packer *packer, uint32_t lane, nsc_time free_at)
{
    uint32_t node = 0;

    if (lane == packer->n) {
        if (packer->n == packer->capacity)
            grow(packer);
        packer->n++;
        packer->tree[packer->capacity + lane] = free_at;
        if (packer->n == FEW_LANES + 1)
            build_minima(packer);
    }
    node = packer->capacity + lane;
    packer->tree[node] = free_at;
    if (packer->n <= FEW_LANES)
        return;
    for (node /= 2; node > 0; node /= 2) {
        nsc_time a = packer->tree[(size_t)2 * node];
        nsc_time b = packer->tree[(size_t)2 * node + 1];

        packer->tree[node] = a < b ? a : b;
    }
}

uint32_t nsc_pack_lanes(uint32_t lane[], uint32_t n,
                        struct nsc_window (*span)(const void *context, uint32_t i),
                        const void *context)
{
    struct packer packer = {NULL, 0, 0};

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_window w = span(context, i);

        lane[i] = find_lane(&packer, w.t0);
        set_lane(&packer, lane[i], w.t1);
    }
    free(packer.tree);
    return packer.n;
}
