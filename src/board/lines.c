/* Orders the lines of a job's heatmap. */
#include "board/lines.h"

#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

struct ordering {
    const struct nsc_fleet_rank *ranks;
    const nsc_time *late; /* by rank; folded: by node */
    enum nsc_lines_sort sort;
    bool folded;
};

/* The text of a node that was read earlier is less. */
static int compare(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *ordering = context;
    nsc_str x = ordering->ranks[a].host;
    nsc_str y = ordering->ranks[b].host;

    nsc_time m = ordering->late[ordering->folded ? x : a];
    nsc_time n = ordering->late[ordering->folded ? y : b];

    if (ordering->sort == NSC_LINES_BY_LATENESS && m != n)
        return m > n ? -1 : 1;
    if (!ordering->folded && ordering->sort != NSC_LINES_BY_NODE)
        return 0;
    return x < y ? -1 : x > y;
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

/* By node, the lateness of its latest rank. */
static nsc_time *latest(const struct nsc_job_values *values)
{
    const struct nsc_fleet_rank *ranks = values->fleet->ranks.at;
    nsc_time *late;
    nsc_str most = 0;

    for (uint32_t i = 0; i < values->n_ranks; i++)
        most = ranks[i].host > most ? ranks[i].host : most;
    late = nsc_xcalloc((size_t)most + 1, sizeof *late);
    for (uint32_t i = 0; i < values->n_ranks; i++)
        late[ranks[i].host] = nsc_later(late[ranks[i].host], values->late[i]);
    return late;
}

void nsc_lines_build(struct nsc_lines *out, const struct nsc_job_values *values,
                     enum nsc_lines_sort sort, bool folded, const char *filter)
{
    const struct nsc_fleet_rank *ranks = values->fleet->ranks.at;
    nsc_time *late = latest(values);
    struct ordering ordering = {ranks, folded ? late : values->late, sort, folded};
    uint32_t n = 0;

    *out = (struct nsc_lines){nsc_xcalloc(values->n_ranks + 1, sizeof(uint32_t)),
                              nsc_xcalloc(values->n_ranks + 1, sizeof(uint32_t)), 0};
    for (uint32_t i = 0; i < values->n_ranks; i++)
        if (keeps(values, i, filter))
            out->rank[n++] = i;
    nsc_sort_by(out->rank, n, compare, &ordering);
    for (uint32_t i = 0; i < n; i++)
        if (!folded || i == 0 || ranks[out->rank[i]].host != ranks[out->rank[i - 1]].host)
            out->first[out->n++] = i;
    out->first[out->n] = n;
    free(late);
}

uint32_t nsc_lines_find(const struct nsc_lines *lines, uint32_t rank)
{
    for (uint32_t line = 0; line < lines->n; line++)
        for (uint32_t i = lines->first[line]; i < lines->first[line + 1]; i++)
            if (lines->rank[i] == rank)
                return line;
    return 0;
}

void nsc_lines_fini(struct nsc_lines *lines)
{
    free(lines->rank);
    free(lines->first);
}
