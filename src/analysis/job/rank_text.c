/* Writes series as text and reads them, for merging reports. */
#include "analysis/job/rank_ops.h"
#include "core/sum.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBERS = 8 };

static void put(struct nsc_buf *out, nsc_time value)
{
    nsc_buf_printf(out, "%s%" PRId64, out->n ? " " : "", value);
}

static void put_work(struct nsc_buf *out, const struct nsc_rank_work *from,
                     const struct nsc_rank_work *to)
{
    put(out, nsc_difference(to->busy, from->busy));
    put(out, nsc_difference(to->compute, from->compute));
    put(out, nsc_difference(to->copy, from->copy));
}

void nsc_rank_ops_format(struct nsc_buf *out, const struct nsc_rank_ops *ops,
                         const struct nsc_collective_series *series)
{
    struct nsc_rank_op before = {0};

    for (uint32_t i = 0; i < series->n && i < NSC_RANK_TEXT_OPS; i++) {
        const struct nsc_rank_op *op = &ops->ops.at[series->first + i];

        put(out, nsc_difference(op->start, before.start));
        put(out, nsc_span(op->start, op->end));
        put_work(out, &before.after, &op->before);
        put_work(out, &op->before, &op->after);
        before = *op;
    }
}

uint32_t nsc_rank_ops_add_export(struct nsc_rank_ops *ops, const char *label)
{
    *NSC_VEC_ADD(&ops->exports) =
        (struct nsc_rank_export){nsc_strpool_add(&ops->pool, label, strlen(label)), 0};
    return (uint32_t)ops->exports.n - 1;
}

/* Reads the next number, clamped to 64 bits; false if there is none. */
static bool next_number(nsc_time *out, struct nsc_text *text)
{
    bool is_negative = false;
    nsc_time value = 0;
    uint32_t i = 0;

    while (i < text->n && text->bytes[i] == ' ')
        i++;
    is_negative = i < text->n && text->bytes[i] == '-';
    i += is_negative;
    if (i == text->n || text->bytes[i] < '0' || text->bytes[i] > '9')
        return false;
    for (; i < text->n && text->bytes[i] >= '0' && text->bytes[i] <= '9'; i++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, text->bytes[i] - '0', &value))
            value = INT64_MAX / 16;
    *out = is_negative ? -value : value;
    *text = (struct nsc_text){text->bytes + i, text->n - i};
    return true;
}

static struct nsc_rank_work add_work(const struct nsc_rank_work *from, const nsc_time numbers[3])
{
    return (struct nsc_rank_work){nsc_sum(from->busy, numbers[0]),
                                  nsc_sum(from->compute, numbers[1]),
                                  nsc_sum(from->copy, numbers[2])};
}

static bool next_op(struct nsc_rank_op *op, struct nsc_text *text)
{
    struct nsc_rank_op before = *op;
    nsc_time numbers[NUMBERS];

    for (int i = 0; i < NUMBERS; i++)
        if (!next_number(&numbers[i], text))
            return false;
    op->start = nsc_sum(before.start, numbers[0]);
    op->end = nsc_sum(op->start, numbers[1] > 0 ? numbers[1] : 0);
    op->before = add_work(&before.after, numbers + 2);
    op->after = add_work(&op->before, numbers + 5);
    return true;
}

/* The rank with this process and GPU, if it is the last of the last export; else adds it. */
static uint32_t rank_of(struct nsc_rank_ops *ops, const struct nsc_rank_place *place)
{
    struct nsc_rank_place rank = *place;
    const struct nsc_rank_place *last = ops->ranks.n ? &ops->ranks.at[ops->ranks.n - 1] : NULL;

    rank.export_no = (uint32_t)ops->exports.n - 1;
    rank.label = ops->exports.at[rank.export_no].label;
    if (!last || last->export_no != rank.export_no || last->pid != rank.pid ||
        last->gpu != rank.gpu)
        *NSC_VEC_ADD(&ops->ranks) = rank;
    return (uint32_t)ops->ranks.n - 1;
}

bool nsc_rank_ops_parse(struct nsc_rank_ops *ops, const struct nsc_rank_place *place,
                        struct nsc_text name, int64_t comm, int64_t stream, struct nsc_text text)
{
    struct nsc_collective_series series = {
        .comm = comm, .stream = stream, .first = (uint32_t)ops->ops.n};
    struct nsc_rank_op op = {0};

    while (series.n < NSC_RANK_TEXT_OPS && next_op(&op, &text)) {
        *NSC_VEC_ADD(&ops->ops) = op;
        series.n++;
    }
    if (series.n == 0)
        return false;
    series.rank = rank_of(ops, place);
    series.name = nsc_strpool_add(&ops->pool, name.bytes, name.n);
    *NSC_VEC_ADD(&ops->all_series) = series;
    return true;
}
