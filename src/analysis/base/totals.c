/* Numbers groups with a hash table over their keys. */
#include "analysis/base/totals.h"

#include "core/text.h"

#include <assert.h>
#include <string.h>

struct nsc_totals nsc_totals_new(uint32_t n_keys, uint32_t text_key)
{
    struct nsc_totals totals = {.n_keys = n_keys, .text_key = text_key};

    assert(n_keys > 0 && n_keys <= NSC_TOTALS_KEYS);
    nsc_strpool_init(&totals.texts);
    return totals;
}

void nsc_totals_fini(struct nsc_totals *totals)
{
    nsc_strpool_fini(&totals->texts);
    nsc_idtable_fini(&totals->table);
    NSC_VEC_FINI(&totals->keys);
    NSC_VEC_FINI(&totals->group);
}

int64_t nsc_totals_text(struct nsc_totals *totals, struct nsc_text text)
{
    return nsc_strpool_add(&totals->texts, text.n ? text.bytes : "", text.n);
}

static bool is_equal(const void *context, uint32_t group, const void *keys)
{
    const struct nsc_totals *totals = context;

    return memcmp(nsc_totals_keys(totals, group), keys, totals->n_keys * sizeof(int64_t)) == 0;
}

uint32_t nsc_totals_find(struct nsc_totals *totals, const int64_t keys[])
{
    uint64_t hash = 0;
    uint32_t group;

    for (uint32_t k = 0; k < totals->n_keys; k++)
        hash = nsc_hash_mix(hash, (uint64_t)keys[k]);
    group = nsc_idtable_place(&totals->table, hash, is_equal, totals, keys, totals->n);
    for (uint32_t k = 0; group == totals->n && k < totals->n_keys; k++)
        *NSC_VEC_ADD(&totals->keys) = keys[k];
    totals->n += group == totals->n;
    return group;
}

uint32_t nsc_totals_add(struct nsc_totals *totals, const int64_t keys[])
{
    return *NSC_VEC_ADD(&totals->group) = nsc_totals_find(totals, keys);
}

struct nsc_text nsc_totals_text_of(const struct nsc_totals *totals, uint32_t group, uint32_t key)
{
    int64_t id = nsc_totals_keys(totals, group)[key];

    return id < 0 ? (struct nsc_text){"", 0} : nsc_strpool_text(&totals->texts, (nsc_str)id);
}

struct measuring {
    const struct nsc_totals *totals;
    bool (*value)(const void *context, uint32_t row, int64_t *out);
    const void *context;
};

static bool measure_row(const void *context, uint32_t row, uint32_t *group, int64_t *value)
{
    const struct measuring *measuring = context;

    *group = measuring->totals->group.at[row];
    return measuring->value(measuring->context, row, value);
}

struct nsc_spread *nsc_totals_measure(const struct nsc_totals *totals,
                                      bool (*value)(const void *context, uint32_t row,
                                                    int64_t *out),
                                      const void *context)
{
    struct measuring measuring = {totals, value, context};

    return nsc_spreads_measure(totals->n, (uint32_t)totals->group.n, measure_row, &measuring,
                               totals->has_p90);
}

static int compare_texts(const struct nsc_totals *totals, uint32_t a, uint32_t b, uint32_t key)
{
    int64_t x = nsc_totals_keys(totals, a)[key], y = nsc_totals_keys(totals, b)[key];

    if (x < 0 || y < 0)
        return (x >= 0) - (y >= 0);
    return nsc_text_compare(nsc_totals_text_of(totals, a, key), nsc_totals_text_of(totals, b, key));
}

int nsc_totals_compare(const struct nsc_totals *totals, uint32_t a, uint32_t b, uint32_t first,
                       uint32_t end)
{
    int order = 0;

    for (uint32_t k = first; k < end && order == 0; k++) {
        int64_t x = nsc_totals_keys(totals, a)[k], y = nsc_totals_keys(totals, b)[k];

        if (x != y)
            order = totals->text_key & NSC_TOTALS_TEXT(k) ? compare_texts(totals, a, b, k)
                    : x < y                               ? -1
                                                          : 1;
    }
    return order;
}
