/*
 * Measures the collectives of ranks: transfers, waits, clocks.
 */
#include "analysis/job/rank_collectives.h"

#include "core/chars.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranks ---- */

/* Finds N of "rankN", "rank_N", "rank-N" or "rank.N" in a label; -1 if there is none. */
static int64_t number_in(struct nsc_text label)
{
    for (uint32_t i = 0; i + 4 < label.n; i++) {
        uint32_t at = i + 4;
        int64_t number = 0;

        if (!nsc_text_begins((struct nsc_text){label.bytes + i, label.n - i}, "rank"))
            continue;
        at += label.bytes[at] == '_' || label.bytes[at] == '-' || label.bytes[at] == '.';
        if (at >= label.n || label.bytes[at] < '0' || label.bytes[at] > '9')
            continue;
        for (; at < label.n && label.bytes[at] >= '0' && label.bytes[at] <= '9' && number < 1000000;
             at++)
            number = number * 10 + (label.bytes[at] - '0');
        return number;
    }
    return -1;
}

/* A label without its "N: " prefix, split at its last number. */
struct split_label {
    struct nsc_text before, after;
    int64_t number; /* -1: none */
};

static struct split_label split(struct nsc_text label)
{
    struct split_label out = {.number = -1};
    uint32_t from = 0;
    uint32_t end = label.n;
    uint32_t at;

    while (from < label.n && nsc_is_digit(label.bytes[from]))
        from++;
    from = from > 0 && from < label.n && label.bytes[from] == ':' ? from + 1 : 0;
    while (end > from && !nsc_is_digit(label.bytes[end - 1]))
        end--;
    for (at = end; at > from && nsc_is_digit(label.bytes[at - 1]);)
        at--;
    out.before = (struct nsc_text){label.bytes + from, at - from};
    out.after = (struct nsc_text){label.bytes + end, label.n - end};
    for (uint32_t i = at; i < end && end - at <= 4; i++)
        out.number = (i > at ? out.number * 10 : 0) + (label.bytes[i] - '0');
    return out;
}

static bool are_equal(struct nsc_text a, struct nsc_text b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.bytes, b.bytes, a.n) == 0);
}

/* Whether the labels of all ranks differ only in their last number. */
static bool differ_by_number(const struct nsc_rank_collectives *out)
{
    struct split_label first = {0};

    for (size_t i = 0; i < out->ranks.n; i++) {
        struct split_label label =
            split(nsc_strpool_text(&out->ops->pool, out->ranks.at[i].place.label));

        if (i == 0)
            first = label;
        if (label.number < 0 || !are_equal(label.before, first.before) ||
            !are_equal(label.after, first.after))
            return false;
    }
    return out->ranks.n > 1;
}

static void number_ranks(struct nsc_rank_collectives *out)
{
    bool is_labelled = out->ops->exports.n == out->ranks.n;
    bool is_numbered = is_labelled && differ_by_number(out);

    for (size_t i = 0; i < out->ranks.n; i++) {
        struct nsc_job_rank *rank = &out->ranks.at[i];
        struct nsc_text label = nsc_strpool_text(&out->ops->pool, rank->place.label);

        rank->number = is_numbered ? split(label).number : number_in(label);
        is_labelled = is_labelled && rank->number >= 0;
        for (size_t k = 0; k < i && is_labelled; k++)
            is_labelled = out->ranks.at[k].number != rank->number;
    }
    for (size_t i = 0; i < out->ranks.n && !is_labelled; i++)
        out->ranks.at[i].number = (int64_t)i;
}

/* "0-3 6": the numbers of a group's ranks. */
static nsc_str name_members(struct nsc_rank_collectives *out, const struct nsc_rank_group *group)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    nsc_str members = 0;

    for (uint32_t from = 0, to = 0; from < group->n_ranks; from = to) {
        int64_t first = out->ranks.at[group->ranks[from]].number;

        for (to = from + 1;
             to < group->n_ranks && out->ranks.at[group->ranks[to]].number == first + (to - from);)
            to++;
        nsc_buf_printf(&text, "%s%" PRId64, from ? " " : "", first);
        if (to - from > 1)
            nsc_buf_printf(&text, "%s%" PRId64, to - from > 2 ? "-" : " ", first + (to - from) - 1);
    }
    members = nsc_strpool_add(&out->texts, text.bytes, text.n);
    nsc_buf_fini(&text);
    return members;
}

/* ---- corrected times ---- */

static nsc_time correct(const struct nsc_rank_collectives *collectives, uint32_t rank, nsc_time t)
{
    uint32_t export_no = collectives->ranks.at[rank].place.export_no;

    return nsc_difference(t, nsc_rank_clock_ahead(&collectives->fitted, export_no, t));
}

static const struct nsc_rank_op *op_of(const struct nsc_rank_collectives *collectives,
                                       const struct nsc_rank_group *group, uint32_t i, uint32_t m)
{
    return &collectives->ops->ops.at[group->ops[(size_t)i * group->n_ranks + m]];
}

void nsc_rank_starts(nsc_time out[], const struct nsc_rank_collectives *collectives,
                     const struct nsc_rank_group *group, uint32_t i)
{
    for (uint32_t m = 0; m < group->n_ranks; m++)
        out[m] = correct(collectives, group->ranks[m], op_of(collectives, group, i, m)->start);
}

/* ---- clocks ---- */

/* The distance of an end from the middle of its instance. */
struct residual {
    uint32_t export_no;
    nsc_time ns;
};

struct residuals {
    NSC_VEC(struct residual) list;
};

static int compare_residuals(const void *a, const void *b)
{
    const struct residual *x = a;
    const struct residual *y = b;

    if (x->export_no != y->export_no)
        return x->export_no < y->export_no ? -1 : 1;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

/* Adds the distance of each end from the middle between the first and last end of its instance. */
static void add_residuals(struct residuals *out, const struct nsc_rank_collectives *collectives,
                          const struct nsc_rank_group *group)
{
    nsc_time *ends = nsc_xcalloc(group->n_ranks, sizeof *ends);

    for (uint32_t i = 0; i < group->n; i++) {
        nsc_time first = INT64_MAX;
        nsc_time last = INT64_MIN;
        nsc_time middle = 0;

        for (uint32_t m = 0; m < group->n_ranks; m++) {
            ends[m] = correct(collectives, group->ranks[m], op_of(collectives, group, i, m)->end);
            first = nsc_earlier(first, ends[m]);
            last = nsc_later(last, ends[m]);
        }
        middle = (first & last) + ((first ^ last) >> 1); /* the mean of any two values, rounded
                                                          * down */
        for (uint32_t m = 0; m < group->n_ranks; m++)
            *NSC_VEC_ADD(&out->list) =
                (struct residual){collectives->ranks.at[group->ranks[m]].place.export_no,
                                  nsc_difference(ends[m], middle)};
    }
    free(ends);
}

/* The percentile of sorted values, by nearest rank. */
static nsc_time rank_at(const struct residual residuals[], size_t n, unsigned percent)
{
    size_t at = (n * percent + 99) / 100;

    return residuals[at ? at - 1 : 0].ns;
}

static void set_clocks(struct nsc_rank_collectives *out)
{
    struct residuals residuals = {0};
    const struct residual *at = NULL;

    out->clocks = nsc_xcalloc(out->ops->exports.n + 1, sizeof *out->clocks);
    for (size_t i = 0; i < out->groups.list.n; i++)
        add_residuals(&residuals, out, &out->groups.list.at[i]);
    at = residuals.list.at;
    NSC_VEC_SORT(&residuals.list, compare_residuals);
    for (size_t from = 0, end = 0; from < residuals.list.n; from = end) {
        uint32_t export_no = at[from].export_no;

        while (end < residuals.list.n && at[end].export_no == export_no)
            end++;
        out->clocks[export_no] = (struct nsc_clock){
            .ends = (uint32_t)(end - from),
            .correction = nsc_rank_clock_ahead(&out->fitted, export_no, out->fitted.origin),
            .drift = out->fitted.of[export_no].drift * 1e6,
            .p05 = rank_at(at + from, end - from, 5),
            .p95 = rank_at(at + from, end - from, 95)};
    }
    NSC_VEC_FINI(&residuals.list);
}

/* The noise of a group: starts closer than this count as equal. */
static nsc_time noise_of(const struct nsc_rank_collectives *collectives,
                         const struct nsc_rank_group *group)
{
    nsc_time noise = 1000 * NSC_LIMIT_LATE_NOISE;

    for (uint32_t m = 0; m < group->n_ranks; m++) {
        const struct nsc_clock *clock =
            &collectives->clocks[collectives->ranks.at[group->ranks[m]].place.export_no];

        noise = nsc_later(noise, nsc_span(clock->p05, clock->p95));
    }
    return noise;
}

/* ---- figures ---- */

static void measure_wait(struct nsc_rank_collectives *out, struct nsc_rank_collective *collective,
                         uint32_t rank_no, const struct nsc_rank_op *op, nsc_time transfer)
{
    struct nsc_job_rank *rank = &out->ranks.at[rank_no];
    nsc_time wait = nsc_span(op->start, op->end) - transfer;

    rank->matched++;
    rank->waited = nsc_sum(rank->waited, wait);
    rank->transfer = nsc_sum(rank->transfer, transfer);
    collective->waited = nsc_sum(collective->waited, wait);
    if (wait > collective->worst_wait || collective->worst_at == INT64_MIN) {
        collective->worst_wait = wait;
        collective->worst_at = op->start;
    }
}

/* The only parallelism in which the members have different places. */
static enum nsc_parallel find_axis(const struct nsc_rank_collectives *out,
                                   const struct nsc_rank_group *group)
{
    const struct nsc_rank_place *ranks = out->ops->ranks.at;
    enum nsc_parallel found = NSC_PARALLEL_UNKNOWN;

    for (unsigned p = 1; p < NSC_N_PARALLELS; p++) {
        bool differ = false;

        for (uint32_t m = 1; m < group->n_ranks; m++)
            differ = differ || ranks[group->ranks[m]].mesh[p] != ranks[group->ranks[0]].mesh[p];
        if (differ && found != NSC_PARALLEL_UNKNOWN)
            return NSC_PARALLEL_UNKNOWN;
        found = differ ? (enum nsc_parallel)p : found;
    }
    return found;
}

static enum nsc_parallel name_parallel(const struct nsc_rank_collectives *out,
                                       const struct nsc_rank_group *group)
{
    uint64_t said[NSC_N_PARALLELS] = {0};
    uint64_t all = (uint64_t)group->n * group->n_ranks;

    for (uint64_t i = 0; i < all; i++)
        said[out->ops->ops.at[group->ops[i]].parallel]++;
    for (unsigned p = 1; p < NSC_N_PARALLELS; p++)
        if (said[p] * 100 >= all * NSC_LIMIT_RANK_SAID && said[p] + said[0] == all && said[p] > 0)
            return (enum nsc_parallel)p;
    return said[0] == all ? find_axis(out, group) : NSC_PARALLEL_UNKNOWN;
}

static void measure_group(struct nsc_rank_collectives *out, uint32_t group_no)
{
    const struct nsc_rank_group *group = &out->groups.list.at[group_no];
    struct nsc_rank_collective collective = {.name = group->name,
                                             .members = name_members(out, group),
                                             .group = group_no,
                                             .parallel = name_parallel(out, group),
                                             .n_ranks = group->n_ranks,
                                             .instances = group->n,
                                             .worst_at = INT64_MIN,
                                             .noise = noise_of(out, group)};
    nsc_time *starts = nsc_xcalloc(group->n_ranks, sizeof *starts);

    for (uint32_t i = 0; i < group->n; i++) {
        nsc_time transfer = INT64_MAX;
        nsc_time first = INT64_MAX;
        nsc_time latest = INT64_MIN;

        nsc_rank_starts(starts, out, group, i);
        for (uint32_t m = 0; m < group->n_ranks; m++) {
            transfer = nsc_earlier(
                transfer, nsc_span(op_of(out, group, i, m)->start, op_of(out, group, i, m)->end));
            first = nsc_earlier(first, starts[m]);
            latest = nsc_later(latest, starts[m]);
        }
        collective.transfer = nsc_sum(collective.transfer, transfer);
        for (uint32_t m = 0; m < group->n_ranks; m++)
            measure_wait(out, &collective, group->ranks[m], op_of(out, group, i, m), transfer);
        collective.decided += nsc_span(first, latest) > collective.noise;
    }
    *NSC_VEC_ADD(&out->list) = collective;
    free(starts);
}

static int compare_collectives(const void *a, const void *b)
{
    const struct nsc_rank_collective *x = a;
    const struct nsc_rank_collective *y = b;

    if (x->waited != y->waited)
        return x->waited > y->waited ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

static void list_unmatched(struct nsc_rank_collectives *out)
{
    for (size_t s = 0; s < out->ops->all_series.n; s++) {
        const struct nsc_collective_series *series = &out->ops->all_series.at[s];
        struct nsc_unmatched *last =
            out->unmatched.n ? &out->unmatched.at[out->unmatched.n - 1] : NULL;
        uint32_t n = 0;

        for (uint32_t op = series->first; op < series->first + series->n; op++)
            n += !out->groups.is_matched[op];
        if (n == 0)
            continue;
        if (last && last->name == series->name && last->rank == series->rank)
            last->n += n; /* on another stream */
        else
            *NSC_VEC_ADD(&out->unmatched) = (struct nsc_unmatched){series->name, series->rank, n};
    }
}

void nsc_rank_collectives_build(struct nsc_rank_collectives *out, const struct nsc_rank_ops *ops)
{
    memset(out, 0, sizeof *out);
    out->ops = ops;
    nsc_strpool_init(&out->texts);
    for (size_t i = 0; i < ops->ranks.n; i++)
        *NSC_VEC_ADD(&out->ranks) = (struct nsc_job_rank){.place = ops->ranks.at[i]};
    number_ranks(out);
    nsc_rank_clocks_build(&out->fitted, ops);
    nsc_rank_groups_build(&out->groups, ops, &out->fitted);
    set_clocks(out);
    for (uint32_t i = 0; i < out->groups.list.n; i++)
        measure_group(out, i);
    NSC_VEC_SORT(&out->list, compare_collectives);
    list_unmatched(out);
    nsc_rank_late_find(out);
}

void nsc_rank_collectives_fini(struct nsc_rank_collectives *collectives)
{
    nsc_strpool_fini(&collectives->texts);
    nsc_rank_clocks_fini(&collectives->fitted);
    nsc_rank_groups_fini(&collectives->groups);
    NSC_VEC_FINI(&collectives->ranks);
    NSC_VEC_FINI(&collectives->list);
    NSC_VEC_FINI(&collectives->unmatched);
    NSC_VEC_FINI(&collectives->late);
    free(collectives->clocks);
    memset(collectives, 0, sizeof *collectives);
}
