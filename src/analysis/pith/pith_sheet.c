/* Fills the sheets that answer PithTrain questions. */
#include "analysis/pith/pith.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

static struct nsc_kept_text keep_event(struct nsc_sheet *sheet, const struct nsc_pith *pith,
                                       nsc_event event)
{
    char scratch[NSC_NAME_BYTES];

    if (event == NSC_NONE)
        return (struct nsc_kept_text){0};
    return nsc_sheet_keep(sheet, nsc_trace_event_text(pith->trace, event, false, scratch));
}

/* ---- notes ---- */

static void note_rank(struct nsc_sheet *sheet, const struct nsc_pith *pith,
                      const struct nsc_pith_rank *rank)
{
    if (!rank->has_label)
        nsc_sheet_note(sheet, "pid %" PRIu32 " has no label (rank=... as its first range): %s",
                       rank->pid,
                       rank->state == NSC_PITH_LEFT_OUT ? "left out; --rank PID asks for it"
                                                        : "its pid stands for its rank");
    if (rank->state == NSC_PITH_NO_CHUNK)
        nsc_sheet_note(sheet,
                       "pid %" PRIu32 " has no range \"forward chunk ... backward chunk ...\": "
                       "give --start NS --end NS",
                       rank->pid);
    if (rank->is_open && pith->parity)
        nsc_sheet_note(sheet, "pid %" PRIu32 ": its chunk was never closed, so it has no kernels",
                       rank->pid);
    if (rank->is_open && !pith->parity)
        nsc_sheet_note(sheet,
                       "pid %" PRIu32 ": its chunk was never closed; taken to end at %" PRId64
                       " ns, with the next chunk or the trace",
                       rank->pid, rank->end);
}

static void note_ranks(struct nsc_sheet *sheet, const struct nsc_pith *pith, bool windows)
{
    for (size_t i = 0; i < pith->ranks.n; i++) {
        const struct nsc_pith_rank *rank = &pith->ranks.at[i];

        note_rank(sheet, pith, rank);
        if (windows && rank->state == NSC_PITH_READY && !(rank->is_open && pith->parity))
            nsc_sheet_note(sheet, "pid %" PRIu32 ": window %" PRId64 " to %" PRId64 " ns",
                           rank->pid, rank->start, rank->end);
    }
}

/* ---- setup, window, streams ---- */

struct setup_row {
    uint32_t pid;
    struct nsc_kept_text setup;
};

void nsc_pith_setup_sheet(struct nsc_sheets *out, const struct nsc_pith *pith)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(setup_row, pid, "pid", "pid"),
        NSC_COL_TEXT(setup_row, setup, "setup", "setup"),
    };
    const struct nsc_lane *lanes = nsc_trace_lanes(pith->trace, NULL);
    const struct nsc_track *tracks = nsc_trace_tracks(pith->trace, NULL);
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, "pith_setup", "Ranks by their labels", columns, COUNT_OF(columns));

    for (size_t i = 0; i < pith->setup.n; i++) {
        uint32_t lane = nsc_trace_lane_of(pith->trace, pith->setup.at[i]);

        NSC_ADD_ROW(sheet, setup_row, .pid = tracks[lanes[lane].track].pid,
                    .setup = keep_event(sheet, pith, pith->setup.at[i]));
    }
    for (size_t i = 0; i < pith->ranks.n; i++)
        if (!pith->ranks.at[i].has_label)
            note_rank(sheet, pith, &pith->ranks.at[i]);
}

struct pith_window_row {
    uint32_t pid;
    nsc_time start, end;
    struct nsc_kept_text name;
};

void nsc_pith_window_sheet(struct nsc_sheets *out, const struct nsc_pith *pith)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(pith_window_row, pid, "pid", "pid"),
        NSC_COL_INSTANT(pith_window_row, start, "start", "start"),
        NSC_COL_INSTANT(pith_window_row, end, "end", "end"),
        NSC_COL_TEXT(pith_window_row, name, "name", "name"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "pith_window", "The middle chunk of each rank",
                                             columns, COUNT_OF(columns));

    for (size_t i = 0; i < pith->ranks.n; i++) {
        const struct nsc_pith_rank *rank = &pith->ranks.at[i];

        if (rank->state == NSC_PITH_READY)
            NSC_ADD_ROW(sheet, pith_window_row, .pid = rank->pid, .start = rank->start,
                        .end = nsc_known(!rank->is_open || !pith->parity, rank->end),
                        .name = keep_event(sheet, pith, rank->chunk));
    }
    note_ranks(sheet, pith, false);
}

struct pith_stream_row {
    uint32_t pid;
    struct nsc_pith_stream of;
    const char *purpose;
};

void nsc_pith_streams_sheet(struct nsc_sheets *out, const struct nsc_pith *pith)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(pith_stream_row, pid, "pid", "pid"),
        NSC_COL_ID(pith_stream_row, of.stream, "stream", "stream"),
        NSC_COL_COUNT(pith_stream_row, of.n_comm, "n_comm", "n_comm"),
        NSC_COL_COUNT(pith_stream_row, of.n_comp, "n_comp", "n_comp"),
        NSC_COL_NS(pith_stream_row, of.comm, "comm_ns", "comm_ns"),
        NSC_COL_NS(pith_stream_row, of.comp, "comp_ns", "comp_ns"),
        NSC_COL_TEXT(pith_stream_row, purpose, "purpose", "purpose"),
    };
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, "pith_streams", "What each stream is for", columns, COUNT_OF(columns));

    for (size_t i = 0; i < pith->streams.n; i++) {
        const struct nsc_pith_stream *stream = &pith->streams.at[i];

        NSC_ADD_ROW(sheet, pith_stream_row, .pid = pith->ranks.at[stream->rank].pid, .of = *stream,
                    .purpose = nsc_pith_purpose_word(stream->purpose));
    }
    nsc_sheet_note(sheet, "summed durations of the kernels that lie completely in the window");
    note_ranks(sheet, pith, true);
}

/* ---- stages ---- */

static struct nsc_kept_text keep_stage(struct nsc_sheet *sheet, const struct nsc_pith_stage *stage)
{
    char name[16];

    snprintf(name, sizeof name, "stage%d_%c", stage->number, stage->pass);
    return nsc_sheet_keep(sheet, nsc_text_from(name));
}

static double hidden_of(const struct nsc_pith_stage *stage)
{
    return nsc_percent(stage->comm - stage->exposed, stage->comm);
}

struct pith_stage_row {
    struct nsc_pith_rank rank;
    struct nsc_kept_text name;
    struct nsc_pith_stage of;
    double hidden, least, most, share; /* % */
};

static struct pith_stage_row describe_stage(struct nsc_sheet *sheet, const struct nsc_pith *pith,
                                            const struct nsc_pith_stage *stage)
{
    struct pith_stage_row row = {.rank = pith->ranks.at[stage->rank],
                                 .of = *stage,
                                 .hidden = hidden_of(stage),
                                 .least = stage->has_spread ? stage->least : 0,
                                 .most = stage->has_spread ? stage->most : 0};

    row.name = keep_stage(sheet, stage);
    return row;
}

#define OF_COMM "summed duration of the stage's communication kernels"

static void add_overlap(struct nsc_sheets *out, const struct nsc_pith *pith)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(pith_stage_row, rank.pid, "pid", "pid"),
        NSC_COL_TEXT(pith_stage_row, name, "stage", "stage"),
        NSC_COL_NS(pith_stage_row, of.exposed, "exposed_ns", "exposed_ns"),
        NSC_COL_RATIO(pith_stage_row, hidden, "overlap_pct", "overlap", OF_COMM, 2),
        NSC_COL_RATIO(pith_stage_row, least, "overlap_min_pct", "overlap_min",
                      "the kernel's duration", 2),
        NSC_COL_RATIO(pith_stage_row, most, "overlap_max_pct", "overlap_max",
                      "the kernel's duration", 2),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(
        out, "pith_overlap", "Communication hidden behind compute", columns, COUNT_OF(columns));

    for (size_t i = 0; i < pith->stages.n; i++) {
        struct pith_stage_row row = describe_stage(sheet, pith, &pith->stages.at[i]);

        NSC_SHEET_ADD_ROW(sheet, &row);
    }
    note_ranks(sheet, pith, true);
}

/* Ties by rank and stage. */
NSC_COMPARE(compare_exposed, struct nsc_pith_stage *const,
            NSC_BY(NSC_ORDER((*y)->exposed, (*x)->exposed)) || NSC_BY(NSC_ORDER(*x, *y)))

static void add_ranking(struct nsc_sheets *out, const struct nsc_pith *pith)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(pith_stage_row, rank.rank, "rank", "rank"),
        NSC_COL_ID(pith_stage_row, rank.pid, "pid", "pid"),
        NSC_COL_TEXT(pith_stage_row, name, "stage", "stage"),
        NSC_COL_NS(pith_stage_row, of.exposed, "exposed_ns", "exposed_ns"),
        NSC_COL_RATIO(pith_stage_row, share, "share_pct", "share",
                      "exposed time of all ranks and stages", 2),
        NSC_COL_NS(pith_stage_row, of.comm, "comm_ns", "comm_ns"),
        NSC_COL_RATIO(pith_stage_row, hidden, "overlap_pct", "overlap", OF_COMM, 2),
    };
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, "pith_ranking", "The most exposed stages", columns, COUNT_OF(columns));
    size_t n = pith->stages.n;
    const struct nsc_pith_stage **order = nsc_xmalloc((n + 1) * sizeof *order);
    double all = 0;

    for (size_t i = 0; i < n; i++) {
        order[i] = &pith->stages.at[i];
        all += (double)order[i]->exposed;
    }
    qsort(order, n, sizeof *order, compare_exposed);
    for (size_t i = 0; i < n; i++) {
        struct pith_stage_row row = describe_stage(sheet, pith, order[i]);

        row.share = all > 0 ? 100.0 * (double)order[i]->exposed / all : 0;
        NSC_SHEET_ADD_ROW(sheet, &row);
    }
    free(order);
    note_ranks(sheet, pith, true);
}

/* ---- across ranks ---- */

static bool is_same_stage(const struct nsc_pith_stage *a, uint8_t number, char pass)
{
    return a->number == number && a->pass == pass;
}

struct across { /* a stage over its ranks */
    struct nsc_pith_stage sum;
    uint32_t n;
    double median;
    const struct nsc_pith_stage *worst;
    uint32_t n_low; /* ranks that hide ten points less than the median */
};

static bool measure_across(struct across *out, const struct nsc_pith *pith, uint8_t number,
                           char pass)
{
    double *shares = nsc_xmalloc((pith->stages.n + 1) * sizeof *shares);

    *out = (struct across){.sum = {.number = number, .pass = pass}};
    for (size_t i = 0; i < pith->stages.n; i++) {
        const struct nsc_pith_stage *stage = &pith->stages.at[i];

        if (!is_same_stage(stage, number, pass))
            continue;
        shares[out->n++] = hidden_of(stage);
        if (!out->worst || hidden_of(stage) < hidden_of(out->worst))
            out->worst = stage;
        out->sum.comm = nsc_sum(out->sum.comm, stage->comm);
        out->sum.exposed = nsc_sum(out->sum.exposed, stage->exposed);
    }
    qsort(shares, out->n, sizeof *shares, nsc_double_compare);
    if (out->n)
        out->median = (shares[(out->n - 1) / 2] + shares[out->n / 2]) / 2;
    for (uint32_t i = 0; i < out->n; i++)
        out->n_low += shares[i] < out->median - 10;
    free(shares);
    return out->n > 0;
}

NSC_COMPARE(compare_medians, struct across,
            NSC_LEAST(median) || NSC_LEAST(sum.number) || NSC_LEAST(sum.pass))

struct pith_summary_row {
    struct nsc_kept_text name;
    struct across of;
    double least; /* % hidden on the worst rank */
    int64_t least_rank;
};

static void add_summary(struct nsc_sheets *out, const struct nsc_pith *pith)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(pith_summary_row, name, "stage", "stage"),
        NSC_COL_COUNT(pith_summary_row, of.n, "ranks", "ranks"),
        NSC_COL_RATIO(pith_summary_row, of.median, "median_overlap_pct", "median_overlap", OF_COMM,
                      2),
        NSC_COL_RATIO(pith_summary_row, least, "least_overlap_pct", "least_overlap", OF_COMM, 2),
        NSC_COL_ID(pith_summary_row, least_rank, "least_rank", "least_rank"),
        NSC_COL_COUNT(pith_summary_row, of.n_low, "ranks_below", "ranks_below"),
        NSC_COL_NS(pith_summary_row, of.sum.exposed, "exposed_ns", "exposed_ns"),
        NSC_COL_NS(pith_summary_row, of.sum.comm, "comm_ns", "comm_ns"),
    };
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, "pith_summary", "Stages across ranks, the least hidden first", columns,
                       COUNT_OF(columns));
    struct across rows[15];
    uint32_t n = 0;

    for (unsigned i = 0; i < 15; i++)
        n += measure_across(&rows[n], pith, (uint8_t)(i / 3 + 1), "bfw"[i % 3]);
    qsort(rows, n, sizeof *rows, compare_medians);
    for (uint32_t i = 0; i < n; i++)
        NSC_ADD_ROW(sheet, pith_summary_row, .name = keep_stage(sheet, &rows[i].sum), .of = rows[i],
                    .least = hidden_of(rows[i].worst),
                    .least_rank = pith->ranks.at[rows[i].worst->rank].rank);
    nsc_sheet_note(
        sheet, "ranks_below: ranks whose hidden share is more than ten points below the median");
    note_ranks(sheet, pith, true);
}

/* ---- a column a rank ---- */

#define WORD 32

/* The columns, followed by their words in the same allocation. */
static struct nsc_sheet_column *matrix_columns(const struct nsc_pith *pith, uint32_t *n)
{
    size_t most = pith->ranks.n + 1;
    struct nsc_sheet_column *columns = nsc_xcalloc(most, sizeof *columns + 2 * WORD);
    char *words = (char *)(columns + most);

    columns[0] =
        (struct nsc_sheet_column)NSC_COL_UNBOUND("stage", "stage", NULL, NSC_SHEET_TEXT, 0);
    *n = 1;
    for (size_t i = 0; i < pith->ranks.n; i++) {
        if (pith->ranks.at[i].state != NSC_PITH_READY)
            continue;
        snprintf(words, WORD, "rank%" PRId64 "_pct", pith->ranks.at[i].rank);
        snprintf(words + WORD, WORD, "rank %" PRId64, pith->ranks.at[i].rank);
        columns[(*n)++] = (struct nsc_sheet_column)NSC_COL_UNBOUND(words, words + WORD, OF_COMM,
                                                                   NSC_SHEET_NUMBER, 2);
        words += 2 * WORD;
    }
    return columns;
}

static void add_matrix_cell(struct nsc_sheet *sheet, const struct nsc_pith *pith, uint32_t rank,
                            const struct nsc_pith_stage *like)
{
    for (size_t i = 0; i < pith->stages.n; i++)
        if (pith->stages.at[i].rank == rank &&
            is_same_stage(&pith->stages.at[i], like->number, like->pass)) {
            nsc_sheet_add_number(sheet, hidden_of(&pith->stages.at[i]));
            return;
        }
    nsc_sheet_add_unknown(sheet);
}

static void add_matrix(struct nsc_sheets *out, const struct nsc_pith *pith,
                       struct nsc_sheet_column **columns)
{
    uint32_t n_columns = 0;
    struct nsc_sheet *sheet;

    *columns = matrix_columns(pith, &n_columns);
    sheet = nsc_sheets_add(out, "pith_matrix", "Overlap by stage and rank", *columns, n_columns);
    for (unsigned s = 0; s < 15; s++) {
        struct across row;
        char name[16];

        if (!measure_across(&row, pith, (uint8_t)(s / 3 + 1), "bfw"[s % 3]))
            continue;
        snprintf(name, sizeof name, "stage%d_%c", row.sum.number, row.sum.pass);
        nsc_sheet_add_text(sheet, nsc_text_from(name));
        for (uint32_t i = 0; i < pith->ranks.n; i++)
            if (pith->ranks.at[i].state == NSC_PITH_READY)
                add_matrix_cell(sheet, pith, i, &row.sum);
    }
    note_ranks(sheet, pith, true);
}

/* ---- compute by rank ---- */

struct balance_row {
    struct nsc_pith_rank rank;
    int64_t pp_rank;
    nsc_time compute, barriers, window;
    double compute_pct;
};

static void add_balance_row(struct nsc_sheet *sheet, const struct nsc_pith *pith, uint32_t rank)
{
    const struct nsc_pith_rank *at = &pith->ranks.at[rank];
    nsc_time compute = 0, barriers = 0, window = 0;

    for (size_t i = 0; i < pith->streams.n; i++) {
        const struct nsc_pith_stream *stream = &pith->streams.at[i];

        if (stream->rank == rank && stream->n_comp > 0 &&
            (__builtin_add_overflow(compute, stream->comp, &compute) ||
             __builtin_add_overflow(barriers, stream->comm, &barriers)))
            compute = barriers = INT64_MAX;
    }
    if (__builtin_sub_overflow(at->end, at->start, &window))
        window = INT64_MAX;
    NSC_ADD_ROW(sheet, balance_row, .rank = *at,
                .pp_rank = nsc_known(at->has_label, at->label.pp.rank), .compute = compute,
                .barriers = barriers, .window = window,
                .compute_pct = nsc_percent(compute, window));
}

static void add_balance(struct nsc_sheets *out, const struct nsc_pith *pith)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(balance_row, rank.rank, "rank", "rank"),
        NSC_COL_ID(balance_row, rank.pid, "pid", "pid"),
        NSC_COL_ID(balance_row, pp_rank, "pp_rank", "pp_rank"),
        NSC_COL_NS(balance_row, compute, "compute_ns", "compute_ns"),
        NSC_COL_NS(balance_row, barriers, "barrier_ns", "barrier_ns"),
        NSC_COL_NS(balance_row, window, "window_ns", "window_ns"),
        NSC_COL_RATIO(balance_row, compute_pct, "compute_pct", "compute",
                      "the window; kernels at once count twice", 2),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "pith_balance", "Compute and barriers by rank",
                                             columns, COUNT_OF(columns));

    for (uint32_t i = 0; i < pith->ranks.n; i++)
        if (pith->ranks.at[i].state == NSC_PITH_READY)
            add_balance_row(sheet, pith, i);
    nsc_sheet_note(sheet, "barrier_ns: NCCL kernels on compute streams; neither compute nor "
                          "exposed communication");
    note_ranks(sheet, pith, true);
}

void nsc_pith_stages_sheet(struct nsc_sheets *out, const struct nsc_pith *pith,
                           enum nsc_pith_view view, struct nsc_sheet_column **columns)
{
    bool all = view == NSC_PITH_VIEW_ALL;

    *columns = NULL;
    if (all || view == NSC_PITH_VIEW_OVERLAP)
        add_overlap(out, pith);
    if (all || view == NSC_PITH_VIEW_SUMMARY)
        add_summary(out, pith);
    if (all || view == NSC_PITH_VIEW_MATRIX)
        add_matrix(out, pith, columns);
    if (all || view == NSC_PITH_VIEW_RANKING)
        add_ranking(out, pith);
    if (all || view == NSC_PITH_VIEW_BALANCE)
        add_balance(out, pith);
}
