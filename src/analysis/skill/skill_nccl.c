/*
 * Skill about the bandwidth of collectives: bytes that NCCL recorded, divided by the time of their
 * kernels.
 */
#include "analysis/base/totals.h"
#include "analysis/names/peak.h"
#include "analysis/ranges/nccl_calls.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"
#include "core/vec.h"

#include <math.h>

/* The kernels of one communicator, operation and size. */
struct transfer {
    uint32_t comm;
    uint8_t op;
    int64_t bytes;
    uint32_t count;
    nsc_time total, shortest;
    double link; /* GB/s; 0: unknown */
};

struct transfer_row {
    const char *comm, *op;
    int64_t ranks, recorded, size;
    uint32_t count;
    nsc_time total, mean, shortest;
    double algorithm, bus, best, peak, share;
};

const struct nsc_sheet_column nsc_skill_nccl_bandwidth_columns[] = {
    NSC_COL_TEXT(transfer_row, comm, "communicator", "Communicator"),
    NSC_COL_COUNT(transfer_row, ranks, "ranks", "Ranks"),
    NSC_COL_COUNT(transfer_row, recorded, "recorded_ranks", "Recorded"),
    NSC_COL_TEXT(transfer_row, op, "collective", "Collective"),
    NSC_COL_BYTES(transfer_row, size, "bytes", "Size"),
    NSC_COL_COUNT(transfer_row, count, "count", "Kernels"),
    NSC_COL_NS(transfer_row, total, "total_ns", "Total"),
    NSC_COL_NS(transfer_row, mean, "avg_ns", "Mean"),
    NSC_COL_NS(transfer_row, shortest, "min_ns", "Min"),
    NSC_COL_NUMBER(transfer_row, algorithm, "algbw_gbs", "Alg. GB/s", 2),
    NSC_COL_NUMBER(transfer_row, bus, "busbw_gbs", "Bus GB/s", 2),
    NSC_COL_NUMBER(transfer_row, best, "best_busbw_gbs", "Best", 2),
    NSC_COL_NUMBER(transfer_row, peak, "link_gbs", "Link", 0),
    NSC_COL_PERCENT(transfer_row, share, "link_share", "Best of link",
                    "peak of the link in one direction"),
    {0},
};

typedef NSC_VEC(struct transfer) transfers;

/* The most time first; ties by communicator, operation and size. */
NSC_COMPARE(compare_totals, struct transfer,
            NSC_MOST(total) || NSC_LEAST(comm) || NSC_LEAST(op) || NSC_LEAST(bytes))

/* The link bandwidth of the kernel's GPU; 0 unless all ranks of the communicator are in this
 * export, because others may be connected by a network. */
static double link_of(const struct nsc_question *question, const struct nsc_nccl_comm *comm,
                      nsc_event kernel)
{
    const struct nsc_trace *trace = question->scope->trace;
    uint32_t track = nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, kernel)].track;
    uint32_t device = nsc_trace_group_of(trace, track);

    if (question->params[NSC_PARAM_LINK].is_set)
        return question->params[NSC_PARAM_LINK].number;
    if (comm->ranks < 2 || comm->recorded != comm->ranks)
        return 0;
    return nsc_link_peak_find(nsc_trace_string(trace, nsc_trace_track(trace, device)->label));
}

static void gather(transfers *out, const struct nsc_nccl_calls *calls,
                   const struct nsc_question *question)
{
    const struct nsc_events *events = nsc_trace_events(question->scope->trace);
    struct nsc_totals groups = nsc_totals_new(3, 0);

    for (size_t i = 0; i < calls->kernels.n; i++) {
        const struct nsc_nccl_kernel *of = &calls->kernels.at[i];
        nsc_time ns = nsc_event_duration(events, of->kernel);
        double link = link_of(question, &calls->comms.at[of->comm], of->kernel);
        uint32_t group = nsc_totals_find(&groups, (int64_t[]){of->comm, of->op, of->bytes});
        struct transfer *to;

        if (group == out->n)
            *NSC_VEC_ADD(out) =
                (struct transfer){of->comm, of->op, of->bytes, 0, 0, INT64_MAX, link};
        to = &out->at[group];
        to->count++;
        to->total = nsc_sum(to->total, ns);
        to->shortest = nsc_earlier(to->shortest, ns);
        if (link != to->link) /* GPUs differ in model */
            to->link = 0;
    }
    nsc_totals_fini(&groups);
    NSC_VEC_SORT(out, compare_totals);
}

static void add_transfer(struct nsc_sheet *sheet, const struct nsc_nccl_calls *calls,
                         const struct transfer *of)
{
    const struct nsc_nccl_comm *comm = &calls->comms.at[of->comm];
    enum nsc_nccl_op op = (enum nsc_nccl_op)of->op;
    struct nsc_nccl_rates mean =
        nsc_nccl_rates(op, of->bytes, comm->ranks, (double)of->total / (double)of->count);
    double best = nsc_nccl_rates(op, of->bytes, comm->ranks, (double)of->shortest).bus;
    char id[NSC_NCCL_ID_BYTES];

    nsc_nccl_comm_id(id, comm);
    NSC_ADD_ROW(sheet, transfer_row, .comm = id, .op = nsc_nccl_op_word(op),
                .ranks = nsc_known(comm->ranks > 0, comm->ranks), .recorded = comm->recorded,
                .size = isfinite(mean.size) && mean.size < 9e18 ? (int64_t)mean.size : NSC_UNKNOWN,
                .count = of->count, .total = of->total, .mean = of->total / of->count,
                .shortest = of->shortest, .algorithm = mean.algorithm, .bus = mean.bus,
                .best = best, .peak = of->link > 0 ? of->link : NAN,
                .share = of->link > 0 ? 100 * best / of->link : NAN);
}

static void note_none(struct nsc_sheet *sheet, const struct nsc_nccl_calls *calls)
{
    if (!calls->has_schemas)
        nsc_sheet_note(
            sheet,
            "Unknown: the export has no payloads of NCCL. Record with --trace=cuda,nvtx and export "
            "with --include-blobs=true, with versions of NCCL and nsys that have them.");
    else if (!calls->has_payloads)
        nsc_sheet_note(sheet, "Unknown: the export has the layout of NCCL's payloads, but not the "
                              "payloads. Export again with --include-blobs=true.");
    else
        nsc_sheet_note(sheet, "No communication kernel of the window belongs to a call with a "
                              "payload.");
}

static void note_rates(struct nsc_sheet *sheet, bool has_link)
{
    nsc_sheet_note(sheet,
                   "Bandwidths as nccl-tests defines them: algorithm = size / time, with the bytes "
                   "of all ranks for AllGather, ReduceScatter, AlltoAll, Gather and Scatter; bus = "
                   "algorithm x 2(n-1)/n for AllReduce, (n-1)/n for these, 1 for the others, n "
                   "ranks. 1 GB is 10^9 bytes.");
    nsc_sheet_note(sheet, "The time of a kernel includes its wait for other ranks, so the mean is "
                          "a lower bound; the best kernel is the closest to the link.");
    if (!has_link)
        nsc_sheet_note(sheet, "The link's peak is known for NVLink GPUs whose communicator is in "
                              "this export with all ranks; else give -p link= (GB/s in one "
                              "direction).");
}

void nsc_skill_nccl_bandwidth(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, nccl_bandwidth);
    struct nsc_nccl_calls calls;
    transfers rows = {0};
    bool has_link = false;

    nsc_nccl_calls_build(&calls, question->scope, question->fields);
    gather(&rows, &calls, question);
    rows.n = nsc_question_limit(question, sheet, rows.n);
    for (size_t i = 0; i < rows.n; i++) {
        add_transfer(sheet, &calls, &rows.at[i]);
        has_link |= rows.at[i].link > 0;
    }
    if (rows.n == 0)
        note_none(sheet, &calls);
    else
        note_rates(sheet, has_link);
    if (calls.unknown > 0)
        nsc_sheet_note(sheet,
                       "%u of %u calls are not in the table: their kernel is not known (captured "
                       "into a graph, not recorded, or several operations in a group).",
                       calls.unknown, calls.calls);
    nsc_nccl_calls_fini(&calls);
    NSC_VEC_FINI(&rows);
}
