/* Gathers the ranks of a job from exports. */
#include "analysis/job/fleet.h"

#include "analysis/base/limit.h"
#include "analysis/job/rank_rows.h"
#include "core/bisect.h"
#include "core/chars.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

void nsc_fleet_init(struct nsc_fleet *fleet)
{
    memset(fleet, 0, sizeof *fleet);
    nsc_strpool_init(&fleet->texts);
}

struct nsc_text nsc_fleet_text(const struct nsc_fleet *fleet, nsc_str id)
{
    return nsc_strpool_text(&fleet->texts, id);
}

static nsc_str add_text(struct nsc_fleet *fleet, struct nsc_text text)
{
    return nsc_strpool_add(&fleet->texts, text.bytes, text.n);
}

/* ---- numbers ---- */

int64_t nsc_fleet_number_in(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *leaf = slash ? slash + 1 : name;
    const char *end = strchr(leaf, '.') ? strrchr(leaf, '.') : leaf + strlen(leaf);
    const char *at = strstr(leaf, "rank");
    int64_t number = 0;

    at = at ? at + 4 + strspn(at + 4, "-_.=") : end;
    if (at >= end || !nsc_is_digit(*at)) {
        while (end > leaf && !nsc_is_digit(end[-1]))
            end--;
        for (at = end; at > leaf && nsc_is_digit(at[-1]);)
            at--;
    }
    if (!nsc_is_digit(*at))
        return -1;
    for (; nsc_is_digit(*at) && number < INT32_MAX; at++)
        number = number * 10 + (*at - '0');
    return number;
}

void nsc_fleet_number(struct nsc_fleet *fleet)
{
    bool is_own = true;

    for (size_t i = 0; i < fleet->ranks.n; i++)
        is_own = is_own && fleet->ranks.at[i].number >= 0 &&
                 (i == 0 || fleet->ranks.at[i].number > fleet->ranks.at[i - 1].number);
    for (size_t i = 0; i < fleet->ranks.n && !is_own; i++)
        fleet->ranks.at[i].number = (int64_t)i;
}

/* ---- steps ---- */

NSC_COMPARE(compare_ops, struct nsc_rank_op *const, NSC_BY(NSC_ORDER((*x)->start, (*y)->start)))

bool nsc_fleet_is_beside(const struct nsc_rank_op *op)
{
    return (double)nsc_span(op->before.compute, op->after.compute) >
           NSC_SHARE(MATTERS) * (double)nsc_span(op->start, op->end);
}

/* Cuts the time of a rank into steps by its collectives, and adds its work up. */
static void cut_steps(struct nsc_fleet_rank *rank, const struct nsc_rank_op *const ops[],
                      uint32_t n)
{
    const struct nsc_rank_work *from = &ops[0]->before;
    const struct nsc_rank_work *to = &ops[n - 1]->after;
    nsc_time busy = nsc_span(from->busy, to->busy);
    bool begins = true;

    rank->start = nsc_xcalloc(n, sizeof *rank->start);
    rank->of_a_row = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (begins)
            rank->start[rank->n_rows++] = ops[i]->start;
        begins = !nsc_fleet_is_beside(ops[i]);
    }
    rank->span = nsc_span(ops[0]->start, ops[n - 1]->end);
    rank->total[NSC_PART_COMPUTE] = nsc_span(from->compute, to->compute);
    rank->total[NSC_PART_OTHER] = nsc_span(from->copy, to->copy);
    rank->total[NSC_PART_IDLE] = nsc_span(busy, rank->span);
    rank->total[NSC_PART_EXPOSED] =
        nsc_span(nsc_sum(rank->total[NSC_PART_COMPUTE], rank->total[NSC_PART_OTHER]), busy);
}

static void add_steps(struct nsc_fleet_rank *rank, const struct nsc_rank_ops *ops, uint32_t rank_no)
{
    const struct nsc_rank_op **order = nsc_xcalloc(ops->ops.n + 1, sizeof(void *));
    uint32_t n = 0;

    for (size_t s = 0; s < ops->all_series.n; s++) {
        const struct nsc_collective_series *series = &ops->all_series.at[s];
        bool cuts = series->rank == rank_no && /* waits of MPI do not */
                    !nsc_text_begins(nsc_strpool_text(&ops->pool, series->name), "MPI_Wait");

        for (uint32_t i = 0; i < series->n && cuts; i++)
            order[n++] = &ops->ops.at[series->first + i];
    }
    if (n > 0) {
        qsort(order, n, sizeof(void *), compare_ops);
        cut_steps(rank, order, n);
    }
    free(order);
}

/* ---- collectives ---- */

static nsc_time typical(const struct nsc_fleet *fleet, const struct nsc_fleet_series *series)
{
    nsc_time some[33];
    uint32_t n = series->n < 33 ? series->n : 33;

    for (uint32_t i = 0; i < n; i++)
        some[i] = (nsc_time)fleet->lasts.at[series->first + (size_t)i * series->n / n];
    qsort(some, n, sizeof *some, nsc_time_compare);
    return n ? some[(n - 1) / 2] : 0;
}

void nsc_fleet_add_series(struct nsc_fleet *fleet, struct nsc_fleet_series series,
                          uint32_t first_rank)
{
    series.n = (uint32_t)(fleet->start.n - series.first);
    series.typical = typical(fleet, &series);
    for (size_t k = fleet->series.n; k > 0 && fleet->series.at[k - 1].rank >= first_rank; k--)
        series.ordinal += fleet->series.at[k - 1].rank == series.rank &&
                          fleet->series.at[k - 1].name == series.name &&
                          fleet->series.at[k - 1].comm == series.comm;
    *NSC_VEC_ADD(&fleet->series) = series;
}

void nsc_fleet_name_parallel(struct nsc_fleet_series *out, const struct nsc_rank_op ops[],
                             uint32_t n)
{
    uint32_t said[NSC_N_PARALLELS] = {0};

    for (uint32_t i = 0; i < n; i++)
        said[ops[i].parallel]++;
    out->is_silent = said[NSC_PARALLEL_UNKNOWN] == n;
    for (unsigned p = 1; p < NSC_N_PARALLELS; p++)
        if ((uint64_t)said[p] * 100 >= (uint64_t)n * NSC_LIMIT_NEARLY_ALL &&
            said[p] + said[NSC_PARALLEL_UNKNOWN] == n && said[p] > 0)
            out->parallel = (enum nsc_parallel)p;
}

static void add_series(struct nsc_fleet *fleet, const struct nsc_rank_ops *ops,
                       const struct nsc_collective_series *of, uint32_t first_rank)
{
    const struct nsc_rank_op *at = &ops->ops.at[of->first];
    struct nsc_fleet_series series = {.name =
                                          add_text(fleet, nsc_strpool_text(&ops->pool, of->name)),
                                      .rank = first_rank + of->rank,
                                      .comm = of->comm,
                                      .every = 1,
                                      .first = fleet->start.n};

    nsc_fleet_name_parallel(&series, at, of->n);
    for (uint32_t i = 0; i < of->n; i++) {
        *NSC_VEC_ADD(&fleet->start) = at[i].start;
        *NSC_VEC_ADD(&fleet->beside) = nsc_fleet_is_beside(&at[i]);
        *NSC_VEC_ADD(&fleet->lasts) =
            (float)nsc_earlier(nsc_span(at[i].start, at[i].end), INT64_MAX / 4);
    }
    nsc_fleet_add_series(fleet, series, first_rank);
}

static void add_rank(struct nsc_fleet *fleet, const struct nsc_rank_ops *ops, uint32_t rank_no,
                     uint32_t first_export)
{
    const struct nsc_rank_place *place = &ops->ranks.at[rank_no];
    struct nsc_text label = nsc_strpool_text(&ops->pool, place->label);
    struct nsc_fleet_rank *rank = NSC_VEC_ADD(&fleet->ranks);

    *rank = (struct nsc_fleet_rank){.label = add_text(fleet, label),
                                    .export_no = first_export + place->export_no,
                                    .pid = place->pid,
                                    .gpu = place->gpu};
    memcpy(rank->mesh, place->mesh, sizeof rank->mesh);
    rank->number = nsc_fleet_number_in(nsc_fleet_text(fleet, rank->label).bytes);
    add_steps(rank, ops, rank_no);
}

void nsc_fleet_add_ops(struct nsc_fleet *fleet, const struct nsc_rank_ops *ops)
{
    uint32_t first_export = (uint32_t)fleet->exports.n;
    uint32_t first_rank = (uint32_t)fleet->ranks.n;

    for (size_t i = 0; i < ops->exports.n; i++)
        *NSC_VEC_ADD(&fleet->exports) = (struct nsc_rank_export){
            add_text(fleet, nsc_strpool_text(&ops->pool, ops->exports.at[i].label)),
            ops->exports.at[i].offset};
    for (uint32_t i = 0; i < ops->ranks.n; i++)
        add_rank(fleet, ops, i, first_export);
    for (size_t i = 0; i < ops->all_series.n; i++)
        add_series(fleet, ops, &ops->all_series.at[i], first_rank);
}

/* ---- exports ---- */

/* Takes the iterations of a rank as its steps. */
static void take_rows(struct nsc_fleet_rank *rank, const struct nsc_rank_rows *rows)
{
    if (rows->n < 2)
        return;
    free(rank->start);
    rank->start = nsc_xcalloc(rows->n, sizeof *rank->start);
    memcpy(rank->start, rows->start, rows->n * sizeof *rank->start);
    rank->n_rows = rows->n;
    rank->of_a_row = rows->each;
    rank->span = nsc_span(rank->start[0], rows->end);
    for (size_t i = 0; i < rows->parts.n; i++) {
        const struct nsc_row_part *part = &rows->parts.at[i];

        if (!part->cause) {
            rank->total[part->class] = part->total;
        } else if (rank->n_causes < NSC_FLEET_CAUSES) {
            rank->causes[rank->n_causes].word = part->cause;
            rank->causes[rank->n_causes++].total = part->total;
        }
    }
}

/* Adds the interludes of the iterations: they are those of each of the ranks from first_rank on. */
static void add_interludes(struct nsc_fleet *fleet, const struct nsc_trace *trace,
                           const struct nsc_iterations *iterations, size_t first_rank)
{
    char scratch[NSC_NAME_BYTES];
    uint32_t first = (uint32_t)fleet->interludes.n;

    for (uint32_t i = 0; i < iterations->n_interludes; i++) {
        const struct nsc_interlude *of = &iterations->interludes[i];

        *NSC_VEC_ADD(&fleet->interludes) = (struct nsc_fleet_interlude){
            add_text(fleet, nsc_trace_event_text(trace, of->event, true, scratch)), of->after};
    }
    for (size_t i = first_rank; i < fleet->ranks.n; i++) {
        fleet->ranks.at[i].first_interlude = first;
        fleet->ranks.at[i].n_interludes = iterations->n_interludes;
    }
}

void nsc_fleet_add(struct nsc_fleet *fleet, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields, const char *label)
{
    size_t first_rank = fleet->ranks.n;
    struct nsc_iterations iterations;
    struct nsc_all_rank_rows rows = {0};
    struct nsc_rank_ops ops;

    nsc_rank_ops_init(&ops);
    nsc_rank_ops_add(&ops, scope, fields, label);
    nsc_fleet_add_ops(fleet, &ops);
    for (size_t i = 0; i < ops.ranks.n; i++) {
        const struct nsc_trace_info *info =
            &nsc_trace_captures(scope->trace, NULL)[ops.ranks.at[i].export_no];
        struct nsc_text path = nsc_trace_string(scope->trace, info->path);

        fleet->ranks.at[first_rank + i].host =
            add_text(fleet, nsc_trace_string(scope->trace, info->host));
        fleet->ranks.at[first_rank + i].number = nsc_fleet_number_in(path.bytes);
    }
    (void)nsc_iterations_find(&iterations, scope->trace);
    if (iterations.n > 1) {
        nsc_rank_rows_build(&rows, &fleet->texts, scope, &iterations, &ops);
        for (size_t i = 0; i < ops.ranks.n; i++)
            take_rows(&fleet->ranks.at[first_rank + i], &rows.at.at[rows.of[i]]);
        nsc_rank_rows_fini(&rows);
    }
    add_interludes(fleet, scope->trace, &iterations, first_rank);
    nsc_iterations_fini(&iterations);
    nsc_rank_ops_fini(&ops);
}

uint32_t nsc_fleet_row_at(const struct nsc_fleet_rank *rank, nsc_time t)
{
    uint32_t low = 0;
    uint32_t high = rank->n_rows;

    NSC_BISECT(low, high, middle, rank->start[middle] <= t);
    return low ? low - 1 : 0;
}

void nsc_fleet_rank_fini(struct nsc_fleet_rank *rank)
{
    free(rank->start);
    free(rank->parts);
}

void nsc_fleet_fini(struct nsc_fleet *fleet)
{
    NSC_VEC_FINI_EACH(&fleet->ranks, nsc_fleet_rank_fini);
    NSC_VEC_FINI(&fleet->exports);
    NSC_VEC_FINI(&fleet->series);
    NSC_VEC_FINI(&fleet->interludes);
    NSC_VEC_FINI(&fleet->start);
    NSC_VEC_FINI(&fleet->lasts);
    NSC_VEC_FINI(&fleet->beside);
    nsc_strpool_fini(&fleet->texts);
}
