/* Makes the causes of idle time from groups of pieces with equal names. */
#include "analysis/device/idle_data.h"
#include "analysis/names/label.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"
#include "index/names.h"

#include <stdlib.h>

static void name_inside(struct nsc_idle_totals *totals)
{
    for (size_t i = 0; i < totals->inside.rows.n; i++) {
        const struct nsc_tally_row *row = &totals->inside.rows.at[i];
        struct nsc_idle_cause *cause = &totals->groups.at[row->key[0]].cause;

        if (row->total < cause->ns / 2 || row->total <= cause->inside_ns)
            continue;
        cause->inside = totals->inner.at[i];
        cause->inside_ns = row->total;
    }
}

static uint32_t fold_range(const struct nsc_idle_totals *totals, struct nsc_strpool *pool,
                           nsc_event range)
{
    char name[NSC_NAME_BYTES];

    if (range == NSC_NONE)
        return 0;
    return nsc_strpool_add(pool, name,
                           nsc_label_pattern(name, totals->walk.scope->trace, range, true)) +
           1;
}

NSC_COMPARE(compare_causes, struct nsc_idle_cause,
            NSC_MOST(ns) || NSC_LEAST(part) || NSC_LEAST(range) || NSC_LEAST(call))

static void merge_cause(const struct nsc_idle_totals *totals, struct nsc_idle_cause *into,
                        const struct nsc_idle_cause *of)
{
    into->is_mixed |= nsc_idle_name(totals, into->range) != nsc_idle_name(totals, of->range);
    into->ns = nsc_sum(into->ns, of->ns);
    into->inside_ns = nsc_sum(into->inside_ns, of->inside_ns);
    into->inside = into->inside == NSC_NONE ? of->inside : into->inside;
    into->gaps += of->gaps;
}

/* Whether the name is a function's, not an address or a mark such as "[Max depth]". */
static bool is_function(const struct nsc_idle_totals *totals, nsc_event sample)
{
    struct nsc_text name = nsc_event_name(totals->walk.scope->trace, sample);

    return name.n > 0 && name.bytes[0] != '[' && !nsc_text_begins(name, "0x");
}

/* Whether a function is one of Python's garbage collection, as the traversals of objects are. */
static bool is_collecting(const struct nsc_idle_totals *totals, nsc_event sample)
{
    static const char *const words[] = {
        "gc_collect",    "visit_reachable",  "visit_decref",     "visit_move",
        "subtract_refs", "update_refs",      "move_unreachable", "deduce_unreachable",
        "untrack_",      "tupletraverse",    "dict_traverse",    "list_traverse",
        "func_traverse", "subtype_traverse", "delete_garbage",   NULL};

    return nsc_text_contains_any(nsc_event_name(totals->walk.scope->trace, sample), words);
}

/* Names the function with the most samples of each cause. cause_of: by group. */
static void name_functions(struct nsc_idle_totals *totals, const uint32_t *cause_of)
{
    struct nsc_idle *idle = totals->idle;
    struct nsc_tally folded = {0};
    NSC_VEC(nsc_event) like = {0};
    uint32_t *most = nsc_xcalloc((size_t)idle->n_causes + 1, sizeof *most);

    for (size_t i = 0; i < totals->samples.rows.n; i++) {
        const struct nsc_tally_row *row = &totals->samples.rows.at[i];
        uint32_t cause = cause_of[row->key[0]];

        idle->causes[cause].samples += (uint32_t)row->total;
        if (is_collecting(totals, totals->sampled.at[i]))
            idle->causes[cause].collecting += (uint32_t)row->total;
        if (nsc_tally_add(&folded, cause, row->key[1], row->total) == like.n)
            *NSC_VEC_ADD(&like) = totals->sampled.at[i];
    }
    for (size_t i = 0; i < folded.rows.n; i++) {
        const struct nsc_tally_row *row = &folded.rows.at[i];
        struct nsc_idle_cause *cause = &idle->causes[row->key[0]];

        if (row->total < most[row->key[0]] || cause->samples < NSC_LIMIT_FEW)
            continue;
        cause->in_function = row->total > most[row->key[0]] && is_function(totals, like.at[i])
                                 ? (uint32_t)row->total
                                 : 0; /* a tie */
        cause->function = like.at[i];
        most[row->key[0]] = (uint32_t)row->total;
    }
    free(most);
    NSC_VEC_FINI(&like);
    nsc_tally_fini(&folded);
}

static void fold_causes(struct nsc_idle_totals *totals, struct nsc_strpool *pool)
{
    struct nsc_idle *idle = totals->idle;
    struct nsc_tally folded = {0};
    uint32_t *cause_of = nsc_xcalloc(totals->groups.n + 1, sizeof *cause_of);

    idle->causes = nsc_xcalloc(totals->groups.n + 1, sizeof *idle->causes);
    for (size_t i = 0; i < totals->groups.n; i++) {
        const struct nsc_idle_cause *cause = &totals->groups.at[i].cause;
        uint32_t at = nsc_tally_group(&folded, totals->tally.rows.at[i].key[0],
                                      (uint64_t)(cause->thread + 1) << 32 |
                                          fold_range(totals, pool, cause->range));

        cause_of[i] = at;
        if (at == idle->n_causes)
            idle->causes[idle->n_causes++] = *cause;
        else
            merge_cause(totals, &idle->causes[at], cause);
    }
    name_functions(totals, cause_of);
    free(cause_of);
    nsc_tally_fini(&folded);
    if (idle->n_causes > 1)
        qsort(idle->causes, idle->n_causes, sizeof *idle->causes, compare_causes);
}

NSC_COMPARE(compare_ranges, struct nsc_idle_range, NSC_MOST(late) || NSC_LEAST(like))

static void sum_ranges(struct nsc_idle_totals *totals, struct nsc_strpool *pool)
{
    struct nsc_idle *idle = totals->idle;
    struct nsc_tally folded = {0};

    idle->ranges = nsc_xcalloc((size_t)idle->n_causes + 1, sizeof *idle->ranges);
    for (uint32_t i = 0; i < idle->n_causes; i++) {
        const struct nsc_idle_cause *cause = &idle->causes[i];
        uint32_t at;

        if (cause->part >= NSC_GAP_LATE)
            continue;
        at = nsc_tally_group(&folded, fold_range(totals, pool, cause->range), 0);
        if (at == idle->n_ranges)
            idle->ranges[idle->n_ranges++] = (struct nsc_idle_range){.like = cause->range};
        idle->ranges[at].is_mixed |=
            cause->is_mixed ||
            nsc_idle_name(totals, cause->range) != nsc_idle_name(totals, idle->ranges[at].like);
        idle->ranges[at].late = nsc_sum(idle->ranges[at].late, cause->ns);
        idle->ranges[at].gaps += cause->gaps;
    }
    nsc_tally_fini(&folded);
    if (idle->n_ranges > 1)
        qsort(idle->ranges, idle->n_ranges, sizeof *idle->ranges, compare_ranges);
}

void nsc_idle_fold(struct nsc_idle_totals *totals)
{
    struct nsc_strpool pool;

    nsc_strpool_init(&pool);
    name_inside(totals);
    fold_causes(totals, &pool);
    sum_ranges(totals, &pool);
    nsc_strpool_fini(&pool);
}
