/* Explains each interval without compute by what the op at its end waited for. */
#include "analysis/device/compute_absent.h"

#include "analysis/base/correlate.h"
#include "analysis/device/gaps.h"
#include "analysis/names/call_class.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

#define CHAIN 64 /* most ops followed back from one interval */

struct late { /* time in which an op was not issued yet */
    nsc_time start, end;
    nsc_event call;
};

struct explaining {
    struct nsc_absent *out;
    const struct nsc_trace *trace;
    const struct nsc_depends *depends;
    struct nsc_call_classes classes;
    struct nsc_host_walk host;
    uint32_t lane;                      /* the first of the stream of the current op */
    nsc_time reach;                     /* end of compute so far */
    NSC_VEC(struct nsc_device_op) comm; /* communication that may run after reach, by start */
    NSC_VEC(struct nsc_window) copies;  /* in which copies or memsets run, merged */
    size_t copy;                        /* the first of them that a late time may touch */
    struct late late[CHAIN];
    uint32_t n_late;
};

const char *nsc_absent_word(enum nsc_absent_part part)
{
    static const char *const words[NSC_N_ABSENT_PARTS] = {"launched late",
                                                          "blocked by communication",
                                                          "blocked by a copy",
                                                          "blocked by compute elsewhere",
                                                          "late behind communication",
                                                          "in a CUDA graph that is issued",
                                                          "residual",
                                                          "unknown: no launch or nothing follows"};

    return words[part];
}

static void add_part(struct explaining *of, enum nsc_absent_part part, nsc_time start, nsc_time end)
{
    if (start < end)
        of->out->part[part] = nsc_sum(of->out->part[part], nsc_span(start, end));
}

/* ---- late ---- */

static enum nsc_absent_part late_part(enum nsc_host_act act, bool has_comm, bool has_copy)
{
    if (act == NSC_HOST_SYNC && has_comm)
        return NSC_ABSENT_COMM;
    if ((act == NSC_HOST_SYNC || act == NSC_HOST_COPY) && has_copy)
        return NSC_ABSENT_COPY;
    return has_comm ? NSC_ABSENT_BEHIND : NSC_ABSENT_LATE;
}

static bool is_query(const struct explaining *of, const struct nsc_host_piece *piece)
{
    return piece->act == NSC_HOST_CUDA &&
           nsc_text_contains_folded(nsc_event_name(of->trace, piece->row), nsc_text_from("query"));
}

/* What the thread does in a piece; asking again and again whether work is done is waiting. */
static enum nsc_host_act act_of(const struct explaining *of, size_t i)
{
    const struct nsc_host_piece *pieces = of->host.pieces.at;
    bool is_between = i > 0 && i + 1 < of->host.pieces.n && pieces[i].act == NSC_HOST_CPU &&
                      nsc_span(pieces[i].start, pieces[i].end) <= NSC_POLL_NS &&
                      is_query(of, &pieces[i - 1]) && is_query(of, &pieces[i + 1]);

    return is_between || is_query(of, &pieces[i]) ? NSC_HOST_SYNC
                                                  : (enum nsc_host_act)pieces[i].act;
}

/* Adds late time during communication, copies or both: the thread waits for it, or is late. */
static void add_beside(struct explaining *of, nsc_event call, nsc_time start, nsc_time end,
                       bool has_comm, bool has_copy)
{
    if (start >= end)
        return;
    if (of->host.is_barred || (!has_comm && !has_copy)) {
        add_part(of, has_comm || has_copy ? NSC_ABSENT_UNKNOWN : NSC_ABSENT_LATE, start, end);
        return;
    }
    nsc_host_walk_read(&of->host, nsc_host_walk_thread(&of->host, call), start, end);
    for (size_t i = 0; i < of->host.pieces.n; i++) {
        const struct nsc_host_piece *piece = &of->host.pieces.at[i];

        add_part(of, late_part(act_of(of, i), has_comm, has_copy), piece->start, piece->end);
    }
}

/* Splits late time by whether copies run. */
static void add_split(struct explaining *of, nsc_event call, nsc_time start, nsc_time end,
                      bool has_comm)
{
    while (start < end) {
        nsc_time from = end;
        nsc_time to = end;

        while (of->copy < of->copies.n && of->copies.at[of->copy].t1 <= start)
            of->copy++;
        if (of->copy < of->copies.n) {
            from = nsc_earlier(nsc_later(of->copies.at[of->copy].t0, start), end);
            to = nsc_earlier(of->copies.at[of->copy].t1, end);
        }
        add_beside(of, call, start, from, has_comm, false);
        add_beside(of, call, from, to, has_comm, true);
        start = nsc_later(from, to);
    }
}

static void add_late(struct explaining *of, const struct late *late)
{
    nsc_time at = late->start;

    for (size_t i = 0; i < of->comm.n && at < late->end; i++) {
        nsc_time start = nsc_earlier(nsc_later(of->comm.at[i].start, at), late->end);
        nsc_time end = nsc_earlier(of->comm.at[i].end, late->end);

        if (start >= end)
            continue;
        add_split(of, late->call, at, start, false);
        add_split(of, late->call, start, end, true);
        at = end;
    }
    add_split(of, late->call, at, late->end, false);
}

/* ---- one interval ---- */

static enum nsc_absent_part part_of(const struct explaining *of, nsc_event op)
{
    enum nsc_op_kind kind;

    if (!nsc_op_kind_of(of->trace, op, &kind))
        return NSC_ABSENT_RESIDUAL;
    return kind == NSC_OP_KIND_COMPUTE ? NSC_ABSENT_ELSEWHERE
           : kind < NSC_OP_KIND_HTOD   ? NSC_ABSENT_COMM
                                       : NSC_ABSENT_COPY;
}

/* The class of the time from ready to the start of the op. */
static enum nsc_absent_part delay_of(const struct explaining *of, nsc_event op, nsc_time issued,
                                     nsc_time freed)
{
    const struct nsc_events *events = nsc_trace_events(of->trace);

    if (issued >= freed && events->start[op] - issued <= NSC_LAUNCH_LATENCY_NS)
        return NSC_ABSENT_LATE;
    return events->kind[op] == NSC_KIND_KERNEL &&
                   nsc_call_class_of(&of->classes, events->link[op]) == NSC_CALL_GRAPH
               ? NSC_ABSENT_GRAPH
               : NSC_ABSENT_RESIDUAL;
}

/* Whether communication that runs when an op is issued ends well after that and before the op begins. */
static bool is_held(const struct explaining *of, nsc_event op, nsc_time issued)
{
    nsc_time start = nsc_trace_events(of->trace)->start[op];

    for (size_t i = 0; i < of->comm.n; i++)
        if (of->comm.at[i].start < issued && of->comm.at[i].end <= start &&
            of->comm.at[i].end - issued > NSC_LAUNCH_LATENCY_NS)
            return true;
    return false;
}

/* Explains the end of [start, *end), before op runs, and moves *end back. Returns the op to explain
 * next; NSC_NONE: none. */
static nsc_event explain_op(struct explaining *of, nsc_event op, nsc_time start, nsc_time *end)
{
    const struct nsc_events *events = nsc_trace_events(of->trace);
    nsc_event call = nsc_event_launch(of->trace, op);
    nsc_event dep = nsc_depends_last(of->depends, op, of->lane);
    nsc_time freed = dep == NSC_NONE ? INT64_MIN : nsc_event_end(events, dep);
    nsc_time issued = nsc_depends_issued(of->depends, op, dep);
    nsc_time ready = nsc_later(start, nsc_earlier(nsc_later(issued, freed), *end));

    if (call == NSC_NONE)
        return NSC_NONE;
    add_part(of, delay_of(of, op, issued, freed), ready, *end);
    *end = ready;
    if (issued >= freed && *end > start) {
        if (is_held(of, op, issued))
            add_part(of, NSC_ABSENT_RESIDUAL, start, *end);
        else
            of->late[of->n_late++] = (struct late){start, *end, call};
        *end = start;
    }
    if (dep == NSC_NONE || *end <= start)
        return NSC_NONE;
    ready = nsc_later(start, nsc_earlier(events->start[dep], *end));
    add_part(of, part_of(of, dep), ready, *end);
    *end = ready;
    return dep;
}

static void drop_ended(struct explaining *of)
{
    size_t n = 0;
    size_t left = 0;

    for (size_t i = 0; i < of->comm.n; i++)
        if (of->comm.at[i].end > of->reach)
            of->comm.at[n++] = of->comm.at[i];
    of->comm.n = n;
    for (size_t i = 0; i < of->copies.n; i++)
        if (of->copies.at[i].t1 > of->reach)
            of->copies.at[left++] = of->copies.at[i];
    of->copies.n = left;
    of->copy = 0;
}

static void explain(struct explaining *of, nsc_time start, nsc_time end, nsc_event op)
{
    of->out->n++;
    of->out->absent = nsc_sum(of->out->absent, nsc_span(start, end));
    of->n_late = 0;
    for (int i = 0; i < CHAIN && op != NSC_NONE && end > start; i++)
        op = explain_op(of, op, start, &end);
    add_part(of, op == NSC_NONE ? NSC_ABSENT_UNKNOWN : NSC_ABSENT_RESIDUAL, start, end);
    while (of->n_late > 0) /* earliest first: the host walk only moves forward */
        add_late(of, &of->late[--of->n_late]);
}

/* ---- the rider ---- */

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct explaining *of = own;

    of->out = answer;
    of->out->window = sweep->window;
    of->trace = sweep->scope->trace;
    of->depends = param;
    of->reach = sweep->window.t0;
    nsc_call_classes_build(&of->classes, of->trace);
    nsc_host_walk_init(&of->host, sweep->scope);
}

static void add_copy(struct explaining *of, const struct nsc_device_op *op)
{
    struct nsc_window *last = of->copies.n > 0 ? &of->copies.at[of->copies.n - 1] : NULL;

    if (last && op->start <= last->t1)
        last->t1 = nsc_later(last->t1, op->end);
    else
        *NSC_VEC_ADD(&of->copies) = (struct nsc_window){op->start, op->end};
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct explaining *of = own;

    (void)sweep;
    if (op->start == op->end)
        return;
    if (op->kind != NSC_OP_KIND_COMPUTE) {
        if (op->end > of->reach && op->kind < NSC_OP_KIND_HTOD)
            *NSC_VEC_ADD(&of->comm) = *op;
        else if (op->end > of->reach)
            add_copy(of, op);
        return;
    }
    of->lane = nsc_trace_track(of->trace, op->stream)->first_lane;
    if (op->start > of->reach)
        explain(of, of->reach, op->start, op->event);
    of->out->compute = nsc_sum(of->out->compute, nsc_extend(&of->reach, op->start, op->end));
    if (of->comm.n + of->copies.n > 0)
        drop_ended(of);
}

static bool end_absent(void *own, const struct nsc_sweep *sweep)
{
    struct explaining *of = own;

    if (sweep->has_window && of->reach < sweep->window.t1)
        explain(of, of->reach, sweep->window.t1, NSC_NONE);
    nsc_call_classes_fini(&of->classes);
    nsc_host_walk_fini(&of->host);
    NSC_VEC_FINI(&of->comm);
    NSC_VEC_FINI(&of->copies);
    return sweep->has_window;
}

const struct nsc_rider nsc_absent_rider = {.kind = {.bytes = sizeof(struct nsc_absent)},
                                           .own_bytes = sizeof(struct explaining),
                                           .begin = begin,
                                           .op = pass_op,
                                           .end = end_absent};

bool nsc_absent_build(struct nsc_absent *out, const struct nsc_scope *scope,
                      const struct nsc_depends *depends, uint32_t device)
{
    return nsc_sweep_ask(out, NULL, &nsc_absent_rider, depends, scope, device);
}
