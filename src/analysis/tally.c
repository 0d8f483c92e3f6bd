/*
 * Adds up durations in groups and puts the groups in order.
 */
#include "analysis/tally.h"

#include "core/sum.h"

#include <string.h>

void nsc_tally_fini(struct nsc_tally *tally)
{
    NSC_VEC_FINI(&tally->rows);
    nsc_idtable_fini(&tally->table);
    memset(tally, 0, sizeof *tally);
}

static bool is_equal(const void *context, uint32_t id, const void *key)
{
    const struct nsc_tally *tally = context;

    return memcmp(tally->rows.at[id].key, key, sizeof tally->rows.at[id].key) == 0;
}

uint32_t nsc_tally_group(struct nsc_tally *tally, uint64_t first, uint64_t second)
{
    const uint64_t key[2] = {first, second};
    uint64_t hash = nsc_hash_mix(nsc_hash_mix(0, first), second);
    uint32_t group = nsc_idtable_find(&tally->table, hash, is_equal, tally, key);

    if (group != NSC_NONE)
        return group;
    group = (uint32_t)tally->rows.n;
    *NSC_VEC_ADD(&tally->rows) =
        (struct nsc_tally_row){.key = {first, second}, .shortest = INT64_MAX, .longest = INT64_MIN};
    nsc_idtable_add(&tally->table, hash, group);
    return group;
}

uint32_t nsc_tally_add(struct nsc_tally *tally, uint64_t first, uint64_t second, nsc_time ns)
{
    uint32_t group = nsc_tally_group(tally, first, second);
    struct nsc_tally_row *row = &tally->rows.at[group];

    row->count++;
    row->total = nsc_sum(row->total, ns);
    row->shortest = nsc_earlier(row->shortest, ns);
    row->longest = nsc_later(row->longest, ns);
    return group;
}

/* ---- order ---- */

struct sorted {
    struct nsc_tally_row row;
    struct nsc_text text;
    uint64_t other;
    enum nsc_tally_order order;
    uint32_t group;
};

static int compare_texts(struct nsc_text a, struct nsc_text b)
{
    uint32_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.bytes, b.bytes, n) : 0;

    return order ? order : a.n < b.n ? -1 : a.n > b.n;
}

static int compare_rows(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order;

    if (x->order == NSC_TALLY_OTHER_TOTAL && x->other != y->other)
        return (int64_t)x->other < (int64_t)y->other ? -1 : 1;
    if (x->order == NSC_TALLY_COUNT && x->row.count != y->row.count)
        return x->row.count > y->row.count ? -1 : 1;
    if (x->order != NSC_TALLY_COUNT && x->row.total != y->row.total)
        return x->row.total > y->row.total ? -1 : 1;
    order = compare_texts(x->text, y->text);
    if (order)
        return order;
    return (int64_t)x->other < (int64_t)y->other ? -1 : (int64_t)x->other > (int64_t)y->other;
}

uint32_t *nsc_tally_sort(const struct nsc_tally *tally, enum nsc_tally_order order, unsigned text,
                         const struct nsc_texts *texts)
{
    size_t n = tally->rows.n;
    struct sorted *sorted = nsc_xmalloc((n + 1) * sizeof *sorted);
    uint32_t *groups = nsc_xmalloc((n + 1) * sizeof *groups);

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_tally_row *row = &tally->rows.at[i];

        sorted[i] = (struct sorted){*row, {"", 0}, row->key[1 - text], order, i};
        if (texts)
            sorted[i].text = nsc_texts_at(texts, (nsc_str)row->key[text]);
    }
    qsort(sorted, n, sizeof *sorted, compare_rows);
    for (size_t i = 0; i < n; i++)
        groups[i] = sorted[i].group;
    free(sorted);
    return groups;
}
