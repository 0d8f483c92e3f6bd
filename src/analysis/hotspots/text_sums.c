/* Sums durations by process and text. */
#include "analysis/hotspots/text_sums.h"

#include "analysis/base/quantile.h"
#include "core/die.h"
#include "core/sum.h"

#include <string.h>

void nsc_text_sums_fini(struct nsc_text_sums *sums)
{
    NSC_VEC_FINI(&sums->rows);
    NSC_VEC_FINI(&sums->processes);
    free(sums->of_text);
    *sums = (struct nsc_text_sums){0};
}

static void grow_texts(struct nsc_text_sums *sums, nsc_str text)
{
    size_t n = (size_t)text + text / 8 + 64; /* not twice as many: all of it is in memory */

    sums->of_text = nsc_xrealloc(sums->of_text, n, sizeof *sums->of_text);
    memset(sums->of_text + sums->n_of_text, 0, (n - sums->n_of_text) * sizeof *sums->of_text);
    sums->n_of_text = n;
}

static struct nsc_text_process *last_of(struct nsc_text_sums *sums)
{
    return &sums->processes.at[sums->processes.n - 1];
}

static struct nsc_text_row *row_of(struct nsc_text_sums *sums, nsc_str text)
{
    if (text >= sums->n_of_text)
        grow_texts(sums, text);
    if (sums->of_text[text] <= last_of(sums)->first) {
        *NSC_VEC_ADD(&sums->rows) = (struct nsc_text_row){.text = text};
        sums->of_text[text] = (uint32_t)sums->rows.n;
    }
    return &sums->rows.at[sums->of_text[text] - 1];
}

void nsc_text_sums_add(struct nsc_text_sums *sums, nsc_str text, nsc_time ns)
{
    struct nsc_text_row *row = row_of(sums, text);

    row->total = nsc_sum(row->total, ns);
    row->count++;
}

/* Moves the rows of a process that comes again, to the end. */
static void move_rows(struct nsc_text_sums *sums, struct nsc_text_process from)
{
    for (size_t i = from.first; i < from.end; i++) {
        struct nsc_text_row row = sums->rows.at[i];

        *row_of(sums, row.text) = row; /* may move them */
    }
}

void nsc_text_sums_begin(struct nsc_text_sums *sums, uint64_t pid)
{
    struct nsc_text_process before = {0};

    if (sums->processes.n > 0 && last_of(sums)->pid == pid)
        return;
    if (sums->processes.n > 0)
        last_of(sums)->end = sums->rows.n;
    for (size_t k = 0; k < sums->processes.n; k++)
        if (sums->processes.at[k].pid == pid) {
            before = sums->processes.at[k];
            sums->processes.at[k].end = before.first;
        }
    *NSC_VEC_ADD(&sums->processes) = (struct nsc_text_process){pid, sums->rows.n, 0};
    move_rows(sums, before);
}

void nsc_text_sums_end(struct nsc_text_sums *sums)
{
    if (sums->processes.n > 0)
        last_of(sums)->end = sums->rows.n;
    free(sums->of_text);
    sums->of_text = NULL;
    sums->n_of_text = 0;
}

struct nsc_text_process nsc_text_sums_process(const struct nsc_text_sums *sums, uint64_t pid)
{
    for (size_t k = sums->processes.n; k-- > 0;)
        if (sums->processes.at[k].pid == pid)
            return sums->processes.at[k];
    return (struct nsc_text_process){pid, 0, 0};
}

struct nsc_text_totals nsc_text_sums_totals(const struct nsc_text_sums *sums, size_t n)
{
    struct nsc_text_totals totals = {sums, nsc_xmalloc((n + 1) * sizeof *totals.at), n, 0};

    memset(totals.at, 0xff, n * sizeof *totals.at);
    for (size_t k = 0; k < sums->processes.n; k++)
        for (size_t i = sums->processes.at[k].first; i < sums->processes.at[k].end; i++) {
            struct nsc_text_row row = sums->rows.at[i];
            nsc_time *total = &totals.at[row.text];

            totals.n_texts += *total < 0;
            *total = *total < 0 ? row.total : nsc_sum(*total, row.total);
        }
    return totals;
}

/* The total at place `most`, the greatest first; 0 if there are no more. */
static nsc_time bar_of(const struct nsc_text_totals *totals, size_t most)
{
    NSC_VEC(nsc_time) known = {0};
    nsc_time bar;

    if (totals->n_texts <= most || most == 0)
        return 0;
    for (size_t i = 0; i < totals->n; i++)
        if (totals->at[i] >= 0)
            *NSC_VEC_ADD(&known) = totals->at[i];
    bar = nsc_greatest(known.at, known.n, most);
    NSC_VEC_FINI(&known);
    return bar;
}

struct nsc_tally nsc_text_totals_top(const struct nsc_text_totals *totals, size_t most)
{
    const struct nsc_text_sums *sums = totals->of;
    struct nsc_tally top = {0};
    nsc_time bar = bar_of(totals, most);

    for (size_t k = 0; k < sums->processes.n; k++)
        for (size_t i = sums->processes.at[k].first; i < sums->processes.at[k].end; i++) {
            struct nsc_text_row row = sums->rows.at[i];
            uint32_t group;

            if (totals->at[row.text] < bar)
                continue;
            group = nsc_tally_group(&top, row.text, 0);
            top.rows.at[group].count += row.count;
            top.rows.at[group].total = totals->at[row.text];
        }
    return top;
}
