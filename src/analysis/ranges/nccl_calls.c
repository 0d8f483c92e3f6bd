/*
 * Attributes communication kernels to the calls of NCCL that launched them.
 */
#include "analysis/ranges/nccl_calls.h"

#include "analysis/ranges/launches.h"
#include "core/bisect.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"
#include "index/payload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct rule {
    const char *call, *word;
    uint8_t op;
};

static const struct rule rules[] = {
    {"ncclAllReduce", "AllReduce", NSC_NCCL_ALLREDUCE},
    {"ncclAllGather", "AllGather", NSC_NCCL_ALLGATHER},
    {"ncclReduceScatter", "ReduceScatter", NSC_NCCL_REDUCESCATTER},
    {"ncclBroadcast", "Broadcast", NSC_NCCL_BROADCAST},
    {"ncclReduce", "Reduce", NSC_NCCL_REDUCE},
    {"ncclAlltoAll", "AlltoAll", NSC_NCCL_ALLTOALL},
    {"ncclGather", "Gather", NSC_NCCL_GATHER},
    {"ncclScatter", "Scatter", NSC_NCCL_SCATTER},
    {"ncclSend", "SendRecv", NSC_NCCL_SENDRECV},
    {"ncclRecv", "SendRecv", NSC_NCCL_SENDRECV},
};

const char *nsc_nccl_op_word(enum nsc_nccl_op op)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].op == op)
            return rules[i].word;
    return "";
}

static bool is_of_all_ranks(enum nsc_nccl_op op)
{
    return op == NSC_NCCL_ALLGATHER || op == NSC_NCCL_REDUCESCATTER || op == NSC_NCCL_ALLTOALL ||
           op == NSC_NCCL_GATHER || op == NSC_NCCL_SCATTER;
}

/* The factor from algorithm bandwidth to bus bandwidth, as in nccl-tests (doc/PERFORMANCE.md
 * there): 2 (n - 1) / n for AllReduce, (n - 1) / n for AllGather, ReduceScatter, AlltoAll, Gather
 * and Scatter, 1 for the rest. */
static double bus_factor(enum nsc_nccl_op op, uint32_t ranks)
{
    double others = ranks > 0 ? (double)(ranks - 1) / (double)ranks : 0;

    if (op == NSC_NCCL_ALLREDUCE)
        return 2 * others;
    return is_of_all_ranks(op) ? others : 1;
}

struct nsc_nccl_rates nsc_nccl_rates(enum nsc_nccl_op op, int64_t bytes, uint32_t ranks, double ns)
{
    bool is_sized = ranks > 0 || !is_of_all_ranks(op);
    bool has_factor = ranks > 0 || op == NSC_NCCL_SENDRECV;
    struct nsc_nccl_rates rates = {(double)NAN, (double)NAN, (double)NAN};

    if (is_sized)
        rates.size = (double)bytes * (is_of_all_ranks(op) ? (double)ranks : 1);
    if (ns > 0)
        rates.algorithm = rates.size / ns;
    if (has_factor)
        rates.bus = rates.algorithm * bus_factor(op, ranks);
    return rates;
}

void nsc_nccl_comm_id(char out[NSC_NCCL_ID_BYTES], const struct nsc_nccl_comm *comm)
{
    (void)snprintf(out, NSC_NCCL_ID_BYTES, "0x%016" PRIx64, (uint64_t)comm->id);
}

/* ---- calls ---- */

enum call_kind { CALL_OP, CALL_INIT, CALL_BEGIN, CALL_END };

/* A range of NCCL. */
struct call {
    nsc_event event;
    uint64_t process;
    uint32_t tid;
    nsc_time start;
    uint8_t kind, op;
    bool is_send;
    int64_t comm, bytes, peer, rank, ranks; /* NOT_RECORDED if the payload lacks it */
};

#define NOT_RECORDED INT64_MIN

struct init { /* a rank of a communicator */
    int64_t comm, rank, ranks;
    uint64_t process;
};

struct builder {
    struct nsc_nccl_calls *out;
    const struct nsc_scope *scope;
    const struct nsc_trace *trace;
    const struct nsc_fields *payloads;
    struct nsc_payload_schemas schemas;
    struct nsc_launches *launches;
    uint8_t *is_nccl; /* by name: 0 not seen, 1 no, 2 yes */
    NSC_VEC(struct call) calls;
    NSC_VEC(struct init) inits;
    NSC_VEC(uint32_t) pending; /* calls of the open group */
    NSC_VEC(nsc_event) kernels;
};

static bool has_nccl_name(struct builder *builder, nsc_event event)
{
    nsc_name name = nsc_trace_events(builder->trace)->name[event];

    if (name >= nsc_trace_names(builder->trace)->n)
        return false;
    if (!builder->is_nccl[name])
        builder->is_nccl[name] = 1 + nsc_text_begins(nsc_name_text(builder->trace, name), "nccl");
    return builder->is_nccl[name] == 2;
}

static struct nsc_text payload_of(const struct nsc_fields *payloads, uint32_t rowid)
{
    uint32_t lo = 0, hi = payloads ? payloads->n : 0;
    int64_t at = 0;

    NSC_BISECT(lo, hi, middle,
               nsc_fields_int(&at, payloads, NSC_PAYLOAD_ROW, middle) && at < (int64_t)rowid);
    if (!payloads || lo == payloads->n || rowid == NSC_NONE ||
        !nsc_fields_int(&at, payloads, NSC_PAYLOAD_ROW, lo) || at != (int64_t)rowid)
        return (struct nsc_text){"", 0};
    return nsc_fields_text(payloads, NSC_PAYLOAD_BYTES, lo);
}

static void take_value(struct call *call, const struct nsc_payload_value *value)
{
    if (value->form == NSC_PAYLOAD_REAL)
        return;
    if (nsc_text_is(value->name, "NCCL communicator ID"))
        call->comm = value->integer;
    else if (nsc_text_is(value->name, "Message size [bytes]"))
        call->bytes = value->integer;
    else if (nsc_text_is(value->name, "Peer rank"))
        call->peer = value->integer;
    else if (nsc_text_is(value->name, "Rank"))
        call->rank = value->integer;
    else if (nsc_text_is(value->name, "No. of ranks"))
        call->ranks = value->integer;
}

/* False if the range is not of a kind searched for. */
static bool fill_call(struct call *call, struct builder *builder)
{
    struct nsc_payload_value values[NSC_PAYLOAD_VALUES];
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_trace_event_text(builder->trace, call->event, false, scratch);
    uint32_t source = nsc_trace_events(builder->trace)->source[call->event];
    uint32_t n =
        nsc_payload_decode(values, &builder->schemas, payload_of(builder->payloads, source));

    call->comm = call->bytes = call->peer = call->rank = call->ranks = NOT_RECORDED;
    for (uint32_t i = 0; i < n; i++)
        take_value(call, &values[i]);
    if (nsc_text_is(text, "ncclGroupStart") || nsc_text_is(text, "ncclGroupEnd")) {
        call->kind = nsc_text_is(text, "ncclGroupEnd") ? CALL_END : CALL_BEGIN;
        return true;
    }
    builder->out->has_payloads |= call->comm != NOT_RECORDED;
    call->kind = CALL_INIT;
    if (call->rank != NOT_RECORDED)
        return call->comm != NOT_RECORDED;
    call->kind = CALL_OP;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (nsc_text_is(text, rules[i].call)) {
            call->op = rules[i].op;
            call->is_send = nsc_text_is(text, "ncclSend");
            return true;
        }
    return false;
}

static void add_call(struct builder *builder, uint32_t track, nsc_event event)
{
    const struct nsc_track *of = nsc_trace_track(builder->trace, track);
    struct call call = {.event = event, .process = of->process, .tid = of->tid};

    if (nsc_trace_events(builder->trace)->kind[event] != NSC_KIND_NVTX_RANGE ||
        !has_nccl_name(builder, event))
        return;
    call.start = nsc_trace_events(builder->trace)->start[event];
    if (!fill_call(&call, builder))
        return;
    *NSC_VEC_ADD(&builder->calls) = call;
    if (call.kind == CALL_INIT)
        *NSC_VEC_ADD(&builder->inits) =
            (struct init){call.comm, call.rank, call.ranks, call.process};
}

NSC_COMPARE(compare_calls, struct call,
            NSC_LEAST(process) || NSC_LEAST(tid) || NSC_LEAST(start) || NSC_LEAST(event))

/* ---- communicators ---- */

NSC_COMPARE(compare_inits, struct init, NSC_LEAST(comm) || NSC_LEAST(rank))

NSC_COMPARE(compare_comms, struct nsc_nccl_comm, NSC_LEAST(id))

static uint32_t find_comm(const struct nsc_nccl_calls *calls, int64_t id)
{
    struct nsc_nccl_comm key = {.id = id};
    const struct nsc_nccl_comm *found =
        bsearch(&key, calls->comms.at, calls->comms.n, sizeof key, compare_comms);

    return found ? (uint32_t)(found - calls->comms.at) : NSC_NONE;
}

/* Lists each communicator of a call or a creation once. */
static void list_comms(struct builder *builder)
{
    struct nsc_nccl_calls *out = builder->out;
    size_t n = 0;

    for (size_t i = 0; i < builder->calls.n; i++)
        if (builder->calls.at[i].comm != NOT_RECORDED)
            *NSC_VEC_ADD(&out->comms) = (struct nsc_nccl_comm){.id = builder->calls.at[i].comm};
    NSC_VEC_SORT(&out->comms, compare_comms);
    for (size_t i = 0; i < out->comms.n; i++)
        if (i == 0 || out->comms.at[i].id != out->comms.at[n - 1].id)
            out->comms.at[n++] = out->comms.at[i];
    out->comms.n = n;
}

/* Fills in the ranks. A communicator has none if its creations disagree on their number. */
static void count_ranks(struct builder *builder)
{
    const struct init *inits = builder->inits.at;

    NSC_VEC_SORT(&builder->inits, compare_inits);
    for (size_t i = 0; i < builder->inits.n; i++) {
        struct nsc_nccl_comm *comm =
            &builder->out->comms.at[find_comm(builder->out, inits[i].comm)];
        bool is_first = i == 0 || inits[i - 1].comm != inits[i].comm;
        uint32_t ranks =
            inits[i].ranks > 0 && inits[i].ranks < UINT32_MAX ? (uint32_t)inits[i].ranks : 0;

        comm->recorded += is_first || inits[i - 1].rank != inits[i].rank;
        comm->ranks = is_first || comm->ranks == ranks ? ranks : 0;
    }
}

/* The only rank of a process in a communicator; -1: none or several. */
static int64_t rank_of(const struct builder *builder, int64_t comm, uint64_t process)
{
    int64_t rank = -1;

    for (size_t i = 0; i < builder->inits.n; i++) {
        const struct init *init = &builder->inits.at[i];

        if (init->comm != comm || init->process != process)
            continue;
        if (rank >= 0 && rank != init->rank)
            return -1;
        rank = init->rank;
    }
    return rank;
}

/* ---- kernels ---- */

static void find_kernels(struct builder *builder, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(builder->trace);
    const struct nsc_names *names = nsc_trace_names(builder->trace);
    struct nsc_positions in = nsc_launches_inside(builder->launches, range);

    NSC_VEC_CLEAR(&builder->kernels);
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(builder->launches, i);

        if (events->kind[op] == NSC_KIND_KERNEL && (names->flags[events->name[op]] & NSC_NAME_COMM))
            *NSC_VEC_ADD(&builder->kernels) = op;
    }
}

/* Whether the pending calls are of one kind; equal: with equal bytes, too. */
static bool are_alike(const struct builder *builder, bool equal)
{
    const struct call *first = &builder->calls.at[builder->pending.at[0]];

    for (size_t i = 0; i < builder->pending.n; i++) {
        const struct call *call = &builder->calls.at[builder->pending.at[i]];

        if (call->comm != first->comm || call->op != first->op || call->comm == NOT_RECORDED ||
            call->bytes < 0 || (equal && call->bytes != first->bytes))
            return false;
    }
    return true;
}

/* The bytes of the pending calls that share one kernel. */
static int64_t pending_bytes(const struct builder *builder)
{
    int64_t sent = 0, received = 0;

    for (size_t i = 0; i < builder->pending.n; i++) {
        const struct call *call = &builder->calls.at[builder->pending.at[i]];

        if (call->op == NSC_NCCL_SENDRECV && call->peer >= 0 && builder->pending.n > 1 &&
            rank_of(builder, call->comm, call->process) == call->peer)
            continue;
        if (call->is_send)
            sent = nsc_sum(sent, call->bytes);
        else
            received = nsc_sum(received, call->bytes);
    }
    return sent > received ? sent : received;
}

/* Ends a group: attributes the kernels found to the pending calls, or counts the calls as
 * unknown. */
static void end_group(struct builder *builder)
{
    size_t n = builder->pending.n, kernels = builder->kernels.n;

    if (n == 0)
        return;
    if ((kernels == 1 && are_alike(builder, false)) || (kernels == n && are_alike(builder, true))) {
        const struct call *first = &builder->calls.at[builder->pending.at[0]];
        struct nsc_nccl_kernel kernel = {.comm = find_comm(builder->out, first->comm),
                                         .calls = kernels == n ? 1 : (uint32_t)n,
                                         .op = first->op,
                                         .bytes =
                                             kernels == n ? first->bytes : pending_bytes(builder)};

        for (size_t i = 0; i < kernels; i++) {
            kernel.kernel = builder->kernels.at[i];
            if (nsc_scope_has(builder->scope, kernel.kernel))
                *NSC_VEC_ADD(&builder->out->kernels) = kernel;
        }
    } else {
        builder->out->unknown += (uint32_t)n;
    }
    NSC_VEC_CLEAR(&builder->pending);
}

static void walk_calls(struct builder *builder)
{
    const struct call *calls = builder->calls.at;
    uint32_t depth = 0;

    for (size_t i = 0; i < builder->calls.n; i++) {
        if (i > 0 &&
            (calls[i].process != calls[i - 1].process || calls[i].tid != calls[i - 1].tid)) {
            builder->out->unknown += (uint32_t)builder->pending.n;
            NSC_VEC_CLEAR(&builder->pending);
            depth = 0;
        }
        if (calls[i].kind == CALL_BEGIN)
            depth++;
        if (calls[i].kind == CALL_OP) {
            builder->out->calls++;
            *NSC_VEC_ADD(&builder->pending) = (uint32_t)i;
        }
        if (calls[i].kind == CALL_END && depth > 0)
            depth--;
        if (depth == 0 && builder->pending.n > 0) {
            find_kernels(builder, calls[i].event);
            end_group(builder);
        }
    }
    builder->out->unknown += (uint32_t)builder->pending.n;
}

NSC_COMPARE(compare_kernels, struct nsc_nccl_kernel, NSC_LEAST(kernel))

static bool has_nccl_schemas(const struct nsc_payload_schemas *schemas)
{
    for (size_t i = 0; i < schemas->entries.list.n; i++)
        if (nsc_text_is(schemas->entries.list.at[i].name, "NCCL communicator ID"))
            return true;
    return false;
}

static void build(struct builder *builder)
{
    struct nsc_scope all = nsc_scope_all(builder->trace);
    struct nsc_nccl_calls *out = builder->out;

    builder->is_nccl = nsc_xcalloc((size_t)nsc_trace_names(builder->trace)->n + 1, 1);
    for (struct nsc_scope_cursor at = nsc_scope_open(&all, NSC_RANGE_TRACKS); nsc_scope_next(&at);)
        add_call(builder, at.track, at.row);
    free(builder->is_nccl);
    if (!out->has_payloads)
        return;
    NSC_VEC_SORT(&builder->calls, compare_calls);
    list_comms(builder);
    count_ranks(builder);
    all.shared = builder->scope->shared;
    builder->launches = nsc_launches_ask_order(&all);
    if (builder->launches)
        walk_calls(builder);
    nsc_launches_free(builder->launches);
    NSC_VEC_SORT(&out->kernels, compare_kernels);
}

void nsc_nccl_calls_build(struct nsc_nccl_calls *out, const struct nsc_scope *scope,
                          const struct nsc_field_sets *fields)
{
    struct builder builder = {.out = out, .scope = scope, .trace = scope->trace};

    *out = (struct nsc_nccl_calls){0};
    nsc_payload_schemas_build(&builder.schemas, nsc_field_set(fields, NSC_FIELDS_PAYLOAD_ENTRIES),
                              nsc_field_set(fields, NSC_FIELDS_PAYLOAD_WORDS));
    out->has_schemas = has_nccl_schemas(&builder.schemas);
    if (out->has_schemas) {
        builder.payloads = nsc_field_set(fields, NSC_FIELDS_PAYLOADS);
        build(&builder);
    }
    nsc_payload_schemas_fini(&builder.schemas);
    NSC_VEC_FINI(&builder.calls);
    NSC_VEC_FINI(&builder.inits);
    NSC_VEC_FINI(&builder.pending);
    NSC_VEC_FINI(&builder.kernels);
}

const struct nsc_nccl_kernel *nsc_nccl_find(const struct nsc_nccl_calls *calls, nsc_event kernel)
{
    const struct nsc_nccl_kernel key = {.kernel = kernel};

    return calls->kernels.n ? bsearch(&key, calls->kernels.at, calls->kernels.n,
                                      sizeof *calls->kernels.at, compare_kernels)
                            : NULL;
}

void nsc_nccl_calls_fini(struct nsc_nccl_calls *calls)
{
    NSC_VEC_FINI(&calls->comms);
    NSC_VEC_FINI(&calls->kernels);
}
