/* Orders the lines of a job's heatmap. */
#include "board/lines.h"

#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

struct ordering {
    const uint32_t *key;  /* by rank: its node or group */
    const nsc_time *late; /* by rank; folded: by key */
    uint32_t sort;
    bool folded;
};

/* The text of a node that was read earlier is less. */
static int compare(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *ordering = context;
    uint32_t x = ordering->key[a];
    uint32_t y = ordering->key[b];
    nsc_time m = ordering->late[ordering->folded ? x : a];
    nsc_time n = ordering->late[ordering->folded ? y : b];

    if (ordering->sort == NSC_LINES_BY_LATENESS && m != n)
        return m > n ? -1 : 1;
    if (!ordering->folded && ordering->sort < NSC_LINES_BY_NODE)
        return 0;
    return NSC_ORDER(x, y);
}

static bool keeps(const struct nsc_job_values *values, uint32_t rank, const char *filter)
{
    const struct nsc_fleet_rank *of = &values->fleet->ranks.at[rank];
    char *end;
    int64_t first = strtoll(filter, &end, 10);
    int64_t last = *end == '-' && end > filter ? strtoll(end + 1, &end, 10) : first;

    if (end > filter && !*end)
        return of->number >= first && of->number <= last;
    return nsc_text_contains_folded(nsc_fleet_text(values->fleet, of->host), nsc_text_from(filter));
}

/* By rank, the number of its node or group. */
static uint32_t *keys_of(const struct nsc_job_values *values, const struct nsc_job_split *split)
{
    uint32_t *key = nsc_xcalloc(values->n_ranks + 1, sizeof *key);

    for (uint32_t i = 0; i < values->n_ranks; i++)
        key[i] = split ? split->group[i] : values->fleet->ranks.at[i].host;
    return key;
}

/* By key, the lateness of its latest rank. */
static nsc_time *latest(const struct nsc_job_values *values, const uint32_t key[])
{
    nsc_time *late;
    uint32_t most = 0;

    for (uint32_t i = 0; i < values->n_ranks; i++)
        most = key[i] > most ? key[i] : most;
    late = nsc_xcalloc((size_t)most + 1, sizeof *late);
    for (uint32_t i = 0; i < values->n_ranks; i++)
        late[key[i]] = nsc_later(late[key[i]], values->late[i]);
    return late;
}

void nsc_lines_build(struct nsc_lines *out, const struct nsc_job_values *values,
                     const struct nsc_job_split *split, uint32_t sort, bool folded,
                     const char *filter)
{
    uint32_t *key = keys_of(values, split);
    nsc_time *late = latest(values, key);
    struct ordering ordering = {key, folded ? late : values->late, sort, folded};
    uint32_t n = 0;

    *out = (struct nsc_lines){nsc_xcalloc(values->n_ranks + 1, sizeof(uint32_t)),
                              nsc_xcalloc(values->n_ranks + 1, sizeof(uint32_t)), 0};
    for (uint32_t i = 0; i < values->n_ranks; i++)
        if (keeps(values, i, filter))
            out->rank[n++] = i;
    nsc_sort_by(out->rank, n, compare, &ordering);
    for (uint32_t i = 0; i < n; i++)
        if (!folded || i == 0 || key[out->rank[i]] != key[out->rank[i - 1]])
            out->first[out->n++] = i;
    out->first[out->n] = n;
    free(late);
    free(key);
}

uint32_t nsc_lines_find(const struct nsc_lines *lines, uint32_t rank)
{
    for (uint32_t line = 0; line < lines->n; line++)
        for (uint32_t i = lines->first[line]; i < lines->first[line + 1]; i++)
            if (lines->rank[i] == rank)
                return line;
    return lines->n;
}

void nsc_lines_fini(struct nsc_lines *lines)
{
    free(lines->rank);
    free(lines->first);
}
