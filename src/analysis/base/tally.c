/*
 * Sums durations by group and sorts the groups.
 */
#include "analysis/base/tally.h"

#include "core/sort.h"
#include "core/text.h"

#include <string.h>

void nsc_tally_fini(struct nsc_tally *tally)
{
    NSC_VEC_FINI(&tally->rows);
    NSC_VEC_FINI(&tally->extremes);
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
    uint64_t hash = nsc_hash_mix(nsc_hash_mix(0, key[0]), key[1]);
    uint32_t group =
        nsc_idtable_place(&tally->table, hash, is_equal, tally, key, (uint32_t)tally->rows.n);

    if (group < tally->rows.n)
        return group;
    *NSC_VEC_ADD(&tally->rows) = (struct nsc_tally_row){.key = {first, second}};
    if (tally->has_extremes)
        *NSC_VEC_ADD(&tally->extremes) = (struct nsc_tally_extremes){INT64_MAX, INT64_MIN};
    return group;
}

uint32_t nsc_tally_add(struct nsc_tally *tally, uint64_t first, uint64_t second, nsc_time ns)
{
    uint32_t group = nsc_tally_group(tally, first, second);

    nsc_tally_count(tally, group, ns);
    return group;
}

void nsc_tally_merge(struct nsc_tally *out, const struct nsc_tally *of, unsigned key)
{
    for (size_t i = 0; i < of->rows.n; i++) {
        const struct nsc_tally_row *from = &of->rows.at[i];
        uint32_t group = nsc_tally_group(out, from->key[key], 0); /* may move them */
        struct nsc_tally_row *row = &out->rows.at[group];

        row->count += from->count;
        row->total = nsc_sum(row->total, from->total);
    }
}

/* ---- order ---- */

struct sorted {
    struct nsc_tally_row row;
    struct nsc_text text;
    uint64_t other;
    enum nsc_tally_order order;
    uint32_t group;
};

NSC_COMPARE(compare_rows, struct sorted,
            (x->order == NSC_TALLY_OTHER_TOTAL &&
             NSC_BY(NSC_ORDER((int64_t)x->other, (int64_t)y->other))) ||
                NSC_MOST(row.total) || NSC_BY(nsc_text_compare(x->text, y->text)) ||
                NSC_BY(NSC_ORDER((int64_t)x->other, (int64_t)y->other)) || NSC_LEAST(group))

/* Sorts groups with equal keys by the further criteria. */
static void sort_run(struct nsc_sort_pair pairs[], size_t n, const struct sorted *like,
                     const struct nsc_tally *tally, struct nsc_texts *texts, unsigned text)
{
    struct sorted *run;

    if (n < 2)
        return;
    run = nsc_xmalloc(n * sizeof *run);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_tally_row *row = &tally->rows.at[pairs[i].value];

        run[i] = (struct sorted){*row, {"", 0}, row->key[1 - text], like->order, pairs[i].value};
        if (texts)
            run[i].text = nsc_texts_at(texts, (nsc_str)row->key[text]);
    }
    qsort(run, n, sizeof *run, compare_rows);
    for (size_t i = 0; i < n; i++)
        pairs[i].value = run[i].group;
    free(run);
}

uint32_t *nsc_tally_sort(const struct nsc_tally *tally, enum nsc_tally_order order, unsigned text,
                         struct nsc_texts *texts)
{
    const struct sorted like = {.order = order};
    size_t n = tally->rows.n;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);
    uint32_t *groups;

    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct nsc_sort_pair){
            /* the greatest total first */
            order == NSC_TALLY_OTHER_TOTAL ? 0 : ~nsc_sort_key(tally->rows.at[i].total), i};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t first = 0, end = 0; first < n; first = end) {
        for (end = first; end < n && pairs[end].key == pairs[first].key;)
            end++;
        sort_run(pairs + first, end - first, &like, tally, texts, text);
    }
    groups = nsc_xmalloc((n + 1) * sizeof *groups);
    for (size_t i = 0; i < n; i++)
        groups[i] = pairs[i].value;
    free(pairs);
    return groups;
}
