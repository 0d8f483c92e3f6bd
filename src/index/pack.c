/*
 * Assigns the spans of a track to lanes: greedy first fit, the fewest lanes.
 */
#include "index/pack.h"

#include "core/die.h"

#include <stdlib.h>

static void build_minima(struct nsc_packer *packer)
{
    for (uint32_t i = packer->capacity - 1; i > 0; i--) {
        nsc_time a = packer->tree[(size_t)2 * i];
        nsc_time b = packer->tree[(size_t)2 * i + 1];

        packer->tree[i] = a < b ? a : b;
    }
}

static void grow(struct nsc_packer *packer)
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

static uint32_t scan_lanes(const struct nsc_packer *packer, nsc_time start)
{
    const nsc_time *free_at = packer->tree + packer->capacity;
    uint32_t i = 0;

    while (i < packer->n && free_at[i] > start)
        i++;
    return i;
}

/* The leftmost lane that is free at start; the number of lanes if there is none. */
static uint32_t find_lane(const struct nsc_packer *packer, nsc_time start)
{
    uint32_t node = 1;

    if (packer->n <= NSC_PACK_SCAN)
        return packer->n ? scan_lanes(packer, start) : 0;
    if (packer->tree[1] > start)
        return packer->n;
    while (node < packer->capacity)
        node = 2 * node + (packer->tree[(size_t)2 * node] > start);
    return node - packer->capacity;
}

static void set_lane(struct nsc_packer *packer, uint32_t lane, nsc_time free_at)
{
    uint32_t node = 0;

    if (lane == packer->n) {
        if (packer->n == packer->capacity)
            grow(packer);
        packer->n++;
        packer->tree[packer->capacity + lane] = free_at;
        if (packer->n == NSC_PACK_SCAN + 1)
            build_minima(packer);
    }
    node = packer->capacity + lane;
    packer->tree[node] = free_at;
    if (packer->n <= NSC_PACK_SCAN)
        return;
    for (node /= 2; node > 0; node /= 2) {
        nsc_time a = packer->tree[(size_t)2 * node];
        nsc_time b = packer->tree[(size_t)2 * node + 1];

        if (packer->tree[node] == (a < b ? a : b))
            return;
        packer->tree[node] = a < b ? a : b;
    }
}

uint32_t nsc_packer_add_lane(struct nsc_packer *packer, nsc_time start, nsc_time touch_end)
{
    uint32_t lane = find_lane(packer, start);

    set_lane(packer, lane, touch_end);
    return lane;
}

void nsc_packer_fini(struct nsc_packer *packer)
{
    free(packer->tree);
    *packer = (struct nsc_packer){NULL, 0, 0};
}

uint32_t nsc_pack_lanes(uint32_t lane[], uint32_t n,
                        struct nsc_window (*span)(const void *context, uint32_t i),
                        const void *context)
{
    struct nsc_packer packer = {NULL, 0, 0};
    uint32_t lanes = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_window w = span(context, i);

        lane[i] = nsc_packer_add(&packer, w.t0, w.t1);
    }
    lanes = packer.n;
    nsc_packer_fini(&packer);
    return lanes;
}
